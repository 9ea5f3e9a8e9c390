// @module-tag thorough
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
	readCharacterMap,
	readTables,
	tableAt,
} from "../../src/localService/video/layout/fontMetrics.ts";

const root = resolve(import.meta.dirname, "../..");
let out = "";

beforeAll(() => {
	out = mkdtempSync(join(tmpdir(), "cutaway-bundles-"));
	execFileSync(process.execPath, ["esbuild.js", "--production", "--out", out], { cwd: root });
}, 180_000);

afterAll(() => rmSync(out, { recursive: true, force: true }));

/** A bundle and every chunk it imports before it runs. */
function loadedBy(entry: string, seen = new Set<string>()): Set<string> {
	const file = join(out, entry);
	seen.add(relative(out, file));
	const code = readFileSync(file, "utf8");
	for (const [, specifier] of code.matchAll(/\b(?:from|import)\s*"(\.[^"]+\.js)"/g)) {
		const next = relative(out, resolve(dirname(file), specifier ?? ""));
		if (!seen.has(next)) {
			loadedBy(next, seen);
		}
	}
	return seen;
}

const kilobytes = (files: Iterable<string>): number =>
	[...files].reduce((sum, file) => sum + statSync(join(out, file)).size, 0) / 1024;

function scriptsBelow(folder: string): string[] {
	return readdirSync(join(out, folder), { recursive: true, encoding: "utf8" })
		.filter(file => file.endsWith(".js"))
		.map(file => join(folder, file));
}

const isUndici = (file: string): boolean => file.includes("undici");

test("activation loads at most 60 KB, and undici is not in it", () => {
	const loaded = [...loadedBy("extension.js")];
	expect(loaded.filter(isUndici)).toEqual([]);
	expect(kilobytes(loaded)).toBeLessThanOrEqual(60);
});

test("activation loads neither the client nor the chat", () => {
	const code = [...loadedBy("extension.js")]
		.map(file => readFileSync(join(out, file), "utf8"))
		.join("\n");
	expect(code).not.toContain("/v1/chat/messages");
	expect(code).not.toContain("chat-created");
});

/** No window loads all of it: videos, attachments, tools and the commands come each with their first use. */
test("the host's code without undici is at most 1,040 KB in all", () => {
	const host = ["extension.js", ...scriptsBelow("chunks")].filter(file => !isUndici(file));
	expect(kilobytes(host)).toBeLessThanOrEqual(1040);
	expect(scriptsBelow("chunks").some(isUndici)).toBe(true);
});

test("a lazy part loads no more of a folder than it takes, whatever else the folder has", () => {
	const connect = scriptsBelow("chunks").filter(file => /[\\/]connect-[A-Z0-9]{8}\.js$/.test(file));
	expect(connect).toHaveLength(1);
	expect(kilobytes(connect.flatMap(file => [...loadedBy(file)]))).toBeLessThanOrEqual(40);
});

test("a page's document asks for all the scripts that the page begins with, and for no other", () => {
	const modules = JSON.parse(readFileSync(join(out, "media/modules.json"), "utf8")) as unknown;
	const engine = scriptsBelow("media").filter(file => file.includes("/engine-"));
	expect(engine).toHaveLength(1);
	const startedWith = (page: string, others: readonly string[]): string[] =>
		[`media/${page}.js`, ...others]
			.flatMap(file => [...loadedBy(file)])
			.filter((file, index, all) => all.indexOf(file) === index && file !== `media/${page}.js`)
			.map(file => file.slice("media/".length))
			.toSorted();
	expect(Object.keys(modules as object)).toEqual(["chat", "gallery", "video"]);
	const { chat, gallery, video } = modules as Record<
		"chat" | "gallery" | "video",
		readonly string[]
	>;
	expect(chat.toSorted()).toEqual(startedWith("chat", engine));
	expect(gallery.toSorted()).toEqual(startedWith("gallery", []));
	expect(video.toSorted()).toEqual(startedWith("video", []));
});

/** What the chat's page loads when an answer first needs it, a message first waits, or a search begins, and how large each may be, in KB. */
const lazyParts = {
	languages: 80,
	katex: 270,
	diagramFrame: 5,
	frameSource: 2300,
	queueParts: 10,
	find: 10,
	settingsForm: 10,
	runExport: 20,
	movieWriter: 400,
};

/** The languages that are loaded with the first code in each; none may be larger than so many KB. */
const lazyLanguages = [
	"csharp",
	"dart",
	"dockerfile",
	"elixir",
	"graphql",
	"ini",
	"kotlin",
	"lua",
	"makefile",
	"perl",
	"php",
	"powershell",
	"protobuf",
	"r",
	"ruby",
	"scala",
	"scss",
	"swift",
];
const maxLanguage = 20;

test("a chat without code, formulas and diagrams loads at most 304 KB, and what draws them comes with the first of each", () => {
	const scripts = scriptsBelow("media");
	const isPart = (part: string, file: string): boolean => file.includes(`/${part}-`);
	const limits = {
		...lazyParts,
		...Object.fromEntries(lazyLanguages.map(name => [name, maxLanguage])),
	};
	for (const [part, limit] of Object.entries(limits)) {
		const files = scripts.filter(file => isPart(part, file));
		expect(files, part).toHaveLength(1);
		expect(kilobytes(files), part).toBeLessThanOrEqual(limit);
		expect([...loadedBy("media/chat.js")].filter(file => isPart(part, file))).toEqual([]);
	}
	const parts = Object.keys(limits);
	const others = scripts.filter(file => !parts.some(part => isPart(part, file)));
	expect(kilobytes(others)).toBeLessThanOrEqual(304);
	expect(kilobytes(loadedBy("media/chat.js"))).toBeLessThanOrEqual(236);
});

test("the icon font holds every icon that a page names, and few others", () => {
	const styles = readFileSync(join(out, "media/codicon.css"), "utf8");
	const font = readFileSync(join(out, "media/codicon.ttf"));
	const view = new DataView(font.buffer, font.byteOffset, font.length);
	const drawn = readCharacterMap(view, tableAt(readTables(view), "cmap"));
	const codeOf = (name: string): number =>
		Number.parseInt(
			new RegExp(`\\.codicon-${name}:before { content: "\\\\([0-9a-f]+)"`).exec(styles)?.[1] ?? "0",
			16,
		);
	const named = ["media/chat", "media/gallery", "media/video", "src/shared"].flatMap(folder =>
		readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
			.filter(file => file.endsWith(".ts"))
			.map(file => readFileSync(join(root, folder, file), "utf8"))
			.flatMap(code => [...code.matchAll(/(?:icon(?:Button)?\(|icon: )"([a-z0-9-]+)"/g)])
			.map(([, name]) => name ?? ""),
	);
	expect(named.length).toBeGreaterThan(20);
	expect(named.filter(name => !drawn.has(codeOf(name)))).toEqual([]);
	expect(drawn.size).toBeLessThan(180);
});

test("the process that runs a model has no way to the network", () => {
	const code = readFileSync(join(out, "embeddedModel.js"), "utf8");
	const imported = [...code.matchAll(/(?:from|import)\s*"([^"]+)"/g)].map(([, name]) => name);
	expect(new Set(imported)).toEqual(
		new Set(["node:fs/promises", "node:module", "node:os", "node:path"]),
	);
	expect(code).not.toMatch(/\bfetch\(|WebSocket|https?:\/\//);
});
