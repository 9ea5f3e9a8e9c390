import assert from "node:assert/strict";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as vscode from "vscode";
import { chat, turnEnded } from "./cutaway.ts";
import { type Call, useTools } from "./toolScript.ts";

/** One edit of one file, as the model writes it. */
function edit(path: string, find: string, replace: string): Call {
	return ["apply_edit", { files: [{ path, edits: [{ find, replace }] }] }];
}

async function encode(text: string, encoding: string): Promise<Buffer> {
	return Buffer.from(await vscode.workspace.encode(text, { encoding }));
}

/** Runs a task with settings of files for the user, or of one language alone. */
async function withFiles(
	values: Readonly<Record<string, unknown>>,
	task: () => Promise<void>,
	languageId?: string,
): Promise<void> {
	const set = async (name: string, value: unknown): Promise<void> =>
		vscode.workspace
			.getConfiguration("files", languageId === undefined ? undefined : { languageId })
			.update(name, value, vscode.ConfigurationTarget.Global, languageId !== undefined);
	try {
		for (const [name, value] of Object.entries(values)) {
			await set(name, value);
		}
		await task();
	} finally {
		for (const name of Object.keys(values)) {
			await set(name, undefined);
		}
	}
}

const chinese =
	"/* 这个函数计算订单的总价，包括税费和折扣。 */\r\nint total(int price);\r\nend\r\n";
const german = "# Übergröße\ngröße = 1\nend\n";

const forms = [
	["tool-gbk.c", chinese, "gbk", { encoding: "gbk" }, undefined],
	[
		"tool-guess.c",
		`${"// 订单的总价和折扣\r\n".repeat(40)}${chinese}`,
		"gbk",
		{ autoGuessEncoding: true },
		undefined,
	],
	["tool-latin.py", german, "windows1252", { encoding: "windows1252" }, "python"],
	["tool-marked.txt", `\uFEFF${german}`, "utf16le", {}, undefined],
	["tool-unmarked.txt", "size = 1\nend\n", "utf16le", {}, undefined],
] as const;

/** A text's bytes, those of `tool-unmarked.txt` without the mark that the editor gives all UTF-16. */
async function bytesOfForm(name: string, text: string, encoding: string): Promise<Buffer> {
	const bytes = await encode(text, encoding);
	return name === "tool-unmarked.txt" ? bytes.subarray(2) : bytes;
}

describe("files in other encodings than UTF-8", () => {
	const { put, bytesOf, run, forget, at } = useTools();

	for (const [name, text, encoding, settings, languageId] of forms) {
		it(`U14: a closed file in ${encoding} is read, searched, edited and saved by ${JSON.stringify(settings)}`, async () => {
			const uri = await put(name, await bytesOfForm(name, text, encoding));
			await withFiles(
				settings,
				async () => {
					const word = text.includes("折扣") ? "折扣" : text.includes("ß") ? "größe" : "size";
					const { results } = await run([
						[
							["read_file", { path: name }],
							["search_text", { query: word, glob: name }],
						],
						[edit(name, "end", `end ${word}`)],
					]);
					const [read, found, edited] = results.map(({ result }) => result ?? "");
					const plain = text.replace("\uFEFF", "").replaceAll("\r\n", "\n");
					assert.ok(read?.endsWith(`:\n${plain}`), read);
					assert.match(found ?? "", /^tool-.*:\d+: /);
					assert.equal(results[2]?.state, "done", edited);
					// The editor marks all UTF-16 that it saves.
					const expected = await encode(text.replace("end", `end ${word}`), encoding);
					assert.equal(await bytesOf(uri), expected.toString("latin1"));
				},
				languageId,
			);
		});
	}

	it("U14: characters that an encoding lacks are refused before anyone is asked, and the file stays", async () => {
		const bytes = await encode(chinese, "gbk");
		const uri = await put("tool-lack.c", bytes);
		forget("tool-lack-2.c");
		await withFiles({ encoding: "gbk" }, async () => {
			const { results, asked } = await run([
				[edit("tool-lack.c", "end", "end 😀")],
				[["create_file", { path: "tool-lack-2.c", text: "// 中文 é 😀\n" }]],
			]);
			assert.match(results[0]?.result ?? "", /gbk has no character “😀”\. Nothing was changed/);
			assert.match(results[1]?.result ?? "", /has no character “😀”\. Nothing was changed/);
			assert.deepEqual(asked, []);
		});
		assert.equal(await bytesOf(uri), bytes.toString("latin1"));
		await assert.rejects(async () => vscode.workspace.fs.stat(at("tool-lack-2.c")));
	});

	it("U14: a file that the editor reads in another encoding than its own is not edited", async () => {
		const bytes = await encode(chinese, "gbk");
		const uri = await put("tool-misread.c", bytes);
		await put("tool-sign.txt", "a real \uFFFD sign\nend\n");
		const { results, asked } = await run([
			[edit("tool-misread.c", "end", "the end")],
			[edit("tool-sign.txt", "end", "the end")],
		]);
		assert.match(results[0]?.result ?? "", /is not in the encoding utf8 .*Nothing was changed/);
		assert.equal(results[1]?.state, "done", results[1]?.result);
		assert.equal(asked.length, 1);
		assert.equal(await bytesOf(uri), bytes.toString("latin1"));
	});

	it("U13: a file is made as the editor would make it, and undone", async () => {
		forget("tool-made.txt", "tool-made-gbk.c", "tool-empty.txt");
		const settings = { eol: "\r\n", encoding: "utf8bom", insertFinalNewline: true };
		await withFiles(settings, async () => {
			const { results, turn } = await run([
				[["create_file", { path: "tool-made.txt", text: "one\ntwo" }]],
				[["create_file", { path: "tool-empty.txt", text: "" }]],
			]);
			assert.equal(results[0]?.state, "done", results[0]?.result);
			assert.equal(results[1]?.state, "done", results[1]?.result);
			const expected = Buffer.from("\uFEFFone\r\ntwo\r\n").toString("latin1");
			assert.equal(await bytesOf(at("tool-made.txt")), expected);
			assert.equal(
				vscode.workspace.textDocuments.some(({ isDirty }) => isDirty),
				false,
			);
			const { tools } = await chat();
			await tools.history.undo({ turnId: turn.id, cardId: results[0]?.id ?? "" });
			await assert.rejects(async () => vscode.workspace.fs.stat(at("tool-made.txt")));
		});
		await withFiles({ encoding: "gbk" }, async () => {
			await run([[["create_file", { path: "tool-made-gbk.c", text: "// 中文\n" }]]]);
			const expected = await encode("// 中文\n", "gbk");
			assert.equal(await bytesOf(at("tool-made-gbk.c")), expected.toString("latin1"));
		});
	});
});

describe("attached files in other encodings than UTF-8", () => {
	const { run, heard } = useTools();
	const folder = (): string => {
		const path = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
		assert.ok(path, "a folder is open");
		return join(path, "scratch");
	};
	beforeEach(() => mkdir(folder(), { recursive: true }));
	afterEach(() => rm(folder(), { recursive: true, force: true }));

	for (const [name, text, encoding, settings, languageId] of forms) {
		it(`a file in ${encoding} is read as text by ${JSON.stringify(settings)}`, async () => {
			const path = join(folder(), name);
			await writeFile(path, await bytesOfForm(name, text, encoding));
			await withFiles(
				settings,
				async () => {
					await run([]);
					const controller = await chat();
					await controller.attachments.addUris([vscode.Uri.file(path)]);
					const [chip] = controller.picture().attachments.items;
					assert.deepEqual([chip?.use, chip?.kind, chip?.note], ["read", "text", null]);
					await turnEnded(controller, await controller.send("Read it"));
					const sent = JSON.stringify(text.replace("\uFEFF", "")).slice(1, -1);
					assert.ok(heard().includes(sent));
				},
				languageId,
			);
		});
	}

	it("a file in another encoding than the editor's says so, and is read once its encoding is chosen there", async () => {
		const path = join(folder(), "misread.c");
		await writeFile(path, await encode(chinese, "gbk"));
		await run([]);
		const controller = await chat();
		await controller.attachments.addUris([vscode.Uri.file(path)]);
		const [chip] = controller.picture().attachments.items;
		assert.match(chip?.note ?? "", /files\.encoding/);
		const uri = vscode.Uri.file(path);
		await vscode.window.showTextDocument(
			await vscode.workspace.openTextDocument(uri, { encoding: "gbk" }),
		);
		await turnEnded(controller, await controller.send("Read it"));
		assert.ok(heard().includes("这个函数计算订单的总价"));
	});
});
