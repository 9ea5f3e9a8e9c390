import assert from "node:assert/strict";
import * as vscode from "vscode";

describe("the editor the suite runs in", () => {
	it("is the version that was asked for @core", () => {
		assert.equal(vscode.version, process.env["CUTAWAY_EDITOR_VERSION"] ?? vscode.version);
	});

	it("has the sample workspace open @core", async () => {
		const files = await vscode.workspace.findFiles("**/*", "**/node_modules/**");
		assert.ok(files.length > 0, "the workspace has files");
	});

	it("runs built-in commands @core", async () => {
		const commands = await vscode.commands.getCommands(true);
		assert.ok(commands.includes("vscode.openFolder"));
	});
});
