import { readdirSync, readFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { dirname, join, relative, resolve, sep } from "node:path";
import { expect, test } from "vitest";

const root = resolve(import.meta.dirname, "../..");

/**
 * Room → what its files may import. `vscode`, `node` and `zod` stand for those modules; other names are packages or one module of Node.
 * This is the table of CONTRIBUTING.md; a change here is a change of the design and is argued for in its commit.
 */
const may: Readonly<Record<string, readonly string[]>> = {
	"src/common": ["@vscode/l10n", "node"],
	"src/shared": ["@vscode/l10n", "zod"],
	"src/client": [
		"src/common",
		"@vscode/l10n",
		"undici",
		"eventsource-parser",
		"zod",
		"node:stream",
		"node:zlib",
	],
	"src/chat": [
		"src/client",
		"src/tools",
		"src/attachments",
		"src/common",
		"@vscode/l10n",
		"node",
		"zod",
	],
	"src/attachments": ["src/client", "src/common", "@vscode/l10n", "node", "zod"],
	"src/tools": ["src/common", "@vscode/l10n", "node", "zod"],
	"src/video": ["src/client", "src/common", "@vscode/l10n", "node", "zod"],
	"src/localService": [
		"src/client",
		"src/common",
		"node",
		"zod",
		"@resvg/resvg-wasm",
		"@jsquash/webp",
		"mediabunny",
		"pyodide",
		"linkedom",
		"@mozilla/readability",
	],
	"src/editor": ["src/tools", "src/common", "@vscode/l10n", "vscode", "zod"],
	"src/ui": [
		"src/editor",
		"src/chat",
		"src/attachments",
		"src/tools",
		"src/video",
		"src/client",
		"src/shared",
		"src/common",
		"@vscode/l10n",
		"vscode",
		"node",
		"zod",
	],
	media: [
		"src/shared",
		"@vscode/l10n",
		"lit",
		"markdown-it",
		"highlight.js",
		"katex",
		"mermaid",
		"zod",
	],
};

/** Rooms that may look past the client's door, and at which files (design: the local service shares schemas). */
const pastTheDoor: Readonly<Record<string, readonly string[]>> = {
	"src/localService": ["src/client/contract/schemas.ts"],
};

interface Import {
	readonly file: string;
	readonly specifier: string;
	readonly isTypeOnly: boolean;
}

function filesBelow(folder: string): string[] {
	return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
		.filter(entry => entry.isFile() && entry.name.endsWith(".ts"))
		.map(entry => relative(root, join(entry.parentPath, entry.name)).split(sep).join("/"));
}

const statement =
	/(?:^|\n)\s*(?:import|export)\s+(type\s)?[^;"']*?from\s*["']([^"']+)["']|import\(\s*["']([^"']+)["']\s*\)|(?:^|\n)\s*import\s+["']([^"']+)["']/g;

function importsOf(file: string): Import[] {
	const text = readFileSync(join(root, file), "utf8").replaceAll(/\/\*[\s\S]*?\*\//g, "");
	return [...text.matchAll(statement)].map(match => ({
		file,
		specifier: match[2] ?? match[3] ?? match[4] ?? "",
		isTypeOnly: match[1] !== undefined,
	}));
}

/** The file a relative import names, from the project's root; undefined for a package. */
function fileOf({ file, specifier }: Import): string | undefined {
	return specifier.startsWith(".")
		? relative(root, resolve(root, dirname(file), specifier))
				.split(sep)
				.join("/")
		: undefined;
}

function roomOf(path: string): string {
	return Object.keys(may).find(room => path.startsWith(`${room}/`)) ?? path;
}

function packageOf(specifier: string): string {
	if (specifier.startsWith("node:") || builtinModules.includes(specifier)) {
		return "node";
	}
	const parts = specifier.split("/");
	return specifier.startsWith("@") ? parts.slice(0, 2).join("/") : (parts[0] ?? specifier);
}

function breach(entry: Import): string | undefined {
	const room = roomOf(entry.file);
	const file = fileOf(entry);
	const target = file === undefined ? packageOf(entry.specifier) : roomOf(file);
	if (target === room) {
		return undefined;
	}
	const isAllowed = [target, entry.specifier].some(name => may[room]?.includes(name));
	const isThroughDoor =
		target !== "src/client" ||
		file === "src/client/index.ts" ||
		(pastTheDoor[room] ?? []).includes(file ?? "");
	return isAllowed && isThroughDoor ? undefined : `${entry.file} imports ${entry.specifier}`;
}

const rooms = Object.keys(may).filter(room => {
	try {
		return readdirSync(join(root, room)).length > 0;
	} catch {
		return false;
	}
});
const files = rooms.flatMap(filesBelow);

test("every import obeys the table of rooms", () => {
	const breaches = files.flatMap(importsOf).map(breach).filter(Boolean);
	expect(breaches).toEqual([]);
});

test("the rule can fail: planted imports are found", () => {
	const planted: [string, string][] = [
		["src/chat/planted.ts", "vscode"],
		["src/chat/planted.ts", "../ui/settings.ts"],
		["src/client/planted.ts", "node:fs"],
		["src/chat/planted.ts", "../client/retry.ts"],
		["media/chat/planted.ts", "../../src/client/index.ts"],
		["src/common/planted.ts", "zod/mini"],
		["src/ui/planted.ts", "../localService/lifecycle.ts"],
	];
	for (const [file, specifier] of planted) {
		expect(breach({ file, specifier, isTypeOnly: false }), `${file} → ${specifier}`).toBeDefined();
	}
});

test("every source file lies in a room, the composition root apart", () => {
	const strays = filesBelow("src").filter(
		file => !rooms.some(room => file.startsWith(`${room}/`)) && file !== "src/extension.ts",
	);
	expect(strays).toEqual([]);
});

test("no import cycle exists", () => {
	const edges = new Map(
		[...files, "src/extension.ts"].map(file => [
			file,
			importsOf(file)
				.filter(entry => !entry.isTypeOnly)
				.map(fileOf)
				.filter(target => target !== undefined),
		]),
	);
	const done = new Set<string>();
	const visit = (file: string, path: readonly string[]): string[] => {
		if (path.includes(file)) {
			return [[...path.slice(path.indexOf(file)), file].join(" → ")];
		}
		if (done.has(file)) {
			return [];
		}
		const found = (edges.get(file) ?? []).flatMap(next => visit(next, [...path, file]));
		done.add(file);
		return found;
	};
	expect([...edges.keys()].flatMap(file => visit(file, []))).toEqual([]);
});

test("no file is over 400 lines, and the composition root is at most 120", () => {
	const lines = (file: string): number =>
		readFileSync(join(root, file), "utf8").trimEnd().split("\n").length;
	expect(files.filter(file => lines(file) > 400)).toEqual([]);
	expect(lines("src/extension.ts")).toBeLessThanOrEqual(120);
});

test("nothing reads the clock or sleeps except through common/async.ts", () => {
	const clock = /\b(?:Date\.now|performance\.now|setTimeout|setInterval)\s*\(|new Date\(\s*\)/;
	const offenders = files
		.filter(file => file.startsWith("src/") && file !== "src/common/async.ts")
		.filter(file => clock.test(readFileSync(join(root, file), "utf8")));
	expect(offenders).toEqual([]);
});
