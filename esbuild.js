/**
 * Builds everything that runs into `dist/`, or into the folder after `--out`. `--watch` rebuilds on change, `--production`
 * minifies and leaves out source maps.
 */
import { copyFile, mkdir, rm } from "node:fs/promises";
import { context } from "esbuild";
import aliases from "./media/aliases.json" with { type: "json" };

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
	legalComments: "none",
	logLevel: "info",
};

/** @type {import("esbuild").BuildOptions} */
const node = { ...shared, platform: "node", target: "node22", banner: requireBanner };

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
			localService: "src/localService/worker.ts",
			...(isProduction ? {} : { service: "src/localService/program.ts" }),
		},
		outdir: out,
	},
	{
		...shared,
		platform: "browser",
		target: "es2022",
		entryPoints: [
			{ in: "media/chat/main.ts", out: "chat" },
			{ in: "media/chat/chat.css", out: "chat" },
		],
		outdir: `${out}/media`,
		chunkNames: "chunks/[name]-[hash]",
		splitting: true,
		// What markdown-it brings along and the browser can do, or we do ourselves: 45 KB less.
		alias: aliases,
	},
];

/** The icons' stylesheet and font go out as they are; the webview links them. */
async function copyStyles() {
	await mkdir(`${out}/media`, { recursive: true });
	await copyFile("node_modules/@vscode/codicons/dist/codicon.css", `${out}/media/codicon.css`);
	await copyFile("node_modules/@vscode/codicons/dist/codicon.ttf", `${out}/media/codicon.ttf`);
}

await rm(out, { recursive: true, force: true });
await copyStyles();
const contexts = await Promise.all(builds.map(options => context(options)));
if (isWatching) {
	await Promise.all(contexts.map(build => build.watch()));
} else {
	await Promise.all(contexts.map(build => build.rebuild()));
	await Promise.all(contexts.map(build => build.dispose()));
}
