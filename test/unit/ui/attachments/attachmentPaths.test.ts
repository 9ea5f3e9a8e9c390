import { execFileSync } from "node:child_process";
import { link, mkdir, realpath, symlink, truncate, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import type { Uri } from "vscode";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { AttachmentTray } from "../../../../src/attachments/tray.ts";
import { systemClock } from "../../../../src/common/async.ts";
import { silentLog } from "../../../../src/common/log.ts";
import { createFakeSettings } from "../../../helpers/fakeSettings.ts";
import { makeTempFolder } from "../../../helpers/tempFolder.ts";

const showWarningMessage = vi.fn<(...args: readonly unknown[]) => Promise<undefined>>();
vi.mock("vscode", () => ({
	window: { showWarningMessage },
	workspace: { textDocuments: [], asRelativePath: (uri: { fsPath: string }) => uri.fsPath },
	languages: { getDiagnostics: () => [] },
}));
const { ChatAttachments } = await import("../../../../src/ui/attachments/chatAttachments.ts");

const gigabyte = 1024 ** 3;

/** What becomes of one path that a user chose in the picker, by `@`, in a menu or by a drop: all end in `addUris`. */
interface Row {
	readonly what: string;
	/** From the folder that holds the workspace, `shop`, and what is beside it; absolute ones stay. */
	readonly path: string;
	/** What the question shows of the place it really leads to; nothing when nobody is asked. */
	readonly asks?: readonly string[];
	/** What the chip says; nothing when it can go. */
	readonly fails?: string;
	/** Names of the chips; those of a folder are more. */
	readonly chips?: readonly string[];
}

const asksOutside = ["It's outside the workspace"];
const isGone = "no longer exists";
const noFile = "Only files can be attached";

const rows: readonly Row[] = [
	{ what: "a file", path: "shop/a.txt" },
	{ what: "a way down and up again", path: "shop/sub/../a.txt", chips: ["a.txt"] },
	{ what: "doubled slashes and dots", path: "shop//./sub///b.txt", chips: ["b.txt"] },
	{ what: "a way out and back in", path: "shop/../shop/a.txt", chips: ["a.txt"] },
	{
		what: "a way out",
		path: "shop/../beside.txt",
		asks: ["/beside.txt", ...asksOutside],
	},
	{
		what: "a folder whose name begins like the workspace's",
		path: "shop-evil/c.txt",
		asks: ["/shop-evil/c.txt", ...asksOutside],
	},
	{ what: "a file of the system", path: "/etc/hostname", asks: ["/etc/hostname", ...asksOutside] },
	{ what: "a way out that is encoded", path: "shop/%2e%2e/beside.txt", fails: isGone },
	{ what: "a slash that is encoded", path: "shop/sub%2Fb.txt", fails: isGone },
	{ what: "a backslash in place of a slash", path: "shop/sub\\b.txt", fails: isGone },
	{ what: "another letter case", path: "shop/A.TXT", fails: isGone },
	{ what: "the workspace by the root of a process", path: "/proc/self/root{shop}/a.txt" },
	{ what: "the memory of a process", path: "/proc/self/environ", fails: "empty" },

	{ what: "a link inside", path: "shop/link-in.txt" },
	{
		what: "a link out",
		path: "shop/link-out.txt",
		asks: ["/beside.txt", ...asksOutside],
	},
	{
		what: "a link to a link out",
		path: "shop/link-twice.txt",
		asks: ["/beside.txt", ...asksOutside],
	},
	{
		what: "a file below a link out",
		path: "shop/linked/c.txt",
		asks: ["/shop-evil/c.txt", ...asksOutside],
	},
	{ what: "a file below a link out that is not there", path: "shop/linked/no.txt", fails: isGone },
	{
		what: "a way up from a link, which is where it leads",
		path: "shop/linked/../beside.txt",
		asks: ["/beside.txt", ...asksOutside],
	},
	{ what: "a dangling link inside", path: "shop/dangling-in", fails: isGone },
	{ what: "a dangling link out", path: "shop/dangling-out", fails: isGone },
	{ what: "a loop of links", path: "shop/loop", fails: isGone },
	{ what: "a link to a device", path: "shop/zeros", fails: noFile },
	{
		what: "a second name of a file beside",
		path: "shop/hard.txt",
		asks: ["/shop/hard.txt", "It has another name on disk"],
	},

	{ what: "a device", path: "/dev/zero", fails: noFile },
	{ what: "a pipe nobody writes to", path: "shop/pipe", fails: noFile },
	{ what: "a socket", path: "shop/socket", fails: noFile },
	{ what: "a file of a gigabyte", path: "shop/huge.bin", fails: "larger than the limit of 512 MB" },
	{ what: "an empty file for Python", path: "shop/empty.bin", fails: "empty" },
	{ what: "a name longer than any", path: `shop/${"x".repeat(300)}`, fails: isGone },
	{ what: "a path longer than any", path: `shop/${"x/".repeat(3000)}y`, fails: isGone },
	{ what: "a NUL", path: "shop/a.txt\0.png", fails: "It wasn't opened" },

	{ what: "a name in another script", path: "shop/数据 🎬.txt" },
	{ what: "a composed letter", path: "shop/caf\u00e9.txt" },
	{ what: "a decomposed letter", path: "shop/cafe\u0301.txt", fails: isGone },
	{ what: "a name that is turned around", path: "shop/gpj.\u202Eexe.txt" },
	{ what: "quotes and line ends", path: 'shop/a"b\r\nc.txt' },

	...[".env", ".ENV.local", "id_rsa", "ID_ED25519.bak", "server.PEM", ".npmrc", "secrets.json"].map(
		name => ({
			what: `the sensitive name ${name}`,
			path: `shop/${name}`,
			asks: [`/shop/${name}`, "It may contain secrets"],
		}),
	),
	...[".e\u200Bnv", ".ｅｎｖ", ".env."].map(name => ({
		what: `${JSON.stringify(name)}, which some disks take for .env`,
		path: `shop/${name}`,
		asks: ["It may contain secrets"],
	})),
	...[".ssh/config", ".git/config", ".aws/credentials"].map(path => ({
		what: path,
		path: `shop/${path}`,
		asks: [`/shop/${path}`, "It may contain secrets"],
	})),
	{
		what: "a plain name that leads to a sensitive one",
		path: "shop/readme.txt",
		asks: ["/shop/.env", "It may contain secrets"],
	},
	{
		what: "a sensitive name that leads to a plain one",
		path: "shop/.netrc",
		asks: ["/shop/a.txt", "It may contain secrets"],
	},

	{
		what: "a folder with links out, a loop and a pipe in it",
		path: "shop/mixed",
		chips: ["plain.txt"],
	},
	{
		what: "a link to a folder out",
		path: "shop/linked",
		chips: ["c.txt"],
		asks: ["/shop-evil/c.txt", ...asksOutside],
	},
	{
		what: "a folder with a sensitive file",
		path: "shop/service",
		chips: ["key.pem", "main.py"],
		asks: ["/shop/service/key.pem", "It may contain secrets"],
	},
];

/** Everything the rows lead to. */
async function makeTree(root: string): Promise<void> {
	const at = (path: string): string => join(root, path);
	const folders = ["shop/sub", "shop-evil", "shop/mixed/in", "shop/service", "shop/.ssh"];
	await Promise.all(
		[...folders, "shop/.git", "shop/.aws"].map(path => mkdir(at(path), { recursive: true })),
	);
	const names = rows.flatMap(({ asks, path }) =>
		asks?.some(words => words.includes("secrets")) && !/linked|service$/.test(path) ? [path] : [],
	);
	const links = new Set(["shop/readme.txt", "shop/.netrc"]);
	for (const path of [
		"shop/a.txt",
		"shop/sub/b.txt",
		"beside.txt",
		"shop-evil/c.txt",
		"shop/mixed/plain.txt",
		"shop/service/key.pem",
		"shop/service/main.py",
		"shop/数据 🎬.txt",
		"shop/café.txt",
		"shop/gpj.‮exe.txt",
		'shop/a"b\r\nc.txt',
		...names,
	]) {
		if (!links.has(path)) {
			await writeFile(at(path), "text\n");
		}
	}
	await writeFile(at("shop/empty.bin"), "");
	await writeFile(at("shop/huge.bin"), "");
	await truncate(at("shop/huge.bin"), gigabyte);
	for (const [from, to] of [
		["shop/link-in.txt", "shop/a.txt"],
		["shop/link-out.txt", "beside.txt"],
		["shop/link-twice.txt", "shop/link-out.txt"],
		["shop/linked", "shop-evil"],
		["shop/dangling-in", "shop/nowhere"],
		["shop/dangling-out", "nowhere"],
		["shop/loop", "shop/loop"],
		["shop/readme.txt", "shop/.env"],
		["shop/.netrc", "shop/a.txt"],
		["shop/mixed/out.txt", "beside.txt"],
		["shop/mixed/in/out", "shop-evil"],
		["shop/mixed/in/loop", "shop/mixed"],
	] as const) {
		await symlink(at(to), at(from));
	}
	await symlink("/dev/zero", at("shop/zeros"));
	await writeFile(at("origin.txt"), "text\n");
	await link(at("origin.txt"), at("shop/hard.txt"));
	execFileSync("mkfifo", [at("shop/pipe"), at("shop/mixed/pipe")]);
}

beforeEach(() => {
	showWarningMessage.mockReset();
	showWarningMessage.mockResolvedValue(undefined);
});

async function makeScene() {
	const root = await realpath(await makeTempFolder());
	await makeTree(root);
	const shop = join(root, "shop");
	const tray = new AttachmentTray({
		readDocument: () => Promise.reject(new Error("none")),
		connection: () => Promise.reject(new Error("Nothing may be sent here")),
		recordsFolder: join(root, "records"),
		workspaceFolders: () => [shop],
		clock: systemClock,
		log: silentLog,
	});
	const attachments = await ChatAttachments.create({
		tray,
		clock: systemClock,
		settings: {
			...createFakeSettings({}),
			choose: () => Promise.resolve(),
		},
		memory: {
			get: () => undefined,
			set: () => undefined,
		},
		contentsFolder: undefined,
		log: silentLog,
		recent: {
			uris: [],
			add: () => undefined,
		},
		readPage: () => Promise.reject(new Error("No page may be read here")),
		chooseChat: () => Promise.resolve(undefined),
		readChanges: () => Promise.reject(new Error("No changes may be read here")),
	});
	onTestFinished(() => attachments.dispose());
	const socket = createServer().listen(join(shop, "socket"));
	onTestFinished(() => void socket.close());
	const choose = (path: string): Promise<void> => {
		const fsPath = path.startsWith("/") ? path.replace("{shop}", shop) : `${root}/${path}`;
		return attachments.addUris([{ scheme: "file", fsPath, toString: () => fsPath } as Uri]);
	};
	return { attachments, choose };
}

/** What a user was asked, as the words they read. */
function asked(): string {
	return showWarningMessage.mock.calls
		.map(([, options]) => (options as { readonly detail?: string }).detail ?? "")
		.join("\n");
}

test.each(rows)("T34: $what", async row => {
	const { asks = [], fails, chips = [row.path.split("/").at(-1)] } = row;
	const { attachments, choose } = await makeScene();
	// Whoever is asked says no, which takes what needs a yes off again and leaves the rest.
	await choose(row.path);
	const words = asked();
	for (const part of asks) {
		expect(words).toContain(part);
	}
	expect(words === "").toBe(asks.length === 0);
	const { items } = attachments.view();
	const states = items.map(({ state }) => (state.type === "failed" ? state.sentence : state.type));
	const isFolder = chips.length > 1;
	expect(items.map(({ name }) => name)).toEqual(
		asks.length === 0 ? chips : isFolder ? chips.slice(1) : [],
	);
	for (const state of states) {
		expect(state).toContain(fails ?? "ready");
	}
});
