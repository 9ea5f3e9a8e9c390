import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as vscode from "vscode";
import { type Call, useTools } from "./toolScript.ts";

/** One edit of one file, as the model writes it. */
function edit(path: string, find: string, replace: string): Call {
	return ["apply_edit", { files: [{ path, edits: [{ find, replace }] }] }];
}

/** One text's state on disk. */
interface Form {
	readonly name: string;
	encode(text: string): Buffer;
}

const forms: readonly Form[] = [
	{ name: "plain", encode: text => Buffer.from(text) },
	{
		name: "CRLF and a byte order mark",
		encode: text => Buffer.from(`\uFEFF${text.replaceAll("\n", "\r\n")}`),
	},
	{ name: "UTF-16 LE", encode: text => Buffer.from(`\uFEFF${text}`, "utf16le") },
	{
		name: "UTF-16 BE",
		encode: text => Buffer.from(`\uFEFF${text}`, "utf16le").swap16(),
	},
];

describe("every tool", () => {
	const { at, put, bytesOf, run, forget } = useTools();
	const text = "alpha beta\ngamma alpha\n";

	for (const { name, encode } of forms) {
		it(`works on a file that is ${name}`, async () => {
			const path = "tool-every.txt";
			const uri = await put(path, encode(text));
			forget("tool-every-2.txt");
			const editor = await vscode.window.showTextDocument(uri);
			editor.selection = new vscode.Selection(0, 0, 0, 5);
			const { results } = await run([
				[
					["get_selection", {}],
					["get_active_file", {}],
					["get_open_files", {}],
					["read_file", { path, startLine: 2, endLine: 2 }],
					["list_files", { glob: "tool-every*" }],
					["search_text", { query: "gamma", glob: "tool-every*" }],
					["get_problems", { path }],
					["get_symbols", { path }],
					["find_references", { path, line: 2, symbol: "alpha" }],
				],
				[["open_file", { path, startLine: 1, endLine: 1 }]],
				[["replace_selection", { text: "ALPHA\n" }]],
				[edit(path, "gamma", "delta\nepsilon")],
				[["insert_at_cursor", { text: "!" }]],
				[["create_file", { path, text: "" }]],
				[["rename_file", { path, newPath: "tool-every-2.txt" }]],
			]);
			const texts = results.map(({ result }) => result ?? "");
			const state = results.map(result => result.state);
			assert.deepEqual(
				state.flatMap((one, index) => (one === "done" ? [] : [index])),
				[13],
				JSON.stringify(results.map(({ title, result }) => [title, result])),
			);
			assert.match(texts[0] ?? "", /alpha$/);
			assert.match(texts[1] ?? "", /gamma alpha/);
			assert.match(texts[2] ?? "", /tool-every\.txt/);
			assert.match(texts[3] ?? "", /gamma alpha/);
			assert.match(texts[4] ?? "", /tool-every\.txt/);
			assert.match(texts[5] ?? "", /tool-every\.txt:2: ?gamma alpha/);
			const changed = await bytesOf(at("tool-every-2.txt"));
			const decoded = await vscode.workspace.decode(Buffer.from(changed, "latin1"), {
				encoding: name.startsWith("UTF-16") ? name.replace(/[- ]/g, "").toLowerCase() : "utf8",
			});
			const plain = decoded.replace(/^\uFEFF/, "").replaceAll("\r\n", "\n");
			assert.match(plain, /^ALPHA\n/);
			assert.match(plain, /delta\nepsilon alpha\n$/);
			assert.equal(changed, encode(plain).toString("latin1"));
		});
	}

	it("U19: renames a file with unsaved changes, and deletes none, since they would be lost", async () => {
		const uri = await put("tool-unsaved.txt", "one\n");
		forget("tool-unsaved-2.txt");
		const editor = await vscode.window.showTextDocument(uri);
		await editor.edit(change => change.insert(new vscode.Position(0, 0), "typed "));
		await run([[["rename_file", { path: "tool-unsaved.txt", newPath: "tool-unsaved-2.txt" }]]]);
		const renamed = await vscode.workspace.openTextDocument(at("tool-unsaved-2.txt"));
		assert.equal(renamed.getText(), "typed one\n");
		const remove: Call = ["delete_file", { path: "tool-unsaved-2.txt" }];
		const refused = await run([[remove]]);
		assert.match(refused.results[0]?.result ?? "", /unsaved changes, which would be lost/);
		assert.deepEqual(refused.asked, []);
		await renamed.save();
		const typedMeanwhile = await run([[remove]], undefined, async () => {
			const shown = await vscode.window.showTextDocument(renamed);
			await shown.edit(change => change.insert(new vscode.Position(0, 0), "more "));
		});
		assert.match(typedMeanwhile.results[0]?.result ?? "", /unsaved changes, which would be lost/);
		assert.equal(renamed.getText(), "more typed one\n");
		await renamed.save();
		const { results } = await run([[remove]]);
		assert.equal(results[0]?.state, "done", results[0]?.result);
		await assert.rejects(async () => vscode.workspace.fs.stat(at("tool-unsaved-2.txt")));
	});
});

describe("what the editor keeps from being changed", () => {
	const { at, put, bytesOf, run } = useTools();
	const files = () => vscode.workspace.getConfiguration("files");
	const calls: readonly Call[] = [
		edit("tool-kept.txt", "one", "two"),
		["rename_file", { path: "tool-kept.txt", newPath: "tool-kept-2.txt" }],
		["delete_file", { path: "tool-kept.txt" }],
	];

	async function assertKept(reason: RegExp): Promise<void> {
		const { results, asked } = await run(calls.map(call => [call]));
		assert.deepEqual(
			results.map(({ state }) => state),
			["failed", "failed", "failed"],
			JSON.stringify(results),
		);
		assert.ok(results.every(({ result }) => reason.test(result ?? "")));
		assert.deepEqual(asked, []);
		assert.equal(await bytesOf(at("tool-kept.txt")), "one\n");
	}

	it("U14: is not edited, renamed or deleted when it is read-only, and nobody is asked", async () => {
		await put("tool-kept.txt", "one\n");
		await files().update("readonlyInclude", { "**/tool-kept.txt": true }, true);
		try {
			await assertKept(/read-only/);
		} finally {
			await files().update("readonlyInclude", undefined, true);
		}
	});

	it("U14: counts the permissions of a file where the user told the editor so", async () => {
		const uri = await put("tool-kept.txt", "one\n");
		chmodSync(uri.fsPath, 0o444);
		await files().update("readonlyFromPermissions", true, true);
		try {
			await assertKept(/read-only/);
		} finally {
			await files().update("readonlyFromPermissions", undefined, true);
			chmodSync(uri.fsPath, 0o644);
		}
	});

	it("U19: is not edited, renamed or deleted while it is open as a notebook, and nobody is asked", async () => {
		const uri = await put(
			"tool-kept.ipynb",
			'{"cells":[],"metadata":{},"nbformat":4,"nbformat_minor":5}',
		);
		await vscode.window.showNotebookDocument(await vscode.workspace.openNotebookDocument(uri));
		const { results, asked } = await run([
			[edit("tool-kept.ipynb", '"cells"', '"cell"')],
			[["rename_file", { path: "tool-kept.ipynb", newPath: "tool-kept-2.ipynb" }]],
			[["delete_file", { path: "tool-kept.ipynb" }]],
		]);
		assert.ok(
			results.every(({ state, result }) => state === "failed" && /notebook/.test(result ?? "")),
			JSON.stringify(results),
		);
		assert.deepEqual(asked, []);
	});

	it("U13: a change that cannot be saved is told as unsaved", async () => {
		const uri = await put("tool-unsavable.txt", "one\n");
		const { document } = await vscode.window.showTextDocument(uri);
		// A newer file on disk keeps the editor from saving over it.
		const subscription = vscode.workspace.onDidChangeTextDocument(event => {
			if (event.document === document && event.contentChanges.length > 0) {
				writeFileSync(uri.fsPath, "from elsewhere, and longer\n");
			}
		});
		try {
			const { results } = await run([[edit("tool-unsavable.txt", "one", "two")]]);
			assert.equal(results[0]?.state, "done");
			assert.match(results[0]?.result ?? "", /Changed tool-unsavable\.txt\./);
			assert.match(results[0]?.result ?? "", /could not be saved/);
			assert.equal(document.getText(), "two\n");
			assert.equal(await bytesOf(uri), "from elsewhere, and longer\n");
		} finally {
			subscription.dispose();
		}
	});
});

describe("tools and the editor's own extensions", () => {
	const { at, put, run, heard } = useTools();

	it("know the symbols and references that the languages themselves know", async () => {
		await put("tool-data.json", '{\n\t"shop": { "open": true }\n}\n');
		await put("tool-style.css", ".shop { color: red; }\n");
		await put("tool-text.md", "# Shop\n\n## Beans\n");
		await put(
			"tool-code.ts",
			"export function brew(cups: number) {\n\treturn cups;\n}\n\nbrew(2);\n",
		);
		const expected: readonly (readonly [Call, RegExp])[] = [
			[["get_symbols", { path: "tool-data.json" }], /shop \(line 2\)/],
			[["get_symbols", { path: "tool-style.css" }], /\.shop \(line 1\)/],
			[["get_symbols", { path: "tool-text.md" }], /# Shop \(line 1\)[\s\S]*## Beans \(line 3\)/],
			[["get_symbols", { path: "tool-code.ts" }], /function brew \(line 1\)/],
			[
				["find_references", { path: "tool-code.ts", line: 1, symbol: "brew" }],
				/tool-code\.ts:1:17\n?[\s\S]*tool-code\.ts:5:1/,
			],
		];
		for (const [[name, input], pattern] of expected) {
			// A language's server starts with the first question to it, and knows nothing until it is up.
			let result = "";
			for (let attempt = 0; attempt < 15 && !pattern.test(result); attempt += 1) {
				await new Promise(resolve => setTimeout(resolve, attempt * 200));
				const { results } = await run([[[name, input]]]);
				result = results[0]?.result ?? "";
			}
			assert.match(result, pattern);
		}
	});

	it("read what changed from a real repository, and an earlier version as a view that is not edited", async () => {
		const folder = at("tool-repository").fsPath;
		const git = (...args: readonly string[]): void => {
			execFileSync("git", ["-c", "user.name=A", "-c", "user.email=a@example.com", ...args], {
				cwd: folder,
			});
		};
		mkdirSync(folder);
		try {
			writeFileSync(join(folder, "a.txt"), "one\n");
			writeFileSync(join(folder, ".env"), "TOKEN=one\n");
			git("init", "--quiet");
			git("add", "--all");
			git("commit", "--quiet", "--message", "one");
			writeFileSync(join(folder, "a.txt"), "two\n");
			writeFileSync(join(folder, ".env"), "TOKEN=two\n");
			const api = await gitApi();
			assert.ok(await api.openRepository(vscode.Uri.file(folder)));
			const { results } = await run([[["get_git_diff", {}]]]);
			assert.match(results[0]?.result ?? "", /-one\n\+two/);
			assert.match(results[0]?.result ?? "", /left out: \d+ files? that may hold secrets/);
			const earlier = api.toGitUri(vscode.Uri.file(join(folder, "a.txt")), "HEAD");
			const editor = await vscode.window.showTextDocument(earlier);
			assert.equal(editor.document.getText(), "one\n");
			editor.selection = new vscode.Selection(0, 0, 0, 3);
			const shown = await run([
				[["get_selection", {}]],
				[["replace_selection", { text: "three" }]],
			]);
			assert.match(shown.results[0]?.result ?? "", /one$/);
			assert.equal(shown.results[1]?.state, "failed");
			assert.match(shown.results[1]?.result ?? "", /a view of tool-repository\/a\.txt/);
			assert.deepEqual(shown.asked, []);
			assert.doesNotMatch(heard(), /TOKEN/);
			rmSync(folder, { recursive: true });
			const gone = await run([[["get_git_diff", {}]]]);
			assert.doesNotMatch(gone.results[0]?.result ?? "", /Git could not/);
		} finally {
			await vscode.commands.executeCommand("workbench.action.closeAllEditors");
			rmSync(folder, { recursive: true, force: true });
		}
	});
});

/** The part of the Git extension's API, version 1, that is used here. */
interface GitApi {
	openRepository(root: vscode.Uri): Promise<unknown>;
	toGitUri(uri: vscode.Uri, ref: string): vscode.Uri;
}

async function gitApi(): Promise<GitApi> {
	const extension = vscode.extensions.getExtension<{ getAPI(version: 1): GitApi }>("vscode.git");
	assert.ok(extension, "the Git extension is there");
	return (await extension.activate()).getAPI(1);
}
