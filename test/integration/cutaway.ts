import assert from "node:assert/strict";
import * as vscode from "vscode";
import type { Turn } from "../../src/chat/contract/turn.ts";
import type { TestApi } from "../../src/extension.ts";
import type { ChatController } from "../../src/ui/chat/chatController.ts";

/** The extension as VS Code knows it. */
export function cutaway(): vscode.Extension<TestApi> {
	const extension = vscode.extensions.getExtension<TestApi>("cutaway.cutaway");
	assert.ok(extension, "Cutaway is installed");
	return extension;
}

/** The chat of the running extension. */
export async function chat(): Promise<ChatController> {
	const api = await cutaway().activate();
	return (await api.runtime()).chat.get();
}

/** Asks a question and resolves once its turn has ended, whatever the ending. */
export async function ask(
	text: string,
): Promise<ReturnType<ChatController["picture"]>["turns"][number]> {
	const controller = await chat();
	const id = await controller.send(text);
	return turnEnded(controller, id);
}

/** Resolves with a turn once it is no longer streaming. */
export async function turnEnded(controller: ChatController, id: Turn["id"]) {
	const find = () => controller.picture().turns.find(turn => turn.id === id);
	await until(() => find()?.status.state !== "streaming", "the turn to end");
	const turn = find();
	assert.ok(turn, "the turn is in the chat");
	return turn;
}

/** Resolves once `isTrue` holds; fails after a minute with what was waited for. */
export async function until(isTrue: () => boolean, what: string): Promise<void> {
	const end = Date.now() + 60_000;
	while (!isTrue()) {
		assert.ok(Date.now() < end, `Waited a minute for ${what}`);
		// Polling in turn is the point.
		await new Promise(resolve => setTimeout(resolve, 20));
	}
}

/** Sets settings of Cutaway for the user; undefined takes one back. */
export async function configure(values: Readonly<Record<string, unknown>>): Promise<void> {
	const section = vscode.workspace.getConfiguration("cutaway");
	for (const [name, value] of Object.entries(values)) {
		// Settings are written to one file, one after the other.
		await section.update(name, value, vscode.ConfigurationTarget.Global);
	}
}
