import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { dirname } from "node:path";
import * as vscode from "vscode";
import { chat, configure, turnEnded, until } from "./cutaway.ts";
import { useTools } from "./toolScript.ts";

describe("tools in the editor", () => {
	const { at, put, bytesOf, run, forget, heard } = useTools();

	it("reads, lists, searches and finds problems without asking @core", async () => {
		await put("tool-a1.txt", "alpha\nbeta\n");
		const { results, asked } = await run([
			[
				["read_file", { path: "tool-a1.txt", startLine: 2, endLine: 2 }],
				["list_files", { glob: "tool-a1*.txt" }],
				["search_text", { query: "alpha", glob: "tool-a1*" }],
				["get_problems", {}],
				["get_open_files", {}],
				["get_git_diff", {}],
			],
		]);
		assert.deepEqual(asked, []);
		const [read, list, search, problems] = results;
		assert.match(read?.result ?? "", /lines 2-2 of 3:\nbeta$/);
		assert.equal(list?.result, "tool-a1.txt");
		assert.equal(search?.result, "tool-a1.txt:1: alpha");
		assert.equal(problems?.state, "done");
	});

	it("sees the selection and unsaved text of the active editor", async () => {
		const uri = await put("tool-a2.txt", "alpha\nbeta\n");
		const editor = await vscode.window.showTextDocument(uri);
		await editor.edit(edit => edit.insert(new vscode.Position(0, 0), "new "));
		editor.selection = new vscode.Selection(0, 0, 0, 9);
		const { results } = await run([
			[
				["get_selection", {}],
				["read_file", { path: "tool-a2.txt" }],
			],
		]);
		assert.match(
			results[0]?.result ?? "",
			/tool-a2\.txt, lines 1-1 \(with unsaved changes\):\nnew alpha$/,
		);
		assert.match(results[1]?.result ?? "", /new alpha/);
	});

	it("edits several files in one step, keeping line ends, byte order mark and encoding", async () => {
		const crlf = await put("tool-crlf.txt", "one\r\ntwo\r\n");
		const bom = await put("tool-bom.txt", "\uFEFFone\ntwo\n");
		const wide = await put("tool-utf16.txt", Buffer.from("\uFEFFone\ntwo\n", "utf16le"));
		const { asked, results } = await run([
			[
				[
					"apply_edit",
					{
						files: ["tool-crlf.txt", "tool-bom.txt", "tool-utf16.txt"].map(path => ({
							path,
							edits: [{ find: "one\n", replace: "1\nx\n" }],
						})),
					},
				],
			],
		]);
		assert.equal(results[0]?.state, "done", results[0]?.result);
		assert.equal(asked[0]?.approval?.hunks.length, 3);
		assert.equal(await bytesOf(crlf), "1\r\nx\r\ntwo\r\n");
		assert.equal(await bytesOf(bom), "\u00EF\u00BB\u00BF1\nx\ntwo\n");
		assert.equal(
			await bytesOf(wide),
			Buffer.from("\uFEFF1\nx\ntwo\n", "utf16le").toString("latin1"),
		);
	});

	it("shows a diff of virtual documents while it asks, and closes it afterwards", async () => {
		const uri = await put("tool-a4.txt", "one\n");
		const labels: string[] = [];
		const diffs = (): string[] =>
			vscode.window.tabGroups.all
				.flatMap(group => group.tabs)
				.filter(tab => tab.input instanceof vscode.TabInputTextDiff)
				.map(tab => tab.label);
		await run(
			[
				[
					[
						"apply_edit",
						{ files: [{ path: "tool-a4.txt", edits: [{ find: "one", replace: "two" }] }] },
					],
				],
			],
			{ decision: "deny", reason: "no" },
			async () => {
				await until(() => diffs().length > 0, "the diff");
				labels.push(...diffs());
				assert.equal(await bytesOf(uri), "one\n");
			},
		);
		assert.deepEqual(labels, ["tool-a4.txt (proposed edit)"]);
		await until(() => diffs().length === 0, "the diff to close");
		assert.equal(await bytesOf(uri), "one\n");
	});

	it("takes one hunk of two, and one undo takes it back @core", async () => {
		const uri = await put("tool-a5.txt", "one\ntwo\n");
		await vscode.window.showTextDocument(uri);
		const edits = [
			{ find: "one", replace: "1" },
			{ find: "two", replace: "2" },
		];
		await run([[["apply_edit", { files: [{ path: "tool-a5.txt", edits }] }]]], { hunks: [1] });
		assert.equal(await bytesOf(uri), "one\n2\n");
		await vscode.window.showTextDocument(uri);
		await vscode.commands.executeCommand("undo");
		const { document } = vscode.window.activeTextEditor ?? {};
		assert.equal(document?.getText(), "one\ntwo\n");
		await document?.save();
	});

	it("U11: shows a new diff when the document moved on", async () => {
		const uri = await put("tool-a6.txt", "one\n");
		const { document } = await vscode.window.showTextDocument(uri);
		let asked = 0;
		await run(
			[
				[
					[
						"apply_edit",
						{ files: [{ path: "tool-a6.txt", edits: [{ find: "one", replace: "two" }] }] },
					],
				],
			],
			{},
			async () => {
				asked += 1;
				if (asked === 1) {
					const edit = new vscode.WorkspaceEdit();
					edit.insert(uri, new vscode.Position(0, 0), "// ");
					await vscode.workspace.applyEdit(edit);
				}
			},
		);
		assert.equal(asked, 2);
		assert.equal(document.getText(), "// two\n");
	});

	it("inserts, replaces, creates, renames, opens and deletes once it is allowed", async () => {
		const uri = await put("tool-r.txt", "one two\n");
		forget("tool-new.txt", "tool-b.txt");
		const editor = await vscode.window.showTextDocument(uri);
		editor.selection = new vscode.Selection(0, 0, 0, 3);
		const replaced = await run([[["replace_selection", { text: "ONE" }]]]);
		assert.equal(replaced.results[0]?.state, "done", replaced.results[0]?.result);
		assert.equal(await bytesOf(uri), "ONE two\n");
		const { results } = await run([
			[
				["create_file", { path: "tool-new.txt", text: "made" }],
				["rename_file", { path: "tool-new.txt", newPath: "tool-b.txt" }],
				["open_file", { path: "tool-b.txt" }],
			],
			[["delete_file", { path: "tool-r.txt" }]],
		]);
		assert.deepEqual(
			results.map(({ state }) => state),
			["done", "done", "done", "done"],
		);
		assert.equal(await bytesOf(at("tool-b.txt")), "made");
		await assert.rejects(async () => vscode.workspace.fs.stat(uri));
	});

	it("fills an empty file once it is allowed, shows it as an edit, and undoes it to the empty file", async () => {
		for (const [before, name] of [
			["", "tool-empty.ts"],
			["\r\n", "tool-blank.ts"],
		] as const) {
			const uri = await put(name, before);
			await vscode.window.showTextDocument(uri);
			const { turn, asked, results } = await run(
				[[["create_file", { path: name, text: "one();\ntwo();\n" }]]],
				{},
				async () => assert.equal(await bytesOf(uri), before),
			);
			assert.equal(results[0]?.state, "done", results[0]?.result);
			assert.equal(asked[0]?.approval?.hunks.length, 1);
			assert.match(await bytesOf(uri), /^one\(\);\r?\ntwo\(\);\r?\n$/);
			const { tools } = await chat();
			const [card] = turn.tools ?? [];
			await tools.history.undo({ turnId: turn.id, cardId: card?.id ?? "" });
			assert.equal(await bytesOf(uri), before);
		}
	});

	it("refuses to create over a file whose text is not saved yet", async () => {
		const uri = await put("tool-unsaved.ts", "");
		const editor = await vscode.window.showTextDocument(uri);
		await editor.edit(edit => edit.insert(new vscode.Position(0, 0), "mine"));
		const { results, asked } = await run([
			[["create_file", { path: "tool-unsaved.ts", text: "one\n" }]],
		]);
		assert.deepEqual([results[0]?.state, asked], ["refused", []]);
		assert.equal(editor.document.getText(), "mine");
		assert.equal(await bytesOf(uri), "");
	});

	it("takes back what a card's call changed, and lists what is still changed @core", async () => {
		const uri = await put("tool-undo.txt", "one\r\ntwo\r\n");
		const gone = await put("tool-gone.bin", Buffer.from([0, 1, 255]));
		const { turn } = await run([
			[
				[
					"apply_edit",
					{ files: [{ path: "tool-undo.txt", edits: [{ find: "two", replace: "2\n3" }] }] },
				],
				["create_file", { path: "tool-made/deep/made.txt", text: "made" }],
				["delete_file", { path: "tool-gone.bin" }],
			],
		]);
		assert.equal(await bytesOf(uri), "one\r\n2\r\n3\r\n");
		assert.ok(turn.tools?.every(({ durationMs }) => durationMs !== undefined));
		assert.deepEqual(
			turn.tools?.map(({ change }) => change),
			["applied", "applied", "applied"],
		);
		const { tools } = await chat();
		for (const { id: cardId } of turn.tools ?? []) {
			await tools.history.undo({ turnId: turn.id, cardId });
		}
		assert.equal(await bytesOf(uri), "one\r\ntwo\r\n");
		assert.equal(await bytesOf(gone), "\u0000\u0001\u00FF");
		await assert.rejects(async () => vscode.workspace.fs.stat(at("tool-made")));
		const after = (await chat()).picture().turns.find(({ id }) => id === turn.id);
		assert.deepEqual(
			after?.tools?.map(({ change }) => change),
			["undone", "undone", "undone"],
		);
	});

	it("takes nothing back from a file that moved on, and shows the difference", async () => {
		const uri = await put("tool-moved.txt", "one\n");
		const { turn } = await run([
			[
				[
					"apply_edit",
					{ files: [{ path: "tool-moved.txt", edits: [{ find: "one", replace: "two" }] }] },
				],
			],
		]);
		const { document } = await vscode.window.showTextDocument(uri);
		await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode("two and more\n"));
		// An editor whose folders changed may watch files no longer; the command reads the file again.
		await vscode.commands.executeCommand("workbench.action.files.revert");
		const [card] = turn.tools ?? [];
		await until(() => document.getText().includes("more"), "the document to follow");
		const { tools } = await chat();
		await assert.rejects(
			() => tools.history.undo({ turnId: turn.id, cardId: card?.id ?? "" }),
			/Nothing was undone: tool-moved\.txt was changed since/,
		);
		assert.equal(await bytesOf(uri), "two and more\n");
		const labels = vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs.map(tab => tab.label));
		assert.ok(labels.includes("tool-moved.txt (before ↔ now)"), labels.join());
	});

	it("leaves out what Git ignores", async () => {
		const { fsPath } = await put("tool-ignore/.gitignore", "out/\n*.log\n!keep.log\n");
		execFileSync("git", ["init", "--quiet", dirname(fsPath)]);
		for (const name of ["out/a.txt", "b.log", "keep.log", "c.txt"]) {
			await put(`tool-ignore/${name}`, "tool-needle");
		}
		const { results } = await run([
			[
				["list_files", { glob: "tool-ignore/**" }],
				["search_text", { query: "tool-needle" }],
			],
		]);
		assert.equal(
			results[0]?.result,
			"tool-ignore/.gitignore\ntool-ignore/c.txt\ntool-ignore/keep.log",
		);
		assert.doesNotMatch(results[1]?.result ?? "", /out|b\.log/);
		assert.match(results[1]?.result ?? "", /keep\.log/);
	});

	it("does nothing that was denied, and tells the model why @core", async () => {
		const uri = await put("tool-a8.txt", "one\n");
		const { results } = await run([[["delete_file", { path: "tool-a8.txt" }]]], {
			decision: "deny",
			reason: "I need it",
		});
		assert.equal(results[0]?.state, "denied");
		assert.match(results[0]?.result ?? "", /Reason: I need it/);
		assert.equal(await bytesOf(uri), "one\n");
	});

	it("refuses a path outside the workspace and asks before a secret is read @core", async () => {
		await put(".env", "TOKEN=tool-secret");
		const { asked, results } = await run(
			[
				[
					["read_file", { path: "../outside.txt" }],
					["read_file", { path: ".env" }],
					["search_text", { query: "tool-secret" }],
				],
			],
			{ decision: "deny" },
		);
		assert.equal(asked.length, 1);
		assert.deepEqual(
			results.map(({ state }) => state),
			["refused", "denied", "done"],
		);
		assert.doesNotMatch(heard(), /tool-secret"?\\n|TOKEN=/);
	});

	it("offers its readers to the editor's own agents, through the same gate", async () => {
		await put("tool-lm.txt", "alpha\n");
		const names = vscode.lm.tools
			.map(({ name }) => name)
			.filter(name => name.startsWith("cutaway_"));
		assert.equal(names.length, 11);
		const invoke = async (input: object): Promise<string> => {
			const result = await vscode.lm.invokeTool("cutaway_read_file", {
				input,
				toolInvocationToken: undefined,
			});
			return result.content
				.map(part => (part instanceof vscode.LanguageModelTextPart ? part.value : ""))
				.join("");
		};
		assert.match(await invoke({ path: "tool-lm.txt" }), /alpha/);
		assert.match(await invoke({ path: "../outside.txt" }), /leads out of the workspace/);
		await configure({ "tools.offerToEditor": false });
		assert.match(await invoke({ path: "tool-lm.txt" }), /tools are off/);
		await configure({ "tools.offerToEditor": undefined });
	});

	it("make the sample edit of the demo, with nothing set up", async () => {
		const uri = await put("tool-demo.txt", "one two\n");
		const editor = await vscode.window.showTextDocument(uri);
		editor.selection = new vscode.Selection(0, 0, 0, 3);
		const controller = await chat();
		await controller.newChat();
		const subscription = controller.onDidChange(changes => {
			for (const change of changes) {
				const approval = change.type === "tool-card" ? change.card.approval : undefined;
				if (approval) {
					const { requestId } = approval;
					const answer = { decision: "allow", scope: "once", reason: "" } as const;
					setTimeout(
						() => controller.tools.cards.answer({ requestId, ...answer, hunks: [0] }),
						550,
					);
				}
			}
		});
		const id = await controller.send("Show a sample edit of the selection");
		const turn = await turnEnded(controller, id);
		subscription.dispose();
		assert.equal(turn.status.state, "complete", JSON.stringify(turn.status));
		assert.deepEqual(
			turn.tools?.map(({ name, state }) => [name, state]),
			[
				["get_selection", "done"],
				["replace_selection", "done"],
			],
		);
		assert.equal(await bytesOf(uri), "ONE two\n");
	});

	it("finds symbols and references through the language's own extension", async () => {
		const { results } = await run([
			[
				["get_symbols", { path: "src/pricing.ts" }],
				["open_file", { path: "src/pricing.ts", startLine: 1, endLine: 2 }],
			],
		]);
		assert.ok(
			results.every(({ state }) => state === "done"),
			JSON.stringify(results),
		);
	});
});
