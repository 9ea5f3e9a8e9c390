import { link, mkdir, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import type { Uri } from "vscode";
import { beforeEach, expect, test, vi } from "vitest";
import { AttachmentTray } from "../../../../src/attachments/tray.ts";
import { silentLog } from "../../../../src/common/log.ts";
import type { FetchPage } from "../../../../src/ui/attachments/attachPage.ts";
import type { SettingName, SettingValue } from "../../../../src/ui/base/settings.ts";
import { createFakeClock } from "../../../helpers/fakeClock.ts";
import { createFakeSettings } from "../../../helpers/fakeSettings.ts";
import { makeTempFolder } from "../../../helpers/tempFolder.ts";

const showWarningMessage = vi.fn<(...args: readonly unknown[]) => Promise<string | undefined>>();
const executeCommand = vi.fn<(...args: readonly unknown[]) => Promise<void>>();
const notCancelled = { onCancellationRequested: () => undefined };
vi.mock("vscode", () => ({
	ProgressLocation: { Notification: 15 },
	window: {
		showWarningMessage,
		withProgress: (_: unknown, work: (...given: readonly unknown[]) => unknown) =>
			work(undefined, notCancelled),
	},
	commands: { executeCommand },
	Range: Object,
	Uri: { file: (path: string) => uriOf(path), parse: (uri: string) => uriOf(uri.slice(7)) },
	workspace: {
		textDocuments: [],
		get workspaceFolders() {
			return [{ name: "workspace", uri: { scheme: "file", fsPath: opened } }];
		},
		asRelativePath: (uri: { fsPath: string }) => uri.fsPath,
		getWorkspaceFolder: () => undefined,
	},
	languages: {
		getDiagnostics: () => [
			[
				uriOf("a.ts"),
				[{ message: "Wrong", severity: 0, range: { start: { line: 0, character: 0 } } }],
			],
		],
	},
}));
const { ChatSettings } = await import("../../../../src/ui/composer/chatSettings.ts");
const { ChatAttachments } = await import("../../../../src/ui/attachments/chatAttachments.ts");
const { sentAttachment } = await import("../../../../src/ui/attachments/attachmentView.ts");
const { QuestionSettings } = await import("../../../../src/ui/chat/questionSettings.ts");

let root = "";
let workspace = "";
/** The path at which the editor has opened the workspace. */
let opened = "";
beforeEach(async () => {
	root = await makeTempFolder();
	workspace = join(root, "workspace");
	opened = workspace;
	await mkdir(workspace);
	showWarningMessage.mockReset();
});

const uriOf = (path: string): Uri =>
	({ scheme: "file", fsPath: path, toString: () => `file://${path}` }) as Uri;

async function createScene(
	values: { readonly [Name in SettingName]?: SettingValue<Name> } = {},
	kept: { value?: unknown } = {},
	readPage: FetchPage = () => Promise.resolve({ title: "A page", text: "Its words" }),
	diff: Promise<string> = Promise.resolve("+one"),
) {
	const clock = createFakeClock();
	const settings = createFakeSettings(values);
	const chatSettings = new ChatSettings({
		settings,
		library: { setOptions: () => Promise.resolve() },
		memory: { get: () => undefined, set: () => Promise.resolve() },
		log: silentLog,
	});
	const memory = {
		get: () => kept.value,
		set: (value: unknown) => {
			kept.value = structuredClone(value);
		},
	};
	let recent: unknown;
	const attachments = await ChatAttachments.create({
		tray: new AttachmentTray({
			readDocument: () => Promise.reject(new Error("none")),
			connection: () => Promise.reject(new Error("Nothing may be sent here")),
			recordsFolder: join(root, "records"),
			workspaceFolders: () => [workspace],
			clock,
			log: silentLog,
		}),
		settings: chatSettings,
		memory,
		contentsFolder: join(root, "draft"),
		log: silentLog,
		recent: { uris: [], add: uri => (recent = uri) },
		readPage,
		chooseChat: () =>
			Promise.resolve(() => Promise.resolve({ name: "Rounding", text: "# Rounding" })),
		readChanges: async () => ({ name: "changes.diff", text: await diff }),
		clock,
	});
	const names = () => attachments.view().items.map(({ name }) => name);
	return { attachments, settings, chatSettings, clock, kept, names, recent: () => recent };
}

async function fileOf(name: string, content = "some text"): Promise<string> {
	const path = join(workspace, name);
	await writeFile(path, content);
	return path;
}

test("A file of the workspace is attached without a question, and remembered as recent", async () => {
	const { attachments, names, recent } = await createScene();
	const path = await fileOf("notes.md");
	await attachments.addUris([uriOf(path)]);
	expect(names()).toEqual(["notes.md"]);
	expect(attachments.view().items[0]).toMatchObject({ use: "read", state: { type: "ready" } });
	expect(showWarningMessage).not.toHaveBeenCalled();
	expect(recent()).toBe(`file://${path}`);
});

test("T34: a link out of the workspace asks first and shows where it leads; no takes it off", async () => {
	const { attachments, names } = await createScene();
	const outside = join(root, "secret place.txt");
	await writeFile(outside, "elsewhere");
	await symlink(outside, join(workspace, "harmless.txt"));
	showWarningMessage.mockResolvedValueOnce(undefined);
	await attachments.addUris([uriOf(join(workspace, "harmless.txt"))]);
	const [sentence, options] = showWarningMessage.mock.calls[0] ?? [];
	expect(sentence).toBe("Attach harmless.txt?");
	expect(options).toMatchObject({ modal: true });
	expect((options as { detail: string }).detail).toContain("secret place.txt");
	expect(names()).toEqual([]);
});

test.each([
	["a path beside the workspace with the same beginning", "workspace-evil/a.txt"],
	["a way out and back in", "workspace/../b.txt"],
	["a sensitive name", "workspace/.env.local"],
	["a key", "workspace/id_rsa"],
])("T34: %s is not attached without a yes", async (_name, path) => {
	const { attachments, names } = await createScene();
	await mkdir(join(root, "workspace-evil"));
	await writeFile(join(root, path), "x");
	showWarningMessage.mockResolvedValueOnce(undefined);
	await attachments.addUris([uriOf(`${root}/${path}`)]);
	expect(showWarningMessage).toHaveBeenCalledTimes(1);
	expect(names()).toEqual([]);
	showWarningMessage.mockResolvedValueOnce("Attach");
	await attachments.addUris([uriOf(`${root}/${path}`)]);
	expect(names()).toEqual([basename(path)]);
});

test("T11: a second name on the disk asks as well", async () => {
	const { attachments } = await createScene();
	await writeFile(join(root, "elsewhere.txt"), "x");
	await link(join(root, "elsewhere.txt"), join(workspace, "inside.txt"));
	showWarningMessage.mockResolvedValueOnce(undefined);
	await attachments.addUris([uriOf(join(workspace, "inside.txt"))]);
	expect(JSON.stringify(showWarningMessage.mock.calls[0])).toContain("another name");
});

test("Attaching for the code interpreter switches it on once, in this chat alone", async () => {
	const { attachments, settings, chatSettings } = await createScene();
	await attachments.addUris([uriOf(await fileOf("a.csv", "a,b\n1,2\n"))]);
	expect(chatSettings.get("chat.serverTools")).toEqual(["code_interpreter"]);
	expect(settings.get("chat.serverTools")).toEqual([]);
	await chatSettings.choose("chat.serverTools", []);
	await attachments.addUris([uriOf(await fileOf("b.csv", "a,b\n3,4\n"))]);
	expect(chatSettings.get("chat.serverTools")).toEqual([]);
	chatSettings.follow("another", undefined);
	expect(chatSettings.get("chat.serverTools")).toEqual([]);
});

test("A switch in a chat that a table gave Code interpreter leaves that out of new chats", async () => {
	const { attachments, settings, chatSettings } = await createScene();
	await attachments.addUris([uriOf(await fileOf("a.csv", "a,b\n1,2\n"))]);
	await new QuestionSettings(chatSettings).setServerTool("browsing", true);
	expect(chatSettings.get("chat.serverTools")).toEqual(["code_interpreter", "browsing"]);
	expect(settings.get("chat.serverTools")).toEqual(["browsing"]);
});

test("A model without tools is named as one, with one that has them offered; nothing is sent", async () => {
	const { attachments, settings, chatSettings } = await createScene({
		endpoint: "https://api.example.com",
		"chat.model": "llm-4-turbo",
	});
	await attachments.addUris([uriOf(await fileOf("a.csv", "a,b\n1,2\n"))]);
	expect(attachments.view().offeredModel).toBe("llm-4-turbo-tools");
	expect(settings.get("chat.serverTools")).toEqual([]);
	await expect(attachments.prepare([], new AbortController().signal)).rejects.toThrow(
		/can't open files/,
	);
	await settings.set("chat.model", "llm-4-turbo-tools");
	expect(attachments.view().offeredModel).toBeNull();
	expect(chatSettings.get("chat.serverTools")).toEqual(["code_interpreter"]);
});

test("After a reload the draft's files are there again with their uses; what is gone is not", async () => {
	const kept: { value?: unknown } = {};
	const first = await createScene({}, kept);
	await first.attachments.addUris([
		uriOf(await fileOf("notes.md")),
		uriOf(await fileOf("gone.md")),
	]);
	const notes = first.attachments.view().items[0];
	first.attachments.setUse([notes?.id ?? ""], "codeInterpreter");
	await first.clock.advance(1000);
	first.attachments.dispose();
	await rm(join(workspace, "gone.md"));

	const second = await createScene({}, kept);
	expect(second.attachments.view().items).toMatchObject([
		{ name: "notes.md", use: "codeInterpreter" },
	]);
	expect(showWarningMessage).not.toHaveBeenCalled();
});

test("After a reload a file that needs a yes waits for it and asks nothing by itself", async () => {
	const kept: { value?: unknown } = {};
	const first = await createScene({}, kept);
	showWarningMessage.mockResolvedValueOnce("Attach");
	await first.attachments.addUris([uriOf(await fileOf(".env"))]);
	await first.clock.advance(1000);
	showWarningMessage.mockReset();

	const second = await createScene({}, kept);
	const [chip] = second.attachments.view().items;
	expect(chip?.state).toMatchObject({ type: "unconfirmed" });
	expect(showWarningMessage).not.toHaveBeenCalled();
	showWarningMessage.mockResolvedValueOnce("Attach");
	await second.attachments.confirm(chip?.id ?? "");
	expect(second.attachments.view().items[0]?.state.type).toBe("ready");
});

test("A folder of the draft comes back without the files that were taken off", async () => {
	const kept: { value?: unknown } = {};
	const first = await createScene({}, kept);
	await mkdir(join(workspace, "data"));
	await fileOf("data/a.txt");
	await fileOf("data/b.txt");
	await first.attachments.addUris([uriOf(join(workspace, "data"))]);
	const b = first.attachments.view().items.find(({ name }) => name === "b.txt");
	first.attachments.remove([b?.id ?? ""]);
	await first.clock.advance(1000);
	expect((await createScene({}, kept)).names()).toEqual(["a.txt"]);
});

test("Whatever else was kept restores nothing and harms nothing", async () => {
	for (const value of [
		7,
		"x",
		[{ type: "path" }],
		[{ type: "text", content: {} }],
		{ length: 1 },
	]) {
		expect((await createScene({}, { value })).names()).toEqual([]);
	}
});

test.each([
	["Attach", 1],
	[undefined, 0],
])(
	"T34: a secret that came into a file after it was attached is asked about when the message is sent: %s",
	async (answer, count) => {
		const { attachments } = await createScene();
		const path = await fileOf("a.ts", "const a = 1;\n");
		await attachments.addUris([uriOf(path)]);
		expect(showWarningMessage).not.toHaveBeenCalled();
		await writeFile(path, `const token = "ghp_${"aB3dE6gH9k".repeat(4).slice(0, 36)}";\n`);
		showWarningMessage.mockResolvedValueOnce(answer);
		expect(await attachments.prepare([], new AbortController().signal)).toHaveLength(count);
		expect(JSON.stringify(showWarningMessage.mock.calls)).toContain("may contain secrets (GitHub)");
	},
);

test.each([
	[["a"], "a.csv"],
	[["a", "b", "c"], "a.csv, b.csv, c.csv"],
	[["a", "b", "c", "d", "e"], "a.csv, b.csv, c.csv, and 2 more"],
])(
	"Uploads that fail stop the question, which names three of the files: %j",
	async (names, named) => {
		const { attachments } = await createScene();
		const files = await Promise.all(names.map(name => fileOf(`${name}.csv`, "a,b\n1,2\n")));
		await attachments.addUris(files.map(uriOf));
		await expect(attachments.prepare([], new AbortController().signal)).rejects.toThrow(
			`Not sent: ${named} couldn't be attached.`,
		);
		expect(attachments.view()).toMatchObject({
			isSending: false,
			items: names.map(() => ({ state: { type: "failed" } })),
		});
	},
);

test.each([
	["a service", { endpoint: "https://a.example", "chat.model": "x/y" }, "can't see images"],
	["the demo", { "chat.model": "llm-4-turbo-tools" }, "can't see images"],
	["a model of the local service", { "chat.model": "ollama/llava" }, undefined],
] as const)("An image says with %s how it travels", async (_, values, words) => {
	const { attachments } = await createScene({ endpoint: "", ...values });
	const path = await fileOf("cat.png", "");
	await writeFile(path, Buffer.from("89504e470d0a1a0a0000", "hex"));
	await attachments.addUris([uriOf(path)]);
	const [item] = attachments.view().items;
	expect(item?.kind).toBe("image");
	expect(item?.note?.includes(words ?? "")).toBe(words === undefined ? undefined : true);
});

test.each([
	["a.bmp", "BM\0\0\0\0\0\0\0\0", true],
	["a.avif", "\0\0\0\x18ftypavif\0\0\0\0", true],
	["a.heic", "\0\0\0\x18ftypmif1\0\0\0\0", false],
	["a.tiff", "II*\0\0\0\0\0", false],
])(
	"An image that models don't see names pasting only where it helps: %s",
	async (name, head, helps) => {
		const { attachments } = await createScene({ endpoint: "", "chat.model": "ollama/llava" });
		const path = await fileOf(name, "");
		await writeFile(path, Buffer.from(head, "latin1"));
		await attachments.addUris([uriOf(path)]);
		const note = attachments.view().items[0]?.note;
		expect(note).toContain("The model sees PNG, JPEG, GIF and WebP images.");
		expect(note?.includes("paste it")).toBe(helps);
	},
);

test("A page and an earlier chat are texts that can be opened; a question waits for a page that is being read", async () => {
	const page = Promise.withResolvers<{ title: string; text: string }>();
	const { attachments, names } = await createScene({}, {}, () => page.promise);
	await attachments.addChat();
	const adding = attachments.addPage("https://example.com/a");
	const prepared = attachments.prepare([], new AbortController().signal);
	expect(names()).toEqual(["Rounding"]);
	page.resolve({ title: "A page", text: "Its words" });
	await adding;
	expect(attachments.view().items).toMatchObject([
		{ canOpen: true, kind: "chat" },
		{ canOpen: true, kind: "page", path: "https://example.com/a" },
	]);
	expect(await prepared).toMatchObject([
		{ name: "Rounding", source: "chat" },
		{ name: "A page", source: "page", text: "A page\nhttps://example.com/a\n\nIts words" },
	]);
});

test("A message is shown as being sent until it is recorded, not only while its files are read", async () => {
	const { attachments } = await createScene();
	const shown = await attachments.whileSending(async () => {
		await attachments.prepare([], new AbortController().signal);
		return attachments.view().isSending;
	});
	expect([shown, attachments.view().isSending]).toEqual([true, false]);
});

test("What is not committed is a text with a kind of its own, also in the sent question", async () => {
	const { attachments } = await createScene();
	await attachments.addChanges();
	expect(attachments.view().items).toMatchObject([{ name: "changes.diff", kind: "changes" }]);
	const sent = await attachments.prepare([], new AbortController().signal);
	expect(sent.map(sentAttachment)).toMatchObject([{ kind: "changes" }]);
});

test("A question waits for its changes and its page, in whatever order they arrive", async () => {
	const diff = Promise.withResolvers<string>();
	const page = Promise.withResolvers<{ title: string; text: string }>();
	const { attachments } = await createScene({}, {}, () => page.promise, diff.promise);
	const adding = [attachments.addChanges(), attachments.addPage("https://example.com/a")];
	const prepared = attachments.prepare([], new AbortController().signal);
	page.resolve({ title: "A page", text: "Its words" });
	await adding[1];
	diff.resolve("+two");
	expect(await prepared).toMatchObject([{ name: "A page" }, { text: "+two" }]);
	await Promise.all(adding);
});

type Attachments = Awaited<ReturnType<typeof createScene>>["attachments"];

test.each([
	["a folder", ["a.txt", "b.txt"], (to: Attachments) => to.addUris([uriOf(workspace)])],
	["the problems", ["problems"], (to: Attachments) => to.addProblems()],
	["an earlier chat", ["Rounding"], (to: Attachments) => to.addChat()],
	[
		"the selection",
		["a.txt:1"],
		(to: Attachments) =>
			to.addSelection({
				text: "some",
				uri: `file://${join(workspace, "a.txt")}`,
				name: "a.txt",
				startLine: 0,
				endLine: 0,
			}),
	],
] as const)("A question that is sent at once waits for %s", async (_, names, add) => {
	const { attachments } = await createScene();
	await fileOf("a.txt");
	await fileOf("b.txt", "other text");
	const adding = add(attachments);
	// Let the chat be chosen.
	await Promise.resolve();
	const sent = await attachments.prepare([], new AbortController().signal);
	expect(sent.map(({ name }) => name)).toEqual(names);
	await adding;
	expect(attachments.isReading).toBe(false);
});

test("A question waits for the yes to a file, which is asked for once", async () => {
	const { attachments } = await createScene();
	const answer = Promise.withResolvers<string>();
	showWarningMessage.mockReturnValueOnce(answer.promise);
	const adding = attachments.addUris([uriOf(await fileOf(".env"))]);
	const prepared = attachments.prepare([], new AbortController().signal);
	await vi.waitUntil(() => showWarningMessage.mock.calls.length > 0);
	answer.resolve("Attach");
	await adding;
	expect(await prepared).toMatchObject([{ name: ".env" }]);
	expect(showWarningMessage).toHaveBeenCalledOnce();
});

test("A file of a workspace that was opened through a link opens at the link's path, once", async () => {
	const link = join(root, "link");
	await symlink(workspace, link);
	opened = link;
	const { attachments } = await createScene();
	await fileOf("notes.md");
	await attachments.addUris([uriOf(join(link, "notes.md"))]);
	await attachments.open(attachments.view().items[0]?.id ?? "");
	const [command, uri] = executeCommand.mock.lastCall ?? [];
	expect([command, String(uri)]).toEqual(["vscode.open", `file://${join(link, "notes.md")}`]);
});

test("A question is not sent without the page that could not be read", async () => {
	const page = Promise.withResolvers<never>();
	const { attachments } = await createScene({}, {}, () => page.promise);
	const adding = attachments.addPage("https://example.com/a");
	const prepared = attachments.prepare([], new AbortController().signal);
	page.reject(new Error("The page isn't there."));
	await expect(adding).rejects.toThrow("The page isn't there.");
	await expect(prepared).rejects.toThrow("The page isn't there.");
});

test("A sent attachment can be opened if it is a page or has a file in the workspace", async () => {
	await writeFile(join(workspace, "orders.csv"), "1");
	const base = { size: 1, hash: "" };
	const file = { ...base, kind: "file", mimeType: "text/csv", fileId: "f", account: "a" } as const;
	const text = { ...base, kind: "text", text: "", omittedCharacters: 0 } as const;
	const resolvedPath = join(workspace, "orders.csv");
	const orders = { name: "orders.csv", path: "orders.csv" };
	const sent = (attachment: Parameters<typeof sentAttachment>[0]) =>
		sentAttachment(attachment).canOpen;
	expect(sent({ ...file, ...orders, resolvedPath })).toBe(true);
	expect(sent({ ...text, ...orders, lines: { first: 1, last: 1 } })).toBe(true);
	expect(sent({ ...text, name: "A", path: "https://a.example", source: "page" })).toBe(true);
	expect(sent({ ...file, ...orders }), "bytes without a file").toBeUndefined();
	expect(sent({ ...text, ...orders, source: "chat" })).toBeUndefined();
	expect(sent({ ...text, name: "Untitled-1:3-5", path: "Untitled-1" })).toBeUndefined();
	const outside = join(root, "outside.csv");
	expect(sent({ ...file, name: "x", path: outside, resolvedPath: outside })).toBeUndefined();
});

test("T44: an image that a tool returned is part of a message of its own chat alone, and waits while another is shown", async () => {
	const { attachments, names } = await createScene();
	const returned = (chatId: string, name: string) =>
		attachments.addReturned({ chatId, name, bytes: new Uint8Array([0x89, 0x50]) });
	const one = { chatId: "one", isAsked: true };
	const two = { chatId: "two", isAsked: true };
	attachments.showChat(one);
	returned("one", "a.png");
	returned("two", "late.png");
	await attachments.addUris([uriOf(await fileOf("notes.md"))]);
	expect(names()).toEqual(["a.png", "notes.md"]);
	attachments.showChat(two, one);
	expect(names()).toEqual(["late.png"]);
	attachments.remove(attachments.view().items.map(({ id }) => id));
	attachments.showChat(one, two);
	expect(names()).toEqual(["a.png", "notes.md"]);
	attachments.showChat(two, one);
	expect(names()).toEqual([]);
});

test("What is attached stays with its chat, also over a reload; chats without questions share theirs", async () => {
	const kept: { value?: unknown } = {};
	const page = Promise.withResolvers<{ title: string; text: string }>();
	const before = await createScene({}, kept, () => page.promise);
	const asked = { chatId: "asked", isAsked: true };
	const empty = { chatId: "empty", isAsked: false };
	before.attachments.showChat(asked);
	await before.attachments.addUris([uriOf(await fileOf("invite.ts"))]);
	const adding = before.attachments.addPage("https://example.com/");
	before.attachments.showChat(empty, asked);
	expect(before.names()).toEqual([]);
	await before.attachments.addUris([uriOf(await fileOf("notes.md"))]);
	page.resolve({ title: "A page", text: "Its words" });
	await adding;
	expect(before.names()).toEqual(["notes.md"]);
	await before.attachments.kept();

	const { attachments, names } = await createScene({}, kept);
	const other = { chatId: "other", isAsked: false };
	attachments.showChat(other);
	expect(names()).toEqual(["notes.md"]);
	attachments.showChat(asked, other);
	expect(names()).toEqual(["invite.ts", "A page"]);
	attachments.showChat({ chatId: "third", isAsked: false }, asked);
	expect(names()).toEqual(["notes.md"]);
});

test("A switch that its user turned off in a chat stays off when the chat is shown again", async () => {
	const { attachments, chatSettings } = await createScene();
	const one = { chatId: "one", isAsked: true };
	const two = { chatId: "two", isAsked: true };
	attachments.showChat(one);
	await attachments.addUris([uriOf(await fileOf("orders.csv", "a,b\n1,2\n"))]);
	expect(chatSettings.get("chat.serverTools")).toContain("code_interpreter");
	await chatSettings.choose("chat.serverTools", []);
	attachments.showChat(two, one);
	attachments.showChat(one, two);
	expect(chatSettings.get("chat.serverTools")).toEqual([]);
});

test("A pasted image and a long text are there after a reload, and leave the disk with the draft", async () => {
	const kept: { value?: unknown } = {};
	const text = "word ".repeat(10_000);
	const readPage = (): ReturnType<FetchPage> => Promise.resolve({ title: "Long page", text });
	const before = await createScene({}, kept, readPage);
	const image = Buffer.concat([Buffer.from("89504e470d0a1a0a", "hex"), Buffer.alloc(5000, 7)]);
	before.attachments.addBytes({ name: "shot.png", bytes: image });
	await before.attachments.addPage("https://example.com/");
	await before.attachments.kept();
	expect(JSON.stringify(kept.value).length).toBeLessThan(1000);

	const { attachments, names } = await createScene({}, kept);
	expect(names()).toEqual(["shot.png", "Long page"]);
	const [shown, page] = attachments.view().items;
	expect(await attachments.image(shown?.id ?? "")).toBe(image.toString("base64"));
	expect(page?.size).toBe(before.attachments.view().items[1]?.size);
	attachments.remove(attachments.view().items.map(({ id }) => id));
	await attachments.kept();
	expect(await readdir(join(root, "draft"))).toEqual([]);
	expect(kept.value).toBeUndefined();
});
