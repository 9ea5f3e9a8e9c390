import assert from "node:assert/strict";
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as vscode from "vscode";
import type { ChatController } from "../../src/ui/chat/chatController.ts";
import { chat, until } from "./cutaway.ts";
import { type Call, useTools } from "./toolScript.ts";

function edit(path: string, find: string, replace: string): Call {
	return ["apply_edit", { files: [{ path, edits: [{ find, replace }] }] }];
}

/** Does what undoes an answer, and allows what its card asks for. */
async function allowing<Result>(
	act: (controller: ChatController) => Promise<Result>,
): Promise<Result> {
	const controller = await chat();
	const subscription = controller.onDidChange(changes => {
		for (const change of changes) {
			const approval = change.type === "tool-card" ? change.card.approval : undefined;
			if (approval) {
				const { requestId, hunks } = approval;
				const all = hunks.flatMap(({ number }) => number ?? []);
				const answer = { decision: "allow", scope: "once", reason: "", hunks: all } as const;
				setTimeout(() => controller.tools.cards.answer({ requestId, ...answer }), 550);
			}
		}
	});
	const result = await act(controller);
	subscription.dispose();
	return result;
}

const isGone = (uri: vscode.Uri): Promise<void> =>
	assert.rejects(async () => vscode.workspace.fs.stat(uri));

describe("undoing an answer", () => {
	const { at, put, bytesOf, run, forget } = useTools();

	it("undoes at once what an answer changed, and redoes it @core", async () => {
		const edited = await put("tool-undo.txt", "one\r\ntwo\r\n");
		const gone = await put("tool-gone.txt", "\uFEFFgone\r\n");
		forget("tool-later.txt", "answer-made/deep/made.txt");
		const { turn } = await run([
			[edit("tool-undo.txt", "two", "2")],
			[["rename_file", { path: "tool-undo.txt", newPath: "tool-later.txt" }]],
			[edit("tool-later.txt", "2", "2\n3")],
			[["create_file", { path: "answer-made/deep/made.txt", text: "made" }]],
			[["delete_file", { path: "tool-gone.txt" }]],
		]);
		const controller = await chat();
		const later = at("tool-later.txt");
		const made = at("answer-made/deep/made.txt");
		assert.equal(await bytesOf(later), "one\r\n2\r\n3\r\n");
		assert.equal(await allowing(() => controller.undoAnswer(turn.id, false)), true);
		const cards = () => controller.picture().turns.find(({ id }) => id === turn.id)?.tools ?? [];
		const states = () => cards().map(({ change }) => change);
		const areSaved = (): boolean => vscode.workspace.textDocuments.every(({ isDirty }) => !isDirty);
		assert.equal(await bytesOf(edited), "one\r\ntwo\r\n");
		assert.equal(await bytesOf(gone), "\u00EF\u00BB\u00BFgone\r\n");
		await Promise.all([isGone(later), isGone(at("answer-made"))]);
		assert.ok(areSaved());
		assert.deepEqual(states(), [...Array<string>(5).fill("undone"), "applied"]);
		await controller.tools.history.undo({ turnId: turn.id, cardId: cards().at(-1)?.id ?? "" });
		assert.equal(await bytesOf(later), "one\r\n2\r\n3\r\n");
		assert.equal(await bytesOf(made), "made");
		await Promise.all([isGone(edited), isGone(gone)]);
		assert.ok(areSaved());
		assert.deepEqual(states(), [...Array<string>(5).fill("applied"), "undone"]);
	});

	it("undoes and redoes what an answer changed where the editor formats on save", async () => {
		const formatter = vscode.languages.registerDocumentFormattingEditProvider(
			{ pattern: "**/undo-format.txt" },
			{
				provideDocumentFormattingEdits: document => {
					const text = document.getText();
					const whole = new vscode.Range(document.positionAt(0), document.positionAt(text.length));
					return [vscode.TextEdit.replace(whole, text.replaceAll(/ +$/gm, ""))];
				},
			},
		);
		const editing = vscode.workspace.getConfiguration("editor");
		await editing.update("formatOnSave", true, vscode.ConfigurationTarget.Global);
		try {
			const file = await put("undo-format.txt", "one\ntwo  \n");
			await vscode.window.showTextDocument(file);
			const { turn } = await run([[edit("undo-format.txt", "one", "1")]]);
			const controller = await chat();
			const cards = () => controller.picture().turns.find(({ id }) => id === turn.id)?.tools ?? [];
			assert.equal(await bytesOf(file), "1\ntwo\n");
			assert.equal(await allowing(() => controller.undoAnswer(turn.id, false)), true);
			assert.equal(await bytesOf(file), "one\ntwo\n");
			assert.equal(
				cards().at(-1)?.result,
				"Undone, but saving changed undo-format.txt, as formatting does",
			);
			await controller.tools.history.undo({ turnId: turn.id, cardId: cards().at(-1)?.id ?? "" });
			assert.equal(await bytesOf(file), "1\ntwo\n");
			assert.equal(await allowing(() => controller.undoAnswer(turn.id, false)), true);
			assert.equal(await bytesOf(file), "one\ntwo\n");
		} finally {
			formatter.dispose();
			await editing.update("formatOnSave", undefined, vscode.ConfigurationTarget.Global);
		}
	});

	describe("in two folders, after the user went on working", () => {
		let far = "";

		beforeEach(async () => {
			far = await realpath(await mkdtemp(join(tmpdir(), "cutaway-undo-")));
			const uri = vscode.Uri.file(far);
			const add = () => vscode.workspace.updateWorkspaceFolders(1, 0, { uri, name: "far" });
			await until(add, "the editor to take the folder");
			await until(() => vscode.workspace.workspaceFolders?.length === 2, "the folder");
		});

		afterEach(async () => {
			await vscode.commands.executeCommand("workbench.action.closeAllEditors");
			await until(() => {
				const isOne = vscode.workspace.workspaceFolders?.length === 1;
				return isOne || (vscode.workspace.updateWorkspaceFolders(1, 1), false);
			}, "the folder to go");
			await rm(far, { recursive: true, force: true });
		});

		it("restores each file as it was, and leaves and names those that are the user's by now", async () => {
			const near = vscode.workspace.workspaceFolders?.[0]?.name ?? "";
			const there = vscode.Uri.file(join(far, "undo-far.txt"));
			await vscode.workspace.fs.writeFile(there, Buffer.from("one\n"));
			const before = {
				"undo-crlf.txt": "one\r\ntwo\r\n",
				"undo-bom.txt": "\uFEFFone\n",
				"undo-moved.txt": "one\n",
				"undo-only-moved.txt": "one\n",
				"undo-dirty.txt": "one\n",
				"undo-deleted.txt": "one\n",
				"undo-typed.txt": "one\n",
			};
			for (const [name, text] of Object.entries(before)) {
				await put(name, text);
			}
			forget("undo-moved-2.txt", "undo-only-moved-2.txt");
			const type = async (uri: vscode.Uri, text: string): Promise<vscode.TextDocument> => {
				const editor = await vscode.window.showTextDocument(uri, { preview: false });
				await editor.edit(change => change.insert(new vscode.Position(0, 0), text));
				return editor.document;
			};
			const dirty = await type(at("undo-dirty.txt"), "mine ");
			const untitled = await vscode.workspace.openTextDocument({ content: "one\n" });
			await vscode.window.showTextDocument(untitled, { preview: false });
			const move = (name: string): Call => [
				"rename_file",
				{ path: `${near}/${name}.txt`, newPath: `${near}/${name}-2.txt` },
			];
			const { turn, results } = await run([
				["crlf", "bom", "dirty", "deleted", "typed"].map(name =>
					edit(`${near}/undo-${name}.txt`, "one", "1"),
				),
				[edit("far/undo-far.txt", "one", "1"), move("undo-moved"), move("undo-only-moved")],
				[edit(`${near}/undo-moved-2.txt`, "one", "1")],
			]);
			assert.deepEqual(new Set(results.map(({ state }) => state)), new Set(["done"]));
			assert.equal(dirty.getText(), "mine 1\n");
			await vscode.workspace.fs.delete(at("undo-deleted.txt"));
			const typed = await type(at("undo-typed.txt"), "mine ");
			await (await type(at("undo-only-moved-2.txt"), "mine ")).save();

			// As Undo the Others does, whose dialog no test can answer in every editor.
			const undo = (files?: readonly string[]) =>
				allowing(async controller => {
					const input = { questions: [turn.id], ...(files ? { files } : {}) };
					return controller.codeBlocks.run(
						controller.codeBlockOrigin(turn.id),
						"undo_answer",
						input,
					);
				});
			assert.match(
				(await undo())?.content ?? "",
				new RegExp(
					`: ${near}/undo-deleted.txt, ${near}/undo-typed.txt aren't as the answer left them`,
				),
			);
			assert.equal(await bytesOf(at("undo-crlf.txt")), "1\r\ntwo\r\n");
			const others = ["crlf", "bom", "moved-2", "only-moved-2", "dirty"].map(
				name => `${near}/undo-${name}.txt`,
			);
			assert.equal((await undo([...others, "far/undo-far.txt"]))?.content, "Undone");
			for (const name of ["undo-crlf.txt", "undo-bom.txt", "undo-moved.txt"] as const) {
				assert.equal(await bytesOf(at(name)), Buffer.from(before[name]).toString("latin1"));
			}
			assert.equal(await bytesOf(there), "one\n");
			assert.equal(await bytesOf(at("undo-only-moved.txt")), "mine one\n");
			assert.equal(dirty.getText(), "mine one\n");
			assert.ok(dirty.isDirty, "what the user has not saved stays so");
			assert.equal(await bytesOf(at("undo-dirty.txt")), "one\n");
			await isGone(at("undo-deleted.txt"));
			assert.equal(typed.getText(), "mine 1\n");
			assert.equal(await bytesOf(at("undo-typed.txt")), "1\n");
			assert.equal(untitled.getText(), "one\n");
		});
	});
});
