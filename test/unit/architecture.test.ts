import { readFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { basename, dirname, join } from "node:path";
import { expect, test } from "vitest";
import { fileOf, filesBelow, type Import, importsOf } from "../../scripts/imports.ts";
import { modulesPicture } from "../../scripts/modules.ts";
import { projectRoot as root } from "../../scripts/project.ts";
import { arrows } from "./architecture.arrows.ts";

/** Module → the packages its files may import; `vscode` and `node` stand for those modules, `node:NAME` for one module of Node. The table of CONTRIBUTING.md. */
const packages: Readonly<Record<string, readonly string[]>> = {
	"src/common": ["@vscode/l10n", "node"],
	"src/clip": [],
	"src/codeColors": ["node", "zod", "vscode-textmate", "vscode-oniguruma"],
	"src/documents": ["node", "zod", "htmlparser2", "pdfjs-dist"],
	"src/paths": ["@vscode/l10n", "node"],
	"src/storage": ["@vscode/l10n", "node", "zod"],
	"src/shared": ["@vscode/l10n", "zod"],
	"src/client": ["@vscode/l10n", "undici", "eventsource-parser", "zod", "node:stream", "node:zlib"],
	"src/browsing": ["node", "zod", "linkedom", "@mozilla/readability"],
	"src/chat": ["@vscode/l10n", "node", "zod"],
	"src/attachments": ["@vscode/l10n", "node", "zod"],
	"src/tools": ["@vscode/l10n", "node", "zod"],
	"src/video": ["@vscode/l10n", "node", "zod", "mediabunny"],
	"src/localService": [
		"node",
		"zod",
		"eventsource-parser",
		"@resvg/resvg-wasm",
		"@jsquash/webp",
		"mediabunny",
		"pyodide",
		"highlight.js",
	],
	"src/editor": ["@vscode/l10n", "vscode", "zod"],
	"src/ui": ["@vscode/l10n", "vscode", "node", "zod"],
	media: [
		"@vscode/l10n",
		"lit",
		"markdown-it",
		"highlight.js",
		"katex",
		"mermaid",
		"mediabunny",
		"gifenc",
		"zod",
	],
};

/** Folders whose inner folders are theirs alone and may be divided at will. */
const undivided = ["src/documents", "src/browsing", "media/chat/diagram"];

/**
 * Folders of which others may import these files alone: what sends a request, repeats it or reads its stream is the client's, so that
 * nothing that may cost money is sent twice.
 */
const openFiles: Readonly<Record<string, readonly string[]>> = {
	"src/client/request": ["retry.ts", "retryAfter.ts"],
	"src/client/stream": ["chatAnswer.ts"],
	"src/client/transport": ["inflate.ts", "fetchTransport.ts", "transport.ts"],
};

/** Compositions that import more than 30 files. The list may only get shorter. */
const compositions: ReadonlySet<string> = new Set([
	"media/chat/chatView.ts",
	"src/ui/app/runtime.ts",
	"src/ui/tools/chatTools.ts",
	"src/ui/video/videos.ts",
]);

const isBelow = (path: string, folder: string): boolean => path.startsWith(`${folder}/`);

const moduleOf = (file: string): string =>
	Object.keys(packages).find(name => isBelow(file, name)) ?? "";

const folderOf = (file: string): string =>
	undivided.find(folder => isBelow(file, folder)) ?? dirname(file);

function packageOf(specifier: string): string {
	if (specifier.startsWith("node:") || builtinModules.includes(specifier)) {
		return "node";
	}
	const parts = specifier.split("/");
	return specifier.startsWith("@") ? parts.slice(0, 2).join("/") : (parts[0] ?? specifier);
}

function obeysArrows(entry: Import, target: string): boolean {
	const [from, to] = [folderOf(entry.file), folderOf(target)];
	const isLeaf = to === "src/common" && isBelow(entry.file, "src");
	return from === to || isLeaf || (arrows[from]?.includes(to) ?? false);
}

function isOpen({ file }: Import, target: string): boolean {
	const folder = Object.keys(openFiles).find(name => isBelow(target, name));
	return (
		folder === undefined ||
		isBelow(file, dirname(folder)) ||
		(openFiles[folder]?.includes(basename(target)) ?? false)
	);
}

function breach(entry: Import): string | undefined {
	const target = fileOf(entry);
	const isAllowed =
		target === undefined
			? [packageOf(entry.specifier), entry.specifier].some(name =>
					packages[moduleOf(entry.file)]?.includes(name),
				)
			: obeysArrows(entry, target) && isOpen(entry, target);
	return isAllowed ? undefined : `${entry.file} imports ${entry.specifier}`;
}

/** The circles of a graph, each as its way round. */
function circles(edges: ReadonlyMap<string, readonly string[]>): string[] {
	const done = new Set<string>();
	const visit = (name: string, path: readonly string[]): string[] => {
		if (path.includes(name)) {
			return [[...path.slice(path.indexOf(name)), name].join(" → ")];
		}
		if (done.has(name)) {
			return [];
		}
		const found = (edges.get(name) ?? []).flatMap(next => visit(next, [...path, name]));
		done.add(name);
		return found;
	};
	return [...edges.keys()].flatMap(name => visit(name, []));
}

const modules = Object.keys(packages);
const files = modules.flatMap(filesBelow);
const sources = files.filter(file => !file.endsWith(".d.ts"));
const lines = (file: string): string[] =>
	readFileSync(join(root, file), "utf8").trimEnd().split("\n");

test("every import obeys the tables of modules, of folders and of open files", () => {
	expect(files.flatMap(importsOf).map(breach).filter(Boolean)).toEqual([]);
});

test("the rules can fail: planted imports are found", () => {
	const planted: [string, string][] = [
		["src/chat/planted.ts", "vscode"],
		["src/chat/planted.ts", "../ui/base/settings.ts"],
		["src/client/request/planted.ts", "node:fs"],
		["src/chat/log/planted.ts", "../../client/request/retry.ts"],
		["src/chat/log/planted.ts", "../chatSession.ts"],
		["src/localService/models/planted.ts", "../../client/request/request.ts"],
		["src/ui/composer/planted.ts", "../chatView/chatView.ts"],
		["media/chat/planted.ts", "../../src/client/contract/schemas.ts"],
		["media/chat/draft/planted.ts", "../composer/composer.ts"],
		["src/common/planted.ts", "zod/mini"],
		["src/common/planted.ts", "../paths/resolveTarget.ts"],
		["src/ui/app/planted.ts", "../../localService/http/server.ts"],
	];
	for (const [file, specifier] of planted) {
		expect(breach({ file, specifier, isLazy: false }), `${file} → ${specifier}`).toBeDefined();
	}
});

test("every source file is in a module, the composition root apart", () => {
	const strays = filesBelow("src").filter(file => moduleOf(file) === "");
	expect(strays).toEqual(["src/extension.ts"]);
});

test("no circle exists among the folders, and no arrow that nothing uses", () => {
	expect(circles(new Map(Object.entries(arrows)))).toEqual([]);
	const used = new Set(
		files
			.flatMap(importsOf)
			.map(entry => `${folderOf(entry.file)} → ${folderOf(fileOf(entry) ?? "")}`),
	);
	const all = Object.entries(arrows).flatMap(([from, to]) => to.map(name => `${from} → ${name}`));
	expect(all.filter(arrow => !used.has(arrow))).toEqual([]);
});

test("no import cycle exists, types included", () => {
	const edges = [...files, "src/extension.ts"].map(file => {
		const targets = importsOf(file).map(fileOf);
		return [file, targets.filter(target => target !== undefined)] as const;
	});
	expect(circles(new Map(edges))).toEqual([]);
});

test("a folder holds at most 20 source files, and no file that only passes on what others have", () => {
	const crowded = [...Map.groupBy(sources, dirname)].filter(([, held]) => held.length > 20);
	expect(crowded.map(([folder]) => folder)).toEqual([]);
	expect(files.filter(file => basename(file) === "index.ts")).toEqual([]);
});

/** Files that share their name on purpose: each a thread's bundle, or types of packages without any. */
const sharedNames = new Set(["worker.ts", "modules.d.ts"]);

test("no two files of the extension's side have one name, so that a name finds its file", () => {
	const named = [...Map.groupBy(filesBelow("src"), file => basename(file))];
	const shared = named.filter(([name, found]) => found.length > 1 && !sharedNames.has(name));
	expect(shared.map(([, found]) => found)).toEqual([]);
});

test("the picture of the modules shows the imports as they are; `npm run modules` draws it again", () => {
	expect(readFileSync(join(root, "docs/modules.svg"), "utf8")).toBe(modulesPicture());
});

test("no file is over 500 lines or imports over 30 files, and the composition root is at most 140 lines", () => {
	expect(files.filter(file => lines(file).length > 500)).toEqual([]);
	const many = sources.filter(file => importsOf(file).length > 30);
	expect(many.toSorted()).toEqual([...compositions].toSorted());
	expect(lines("src/extension.ts").length).toBeLessThanOrEqual(140);
});

/** Small files that one file of their folder alone imports, and that are subjects of their own. The number may only get smaller. */
const maxSmallSubjects = 21;

test("small files with one importer beside them are few: the parts of one subject are in one file", () => {
	const edges = files.flatMap(importsOf).map(entry => ({ ...entry, target: fileOf(entry) }));
	const importers = Map.groupBy(edges, ({ target }) => target ?? "");
	const small = sources.filter(file => {
		const [first, ...others] = importers.get(file) ?? [];
		const isAlone = first !== undefined && others.length === 0 && !first.isLazy;
		return isAlone && dirname(first.file) === dirname(file) && lines(file).length < 80;
	});
	expect(small.length).toBeLessThanOrEqual(maxSmallSubjects);
});

/** The types, interfaces and classes that a file declares, exported or not. */
function typesOf(file: string): string[] {
	const declaration = /^(?:export )?(?:abstract )?(?:interface|type|class) (\w+)/gm;
	return [...readFileSync(join(root, file), "utf8").matchAll(declaration)].map(
		match => match[1] ?? "",
	);
}

test("no two types have one name, and none is called a context, parts or a place", () => {
	const declared = sources.flatMap(file => typesOf(file).map(name => ({ name, file })));
	const twice = [...Map.groupBy(declared, ({ name }) => name)].filter(([, all]) => all.length > 1);
	expect(twice.map(([name, all]) => [name, ...all.map(({ file }) => file)])).toEqual([]);
	const vague = /(?:Context|Parts|Place)$|^Options$/;
	expect(declared.filter(({ name }) => vague.test(name))).toEqual([]);
});

test("nothing reads the clock or sleeps except through common/async.ts", () => {
	const clock = /\b(?:Date\.now|performance\.now|setTimeout|setInterval)\s*\(|new Date\(\s*\)/;
	const offenders = files
		.filter(file => file.startsWith("src/") && file !== "src/common/async.ts")
		.filter(file => clock.test(readFileSync(join(root, file), "utf8")));
	expect(offenders).toEqual([]);
});
