import { readdirSync } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { join, posix } from "node:path";
import { expect, test } from "@playwright/test";
import { type ZipEntry, listZip } from "../helpers/zip.ts";
import { projectRoot } from "../../scripts/project.ts";

const kilobyte = 1024;

/** Everything the package holds, chunks with a hash in their name aside. */
const expectedFiles = [
	"[Content_Types].xml",
	"extension.vsixmanifest",
	"extension/LICENSE.txt",
	"extension/changelog.md",
	"extension/dist/ThirdPartyNotices.txt",
	"extension/dist/codeColors.js",
	"extension/dist/documents.js",
	"extension/dist/documents/characterMaps.zip.br",
	"extension/dist/documents/pdf.js.br",
	"extension/dist/embeddedModel.js",
	"extension/dist/extension.js",
	"extension/dist/joinClips.js",
	"extension/dist/localPython.js",
	"extension/dist/localReader.js",
	"extension/dist/localService.js",
	"extension/dist/localTrim.js",
	"extension/dist/localVideo.js",
	"extension/dist/media/chat.css",
	"extension/dist/media/chat.js",
	"extension/dist/media/codicon.css",
	"extension/dist/media/codicon.ttf",
	...[
		"AMS-Regular",
		"Caligraphic-Bold",
		"Caligraphic-Regular",
		"Fraktur-Bold",
		"Fraktur-Regular",
		"Main-Bold",
		"Main-BoldItalic",
		"Main-Italic",
		"Main-Regular",
		"Math-BoldItalic",
		"Math-Italic",
		"SansSerif-Bold",
		"SansSerif-Italic",
		"SansSerif-Regular",
		"Script-Regular",
		"Size1-Regular",
		"Size2-Regular",
		"Size3-Regular",
		"Size4-Regular",
		"Typewriter-Regular",
	].map(name => `extension/dist/media/fonts/KaTeX_${name}.woff2`),
	"extension/dist/media/gallery.css",
	"extension/dist/media/gallery.js",
	"extension/dist/media/katex.css",
	"extension/dist/media/modules.json",
	"extension/dist/media/strings.json",
	"extension/dist/media/video.css",
	"extension/dist/media/video.js",
	"extension/dist/python/LICENSE.txt",
	"extension/dist/python/packages.json",
	"extension/dist/python/python.wasm.br",
	"extension/dist/python/runtime.js.br",
	"extension/dist/python/stdlib.zip.br",
	"extension/dist/video/DejaVuSans.ttf.br",
	"extension/dist/video/DejaVuSansMono.ttf.br",
	...["bold-", "italic-", ""].flatMap(face =>
		["cyrillic", "greek", "latin", "latin-ext", "vietnamese"].map(
			alphabet => `extension/dist/video/Inter-${face}${alphabet}.ttf.br`,
		),
	),
	...["bold-", "boldItalic-", "italic-", ""].flatMap(face =>
		["cyrillic", "greek", "latin", "latin-ext", "vietnamese"].map(
			alphabet => `extension/dist/video/JetBrainsMono-${face}${alphabet}.ttf.br`,
		),
	),
	"extension/dist/video/onig.wasm.br",
	"extension/dist/video/resvg.wasm",
	"extension/dist/video/webpDecoder.wasm",
	"extension/media/icons/cutaway.png",
	"extension/media/icons/cutaway.svg",
	"extension/media/walkthrough/ask.svg",
	"extension/media/walkthrough/selection.svg",
	"extension/media/walkthrough/video.svg",
	"extension/package.json",
	"extension/package.nls.json",
	"extension/readme.md",
];

const chunk = /^extension\/dist\/(?:(?:media\/)?chunks|clips)\/[A-Za-z]+-[A-Z0-9]{8}\.js$/;

/** The strings of every language but English, which is in the code. */
function translations(): string[] {
	const isTranslation = (name: string): boolean =>
		/^(?:bundle\.l10n|package\.nls)\..+\.json$/.test(name);
	return [
		...readdirSync(join(projectRoot, "l10n")).map(name => `l10n/${name}`),
		...readdirSync(projectRoot),
	]
		.filter(name => isTranslation(posix.basename(name)))
		.map(name => `extension/${name}`);
}

function packageFile(): string {
	const file = process.env["CUTAWAY_VSIX"];
	if (!file) {
		throw new Error("globalSetup.ts has not packaged the extension.");
	}
	return file;
}

/** What a package for one platform holds more than that for all. */
const isLlama = ({ name }: ZipEntry): boolean => name.startsWith("extension/dist/llama/");

async function packagedFiles(): Promise<Map<string, ZipEntry>> {
	const entries = listZip(await readFile(packageFile())).filter(entry => !isLlama(entry));
	return new Map(entries.map(entry => [entry.name, entry]));
}

/** VS Code's name of the platform that a program or library is for; undefined for another file. */
function platformOf(file: Buffer): string | undefined {
	if (file.readUInt32BE(0) === 0x7f454c46) {
		return { 0x3e: "linux-x64", 0xb7: "linux-arm64" }[file.readUInt16LE(18)];
	}
	if (file.readUInt32LE(0) === 0xfeedfacf) {
		return { 0x1000007: "darwin-x64", 0x100000c: "darwin-arm64" }[file.readUInt32LE(4)];
	}
	return file.toString("latin1", 0, 2) === "MZ"
		? { 0x8664: "win32-x64", 0xaa64: "win32-arm64" }[file.readUInt16LE(file.readUInt32LE(0x3c) + 4)]
		: undefined;
}

test("a package for one platform holds llama.cpp for it alone, with every library that it loads", async () => {
	const entries = listZip(await readFile(packageFile()));
	const manifest = entries.find(({ name }) => name === "extension.vsixmanifest")?.read();
	const platform = /TargetPlatform="([^"]+)"/.exec(manifest?.toString() ?? "")?.[1];
	const files = entries
		.filter(isLlama)
		.map(entry => ({ name: posix.basename(entry.name), bytes: entry.read() }));
	const names = new Set(files.map(({ name }) => name));
	const programs = files.filter(({ name }) => !name.startsWith("LICENSE"));
	expect(names.has("llama-addon.node")).toBe(platform !== undefined);
	expect(programs.filter(({ bytes }) => platformOf(bytes) !== platform)).toEqual([]);
	const library = /(?<![\w.*-])(?:lib)?(?:ggml|llama)[\w.-]*\.(?:so|dylib|dll)(?![\w.])/g;
	const loaded = programs.flatMap(({ bytes }) => bytes.toString("latin1").match(library) ?? []);
	expect(loaded.filter(name => !names.has(name))).toEqual([]);
});

/** Names of modules that this one imports as it loads; `import()` on demand is not among them. */
function staticImports(name: string, code: string): string[] {
	const specifiers = code.matchAll(/\b(?:from|import)\s*"(\.[^"]+)"/g);
	return [...specifiers].map(match => posix.join(posix.dirname(name), match[1] ?? ""));
}

test("the package holds exactly what runs and what its page shows @core", async () => {
	const names = [...(await packagedFiles()).keys()];
	expect(names.filter(name => !chunk.test(name)).toSorted()).toEqual(
		[...expectedFiles, ...translations()].toSorted(),
	);
	const loose = names.filter(name => /\.map$|service\.js$|node_modules|\/test\/|\.ts$/.test(name));
	expect(loose).toEqual([]);
});

/** Packages of others that are bundled or copied into ours; a further one is a decision, its licence read first. */
const thirdParties = [
	"@braintree/sanitize-url",
	"@fontsource/inter",
	"@fontsource/jetbrains-mono",
	"@iconify/utils",
	"@jsquash/webp",
	"@mermaid-js/parser",
	"@mozilla/readability",
	"@resvg/resvg-wasm",
	"@vscode/codicons",
	"@vscode/l10n",
	"boolbase",
	"css-select",
	"css-what",
	"d3",
	"d3-array",
	"d3-axis",
	"d3-brush",
	"d3-chord",
	"d3-color",
	"d3-contour",
	"d3-delaunay",
	"d3-dispatch",
	"d3-drag",
	"d3-dsv",
	"d3-ease",
	"d3-fetch",
	"d3-force",
	"d3-format",
	"d3-geo",
	"d3-hierarchy",
	"d3-interpolate",
	"d3-path",
	"d3-polygon",
	"d3-quadtree",
	"d3-random",
	"d3-sankey",
	"d3-scale",
	"d3-scale-chromatic",
	"d3-selection",
	"d3-shape",
	"d3-time",
	"d3-time-format",
	"d3-timer",
	"d3-transition",
	"d3-zoom",
	"dagre-d3-es",
	"dayjs",
	"dejavu-fonts-ttf",
	"domelementtype",
	"domhandler",
	"dompurify",
	"domutils",
	"entities",
	"es-toolkit",
	"eventsource-parser",
	"gifenc",
	"highlight.js",
	"htmlparser2",
	"internmap",
	"katex",
	"khroma",
	"linkedom",
	"lit-html",
	"lodash-es",
	"markdown-it",
	"marked",
	"mediabunny",
	"mermaid",
	"nth-check",
	"pdfjs-dist",
	"pyodide",
	"roughjs",
	"stylis",
	"ts-dedent",
	"uhyphen",
	"undici",
	"vscode-oniguruma",
	"vscode-textmate",
	"zod",
];

test("the package holds the licences of everything in it that others made @core", async () => {
	const file = (await packagedFiles()).get("extension/dist/ThirdPartyNotices.txt");
	const notices = file?.read().toString("utf8") ?? "";
	const listed = [...notices.matchAll(/^(\S+) (\d\S*): .+, text \d/gm)];
	expect([...new Set(listed.map(([, name]) => name))]).toEqual(thirdParties);
	// The inner one has another licence.
	const versions = listed.flatMap(([, name, version]) =>
		name === "d3-array" ? [version?.[0]] : [],
	);
	expect(new Set(versions)).toEqual(new Set(["2", "3"]));
	expect(notices).toContain("Mozilla Public License Version 2.0");
	expect(notices).toContain("Copyright (c) 2010, Google Inc.");
	expect(notices).toContain("Bitstream Vera Fonts Copyright");
});

test("every packaged chunk is reachable from an entry point, and every import is packaged @core", async () => {
	const files = await packagedFiles();
	const scripts = [...files.values()]
		.filter(file => file.name.endsWith(".js"))
		.map(file => ({ name: file.name, code: file.read().toString("utf8") }));
	const code = scripts.map(script => script.code).join("\n");
	const orphans = [...files.keys()].filter(
		name => chunk.test(name) && !code.includes(`/${posix.basename(name)}"`),
	);
	expect(orphans).toEqual([]);
	const imported = scripts.flatMap(script => staticImports(script.name, script.code));
	expect(imported.length).toBeGreaterThan(10);
	expect(imported.filter(name => !files.has(name))).toEqual([]);
});

/** WebAssembly, what Python's is of no use without, its library and the loader that came with it, and what PDFs are read with. */
const isRarelyLoaded = ({ name }: ZipEntry): boolean =>
	name.endsWith(".wasm") || /\/(?:python|documents)\/[^/]+\.br$/.test(name);

test("the whole package takes at most 3.4 MB without WebAssembly and what reads PDFs, 9.9 MB with both @core", async () => {
	const files = [...(await packagedFiles()).values()];
	const plain = files.filter(file => !isRarelyLoaded(file));
	const plainSize = plain.reduce((sum, file) => sum + file.compressedSize, 0);
	expect(plainSize).toBeLessThanOrEqual(3.4 * 1024 * kilobyte);
	const llama = listZip(await readFile(packageFile())).filter(isLlama);
	const llamaSize = llama.reduce((sum, file) => sum + file.compressedSize, 0);
	expect(llamaSize).toBeLessThanOrEqual(11 * 1024 * kilobyte);
	const { size } = await stat(packageFile());
	expect(size - llamaSize).toBeLessThanOrEqual(9.9 * 1024 * kilobyte);
});
