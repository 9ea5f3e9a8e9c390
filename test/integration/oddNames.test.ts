import assert from "node:assert/strict";
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import * as vscode from "vscode";
import { type Call, useTools } from "./toolScript.ts";

/** One edit of one file, as the model writes it. */
function edit(path: string, find: string, replace: string): Call {
	return ["apply_edit", { files: [{ path, edits: [{ find, replace }] }] }];
}

const names = [
	"app/[id]/page (1).tsx",
	"app/(group)/[...all]/page.tsx",
	"a#b.txt",
	"100%.txt",
	"50%25.txt",
	"with space.txt",
	"{x}.ts",
];
const decomposed = "한글 é.txt".normalize("NFD");

describe("files with names that mean something elsewhere", () => {
	const { run } = useTools();
	let base = "";

	beforeEach(() => {
		const [folder] = vscode.workspace.workspaceFolders ?? [];
		assert.ok(folder, "a folder is open");
		base = join(folder.uri.fsPath, "odd");
		for (const name of [...names, decomposed]) {
			mkdirSync(dirname(join(base, name)), { recursive: true });
			writeFileSync(join(base, name), "needle\nend");
		}
		symlinkSync("app", join(base, "linked"));
		symlinkSync("a#b.txt", join(base, "linked.txt"));
	});
	afterEach(() => rmSync(base, { recursive: true, force: true }));

	it("are read and edited, without a last line feed that was not there", async () => {
		const { results } = await run([
			names.map((name): Call => ["read_file", { path: `odd/${name}` }]),
			[
				[
					"apply_edit",
					{
						files: names.map(name => ({
							path: `odd/${name}`,
							edits: [{ find: "end", replace: "the end" }],
						})),
					},
				],
			],
		]);
		for (const [index, name] of names.entries()) {
			assert.equal(results[index]?.result, `odd/${name}, lines 1-2 of 2:\nneedle\nend`);
			assert.equal(await readFile(join(base, name), "utf8"), "needle\nthe end");
		}
	});

	const app = ["odd/app/(group)/[...all]/page.tsx", "odd/app/[id]/page (1).tsx"];
	for (const [glob, expected] of [
		["odd/app/[id]/page (1).tsx", app.slice(1)],
		["odd/app/[id]/**", app.slice(1)],
		["odd/app/(group)/[...all]/*.tsx", app.slice(0, 1)],
		["odd/app", app],
		["odd/app/", app],
		["./odd/app/**", app],
		["page*.tsx", app],
		["odd/{x}.ts", ["odd/{x}.ts"]],
		["odd/한글*", [`odd/${decomposed}`]],
		["odd/**/page*.tsx", app],
	] as const) {
		it(`are found by ${glob}, each once`, async () => {
			const { results } = await run([
				[
					["list_files", { glob }],
					["search_text", { query: "needle", glob }],
				],
			]);
			assert.deepEqual(results[0]?.result?.split("\n").sort(), [...expected].sort());
			assert.deepEqual(
				results[1]?.result?.split("\n").sort(),
				expected.map(path => `${path}:1: needle`).sort(),
			);
		});
	}

	it("are the same however their letters are composed", async () => {
		const path = "odd/한글 é.txt".normalize("NFC");
		const { results } = await run([
			[["read_file", { path }]],
			[edit(path, "end", "the end")],
			[["create_file", { path, text: "" }]],
		]);
		assert.match(results[0]?.result ?? "", /:\nneedle\nend$/);
		assert.equal(results[1]?.state, "done", results[1]?.result);
		assert.equal(await readFile(join(base, decomposed), "utf8"), "needle\nthe end");
		assert.match(results[2]?.result ?? "", /already exists/);
	});
});
