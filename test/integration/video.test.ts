import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import * as vscode from "vscode";
import { selectedText } from "../../src/editor/selection.ts";
import type { VideoJobView } from "../../src/ui/video/views/videoJobView.ts";
import type { Videos } from "../../src/ui/video/videos.ts";
import { configure, cutaway, until } from "./cutaway.ts";
import {
	type HeardRequest,
	type ScriptedService,
	startScriptedService,
	writeJson,
} from "./service.ts";

/** The first bytes of a WebM file, and enough after them to be one by its magic number. */
const clip = Buffer.concat([
	Buffer.from([0x1a, 0x45, 0xdf, 0xa3, 0x9f, 0x42, 0x82, 0x84]),
	Buffer.from("webm"),
	Buffer.alloc(2000, 7),
]);

async function videos(): Promise<Videos> {
	return (await (await cutaway().activate()).runtime()).videos.get();
}

/** Resolves with a job once it is as `isSo` says. */
async function jobThat(
	id: string,
	isSo: (view: VideoJobView) => boolean,
	what: string,
): Promise<VideoJobView> {
	const current = await videos();
	await until(() => {
		const view = current.view(id);
		return view !== undefined && isSo(view);
	}, what);
	const view = current.view(id);
	assert.ok(view);
	return view;
}

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

/** Presses Enter in the quick input that opens, however long that takes, until what opened it has ended. */
async function acceptQuickInput(running: Thenable<unknown>): Promise<void> {
	let hasEnded = false;
	const ended = Promise.resolve(running).finally(() => {
		hasEnded = true;
	});
	while (!hasEnded) {
		await Promise.race([ended, new Promise(resolve => setTimeout(resolve, 500))]);
		await vscode.commands.executeCommand("workbench.action.acceptSelectedQuickOpenItem");
	}
	await ended;
}

describe("a video from a scripted service", () => {
	let service: ScriptedService | undefined;

	async function serve(
		lookup: (service: ScriptedService) => unknown,
		create?: (response: ServerResponse) => void,
	): Promise<ScriptedService> {
		const started = await startScriptedService((request: HeardRequest, response) => {
			if (request.method === "POST") {
				(create ?? (to => writeJson(to, 200, { success: true, generation_id: "gen-1" })))(response);
			} else if (request.path.startsWith("/v1/generations/")) {
				writeJson(response, 200, { success: true, generation: lookup(started) });
			} else {
				response.writeHead(200, { "content-type": "video/webm", "content-length": clip.length });
				response.end(clip);
			}
		});
		service = started;
		await configure({ endpoint: started.baseUrl });
		return started;
	}

	const complete = ({ baseUrl }: ScriptedService): unknown => ({
		status: "complete",
		output: { video_url: `${baseUrl}/clip.webm` },
	});

	afterEach(async () => {
		await configure({ endpoint: undefined, "video.duration": undefined });
		await vscode.commands.executeCommand("workbench.action.closeAllEditors");
		await service?.stop();
		service = undefined;
	});

	it("is made from several selections in the order of the document, with the options of the settings", async () => {
		const started = await serve(complete);
		await configure({ "video.duration": 4 });
		const document = await vscode.workspace.openTextDocument({ content: "one\ntwo\nthree" });
		const editor = await vscode.window.showTextDocument(document);
		editor.selections = [new vscode.Selection(2, 0, 2, 5), new vscode.Selection(0, 0, 0, 3)];
		assert.equal(selectedText(editor)?.text, "one\nthree");
		const running = vscode.commands.executeCommand("cutaway.generateVideoFromSelection");
		await acceptQuickInput(running);
		const posted = () => started.heard.find(({ method }) => method === "POST");
		await until(() => posted() !== undefined, "the request");
		assert.deepEqual(JSON.parse(posted()?.body ?? ""), {
			prompt: "one\nthree",
			duration: 4,
			motion_strength: 3,
		});
	});

	it("is made of a file's change in Git, by the row of Source Control and by what is selected", async () => {
		const started = await serve(complete);
		const [root] = vscode.workspace.workspaceFolders ?? [];
		assert.ok(root);
		const folder = join(root.uri.fsPath, "video-repository");
		const file = vscode.Uri.file(join(folder, "sum.js"));
		const git = (...args: readonly string[]): void => {
			execFileSync("git", ["-c", "user.name=A", "-c", "user.email=a@example.com", ...args], {
				cwd: folder,
			});
		};
		const prompts = (): readonly unknown[] =>
			started.heard
				.filter(({ method }) => method === "POST")
				.map(({ body }) => (JSON.parse(body) as { prompt: string }).prompt);
		const generate = async (...args: readonly unknown[]): Promise<void> => {
			const before = prompts().length;
			const running = vscode.commands.executeCommand("cutaway.generateVideoOfChange", ...args);
			await acceptQuickInput(running);
			await until(() => prompts().length > before, "the request");
		};
		mkdirSync(folder);
		try {
			const lines = Array.from({ length: 30 }, (_, index) => `line(${index});`);
			const write = (): void => writeFileSync(file.fsPath, `${lines.join("\n")}\n`);
			write();
			git("init", "--quiet");
			git("add", "--all");
			git("commit", "--quiet", "--message", "one");
			lines[2] = "second();";
			lines[25] = "late();";
			write();
			assert.ok(await (await gitApi()).openRepository(vscode.Uri.file(folder)));
			await generate({ resourceUri: file });
			const editor = await vscode.window.showTextDocument(file);
			editor.selection = new vscode.Selection(24, 0, 26, 0);
			await generate();
			// The left side of a comparison is the same file, of which all changes count.
			await vscode.window.showTextDocument((await gitApi()).toGitUri(file, "HEAD"));
			await generate();
			const [whole, selected, fromLeft] = prompts().map(String);
			assert.equal(fromLeft, whole);
			assert.match(whole ?? "", /^sum\.js\n```diff\n@@ [^]*\+second\(\);[^]*\+late\(\);[^]*\n```$/);
			assert.match(selected ?? "", /\+late\(\);/);
			assert.doesNotMatch(selected ?? "", /second/);
		} finally {
			await vscode.commands.executeCommand("workbench.action.closeAllEditors");
			rmSync(folder, { recursive: true, force: true });
		}
	});

	it("ends as a file on this machine's disk, byte for byte, and the POST was sent once @core", async () => {
		const started = await serve(complete);
		const { jobs } = await videos();
		const id = await jobs.submit({ kind: "text", prompt: "A boat" });
		const view = await jobThat(id, ({ tone }) => tone === "ready", "the clip");
		assert.ok(view.clip);
		assert.deepEqual(await readFile(view.clip.file), clip);
		assert.equal(started.heard.filter(({ method }) => method === "POST").length, 1);
	});

	it("is in the Videos view, where it can be deleted, and a filter lists it or does not @core", async () => {
		await serve(complete);
		const current = await videos();
		const id = await current.jobs.submit({ kind: "text", prompt: "A row" });
		await jobThat(id, ({ tone }) => tone === "ready", "the clip");
		const shown = () => current.gallery.state().videos.find(({ jobId }) => jobId === id);
		assert.equal(shown()?.name, "A row");
		assert.equal(shown()?.state, "Ready");
		assert.equal(shown()?.isDeletable, true);
		current.gallery.setFilter({ tone: "failed", text: "" });
		assert.equal(shown(), undefined);
		current.gallery.setFilter({ tone: undefined, text: "" });
	});

	it("opens in a panel of its own, which a second opening only brings to the front", async () => {
		await serve(complete);
		const current = await videos();
		const id = await current.jobs.submit({ kind: "text", prompt: "A panel" });
		await jobThat(id, ({ tone }) => tone === "ready", "the clip");
		current.open(id);
		current.open(id);
		const tabs = (): number =>
			vscode.window.tabGroups.all
				.flatMap(({ tabs }) => tabs)
				.filter(({ label }) => label === "A panel").length;
		await until(() => tabs() > 0, "the panel");
		assert.equal(tabs(), 1);
	});

	it("J1: a service that is not there charges nothing and offers to submit @core", async () => {
		const started = await serve(complete);
		await started.stop();
		const { jobs } = await videos();
		const id = await jobs.submit({ kind: "text", prompt: "Nobody home" });
		const view = await jobThat(id, ({ isUnfinished }) => !isUnfinished, "the refusal");
		assert.equal(view.label, "Not submitted");
		assert.ok(view.actions.includes("submit"));
	});

	it("J2: a service that fails may have charged, and nothing is sent again without a click @core", async () => {
		const started = await serve(complete, response => writeJson(response, 502, { message: "no" }));
		const current = await videos();
		const id = await current.jobs.submit({ kind: "text", prompt: "Twice?" });
		const view = await jobThat(id, ({ isUnfinished }) => !isUnfinished, "the failure");
		assert.equal(view.label, "May be charged");
		assert.equal(started.heard.length, 1);
		await assert.rejects(current.run(id, "submit"), /no longer available/);
		await current.run(id, "submitAgain");
		await until(() => started.heard.length === 2, "the second request");
	});

	it("is deleted from the list and comes back when that is undone", async () => {
		await serve(complete);
		const current = await videos();
		const id = await current.jobs.submit({ kind: "text", prompt: "Gone" });
		await jobThat(id, ({ tone }) => tone === "ready", "the clip");
		await current.jobs.remove(id);
		assert.equal(current.view(id), undefined);
		await current.jobs.restore(id);
		assert.equal(current.view(id)?.title, "Gone");
	});
});
