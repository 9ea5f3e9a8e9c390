import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { build } from "esbuild";
import type { ColorOrder } from "../../src/codeColors/colorOrder.ts";
import { ColorThread } from "../../src/codeColors/colorThread.ts";
import { findColors } from "../../src/codeColors/findColors.ts";
import { systemClock } from "../../src/common/async.ts";
import { parseJsonc } from "../../src/common/json.ts";
import { projectRoot } from "../../scripts/project.ts";
import { ensureEditorBuild } from "../host/editorBuild.ts";

/** The figures of the colors of code, in milliseconds. */
export interface ColorFigures {
	/** Time of a processor for 400 lines of TypeScript, where their grammar's patterns are ready. */
	readonly lines: number;
	/** Time of a processor for reading the grammar and preparing its patterns, which every thread does once. */
	readonly grammar: number;
	/** Time until a thread that is started for 12 lines has their colors, and has those of 12 lines more. */
	readonly thread: number;
	readonly again: number;
}

const runs = 5;

/** Colors TypeScript with the editor's own grammar and theme, several times, and returns the medians. */
export async function colorFigures(): Promise<ColorFigures> {
	const folder = await mkdtemp(join(tmpdir(), "cutaway-colors-"));
	try {
		const workerFile = join(folder, "worker.mjs");
		await build({
			entryPoints: [join(projectRoot, "src/codeColors/worker.ts")],
			outfile: workerFile,
			bundle: true,
			format: "esm",
			platform: "node",
			minify: true,
			banner: {
				js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
			},
		});
		const [large, small] = [await orderOf(400), await orderOf(12)];
		const several = { ...large, texts: [...large.texts, ...large.texts, ...large.texts] };
		const costOf = async (order: ColorOrder): Promise<number> => {
			const start = spentMs();
			const { notes } = await findColors(order, spentMs);
			if (notes.length > 0) {
				throw new Error(notes.join("\n"));
			}
			return spentMs() - start;
		};
		const grammar = (await costOf(large)) - (await costOf(large));
		const once = median(await inOrder(runs, () => costOf(large)));
		const thrice = median(await inOrder(runs, () => costOf(several)));
		const lines = (thrice - once) / 2;
		const threads = await inOrder(runs, async () => {
			const colors = new ColorThread(workerFile, systemClock);
			const start = performance.now();
			await colors.find(small);
			const first = performance.now();
			await colors.find(small);
			const second = performance.now();
			colors.dispose();
			return { first: first - start, again: second - first };
		});
		const thread = median(threads.map(({ first }) => first));
		const again = median(threads.map(({ again: time }) => time));
		return { lines, grammar, thread, again };
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
}

function spentMs(): number {
	const { user, system } = process.cpuUsage();
	return (user + system) / 1000;
}

async function inOrder<T>(count: number, measure: () => Promise<T>): Promise<readonly T[]> {
	const figures: T[] = [];
	for (let run = 0; run < count; run += 1) {
		figures.push(await measure());
	}
	return figures;
}

const median = (values: readonly number[]): number =>
	values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? 0;

async function orderOf(count: number): Promise<ColorOrder> {
	const { serverMain } = await ensureEditorBuild();
	const extensions = join(dirname(dirname(serverMain)), "extensions");
	const read = async (path: string): Promise<string> => readFile(join(projectRoot, path), "utf8");
	const sources = await Promise.all(
		["src/clip/promptContent.ts", "src/clip/changeLines.ts"].map(read),
	);
	const lines = sources.join("\n").split("\n").slice(0, count);
	const theme = parseJsonc(
		await readFile(join(extensions, "theme-defaults", "themes", "dark_vs.json"), "utf8"),
	) as { readonly tokenColors: ColorOrder["theme"]["rules"] };
	const typescript = join(extensions, "typescript-basics");
	return {
		texts: [
			{
				key: "text",
				language: "typescript",
				lines,
				isWhole: true,
				tokens: [],
				shown: lines.map((text, at) => ({
					text,
					at,
				})),
			},
		],
		theme: {
			background: "#1f1f1f",
			foreground: "#cccccc",
			rules: theme.tokenColors,
			semantic: [],
			semanticScopes: [],
			superTypes: {},
			isDepthPerBracket: false,
			brackets: ["#ffd700", "#da70d6", "#179fff"],
			unexpectedBracket: "#ff1212",
		},
		grammars: [
			{
				scopeName: "source.ts",
				language: "typescript",
				path: join(typescript, "syntaxes", "TypeScript.tmLanguage.json"),
			},
		],
		configurations: { typescript: join(typescript, "language-configuration.json") },
		oniguruma: join(projectRoot, "node_modules/vscode-oniguruma/release/onig.wasm"),
	};
}
