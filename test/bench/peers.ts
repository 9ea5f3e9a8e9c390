import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { runNpm } from "../../scripts/npm.ts";
import { ensureCached, installFlags } from "../../scripts/packageCache.ts";

/** What others use for the same work, with the versions that are measured. All are under the Apache license 2.0 or the MIT license. */
const packages = {
	ai: "7.0.173",
	"@ai-sdk/openai-compatible": "3.0.92",
	react: "19.3.1",
	"react-dom": "19.3.1",
	streamdown: "2.7.1",
} as const;

/**
 * Makes sure the peers are in `.vscode-test/`, fetching them through npm when they are not there (about 10 s, 45 MB): no development
 * dependencies, which would add 130 packages to every install. Returns their folder.
 */
async function ensurePeers(): Promise<string> {
	const { ai, streamdown } = packages;
	return await ensureCached({
		name: `bench-peers-${ai}-${streamdown}`,
		entry: join("node_modules", "streamdown", "package.json"),
		title: "the peers of the benchmarks",
		install: async partial => {
			await writeFile(join(partial, "package.json"), JSON.stringify({ private: true }));
			const names = Object.entries(packages).map(([name, version]) => `${name}@${version}`);
			await runNpm(partial, [...installFlags, "--no-package-lock", "--no-save", ...names]);
		},
	});
}

/** The parts of `ai` and its provider that read a stream of an OpenAI-compatible server. */
interface AiSdk {
	streamText(options: object): { readonly textStream: AsyncIterable<string> };
	createOpenAICompatible(options: object): (model: string) => object;
}

/** Loads the reader of `ai`. */
export async function loadAiSdk(): Promise<AiSdk> {
	const modules = join(await ensurePeers(), "node_modules");
	const load = (...path: readonly string[]): Promise<object> =>
		import(pathToFileURL(join(modules, ...path, "dist", "index.js")).href) as Promise<object>;
	return { ...(await load("ai")), ...(await load("@ai-sdk", "openai-compatible")) } as AiSdk;
}

/** Draws the whole text at once. */
const streamdownScript = `
import { createElement } from "react";
import { createRoot } from "react-dom/client";
import { flushSync } from "react-dom";
import { Streamdown } from "streamdown";

export function createStreamdown(content) {
	const root = createRoot(content);
	return text => flushSync(() => root.render(createElement(Streamdown, { isAnimating: true }, text)));
}
`;

/** Builds the script of the page that draws with `streamdown` into a folder, as an application would ship it. */
export async function bundleStreamdown(folder: string): Promise<void> {
	await build({
		stdin: { contents: streamdownScript, resolveDir: await ensurePeers() },
		outfile: join(folder, "streamdown.js"),
		bundle: true,
		minify: true,
		format: "esm",
		target: "es2022",
		define: { "process.env.NODE_ENV": '"production"' },
		logLevel: "error",
	});
}
