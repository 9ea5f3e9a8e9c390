import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as vscode from "vscode";
import { AttachmentTray } from "../../src/attachments/tray.ts";
import { systemClock } from "../../src/common/async.ts";
import { silentLog } from "../../src/common/log.ts";
import { AttachmentOffers } from "../../src/ui/attachments/attachmentOffers.ts";
import { ProjectInstructions } from "../../src/ui/attachments/chatInstructions.ts";
import { isExcludedPath } from "../../src/ui/base/excludedPaths.ts";
import { droppedUri } from "../../src/ui/chatView/viewHandlers.ts";
import { ask, chat, configure, turnEnded, until } from "./cutaway.ts";
import { type ScriptedService, startScriptedService, writeJson, writeStream } from "./service.ts";

const folder = (): string => {
	const path = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
	assert.ok(path, "a folder is open");
	return path;
};
const inFolder = (...names: readonly string[]): vscode.Uri =>
	vscode.Uri.file(join(folder(), ...names));

/** The rule for paths below the folder, which may itself be reached by a link. */
async function exclusion(): Promise<(...names: readonly string[]) => boolean> {
	const real = await realpath(folder());
	return (...names) => isExcludedPath(join(real, ...names));
}

async function items() {
	return (await chat()).picture().attachments.items;
}

async function takeAllOff(): Promise<void> {
	const { attachments } = await chat();
	attachments.remove((await items()).map(({ id }) => id));
}

describe("attaching", () => {
	afterEach(async () => {
		await takeAllOff();
		await rm(join(folder(), "scratch"), { recursive: true, force: true });
	});

	it("takes every file and folder that a menu was opened on", async () => {
		await vscode.commands.executeCommand("cutaway.attachFiles", inFolder("README.md"), [
			inFolder("README.md"),
			inFolder("data"),
		]);
		const attached = await items();
		assert.deepEqual(
			attached.map(({ name, folder: group }) => [name, group]),
			[
				["README.md", null],
				["orders.csv", "data"],
				["products.json", "data"],
			],
		);
		assert.ok(attached.every(({ state }) => state.type === "ready"));
	});

	it("takes 200 files of a folder and says that there are more", async () => {
		await mkdir(join(folder(), "scratch"));
		await Promise.all(
			Array.from({ length: 201 }, (_, index) =>
				writeFile(join(folder(), "scratch", `${index}.txt`), `file ${index}`),
			),
		);
		await vscode.commands.executeCommand("cutaway.attachFiles", inFolder("scratch"));
		assert.equal((await items()).length, 200);
	});

	it("takes the selection with its lines @core", async () => {
		const document = await vscode.workspace.openTextDocument(inFolder("src", "pricing.ts"));
		const editor = await vscode.window.showTextDocument(document);
		editor.selection = new vscode.Selection(2, 0, 5, 3);
		await vscode.commands.executeCommand("cutaway.askAboutSelection");
		const [selection] = await items();
		assert.equal(selection?.name, "pricing.ts:3-6");
		assert.equal(selection.kind, "selection");
		assert.equal(selection.use, "read");
	});

	it("switches the code interpreter on in this chat alone when a file is for it", async () => {
		// A switch of the chat itself would count more than the setting.
		await (await chat()).newChat();
		await configure({ "chat.serverTools": [] });
		await vscode.commands.executeCommand("cutaway.attachFiles", inFolder("data", "orders.csv"));
		const controller = await chat();
		await until(
			() => controller.picture().composer.codeInterpreter,
			"the code interpreter to be on",
		);
		// Settings are written one after the other: what attaching wrote would be there after this.
		await configure({ "chat.temperature": 1 });
		assert.deepEqual(vscode.workspace.getConfiguration("cutaway").get("chat.serverTools"), []);
		await controller.newChat();
		assert.equal(controller.picture().composer.codeInterpreter, false);
		await configure({ "chat.serverTools": undefined, "chat.temperature": undefined });
	});

	it("sends nothing to a model without tools, and offers no model that is not there", async () => {
		await configure({ "chat.model": "llm-4-turbo" });
		await vscode.commands.executeCommand("cutaway.attachFiles", inFolder("images", "beans.png"));
		const controller = await chat();
		const { offeredModel, items: attached } = controller.picture().attachments;
		assert.equal(offeredModel, null);
		assert.match(attached[0]?.note ?? "", /can't see images/);
		await assert.rejects(controller.send("What is this?"), /can't open files/);
		await configure({ "chat.model": undefined });
		assert.equal(controller.picture().attachments.offeredModel, null);
	});
});

describe("what @ offers", () => {
	const clock = systemClock;
	afterEach(takeAllOff);

	it("is what the workspace holds, without what the settings leave out", async () => {
		await mkdir(join(folder(), "scratch", "node_modules"), { recursive: true });
		await writeFile(join(folder(), "scratch", "node_modules", "ordinary.js"), "");
		const offers = new AttachmentOffers(clock);
		const labels = (await offers.complete("ord")).map(({ label }) => label);
		await rm(join(folder(), "scratch"), { recursive: true, force: true });
		assert.equal(labels[0], "orders.csv");
		assert.ok(!labels.includes("ordinary.js"), "search.exclude names node_modules");
		const folders = (await offers.complete("data")).filter(({ kind }) => kind === "folder");
		assert.deepEqual(
			folders.map(({ label }) => label),
			["data"],
		);
		const [problems] = await offers.complete("problems");
		assert.equal(problems?.kind, "problems", "they are offered when there are none, too");
	});

	it("leaves out what Git ignores, as attaching a folder does, unless that very thing is wanted", async () => {
		const scratch = (...names: readonly string[]): string => join(folder(), "scratch", ...names);
		await mkdir(scratch("built"), { recursive: true });
		await mkdir(scratch("kept"), { recursive: true });
		await writeFile(scratch(".gitignore"), "built/\n*.tmp\n!kept/*.tmp\n");
		execFileSync("git", ["init", "--quiet", scratch()]);
		for (const name of ["built/wanted.ts", "wanted.tmp", "kept/wanted.tmp", "wanted.ts"]) {
			await writeFile(scratch(name), "x\n");
		}
		const offers = new AttachmentOffers(clock);
		const wanted = (await offers.complete("wanted")).map(
			({ detail, label }) => `${detail}/${label}`,
		);
		assert.deepEqual(wanted.toSorted(), ["scratch/kept/wanted.tmp", "scratch/wanted.ts"]);
		const folders = (await offers.complete("built")).map(({ label }) => label);
		assert.ok(!folders.includes("built"), "an ignored folder is not offered");

		const { attachments } = await chat();
		await attachments.addUris([inFolder("scratch")]);
		const names = (await items()).map(({ path }) => path);
		assert.deepEqual(names.toSorted(), [
			"scratch/.gitignore",
			"scratch/kept/wanted.tmp",
			"scratch/wanted.ts",
		]);
		await attachments.addUris([inFolder("scratch", "built")]);
		assert.ok((await items()).some(({ path }) => path === "scratch/built/wanted.ts"));
		await rm(join(folder(), "scratch"), { recursive: true, force: true });
	});

	it("T15: is ruled for tools as for attachments: an excluded folder leaves out all that is in it", async () => {
		const files = vscode.workspace.getConfiguration("files");
		await files.update("exclude", { secrets: true }, vscode.ConfigurationTarget.Global);
		const isExcluded = await exclusion();
		assert.ok(isExcluded("secrets"));
		assert.ok(isExcluded("secrets", ".env"));
		assert.ok(isExcluded("secrets", ".deep", "a.txt"));
		assert.ok(isExcluded("src", "node_modules", "a.js"));
		assert.ok(!isExcluded("src", "secrets"));
		assert.ok(!isExcluded("README.md"));
		await files.update("exclude", undefined, vscode.ConfigurationTarget.Global);
		assert.ok(!isExcluded("secrets", ".env"));
	});

	it("T41: no instructions of dependencies or of what Git ignores are sent", async () => {
		const scratch = (...names: readonly string[]): string => join(folder(), "scratch", ...names);
		for (const place of ["node_modules/x", "built", "own"]) {
			await mkdir(scratch(place, "lib"), { recursive: true });
			await writeFile(scratch(place, "AGENTS.md"), `Obey ${place}.\n`);
			await writeFile(scratch(place, "lib", "a.js"), "x\n");
		}
		await writeFile(scratch(".gitignore"), "built/\n");
		execFileSync("git", ["init", "--quiet", scratch()]);
		const instructions = new ProjectInstructions((await chat()).settings, clock);
		for (const place of ["node_modules/x", "built", "own"]) {
			const uri = inFolder("scratch", place, "lib", "a.js");
			await vscode.window.showTextDocument(uri, { preview: false });
			await instructions.refresh();
			assert.deepEqual(
				instructions.sent().map(({ name }) => name),
				place === "own" ? ["scratch/own/AGENTS.md"] : [],
			);
		}
		instructions.dispose();
		await vscode.commands.executeCommand("workbench.action.closeAllEditors");
		await rm(join(folder(), "scratch"), { recursive: true, force: true });
	});

	it("T15: is what the user or the workspace excludes: a workspace cancels nothing", async () => {
		const isExcluded = await exclusion();
		await mkdir(join(folder(), "hidden-here"));
		await writeFile(join(folder(), "hidden-here", "wanted.txt"), "x\n");
		const { Global, Workspace } = vscode.ConfigurationTarget;
		for (const section of ["files", "search"]) {
			const settings = vscode.workspace.getConfiguration(section);
			await settings.update("exclude", { "hidden-here": true }, Global);
			await settings.update("exclude", { "hidden-here": false, "docs-of-it": true }, Workspace);
			assert.ok(isExcluded("hidden-here", "wanted.txt"), `${section}.exclude of the user holds`);
			assert.ok(isExcluded("docs-of-it", "a.md"), "and the workspace's own");
			const offered = await new AttachmentOffers(clock).complete("wanted.txt");
			assert.deepEqual(offered, [], "it is not offered");
			await settings.update("exclude", { "hidden-here": false }, Global);
			assert.ok(!isExcluded("hidden-here", "wanted.txt"), "the user may take it back");
			await settings.update("exclude", undefined, Global);
			await settings.update("exclude", undefined, Workspace);
		}
		await rm(join(folder(), "hidden-here"), { recursive: true });
	});

	it("T34: is judged by where it is, through links and whatever was dropped", async () => {
		const outside = await realpath(await mkdtemp(join(tmpdir(), "cutaway-outside-")));
		const tray = new AttachmentTray({
			connection: () => Promise.reject(new Error("Nothing may be sent here")),
			recordsFolder: join(outside, "records"),
			workspaceFolders: () => [folder()],
			clock,
			log: silentLog,
			readDocument: () => Promise.reject(new Error("none")),
		});
		await writeFile(join(outside, "faraway.txt"), "elsewhere\n");
		await mkdir(join(folder(), "scratch"), { recursive: true });
		for (const [name, target] of [
			["linked", outside],
			["faraway-out.txt", join(outside, "faraway.txt")],
			["faraway-nowhere.txt", join(outside, "nothing")],
			["faraway-in.txt", join(folder(), "README.md")],
		] as const) {
			await symlink(target, join(folder(), "scratch", name));
		}
		const stateOf = async (uri: vscode.Uri): Promise<string> => {
			const { ids } = await tray.addPaths([uri.fsPath]);
			const found = tray.attachments.find(({ id }) => ids.includes(id));
			assert.ok(found, "it has a chip");
			tray.clear();
			return found.state.type === "failed" ? found.state.failure.kind : found.state.type;
		};
		const expected: Readonly<Record<string, string>> = {
			"scratch/linked/faraway.txt": "needsConfirmation",
			"scratch/faraway-out.txt": "needsConfirmation",
			"scratch/faraway-nowhere.txt": "missing",
			"scratch/faraway-in.txt": "ready",
		};
		const offers = new AttachmentOffers(clock);
		const offered = await offers.complete("faraway");
		assert.ok(offered.length >= 2, "links to files are offered");
		for (const { id, detail, label } of offered) {
			const thing = offers.find(id);
			assert.ok(thing?.type === "uri");
			assert.equal(await stateOf(thing.uri), expected[`${detail}/${label}`], label);
		}
		for (const [name, state] of Object.entries(expected)) {
			assert.equal(await stateOf(inFolder(...name.split("/"))), state, name);
		}
		const dropped = async (way: string): Promise<string> =>
			stateOf(droppedUri(`${inFolder("scratch").toString()}/${way}`));
		assert.equal(await dropped("faraway-in.txt"), "ready");
		assert.equal(await dropped("..%2F../etc/hostname"), "missing");
		for (const up of ["%2e%2e/", "..%2F", "%2E./"]) {
			assert.equal(await dropped(`${up.repeat(20)}etc/hostname`), "needsConfirmation", up);
		}
		assert.equal(await dropped("faraway-in.txt%00.png"), "refusedPath");
		assert.equal(await stateOf(droppedUri("file:///dev/zero")), "notAFile");
		tray.dispose();
		await rm(join(folder(), "scratch"), { recursive: true, force: true });
		await rm(outside, { recursive: true, force: true });
	});

	it("is an earlier chat, chosen in a list, whose text opens as it will be sent", async () => {
		const controller = await chat();
		await controller.newChat();
		await ask("What can you do with a lighthouse?");
		await controller.newChat();
		const offers = new AttachmentOffers(clock);
		const [offer] = await offers.complete("chat");
		assert.deepEqual(offers.find(offer?.id ?? ""), { type: "chat" });
		const adding = controller.attachments.addChat();
		let isAdded = false;
		void adding.then(() => (isAdded = true));
		await until(() => {
			// Before the list shows, there is nothing to accept.
			void vscode.commands.executeCommand("workbench.action.acceptSelectedQuickOpenItem");
			return isAdded;
		}, "the chat to be chosen");
		const [item] = await items();
		assert.match(item?.name ?? "", /lighthouse/);
		assert.equal(item?.canOpen, true);
		await controller.attachments.open(item?.id ?? "");
		const text = vscode.window.activeTextEditor?.document.getText() ?? "";
		assert.match(text, /^# .*lighthouse[\s\S]*## You[\s\S]*## Assistant/);
		await vscode.commands.executeCommand("workbench.action.closeAllEditors");
	});

	it("is a page for an address, and for nothing else", async () => {
		const offers = new AttachmentOffers(clock);
		const [offer] = await offers.complete("https://example.com/a#b");
		assert.equal(offer?.label, "https://example.com/a#b");
		assert.deepEqual(offers.find(offer?.id ?? ""), {
			type: "page",
			address: "https://example.com/a",
		});
		const others = await offers.complete("https://localhost/a");
		assert.ok(others.every(({ kind }) => kind !== "page"));
	});

	it("attaches the page at an address, fetched once, with its title and a text that opens", async () => {
		const asked: string[] = [];
		const html = "<title>Brewing</title><main><p>Ninety-three degrees.</p></main>";
		// Stands for the web: a proxy resolves the names that this machine can't.
		const proxy = createServer((request, response) => {
			asked.push(request.url ?? "");
			response.setHeader("content-type", "text/html").end(html);
		});
		await new Promise<void>(resolve => proxy.listen(0, "127.0.0.1", resolve));
		const { port } = proxy.address() as AddressInfo;
		const http = vscode.workspace.getConfiguration("http");
		await http.update("proxy", `http://127.0.0.1:${port}`, true);
		try {
			const address = "http://pages.cutaway.invalid/brewing";
			const offers = new AttachmentOffers(clock);
			const [offer] = await offers.complete(address);
			assert.equal(offer?.detail, "Attach page");
			assert.deepEqual(asked, []);
			const thing = offers.find(offer.id);
			assert.ok(thing?.type === "page");
			const { attachments } = await chat();
			await attachments.addPage(thing.address);
			assert.deepEqual(asked, [address]);
			const [chip] = await items();
			assert.deepEqual([chip?.name, chip?.state.type], ["Brewing", "ready"]);
			await attachments.open(chip?.id ?? "");
			const text = vscode.window.activeTextEditor?.document.getText() ?? "";
			assert.equal(text.trim(), `Brewing\n${address}\n\nNinety-three degrees.`);
		} finally {
			await http.update("proxy", undefined, true);
			proxy.close();
			await vscode.commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
		}
	});

	it("T19: is known by ids alone, and an id nobody handed out means nothing", async () => {
		const offers = new AttachmentOffers(clock);
		const [offer] = await offers.complete("orders");
		const thing = offers.find(offer?.id ?? "");
		assert.ok(thing?.type === "uri");
		assert.equal(thing.uri.fsPath, inFolder("data", "orders.csv").fsPath);
		for (const id of ["", "/etc/passwd", "offer-999", "__proto__"]) {
			assert.equal(offers.find(id), undefined);
		}
	});

	it("T34: an address that was dropped means a file of this machine or nothing", () => {
		assert.equal(droppedUri("file:///a/b.csv").fsPath, "/a/b.csv");
		assert.equal(droppedUri("vscode-remote://host:1/a/b.csv").toString(), "file:///a/b.csv");
		for (const address of [
			"https://example.com/a",
			"command:cutaway.newChat",
			"untitled:a",
			"data:,x",
		]) {
			assert.throws(() => droppedUri(address), /Only files/);
		}
	});
});

describe("attachments and a service", () => {
	let service: ScriptedService | undefined;
	let uploadStatus = 200;

	before(async () => {
		service = await startScriptedService((request, response) => {
			if (request.path !== "/v1/files") {
				writeStream(response, [["Yes."]]);
			} else if (uploadStatus === 200) {
				writeJson(response, 200, { file_id: `file-${uploads().length}` });
			} else {
				writeJson(response, uploadStatus, { error: { message: "Not this one" } });
			}
		});
		await configure({ endpoint: service.baseUrl });
		await mkdir(join(folder(), "scratch"), { recursive: true });
	});
	beforeEach(async () => (await chat()).newChat());
	afterEach(takeAllOff);
	after(async () => {
		await configure({ endpoint: undefined, "chat.serverTools": undefined });
		await rm(join(folder(), "scratch"), { recursive: true, force: true });
		await service?.stop();
	});

	const uploads = () => service?.heard.filter(({ path }) => path === "/v1/files") ?? [];

	async function attach(name: string, content: string): Promise<void> {
		await writeFile(join(folder(), "scratch", name), content);
		await (await chat()).attachments.addUris([inFolder("scratch", name)]);
	}

	async function send(text: string) {
		const controller = await chat();
		return turnEnded(controller, await controller.send(text));
	}

	it("sends nothing before Send; the same bytes once; changed bytes again @core", async () => {
		const before = uploads().length;
		await attach("twice.csv", "a,b\n1,2\n");
		assert.equal(uploads().length, before);
		const first = await send("First");
		assert.deepEqual(
			first.attachments.map(({ name, use }) => [name, use]),
			[["twice.csv", "codeInterpreter"]],
		);
		assert.equal(uploads().length, before + 1);
		assert.deepEqual(await items(), []);

		await attach("twice.csv", "a,b\n1,2\n");
		await send("Second");
		assert.equal(uploads().length, before + 1);

		await attach("twice.csv", "a,b\n3,4\n");
		await send("Third");
		assert.equal(uploads().length, before + 2);
		const asked = JSON.parse(service?.heard.at(-1)?.body ?? "{}") as Record<string, unknown>;
		assert.deepEqual(asked["tools"], ["code_interpreter"]);
		assert.match(JSON.stringify(asked["files"]), /"name":"twice\.csv","type":"text\/csv"/);
	});

	it("J26: a file the service takes no larger is named with the service's message; nothing is asked", async () => {
		uploadStatus = 413;
		await attach("large.csv", `a\n${"1\n".repeat(999)}`);
		const asked = service?.heard.length ?? 0;
		await assert.rejects(send("Too large?"), /large\.csv couldn't be attached/);
		uploadStatus = 200;
		const [chip] = await items();
		assert.ok(chip?.state.type === "failed", "the chip says that it failed");
		assert.equal(chip.state.serviceMessage, "Not this one");
		assert.ok(chip.state.canRetry);
		assert.equal(service?.heard.length, asked + 1);

		await (await chat()).attachments.retry(chip.id);
		assert.equal((await send("Now?")).status.state, "complete");
	});

	it("J26: a name with quotes and line ends breaks no header", async () => {
		const name = 'odd "name"\r\nX-Evil: 1.csv';
		await attach(name, "a\n1\n");
		await send("Odd?");
		const upload = uploads().at(-1);
		assert.equal(upload?.headers["x-evil"], undefined);
		const head = upload?.body.split("\r\n\r\n")[0] ?? "";
		assert.match(head, /filename="odd %22name%22%0D%0AX-Evil: 1\.csv"/);
		assert.equal(head.split("\r\n").length, 3);
	});
});

describe("the keybinding", () => {
	it("takes no key that VS Code uses by default @core", async () => {
		await vscode.commands.executeCommand("workbench.action.openDefaultKeybindingsFile");
		await until(
			() => vscode.window.activeTextEditor?.document.fileName.includes("keybindings") ?? false,
			"the default keybindings to be open",
		);
		const text = vscode.window.activeTextEditor?.document.getText() ?? "";
		const taken = [...text.matchAll(/"key": "([^"]+)",[\s\S]*?"command": "([^"]+)"/g)].filter(
			([, key, command]) => key === "ctrl+k ctrl+alt+a" && !command?.startsWith("cutaway."),
		);
		assert.ok(text.includes('"command": "cutaway.askAboutSelection"'), "the list is whole");
		assert.deepEqual(
			taken.map(([, , command]) => command),
			[],
		);
		await vscode.commands.executeCommand("workbench.action.closeActiveEditor");
	});
});
