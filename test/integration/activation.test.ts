import assert from "node:assert/strict";
import * as vscode from "vscode";
import { commandIds } from "../../src/ui/base/commands.ts";
import { cutaway } from "./cutaway.ts";

describe("activation", () => {
	it("registers every command of the manifest @core", async () => {
		await cutaway().activate();
		const commands = new Set(await vscode.commands.getCommands(true));
		assert.deepEqual(
			commandIds.filter(id => !commands.has(id)),
			[],
		);
	});

	it("loads neither the client nor the chat @core", async () => {
		const api = await cutaway().activate();
		assert.equal(api.isRuntimeLoaded(), false);
	});

	it("contributes the chat view to the secondary side bar @core", async () => {
		const commands = await vscode.commands.getCommands(true);
		assert.ok(commands.includes("cutaway.chat.focus"));
	});

	it("reads its settings with the defaults of the manifest @core", () => {
		const section = vscode.workspace.getConfiguration("cutaway");
		assert.equal(section.get("endpoint"), "");
		assert.equal(section.get("chat.model"), "");
		assert.equal(section.get("chat.temperature"), null);
	});
});
