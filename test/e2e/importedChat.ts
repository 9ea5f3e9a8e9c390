import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, type Frame } from "@playwright/test";
import type { Workbench } from "./workbench.ts";

/** The texts in a turn of a chat that is imported. */
export interface ImportedTurn {
	readonly prompt: string;
	readonly answer: string;
}

function recordsOf({ prompt, answer }: ImportedTurn, turn: number): readonly object[] {
	const options = { model: "llm-4-turbo-tools", serverTools: [], parameters: {} };
	const at = 1_750_000_000_000 + turn * 60_000;
	const raw = { role: "assistant", content: "" };
	return [
		{ type: "turn-started", at, turn, id: `t${turn}`, prompt, options },
		{ type: "text", turn, index: 0, role: "assistant", text: answer },
		{
			type: "message-finished",
			turn,
			index: 0,
			isContentSaved: true,
			message: { role: "assistant", toolNames: [], raw },
		},
		{ type: "turn-ended", at, turn, progress: { state: "complete" } },
	];
}

/** Imports a chat as a user does, from a JSON file in the open folder; resolves with the frame that shows it. */
export async function importTurns(
	workbench: Workbench,
	title: string,
	turns: readonly ImportedTurn[],
): Promise<Frame> {
	const at = 1_750_000_000_000;
	const records = [
		{ type: "chat-created", at, id: "imported" },
		{ type: "title", at, title },
		...turns.flatMap((turn, index) => recordsOf(turn, index + 1)),
	];
	const exported = { format: "cutaway-chat", version: 1, title, exportedAt: at, records };
	const path = join(workbench.folder, "imported.json");
	await writeFile(path, JSON.stringify(exported));
	await workbench.openChat();
	await workbench.runCommand("Cutaway: Import Chat…");
	await workbench.answerFileDialog(/\/$/, path);
	const chat = await workbench.chatFrame();
	await expect(chat.getByText(turns.at(-1)?.prompt ?? "", { exact: true })).toBeVisible();
	return chat;
}
