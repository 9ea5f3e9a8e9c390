import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as vscode from "vscode";
import { readText } from "../../src/editor/documents.ts";
import { workspacePaths } from "../../src/editor/workspaceFiles.ts";
import { resolveTarget } from "../../src/paths/resolveTarget.ts";
import { until } from "./cutaway.ts";
import { useTools } from "./toolScript.ts";

/** One edit of one file, as the model writes it. */
function edit(path: string, ...edits: readonly { find: string; replace: string }[]) {
	return ["apply_edit", { files: [{ path, edits }] }] as const;
}

describe("tools on documents of every kind", () => {
	const { put, bytesOf, run, heard } = useTools();

	/** Opens a file and changes its text without saving it. */
	async function openDirty(uri: vscode.Uri, text: string): Promise<vscode.TextDocument> {
		const editor = await vscode.window.showTextDocument(uri);
		await editor.edit(change => change.insert(new vscode.Position(0, 0), text));
		return editor.document;
	}

	it("U13: edits a document with unsaved changes and leaves saving it to the user @core", async () => {
		const uri = await put("tool-dirty.txt", "one\n");
		const document = await openDirty(uri, "unsaved\n");
		const { results } = await run([
			[
				["read_file", { path: "tool-dirty.txt" }],
				["search_text", { query: "unsaved", glob: "tool-dirty*" }],
			],
			[edit("tool-dirty.txt", { find: "one", replace: "two" })],
		]);
		assert.match(results[0]?.result ?? "", /\(with unsaved changes\):\nunsaved\none/);
		assert.equal(results[1]?.result, "tool-dirty.txt:1: unsaved");
		assert.equal(results[2]?.state, "done", results[2]?.result);
		assert.equal(document.getText(), "unsaved\ntwo\n");
		assert.equal(document.isDirty, true);
		assert.equal(await bytesOf(uri), "one\n");
	});

	it("reads what another program wrote before the editor has loaded it", async () => {
		const uri = await put("tool-stale.txt", "one\n");
		const { document } = await vscode.window.showTextDocument(uri);
		const paths = workspacePaths();
		const resolution = resolveTarget(uri.fsPath, paths);
		assert.ok(resolution.ok);
		writeFileSync(uri.fsPath, "two\r\n");
		const read = readText(resolution.target, paths);
		assert.equal(document.getText(), "one\n");
		assert.equal((await read).text, "two\r\n");
	});

	it("U13: all hunks of an edit are one undo step @core", async () => {
		const uri = await put("tool-undo.txt", "one\ntwo\nthree\n");
		const { document } = await vscode.window.showTextDocument(uri);
		const { results } = await run([
			[
				edit(
					"tool-undo.txt",
					{ find: "one", replace: "1" },
					{ find: "two\n", replace: "" },
					{ find: "three", replace: "3" },
				),
			],
		]);
		assert.equal(results[0]?.state, "done", results[0]?.result);
		assert.equal(document.getText(), "1\n3\n");
		await vscode.window.showTextDocument(uri);
		await vscode.commands.executeCommand("undo");
		assert.equal(document.getText(), "one\ntwo\nthree\n");
		await document.save();
	});

	for (const [name, text, encoding] of [
		["tool-open-crlf.txt", "one\r\ntwo\r\n", "utf8"],
		["tool-open-bom.txt", "\uFEFFone\r\ntwo\r\n", "utf8"],
		["tool-open-utf16.txt", "\uFEFFone\r\ntwo\r\n", "utf16le"],
	] as const) {
		it(`U14: keeps what is special of ${name} while it is open`, async () => {
			const uri = await put(name, Buffer.from(text, encoding));
			const { document } = await vscode.window.showTextDocument(uri);
			const { results } = await run([[edit(name, { find: "one\ntwo", replace: "1\n2\n3" })]]);
			assert.equal(results[0]?.state, "done", results[0]?.result);
			assert.equal(document.getText(), "1\r\n2\r\n3\r\n");
			const expected = text.replace("one\r\ntwo", "1\r\n2\r\n3");
			assert.equal(await bytesOf(uri), Buffer.from(expected, encoding).toString("latin1"));
		});
	}

	it("U14: reads UTF-16 in both orders and says of what is no text that it is none", async () => {
		const wide = Buffer.from("\uFEFFalpha\n", "utf16le");
		await put("tool-wide-le.txt", wide);
		await put("tool-wide-be.txt", Buffer.from(wide).swap16());
		await put("tool-binary.dat", Uint8Array.of(1, 0, 2, 0, 3));
		const { results } = await run([
			[
				["read_file", { path: "tool-wide-le.txt" }],
				["read_file", { path: "tool-wide-be.txt" }],
				["search_text", { query: "alpha", glob: "tool-wide*" }],
				["read_file", { path: "tool-binary.dat" }],
			],
		]);
		assert.match(results[0]?.result ?? "", /:\nalpha\n?$/);
		assert.match(results[1]?.result ?? "", /:\nalpha\n?$/);
		assert.deepEqual(results[2]?.result?.split("\n").sort(), [
			"tool-wide-be.txt:1: alpha",
			"tool-wide-le.txt:1: alpha",
		]);
		assert.match(results[3]?.result ?? "", /tool-binary\.dat is not text/);
	});

	it("U12: refuses edits that overlap or do not stand in the file, and asks nobody", async () => {
		const uri = await put("tool-overlap.txt", "one two three\n");
		const { results, asked } = await run([
			[
				edit(
					"tool-overlap.txt",
					{ find: "one two", replace: "1 2" },
					{ find: "two three", replace: "2 3" },
				),
				edit("tool-overlap.txt", { find: "four", replace: "4" }),
			],
		]);
		assert.deepEqual(asked, []);
		assert.match(
			results[0]?.result ?? "",
			/Two edits of tool-overlap\.txt overlap\. Nothing was changed/,
		);
		assert.match(results[1]?.result ?? "", /does not stand in the file/);
		assert.equal(await bytesOf(uri), "one two three\n");
	});

	it("U14: changes nothing of a file that is read-only, and says so", async () => {
		const files = vscode.workspace.getConfiguration("files");
		const uri = await put("tool-readonly.txt", "one\n");
		await files.update("readonlyInclude", { "**/tool-readonly.txt": true }, true);
		try {
			const { document } = await vscode.window.showTextDocument(uri);
			const { results } = await run([[edit("tool-readonly.txt", { find: "one", replace: "two" })]]);
			assert.equal(results[0]?.state, "failed", results[0]?.result);
			assert.match(results[0]?.result ?? "", /read-only/);
			assert.equal(document.getText(), "one\n");
			assert.equal(await bytesOf(uri), "one\n");
		} finally {
			await files.update("readonlyInclude", undefined, true);
		}
	});

	it("U19: shows an untitled document with a note, and changes none", async () => {
		const document = await vscode.workspace.openTextDocument({ content: "alpha beta\n" });
		const editor = await vscode.window.showTextDocument(document);
		editor.selection = new vscode.Selection(0, 0, 0, 5);
		const { results, asked } = await run([
			[
				["get_selection", {}],
				["get_active_file", {}],
				["get_open_files", {}],
			],
			[["replace_selection", { text: "ALPHA" }]],
		]);
		assert.match(results[0]?.result ?? "", /\(not saved to a file yet\):\nalpha$/);
		assert.match(results[1]?.result ?? "", /alpha beta/);
		assert.match(
			results[2]?.result ?? "",
			/^Untitled-\d+ \(active, unsaved changes, not in the workspace\)$/,
		);
		assert.match(results[3]?.result ?? "", /has to be saved/);
		assert.deepEqual(asked, []);
		assert.equal(document.getText(), "alpha beta\n");
	});

	it("says what the language's own providers know, and nothing of files outside or with secrets", async () => {
		const uri = await put("tool-code.txt", "alpha()\nbeta()\nalpha()\n");
		const secret = await put(".env", "alpha=1\n");
		const range = (line: number) => new vscode.Range(line, 0, line, 5);
		const selector = { pattern: "**/tool-code.txt" };
		const registered = [
			vscode.languages.registerReferenceProvider(selector, {
				provideReferences: ({ uri: asked }, { line, character }) =>
					line === 0 && character === 0
						? [
								new vscode.Location(asked, range(0)),
								new vscode.Location(asked, range(2)),
								new vscode.Location(secret, range(0)),
								new vscode.Location(vscode.Uri.file("/etc/hosts"), range(0)),
							]
						: [],
			}),
			vscode.languages.registerDocumentSymbolProvider(selector, {
				provideDocumentSymbols: () => {
					const { Class, Method } = vscode.SymbolKind;
					const outer = new vscode.DocumentSymbol("Outer", "", Class, range(0), range(0));
					outer.children.push(new vscode.DocumentSymbol("inner", "", Method, range(1), range(1)));
					return [outer];
				},
			}),
		];
		const problems = vscode.languages.createDiagnosticCollection("tool-test");
		problems.set(uri, [
			new vscode.Diagnostic(range(1), "beta is not used", vscode.DiagnosticSeverity.Warning),
		]);
		problems.set(secret, [new vscode.Diagnostic(range(0), "alpha=1")]);
		try {
			const { results } = await run([
				[
					["find_references", { path: "tool-code.txt", line: 1, symbol: "alpha" }],
					["find_references", { path: "tool-code.txt", line: 2, symbol: "alpha" }],
					["find_references", { path: "tool-code.txt", line: 2, symbol: "beta" }],
					["get_symbols", { path: "tool-code.txt" }],
					["get_problems", {}],
				],
			]);
			const texts = results.map(({ result }) => result ?? "");
			assert.equal(
				texts[0],
				"tool-code.txt:1:1\ntool-code.txt:3:1\n[left out: 2 files that may hold secrets, are excluded or lie outside]",
			);
			assert.match(texts[1] ?? "", /does not stand in line 2/);
			assert.equal(texts[2], "No references are known.");
			assert.equal(texts[3], "class Outer (line 1)\n  method inner (line 2)");
			assert.match(texts[4] ?? "", /tool-code\.txt:2:1 warning .*beta is not used/);
			assert.doesNotMatch(heard(), /alpha=1|hosts/);
		} finally {
			[...registered, problems].forEach(each => each.dispose());
		}
	});

	it("U19: reads a notebook as it is saved, shows a cell, and changes neither", async () => {
		const cell = {
			cell_type: "code",
			source: ["print(1)"],
			metadata: {},
			outputs: [],
			execution_count: null,
		};
		const saved = JSON.stringify({ cells: [cell], metadata: {}, nbformat: 4, nbformat_minor: 5 });
		const uri = await put("tool-book.ipynb", saved);
		const notebook = await vscode.workspace.openNotebookDocument(uri);
		await vscode.window.showNotebookDocument(notebook);
		await vscode.commands.executeCommand("notebook.cell.edit");
		await until(
			() => vscode.window.activeTextEditor?.document.uri.scheme === "vscode-notebook-cell",
			"the cell to be edited",
		);
		const { results } = await run([
			[
				["get_active_file", {}],
				["get_open_files", {}],
				["read_file", { path: "tool-book.ipynb" }],
			],
			[
				["insert_at_cursor", { text: "x" }],
				edit("tool-book.ipynb", { find: "print(1)", replace: "print(2)" }),
			],
		]);
		assert.match(
			results[0]?.result ?? "",
			/^tool-book\.ipynb \(.*a cell of a notebook\):\nprint\(1\)$/,
		);
		assert.match(results[1]?.result ?? "", /^tool-book\.ipynb \(active/);
		assert.match(results[2]?.result ?? "", /the notebook as it is saved/);
		assert.equal(results[3]?.state, "failed", results[3]?.result);
		assert.match(results[3]?.result ?? "", /notebook/);
		assert.equal(results[4]?.state, "failed", results[4]?.result);
		assert.match(results[4]?.result ?? "", /open as a notebook\. Nothing was changed/);
		assert.equal(await bytesOf(uri), saved);
	});

	it("U19: tells a notebook as its cells, as the editor shows them, and edits its JSON while it is closed", async () => {
		const plot = "iVBORw0KGgo".padEnd(100_000, "A");
		const outputs = [
			{ output_type: "stream", name: "stdout", text: ["one\n"] },
			{ output_type: "display_data", metadata: {}, data: { "image/png": plot } },
		];
		const cell = {
			cell_type: "code",
			execution_count: 1,
			metadata: {},
			source: ["plot()"],
			outputs,
		};
		const saved = { cells: [cell], metadata: {}, nbformat: 4, nbformat_minor: 5 };
		const uri = await put("tool-plot.ipynb", JSON.stringify(saved, undefined, 1));
		const read = ["read_file", { path: "tool-plot.ipynb" }] as const;
		const { results } = await run([
			[read, ["read_file", { path: "tool-plot.ipynb", startLine: 1, endLine: 40 }]],
			[edit("tool-plot.ipynb", { find: "plot()", replace: "show()" })],
		]);
		assert.equal(
			results[0]?.result,
			"tool-plot.ipynb, its cells (the notebook as it is saved):\n[cell 1, code]\nplot()\n[output]\none\n[output]\n[image, 75 KB]",
		);
		assert.match(results[1]?.result ?? "", /"image\/png": "\[data, 75 KB\]"/);
		assert.equal(results[2]?.state, "done", results[2]?.result);
		assert.match(await bytesOf(uri), /show\(\)/);
		const notebook = await vscode.workspace.openNotebookDocument(uri);
		await vscode.window.showNotebookDocument(notebook);
		const change = new vscode.WorkspaceEdit();
		change.insert(notebook.cellAt(0).document.uri, new vscode.Position(0, 0), "typed = 1\n");
		assert.ok(await vscode.workspace.applyEdit(change));
		const again = await run([[read]]);
		assert.match(
			again.results[0]?.result ?? "",
			/\(with unsaved changes\):\n\[cell 1, .*\]\ntyped = 1\nshow\(\)\n\[output\]\none\n\[output\]\n\[image, 75 KB\]$/,
		);
		await vscode.commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
	});

	it("T15: asks before it reads a secret through a view that is no file", async () => {
		const uri = await put(".env", "TOKEN=tool-secret");
		const registered = vscode.workspace.registerTextDocumentContentProvider("tool-view", {
			provideTextDocumentContent: () => "TOKEN=tool-shown",
		});
		try {
			await vscode.window.showTextDocument(uri.with({ scheme: "tool-view" }));
			const { asked, results } = await run([[["get_active_file", {}]]], { decision: "deny" });
			assert.equal(asked.length, 1);
			assert.equal(results[0]?.state, "denied");
			assert.doesNotMatch(heard(), /TOKEN/);
		} finally {
			registered.dispose();
		}
	});

	describe("with several folders", () => {
		let second = "";

		async function folders(change: () => boolean, count: number): Promise<void> {
			assert.ok(change());
			await until(() => vscode.workspace.workspaceFolders?.length === count, "the folders");
		}

		before(async () => {
			second = await mkdtemp(join(tmpdir(), "cutaway-second-"));
			await writeFile(join(second, "tool-second.txt"), "one\n");
			await folders(
				() =>
					vscode.workspace.updateWorkspaceFolders(1, 0, {
						uri: vscode.Uri.file(second),
						name: "second",
					}),
				2,
			);
		});

		after(async () => {
			await folders(() => vscode.workspace.updateWorkspaceFolders(1, 1), 1);
			await rm(second, { recursive: true, force: true });
		});

		it("names files by folder and path, in what it reads, lists, searches and changes", async () => {
			const uri = await put("tool-first.txt", "one\n");
			const name = vscode.workspace.workspaceFolders?.[0]?.name ?? "";
			const { results, asked } = await run([
				[
					["read_file", { path: "second/tool-second.txt" }],
					["read_file", { path: `${name}/tool-first.txt` }],
					["read_file", { path: "tool-first.txt" }],
					["read_file", { path: "second/../outside.txt" }],
					["list_files", { glob: "**/tool-{first,second}.txt" }],
					["search_text", { query: "one", glob: "**/tool-{first,second}.txt" }],
				],
				[
					[
						"apply_edit",
						{
							files: ["second/tool-second.txt", `${name}/tool-first.txt`].map(path => ({
								path,
								edits: [{ find: "one", replace: "two" }],
							})),
						},
					],
				],
			]);
			const texts = results.map(({ result }) => result ?? "");
			assert.match(texts[0] ?? "", /^second\/tool-second\.txt, lines 1-2 of 2:\none/);
			assert.match(texts[1] ?? "", /:\none/);
			assert.match(texts[2] ?? "", /must begin with the name of one/);
			assert.match(texts[3] ?? "", /leads out of the workspace/);
			const both = [`${name}/tool-first.txt`, "second/tool-second.txt"].sort();
			assert.deepEqual(texts[4]?.split("\n").sort(), both);
			assert.deepEqual(
				texts[5]?.split("\n").sort(),
				both.map(path => `${path}:1: one`),
			);
			assert.equal(results[6]?.state, "done", texts[6]);
			assert.equal(asked.length, 1);
			assert.equal(await bytesOf(uri), "two\n");
			assert.equal(await bytesOf(vscode.Uri.file(join(second, "tool-second.txt"))), "two\n");
		});
	});

	it("L17: has nothing to do with a folder that is not on this machine", async () => {
		const registered = vscode.workspace.registerFileSystemProvider("tool-far", new FarFolder());
		const far = vscode.Uri.parse("tool-far:/far");
		assert.ok(vscode.workspace.updateWorkspaceFolders(1, 0, { uri: far, name: "far" }));
		try {
			await until(() => vscode.workspace.workspaceFolders?.length === 2, "the folder");
			await put("tool-near.txt", "near\n");
			await vscode.window.showTextDocument(vscode.Uri.joinPath(far, "a.txt"));
			const { results } = await run([
				[
					["read_file", { path: "far/a.txt" }],
					["read_file", { path: "tool-near.txt" }],
					["search_text", { query: "far away" }],
				],
				[["insert_at_cursor", { text: "x" }]],
			]);
			const texts = results.map(({ result }) => result ?? "");
			assert.match(texts[0] ?? "", /This file doesn't exist/);
			assert.match(texts[1] ?? "", /near/);
			assert.equal(texts[2], "Nothing was found.");
			assert.match(texts[3] ?? "", /no file of the workspace/);
		} finally {
			await vscode.commands.executeCommand("workbench.action.closeAllEditors");
			vscode.workspace.updateWorkspaceFolders(1, 1);
			await until(() => vscode.workspace.workspaceFolders?.length === 1, "the folder to go");
			registered.dispose();
		}
	});

	it("shows where it reveals a file, and changes nothing of it", async () => {
		const uri = await put("tool-open.txt", "one\ntwo\nthree\n");
		const { results } = await run([
			[["open_file", { path: "tool-open.txt", startLine: 2, endLine: 3 }]],
		]);
		assert.equal(results[0]?.state, "done");
		const editor = vscode.window.activeTextEditor;
		assert.ok(editor);
		assert.equal(await realpath(editor.document.uri.fsPath), await realpath(uri.fsPath));
		assert.equal(editor.document.getText(editor.selection), "two\nthree");
		assert.equal(await bytesOf(uri), "one\ntwo\nthree\n");
	});

	it("shows a notebook and an image in the editors for them", async () => {
		const cell = { cell_type: "code", metadata: {}, source: ["1"], outputs: [] };
		await put(
			"tool-show.ipynb",
			JSON.stringify({ cells: [cell], metadata: {}, nbformat: 4, nbformat_minor: 5 }),
		);
		await put("tool-show.png", "\u0089PNG\0\0");
		const shown = (): string => {
			const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
			return input instanceof vscode.TabInputNotebook || input instanceof vscode.TabInputCustom
				? input.uri.path.replace(/.*\//, "")
				: "";
		};
		for (const path of ["tool-show.ipynb", "tool-show.png"]) {
			const { results } = await run([[["open_file", { path }]]]);
			assert.equal(results[0]?.state, "done");
			await until(() => shown() === path, `${path} to be shown`);
		}
	});
});

/** A folder of another machine with one file in it. */
class FarFolder implements vscode.FileSystemProvider {
	readonly onDidChangeFile = new vscode.EventEmitter<vscode.FileChangeEvent[]>().event;
	watch(): vscode.Disposable {
		return new vscode.Disposable(() => undefined);
	}
	stat(uri: vscode.Uri): vscode.FileStat {
		if (!["/far", "/far/a.txt"].includes(uri.path)) {
			throw vscode.FileSystemError.FileNotFound(uri);
		}
		const type = uri.path === "/far" ? vscode.FileType.Directory : vscode.FileType.File;
		return { type, ctime: 0, mtime: 0, size: 8 };
	}
	readDirectory(): [string, vscode.FileType][] {
		return [["a.txt", vscode.FileType.File]];
	}
	readFile(): Uint8Array {
		return new TextEncoder().encode("far away");
	}
	createDirectory(): void {
		throw vscode.FileSystemError.NoPermissions();
	}
	writeFile(): void {
		throw vscode.FileSystemError.NoPermissions();
	}
	delete(): void {
		throw vscode.FileSystemError.NoPermissions();
	}
	rename(): void {
		throw vscode.FileSystemError.NoPermissions();
	}
}
