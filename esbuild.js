/**
 * Builds everything that runs into `dist/`, or into the folder after `--out`. `--watch` rebuilds on change, `--production`
 * minifies and leaves out source maps.
 */
import { copyFile, cp, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { relative } from "node:path";
import { build as bundle, context } from "esbuild";
import subsetFont from "subset-font";
import aliases from "./media/aliases.json" with { type: "json" };
import { trimMarkdown } from "./scripts/trimMarkdown.ts";
import { pack, writePythonFiles } from "./scripts/pythonFiles.ts";
import { writeDocumentFiles } from "./scripts/documentFiles.ts";
import { fetchedLlamaBuild } from "./scripts/llamaBuild.ts";
import { pageStringModules, stringKeys } from "./scripts/strings.ts";
import { clipFonts } from "./scripts/clipFonts.ts";
import { bundledPackages, thirdPartyNotices } from "./scripts/thirdPartyNotices.ts";

const isProduction = process.argv.includes("--production");
const isWatching = process.argv.includes("--watch");
const outFlag = process.argv.indexOf("--out");
const out = (outFlag > 0 && process.argv[outFlag + 1]) || "dist";

/** CommonJS packages inside an ES-module bundle still ask for Node's own modules through `require`. */
const requireBanner = {
	js: 'import { createRequire as createRequireForBundle } from "node:module"; const require = createRequireForBundle(import.meta.url);',
};

/** @type {import("esbuild").BuildOptions} */
const shared = {
	bundle: true,
	format: "esm",
	minify: isProduction,
	sourcemap: isProduction ? false : "linked",
	// The notices hold every licence, once.
	legalComments: "none",
	metafile: true,
	logLevel: "info",
};

/** @type {import("esbuild").BuildOptions} */
const node = { ...shared, platform: "node", target: "node22", banner: requireBanner };

/** Kinds of diagrams that models do not draw and the libraries that lay them out: half of what Mermaid weighs. */
const leftOut =
	/^(?:katex|cytoscape.*|elkjs.*)$|\/(?:swimlanes|elk|mindmap-definition|architectureDiagram|vennDiagram|ishikawaDiagram|wardleyDiagram|cynefinDiagram|railroadDiagram|ebnfDiagram|abnfDiagram|pegDiagram|usecaseDiagram|swimlanesDiagram|cose-bilkent|diagram-\w+)[\w-]*\.mjs$/;

/** @type {import("esbuild").Plugin} */
const trimMermaid = {
	name: "trim-mermaid",
	setup: build => {
		build.onResolve({ filter: leftOut }, ({ path }) => ({ path, namespace: "left-out" }));
		build.onLoad({ filter: /.*/, namespace: "left-out" }, () => ({
			contents:
				'const no = () => { throw new Error("left-out"); }; export default no; export const render = no; export const diagram = { get db() { return no(); }, get parser() { return no(); } };',
		}));
	},
};

/** Leaves out the entities of HTML, which documents in XML don't have. @type {import("esbuild").Plugin} */
const trimEntities = {
	name: "trim-entities",
	setup: build => {
		build.onLoad({ filter: /generated[\\/]decode-data-html\.js$/ }, () => ({
			contents: "export const htmlDecodeTree = new Uint16Array(1);",
		}));
	},
};

/** Puts the script of a diagram's frame into the module that the page takes it from, as text. */
let frameInputs;
/** @type {import("esbuild").Plugin} */
const diagramFrame = {
	name: "diagram-frame",
	setup: build => {
		build.onLoad({ filter: /diagram\/frameSource\.ts$/ }, async () => {
			const { outputFiles, metafile } = await bundle({
				...shared,
				sourcemap: false,
				minify: true,
				format: "iife",
				platform: "browser",
				target: "es2022",
				entryPoints: ["media/chat/diagram/frame/main.ts"],
				plugins: [trimMermaid],
				write: false,
			});
			frameInputs = metafile;
			// Neither may be in a script that is inside a document.
			const script = (outputFiles[0]?.text ?? "")
				.replaceAll("</script", "<\\/script")
				.replaceAll("<!--", "\\x3C!--");
			return { contents: `export const frameSource = ${JSON.stringify(script)};` };
		});
	},
};

/** @type {import("esbuild").BuildOptions[]} */
const builds = [
	{
		...node,
		entryPoints: { extension: "src/extension.ts" },
		outdir: out,
		chunkNames: "chunks/[name]-[hash]",
		splitting: true,
		external: ["vscode"],
	},
	{
		...node,
		entryPoints: {
			localService: "src/localService/program/worker.ts",
			localVideo: "src/localService/video/render/worker.ts",
			localPython: "src/localService/python/worker.ts",
			embeddedModel: "src/localService/embedded/child.ts",
			...(isProduction ? {} : { service: "src/localService/program/program.ts" }),
		},
		outdir: out,
	},
	{ ...node, entryPoints: { codeColors: "src/codeColors/worker.ts" }, outdir: out },
	{
		...node,
		entryPoints: {
			joinClips: "src/video/join/worker.ts",
			localTrim: "src/localService/videoEngines/trim/worker.ts",
		},
		outdir: out,
		// What reads and writes clips is most of both.
		chunkNames: "clips/[name]-[hash]",
		splitting: true,
	},
	{
		...node,
		entryPoints: { localReader: "src/browsing/worker.ts" },
		outdir: out,
		// What linkedom brings along and reading a page has no use for.
		alias: {
			"dom-serializer": "./src/browsing/unusedPackages.ts",
			cssom: "./src/browsing/unusedPackages.ts",
		},
	},
	{
		...node,
		entryPoints: { documents: "src/documents/worker.ts" },
		outdir: out,
		alias: { "dom-serializer": "./src/browsing/unusedPackages.ts" },
		plugins: [trimEntities],
	},
	{
		...shared,
		platform: "browser",
		target: "es2022",
		entryPoints: [
			{ in: "media/chat/main.ts", out: "chat" },
			{ in: "media/chat/chat.css", out: "chat" },
			{ in: "media/gallery/main.ts", out: "gallery" },
			{ in: "media/gallery/gallery.css", out: "gallery" },
			{ in: "media/video/main.ts", out: "video" },
			{ in: "media/video/video.css", out: "video" },
		],
		outdir: `${out}/media`,
		chunkNames: "chunks/[name]-[hash]",
		splitting: true,
		// What markdown-it brings along and the browser can do, or we do ourselves: 45 KB less.
		alias: aliases,
		plugins: [diagramFrame, trimMarkdown],
	},
];

/** The icons' stylesheet and font; the pages link them. */
async function copyStyles() {
	await mkdir(`${out}/media`, { recursive: true });
	const styles = await readFile("node_modules/@vscode/codicons/dist/codicon.css", "utf8");
	// The pages preload the font by its address alone.
	await writeFile(`${out}/media/codicon.css`, styles.replace(/codicon\.ttf\?\w+/, "codicon.ttf"));
	await copyFile("node_modules/@vscode/codicons/dist/codicon.ttf", `${out}/media/codicon.ttf`);
	await copyMathStyles();
}

/**
 * The build of llama.cpp in the folder after `--llama`; without that, outside of production, the one for this machine where it was
 * fetched.
 */
async function placeLlama() {
	const flag = process.argv.indexOf("--llama");
	const fetched =
		flag > 0 ? process.argv[flag + 1] : isProduction ? undefined : fetchedLlamaBuild();
	if (fetched) {
		await cp(fetched, `${out}/llama`, { recursive: true });
		await copyFile(
			"src/localService/embedded/llama.cpp.LICENSE.txt",
			`${out}/llama/LICENSE-llama.cpp.txt`,
		);
	}
}

/** The stylesheet of formulas and its fonts, in the one format that every VS Code knows; a page loads them with its first formula. */
async function copyMathStyles() {
	const from = "node_modules/katex/dist";
	const styles = await readFile(`${from}/katex.min.css`, "utf8");
	await mkdir(`${out}/media/fonts`, { recursive: true });
	await writeFile(
		`${out}/media/katex.css`,
		styles.replaceAll(/,url\(fonts\/[^)]*\.(?:woff|ttf)\) format\("[a-z]+"\)/g, ""),
	);
	const fonts = (await readdir(`${from}/fonts`)).filter(name => name.endsWith(".woff2"));
	await Promise.all(
		fonts.map(name => copyFile(`${from}/fonts/${name}`, `${out}/media/fonts/${name}`)),
	);
}

/** The sentences of the pages, by which the host knows what of a language's bundle to give them. */
async function writePageStrings() {
	await writeFile(`${out}/media/strings.json`, JSON.stringify(stringKeys(pageStringModules)));
}

/** The scripts that each page begins with besides its own; a chat cannot begin without what draws Markdown. */
const pageEntries = {
	chat: ["media/chat/main.ts", "media/chat/markdown/final/engine.ts"],
	gallery: ["media/gallery/main.ts"],
	video: ["media/video/main.ts"],
};

/** Writes which scripts a page's document asks for at once. */
async function writePageModules({ outputs }) {
	const withImports = (name, found) => {
		if (!found.has(name)) {
			found.add(name);
			outputs[name].imports
				.filter(({ kind, external }) => kind === "import-statement" && !external)
				.forEach(({ path }) => withImports(path, found));
		}
		return found;
	};
	const modulesOf = entries => {
		const [own, ...others] = entries.map(entry =>
			Object.keys(outputs).find(name => outputs[name].entryPoint === entry),
		);
		const all = [own, ...others].reduce((found, name) => withImports(name, found), new Set());
		all.delete(own);
		return [...all].map(name => relative(`${out}/media`, name).replaceAll("\\", "/"));
	};
	const modules = Object.entries(pageEntries).map(([page, entries]) => [page, modulesOf(entries)]);
	await writeFile(`${out}/media/modules.json`, JSON.stringify(Object.fromEntries(modules)));
}

/** Leaves the icons in the font whose names stand as words in what the pages load: a tenth of them. */
async function trimIcons() {
	const outputs = await readdir(`${out}/media`, { recursive: true });
	const scripts = outputs.filter(name => name.endsWith(".js"));
	const code = await Promise.all(scripts.map(name => readFile(`${out}/media/${name}`, "utf8")));
	const words = new Set(code.flatMap(text => text.match(/[a-z0-9]+(?:-[a-z0-9]+)*/g) ?? []));
	const styles = await readFile(`${out}/media/codicon.css`, "utf8");
	const icons = styles.matchAll(/\.codicon-([a-z0-9-]+):before { content: "\\([0-9a-f]+)" }/g);
	const used = new Set(
		[...icons].flatMap(([, name, hex]) =>
			words.has(name) || words.has(`codicon-${name}`)
				? String.fromCodePoint(Number.parseInt(hex, 16))
				: [],
		),
	);
	const font = await readFile("node_modules/@vscode/codicons/dist/codicon.ttf");
	await writeFile(
		`${out}/media/codicon.ttf`,
		await subsetFont(font, [...used].join(""), { targetFormat: "truetype", noHinting: true }),
	);
}

/** What the local service draws its videos with; it reads these files beside its own. */
async function copyVideoFiles() {
	const to = `${out}/video`;
	const webp = "node_modules/@jsquash/webp/codec";
	await mkdir(to, { recursive: true });
	await copyFile("node_modules/@resvg/resvg-wasm/index_bg.wasm", `${to}/resvg.wasm`);
	await copyFile(`${webp}/dec/webp_dec.wasm`, `${to}/webpDecoder.wasm`);
	const oniguruma = await readFile("node_modules/vscode-oniguruma/release/onig.wasm");
	await writeFile(`${to}/onig.wasm.br`, await pack(oniguruma, isProduction));
	await Promise.all(
		[...(await clipFonts())].map(async ([name, font]) =>
			writeFile(`${to}/${name}.br`, await pack(font, isProduction)),
		),
	);
}

/** Packages whose files go out as they are, next to those that are bundled. */
const copiedPackages = [
	"@vscode/codicons",
	"@resvg/resvg-wasm",
	"@jsquash/webp",
	"@fontsource/inter",
	"@fontsource/jetbrains-mono",
	"dejavu-fonts-ttf",
	"vscode-oniguruma",
	"pyodide",
	"pdfjs-dist",
];

/** @param {import("esbuild").Metafile[]} metafiles */
async function writeNotices(metafiles) {
	const packages = [...new Set([...bundledPackages(metafiles), ...copiedPackages])];
	const notices = await thirdPartyNotices(import.meta.dirname, packages);
	await writeFile(`${out}/ThirdPartyNotices.txt`, notices);
}

await rm(out, { recursive: true, force: true });
await copyStyles();
await placeLlama();
await writePageStrings();
await Promise.all([
	copyVideoFiles(),
	writePythonFiles(`${out}/python`, isProduction),
	writeDocumentFiles(`${out}/documents`, isProduction),
]);
const contexts = await Promise.all(builds.map(options => context(options)));
if (isWatching) {
	await Promise.all(contexts.map(build => build.watch()));
} else {
	const results = await Promise.all(contexts.map(build => build.rebuild()));
	await trimIcons();
	await writePageModules(results.at(-1).metafile);
	await writeNotices(
		[...results, { metafile: frameInputs }].flatMap(({ metafile }) => metafile ?? []),
	);
	await Promise.all(contexts.map(build => build.dispose()));
}
