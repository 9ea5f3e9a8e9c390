/** What a model that runs inside Cutaway costs beside llama.cpp alone, through node-llama-cpp, with the same weights in the same run. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { build } from "esbuild";
import { ensureLlamaBuild } from "../../scripts/llamaBuild.ts";
import { projectRoot } from "../../scripts/project.ts";
import { systemClock } from "../../src/common/async.ts";
import { silentLog } from "../../src/common/log.ts";
import { EmbeddedModels } from "../../src/localService/embedded/embeddedModels.ts";
import { threads } from "../../src/localService/embedded/loadedModel.ts";
import { openLlama } from "../realModel/llama.ts";
import { ensureLlama, whyNoLlama } from "../realModel/llamaPackage.ts";
import { tinyModel } from "../realModel/tinyModel.ts";

const rounds = 3;
const written = 128;
const contextLength = 4_096;
const signal = new AbortController().signal;
const chatTemplate =
	"{% for m in messages %}{{ m.role }}: {{ m.content }}\n{% endfor %}{% if add_generation_prompt %}assistant:{% endif %}";

/** Times of an answer in milliseconds. */
interface Times {
	readonly first: number;
	readonly perSecond: number;
}

/** Prints the figures. */
export async function compareEmbedded(): Promise<void> {
	if (whyNoLlama !== undefined) {
		console.log(`Models inside Cutaway: ${whyNoLlama}`);
		return;
	}
	const folder = await mkdtemp(join(tmpdir(), "cutaway-bench-"));
	const childFile = join(folder, "child.mjs");
	await build({
		...{ bundle: true, format: "esm", platform: "node", outfile: childFile },
		entryPoints: [join(projectRoot, "src/localService/embedded/child.ts")],
	});
	const model = "bench.gguf";
	await writeFile(
		join(folder, model),
		tinyModel({ seed: 5, isEndless: true, scale: 4, chatTemplate }),
	);
	const embedded = new EmbeddedModels({
		...{ childFile, llamaFolder: await ensureLlamaBuild(), modelsFolder: folder },
		...{ clock: systemClock, log: silentLog, contextLength: () => contextLength },
	});
	const bare = await openLlama(await ensureLlama(), join(folder, model), contextLength, threads);
	const here = (...texts: readonly string[]): Promise<Times> => {
		const messages = texts.map((content, index) => ({
			role: index % 2 === 0 ? "user" : "assistant",
			content,
		}));
		const body = { model, messages, max_tokens: written };
		return timed(async onPiece => {
			for await (const part of embedded.ask(body, signal)) {
				if (part.type === "text") {
					onPiece();
				}
			}
		});
	};
	const alone = (text: string): Promise<Times> =>
		timed(async onPiece => {
			const prompt = bare.tokenize(`user: ${text}\nassistant:`);
			await bare.generate(prompt, { max_tokens: written }, signal, onPiece);
		});
	await Promise.all([here("Hi"), alone("Hi")]);
	const [ours, theirs, again]: Times[][] = [[], [], []];
	const delay = monitorEventLoopDelay({ resolution: 5 });
	for (let round = 0; round < rounds; round += 1) {
		const text = `${round} ${"word ".repeat(600)}`;
		theirs?.push(await alone(text));
		delay.enable();
		ours?.push(await here(text));
		again?.push(await here(text, "An answer.", "And now?"));
		delay.disable();
	}
	const firstOf = (times: readonly Times[] = []): number => median(times.map(({ first }) => first));
	const rateOf = (times: readonly Times[] = []): number =>
		median(times.map(({ perSecond }) => perSecond));
	console.log(
		`Models inside Cutaway, 600 tokens read and ${written} written, ${threads} thread(s)`,
	);
	console.log(
		`  node-llama-cpp alone         first token ${firstOf(theirs).toFixed(0)} ms, ${rateOf(theirs).toFixed(0)} tokens/s`,
	);
	console.log(
		`  inside Cutaway               first token ${firstOf(ours).toFixed(0)} ms, ${rateOf(ours).toFixed(0)} tokens/s  ×${(rateOf(ours) / rateOf(theirs)).toFixed(2)} (target: at least ×0.95)`,
	);
	console.log(
		`  the next question            first token ${firstOf(again).toFixed(0)} ms  ×${(firstOf(again) / firstOf(ours)).toFixed(2)} of reading all again (target: at most ×0.10)`,
	);
	console.log(
		`  event loop of the host       ${(delay.percentile(99) / 1e6 - 5).toFixed(1)} ms p99 while it answers (target: below 10)`,
	);
	embedded.dispose();
	await rm(folder, { recursive: true, force: true });
}

async function timed(answer: (onPiece: () => void) => Promise<void>): Promise<Times> {
	const start = performance.now();
	let first = 0;
	let last = 0;
	let pieces = 0;
	await answer(() => {
		last = performance.now() - start;
		first ||= last;
		pieces += 1;
	});
	return { first, perSecond: ((pieces - 1) / (last - first)) * 1_000 };
}

function median(values: readonly number[]): number {
	return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
