import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as vscode from "vscode";
import { untilAborted } from "../../src/common/async.ts";
import { silentLog } from "../../src/common/log.ts";
import { LastDocuments } from "../../src/ui/video/share/documentTarget.ts";
import { copyClipFile, insertForReadme } from "../../src/ui/video/share/exportVideo.ts";
import { insertClip } from "../../src/ui/video/share/videoInsert.ts";
import { videoJobView } from "../../src/ui/video/views/videoJobView.ts";
import {
	type KeptDrawings,
	type VideoPreviewDependencies,
	VideoPreviews,
} from "../../src/ui/video/views/videoPreview.ts";
import type { VideoJob } from "../../src/video/job/videoJob.ts";
import { until } from "./cutaway.ts";

const root = (): string => {
	const path = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
	assert.ok(path, "a folder is open");
	return path;
};
const at = (...names: readonly string[]): vscode.Uri => vscode.Uri.file(join(root(), ...names));
const picture = Buffer.from("RIFF, a picture");

/** A finished clip of a source file. */
const job = (): VideoJob => ({
	id: "job",
	request: { kind: "text", prompt: "export function volumeDiscount() {}" },
	source: { uri: at("src", "pricing.ts").toString(), name: "pricing.ts", startLine: 0, endLine: 3 },
	endpoint: { kind: "local", baseUrl: "", origin: "local", label: "Local service" },
	createdAt: 1,
	submissions: 1,
	state: {
		name: "ready",
		file: join(root(), "clip.webm"),
		size: 10,
		format: "webm",
		savedAt: 1,
	},
	watch: { watchedMs: 0, round: 1 },
	ignoresSizeLimit: false,
});

const acceptPick = "workbench.action.acceptSelectedQuickOpenItem";
const closePick = "workbench.action.closeQuickOpen";

/** Takes the first line of each pick that opens, or runs another command in it, until what opened it has ended. */
async function acceptPicks(running: Thenable<unknown>, command = () => acceptPick): Promise<void> {
	let hasEnded = false;
	const ended = Promise.resolve(running).finally(() => {
		hasEnded = true;
	});
	while (!hasEnded) {
		await Promise.race([ended, new Promise(resolve => setTimeout(resolve, 500))]);
		await vscode.commands.executeCommand(command());
	}
	await ended;
}

describe("a clip that is inserted into a document", () => {
	let documents: LastDocuments;
	let before: Record<string, string>;
	const textOf = async (uri: vscode.Uri): Promise<string> =>
		(await vscode.workspace.openTextDocument(uri)).getText();
	let made = 0;
	let whileMade: () => Thenable<unknown>;
	const insert = (command?: () => string): Promise<void> =>
		acceptPicks(
			insertForReadme(
				{
					previews: {
						exportClip: async () => {
							made += 1;
							await whileMade();
							return picture;
						},
						clipWidth: () => undefined,
						isDrawn: () => Promise.resolve(false),
						startCopy: () => new AbortController().signal,
					},
					exportMemory: { get: () => undefined, set: () => undefined },
					documents,
				},
				job(),
			),
			command,
		);

	beforeEach(async () => {
		await vscode.commands.executeCommand("workbench.action.closeAllEditors");
		documents = new LastDocuments();
		whileMade = () => Promise.resolve();
		before = {
			"src/pricing.ts": await textOf(at("src", "pricing.ts")),
			"README.md": await textOf(at("README.md")),
		};
	});

	afterEach(async () => {
		documents.dispose();
		for (const [name, text] of Object.entries(before)) {
			const document = await vscode.workspace.openTextDocument(at(name));
			const edit = new vscode.WorkspaceEdit();
			edit.replace(document.uri, new vscode.Range(0, 0, document.lineCount, 0), text);
			await vscode.workspace.applyEdit(edit);
			assert.ok(await document.save());
		}
		await vscode.commands.executeCommand("workbench.action.closeAllEditors");
		await vscode.commands.executeCommand("notifications.clearAll");
		await rm(join(root(), "images", "clip.webp"), { force: true });
		await rm(join(root(), "docs"), { recursive: true, force: true });
	});

	it("goes below the first heading of the README above its source while only the source is open, and is undone with its picture", async () => {
		await vscode.window.showTextDocument(at("src", "pricing.ts"));
		await insert();
		const text = await textOf(at("README.md"));
		const image = "![volumeDiscount in pricing.ts](images/clip.webp)";
		assert.equal(text, before["README.md"]?.replace(/^#.*$/m, `$&\n\n${image}`));
		assert.equal(await textOf(at("src", "pricing.ts")), before["src/pricing.ts"]);
		assert.deepEqual(await readFile(join(root(), "images", "clip.webp")), picture);
		await vscode.commands.executeCommand("notification.acceptPrimaryAction");
		const readme = await vscode.workspace.openTextDocument(at("README.md"));
		await until(() => readme.getText() === before["README.md"], "the text to be undone");
		await until(() => !existsSync(join(root(), "images", "clip.webp")), "the picture to be gone");
	});

	it("asks for the place first, so that no picture is made when that is closed", async () => {
		await vscode.window.showTextDocument(at("src", "pricing.ts"));
		made = 0;
		await insert(() => closePick);
		assert.equal(made, 0);
		assert.equal(await textOf(at("README.md")), before["README.md"]);
		await insert();
		assert.equal(made, 1);
	});

	describe("at the cursor", () => {
		let editor: vscode.TextEditor;
		let third: string;
		const addLines = (): Thenable<unknown> =>
			editor.edit(edit => edit.insert(new vscode.Position(0, 0), "One\nTwo\n"));
		/** Closes every pick that opens after the picture was made. */
		const insertOnce = (): Promise<void> => {
			made = 0;
			return insert(() => (made === 0 ? acceptPick : closePick));
		};

		beforeEach(async () => {
			editor = await vscode.window.showTextDocument(at("README.md"), { preview: false });
			editor.selection = new vscode.Selection(2, 0, 2, 0);
			third = editor.document.lineAt(2).text;
		});

		it("goes to where the cursor is after an edit above it, while the picture was made", async () => {
			whileMade = addLines;
			await insert();
			assert.equal(
				editor.document.lineAt(4).text,
				`![volumeDiscount in pricing.ts](images/clip.webp)${third}`,
			);
		});

		it("asks again after such an edit, and inserts nothing when that is closed", async () => {
			whileMade = addLines;
			await insertOnce();
			assert.equal(editor.document.getText(), `One\nTwo\n${before["README.md"]}`);
			assert.equal(existsSync(join(root(), "images", "clip.webp")), false);
		});

		it("doesn't ask again after an edit that was taken back", async () => {
			whileMade = async () => {
				assert.ok(await addLines());
				assert.ok(await editor.edit(edit => edit.delete(new vscode.Range(0, 0, 2, 0))));
			};
			await insertOnce();
			assert.notEqual(editor.document.getText(), before["README.md"], "the picture is inserted");
		});
	});

	it("goes to the cursor of the last Markdown editor, with the source in front", async () => {
		const editor = await vscode.window.showTextDocument(at("README.md"), { preview: false });
		editor.selection = new vscode.Selection(2, 0, 2, 0);
		await vscode.window.showTextDocument(at("src", "pricing.ts"));
		await insert();
		const lines = (await textOf(at("README.md"))).split("\n");
		assert.match(lines[2] ?? "", /^!\[volumeDiscount in pricing\.ts\]\(images\/clip\.webp\)/);
		assert.equal(await textOf(at("src", "pricing.ts")), before["src/pricing.ts"]);
	});

	it("goes after the paragraph that the cursor is in, and splits no sentence", async () => {
		const editor = await vscode.window.showTextDocument(at("README.md"), { preview: false });
		const line = editor.document
			.getText()
			.split("\n")
			.findIndex(text => /^\w+ \w+/.test(text));
		const sentence = editor.document.lineAt(line).text;
		editor.selection = new vscode.Selection(line, 3, line, 3);
		await vscode.window.showTextDocument(at("src", "pricing.ts"));
		await insert();
		const lines = (await textOf(at("README.md"))).split("\n");
		const picture = lines.findIndex(text => text.startsWith("![volumeDiscount in pricing.ts]("));
		assert.equal(lines[line], sentence);
		assert.ok(picture > line, `line ${picture}`);
		assert.deepEqual([lines[picture - 1], lines[picture + 1]], ["", ""]);
	});

	it("goes to the document whose preview was looked at last", async () => {
		await vscode.workspace.fs.createDirectory(at("docs"));
		await writeFile(at("docs", "guide.md").fsPath, "# Guide\r\n");
		await vscode.window.showTextDocument(at("README.md"), { preview: false });
		await vscode.commands.executeCommand("markdown.showPreview", at("docs", "guide.md"));
		await until(
			() => /guide\.md/.test(vscode.window.tabGroups.activeTabGroup.activeTab?.label ?? ""),
			"the preview",
		);
		await vscode.window.showTextDocument(at("src", "pricing.ts"), { preview: false });
		await insert();
		assert.match(
			await textOf(at("docs", "guide.md")),
			/^# Guide\r\n\r\n!\[.*\]\(media\/clip\.webp\)\r\n$/,
		);
		assert.equal(await textOf(at("README.md")), before["README.md"]);
	});

	it("is a link in the same document, never in a source file", async () => {
		await vscode.window.showTextDocument(at("src", "pricing.ts"));
		const clip = {
			title: "Clip",
			file: join(root(), "clip.webm"),
			source: at("src", "pricing.ts"),
		};
		await acceptPicks(insertClip(clip, "link", documents));
		assert.ok((await textOf(at("README.md"))).endsWith("\n\n[Clip](clip.webm)\n"));
		assert.equal(await textOf(at("src", "pricing.ts")), before["src/pricing.ts"]);
	});
});

describe("a clip that is exported in its tab", () => {
	const nothing = (): Promise<void> => Promise.resolve();
	const previewsWith = (draw: VideoPreviewDependencies["drawings"]["draw"]): VideoPreviews =>
		new VideoPreviews({
			extensionUri: at(),
			job: () => videoJobView(job()),
			run: nothing,
			choose: nothing,
			keepPicture: nothing,
			keepLook: nothing,
			hasPicture: () => true,
			isDrawnHere: () => true,
			insertTarget: () => Promise.resolve(undefined),
			captionMemory: {
				get: () => undefined,
				set: () => undefined,
			},
			drawings: {
				draw,
				drawLook: () => Promise.reject(new Error("not asked for")),
				lookOf: () => Promise.resolve(null),
			},
			log: silentLog,
		});
	const wanted = { format: "png", width: 480, isLooping: false, hasCaptions: false } as const;
	const exported = (
		previews: VideoPreviews,
		{ signal } = new AbortController(),
		drawings?: KeptDrawings,
	): Promise<Buffer> =>
		previews.exportClip("job", { ...wanted, hasGround: true }, signal, () => undefined, drawings);
	const closed = /closed or hidden before the file was made/;

	it("is no longer drawn when the tab is closed, which is the reason given", async () => {
		const drawing = Promise.withResolvers<void>();
		const previews = previewsWith((_id, _how, signal) => {
			drawing.resolve();
			return untilAborted(new Promise(() => undefined), signal);
		});
		const ended = assert.rejects(exported(previews), closed);
		await drawing.promise;
		await vscode.commands.executeCommand("workbench.action.closeAllEditors");
		await ended;
		previews.dispose();
	});

	it("stops a copy that is still being drawn when another is made", async () => {
		const signals: AbortSignal[] = [];
		const previews = previewsWith((_id, _how, signal) => {
			signals.push(signal);
			return untilAborted(new Promise(() => undefined), signal);
		});
		const exportMemory = { get: () => undefined, set: () => undefined };
		const copy = () => copyClipFile({ previews, exportMemory }, job(), "gif", nothing);
		const first = copy();
		await until(() => signals.length === 1, "the first copy to be drawn");
		const second = assert.rejects(copy(), closed);
		await first;
		await until(() => signals.length === 2, "the second copy to be drawn");
		assert.deepEqual(
			signals.map(({ aborted }) => aborted),
			[true, false],
		);
		await vscode.commands.executeCommand("workbench.action.closeAllEditors");
		await second;
		previews.dispose();
	});

	it("is drawn once for an estimate of its size and for the file", async () => {
		let count = 0;
		const previews = previewsWith((_id, { hasGround }) => {
			count += 1;
			return Promise.resolve({ file: new Uint8Array(), hasGround });
		});
		const [estimate, drawings] = [new AbortController(), new Map() as KeptDrawings];
		const stopped = assert.rejects(exported(previews, estimate, drawings));
		await until(() => drawings.size === 1, "the clip to be drawn");
		estimate.abort();
		await stopped;
		const ended = assert.rejects(exported(previews, undefined, drawings), closed);
		await vscode.commands.executeCommand("workbench.action.closeAllEditors");
		await ended;
		assert.equal(count, 1);
		previews.dispose();
	});
});
