import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { mkdtemp, realpath, rm } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as vscode from "vscode";
import { systemClock } from "../../src/common/async.ts";
import { AttachmentOffers } from "../../src/ui/attachments/attachmentOffers.ts";
import { chat, configure, until } from "./cutaway.ts";
import { type ScriptedService, startScriptedService } from "./service.ts";

interface GitRepository {
	readonly rootUri: vscode.Uri;
	readonly inputBox: { value: string };
	status(): Promise<void>;
}

/** The part of the Git extension's API, version 1, that is used here. */
interface GitApi {
	openRepository(root: vscode.Uri): Promise<GitRepository | null>;
}

describe("Git's source control", () => {
	let service: ScriptedService;
	let answering: ServerResponse | undefined;
	let root = "";
	let repository: GitRepository;

	before(async () => {
		service = await startScriptedService((_request, response) => {
			response.writeHead(200, { "content-type": "text/event-stream" });
			response.write('data: {"role":"assistant","content":""}\n\n');
			answering = response;
		});
		await configure({ endpoint: service.baseUrl });
		// The oldest editor opens a repository outside of the workspace only then.
		await openOutside("always");
	});
	after(async () => {
		await openOutside(undefined);
		await configure({ endpoint: undefined });
		await service.stop();
	});
	beforeEach(async () => {
		root = await realpath(await mkdtemp(join(tmpdir(), "cutaway-scm-")));
		git("init", "--quiet");
		write("cart.ts", "one\n");
		git("add", "--all");
		git("commit", "--quiet", "--message", "cart: add the first line");
		const extension = vscode.extensions.getExtension<{ getAPI(version: 1): GitApi }>("vscode.git");
		const opened = await (
			await extension?.activate()
		)
			?.getAPI(1)
			.openRepository(vscode.Uri.file(root));
		assert.ok(opened);
		repository = opened;
		answering = undefined;
	});
	afterEach(() => answering?.destroy());
	afterEach(() => rm(root, { recursive: true, force: true }));

	async function openOutside(value: "always" | undefined): Promise<void> {
		const settings = vscode.workspace.getConfiguration("git");
		await settings.update(
			"openRepositoryInParentFolders",
			value,
			vscode.ConfigurationTarget.Global,
		);
	}
	function git(...args: readonly string[]): void {
		const user = ["-c", "user.name=A", "-c", "user.email=a@example.com"];
		execFileSync("git", [...user, ...args], { cwd: root, stdio: "pipe" });
	}
	function write(name: string, text: string): void {
		writeFileSync(join(root, name), text);
	}
	/** Waits until the editor has reported every text that was written into the box: its answer to a command comes after that. */
	async function boxIsReported(): Promise<void> {
		await vscode.commands.executeCommand("setContext", "cutaway.test.boxIsReported", true);
	}
	/** Clicks the button of the repository, and resolves with how to send the answer once the model was asked. */
	async function generate() {
		const { rootUri } = repository;
		const before = service.heard.length;
		const done = vscode.commands.executeCommand("cutaway.generateCommitMessage", { rootUri });
		await until(() => answering !== undefined, "the model to be asked");
		assert.equal(service.heard.length, before + 1);
		return {
			done,
			body: service.heard.at(-1)?.body ?? "",
			send: (content: string) => answering?.write(`data: ${JSON.stringify({ content })}\n\n`),
			end: () => answering?.end("data: {}\n\ndata: [DONE]\n\ndata: [END]\n\n"),
		};
	}
	const box = (): string => repository.inputBox.value;

	it("writes the message of the staged changes into the box of the repository, line by line @core", async () => {
		write("cart.ts", "one\ntwo\n");
		git("add", "cart.ts");
		write("other.ts", "unstaged\n");
		write(".env", "KEY=hush\n");
		const { done, body, send, end } = await generate();
		assert.match(body, /\+two/);
		assert.match(body, /cart: add the first line/);
		assert.doesNotMatch(body, /unstaged|hush|"tools"|custom_tools/);
		send("cart: add the second line\n\nIt ");
		await until(() => box() === "cart: add the second line", "the subject");
		send("was missing.");
		end();
		await done;
		assert.equal(box(), "cart: add the second line\n\nIt was missing.");
	});

	it("asks about all changes where none are staged, files that are new as well", async () => {
		write("cart.ts", "one\ntwo\n");
		write("new.ts", "new words\n");
		write(".env", "KEY=hush\n");
		const { done, body, send, end } = await generate();
		assert.match(body, /\+two/);
		assert.match(body, /\+new words/);
		assert.doesNotMatch(body, /hush/);
		send("cart: more");
		end();
		await done;
		assert.equal(box(), "cart: more");
	});

	it("brings back what was in the box when it is stopped, or the answer breaks off @core", async () => {
		write("cart.ts", "one\ntwo\n");
		for (const stop of [
			() => void vscode.commands.executeCommand("cutaway.stopCommitMessage", repository),
			() => answering?.destroy(),
		]) {
			repository.inputBox.value = "my own words";
			answering = undefined;
			const { send } = await generate();
			send("cart: more\n\n");
			await until(() => box() === "cart: more", "the subject");
			const { length } = service.heard;
			stop();
			await until(() => box() === "my own words", "the words from before");
			await boxIsReported();
			assert.equal(service.heard.length, length);
		}
	});

	it("lets whoever types meanwhile keep their words", async () => {
		write("cart.ts", "one\ntwo\n");
		const { done, send } = await generate();
		send("cart: more\n");
		await until(() => box() === "cart: more", "the subject");
		repository.inputBox.value = "cart: mine";
		await boxIsReported();
		assert.equal(box(), "cart: mine");
		send("\nAnd a body.\n");
		await done;
		assert.equal(box(), "cart: mine");
	});

	it("keeps the text that Git prepared for a merge above what it writes", async () => {
		git("checkout", "--quiet", "-b", "other");
		write("other.ts", "other\n");
		git("add", "--all");
		git("commit", "--quiet", "--message", "other");
		git("checkout", "--quiet", "-");
		git("merge", "--quiet", "--no-ff", "--no-commit", "other");
		await repository.status();
		// The view of source control does this, in the oldest editor only where its repository is in the workspace.
		repository.inputBox.value = "Merge branch 'other'";
		const { done, send, end } = await generate();
		send("Adds other.ts.");
		end();
		await done;
		assert.equal(box(), "Merge branch 'other'\n\nAdds other.ts.");
	});

	it("asks for a review of what is not committed, with the change as a chip and the question in sight", async () => {
		await (await chat()).newChat();
		write("cart.ts", "one\ntwo\n");
		write("new.ts", "new words\n");
		write(".env", "KEY=hush\n");
		await vscode.commands.executeCommand("cutaway.reviewChanges", repository);
		const [turn] = (await chat()).picture().turns;
		assert.match(
			turn?.prompt ?? "",
			/^Review: 2 changed lines\n\nReview the attached change\..* path:line/,
		);
		assert.deepEqual(
			turn?.attachments.map(({ name }) => name),
			["changes.diff"],
		);
		await until(() => answering !== undefined, "the model to be asked");
		const body = service.heard.at(-1)?.body ?? "";
		assert.match(body, /\+2: two/);
		assert.match(body, /\+1: new words/);
		assert.doesNotMatch(body, /hush/);
	});

	it("is offered for `@`, and its changes are attached without what may hold secrets", async () => {
		write("cart.ts", "one\ntwo\n");
		write(".env", "KEY=1\n");
		const offers = new AttachmentOffers(systemClock);
		const [offer] = await offers.complete("changes");
		assert.deepEqual(offers.find(offer?.id ?? ""), { type: "changes" });
		const { attachments } = await chat();
		await attachments.addChanges();
		const added = attachments.view().items.find(({ kind }) => kind === "changes");
		await attachments.open(added?.id ?? "");
		const text = vscode.window.activeTextEditor?.document.getText() ?? "";
		assert.match(text, /\+two/);
		assert.doesNotMatch(text, /KEY=1/);
		attachments.remove(attachments.view().items.map(({ id }) => id));
		await vscode.commands.executeCommand("workbench.action.closeAllEditors");
	});

	it("reviews from a file's timeline what is not committed of that file alone", async () => {
		await (await chat()).newChat();
		write("cart.ts", "one\ntwo\n");
		write("new.ts", "new words\n");
		const file = vscode.Uri.file(join(root, "cart.ts"));
		// The first of the list is what is not committed.
		const done = vscode.commands.executeCommand("cutaway.reviewChanges", {}, file);
		await until(() => {
			void vscode.commands.executeCommand("workbench.action.acceptSelectedQuickOpenItem");
			return answering !== undefined;
		}, "the model to be asked");
		await done;
		const [turn] = (await chat()).picture().turns;
		assert.deepEqual(
			turn?.attachments.map(({ name }) => name),
			["cart.ts.diff"],
		);
		const body = service.heard.at(-1)?.body ?? "";
		assert.match(body, /\+2: two/);
		assert.doesNotMatch(body, /new words/);
	});

	it("shows the findings of a review in the editor, at the line of the first", async () => {
		await (await chat()).newChat();
		write("cart.ts", "one\ntwo\n");
		await vscode.commands.executeCommand("cutaway.reviewChanges", repository);
		await until(() => answering !== undefined, "the model to be asked");
		const text =
			"- `src/pricing.ts:10-12`: wrong\n  ```ts\n  const TAX_RATE = 0;\n  ```\n- src/pricing.ts:3: odd\n- gone.ts:1: lost\n";
		answering?.end(
			`data: ${JSON.stringify({ content: text })}\n\ndata: {}\n\ndata: [DONE]\n\ndata: [END]\n\n`,
		);
		const controller = await chat();
		await until(() => controller.picture().turns[0]?.status.state === "complete", "the answer");
		const [turn] = controller.picture().turns;
		await vscode.commands.executeCommand("cutaway.showFindings", turn?.id);
		const editor = vscode.window.activeTextEditor;
		assert.match(editor?.document.uri.path ?? "", /src\/pricing\.ts$/);
		assert.equal(editor?.selection.start.line, 9);
		await vscode.commands.executeCommand("cutaway.dismissFindings");
	});
});
