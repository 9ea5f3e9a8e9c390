/**
 * What a model that runs inside Cutaway costs beside llama.cpp alone, through node-llama-cpp, with the same weights in the same run. Their rates are
 * compared by the median ratio of short alternating answers and, on Linux, by the processor's time for each token, which a busy machine hardly changes.
 */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
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
/** Answers of each, in pairs one after the other: other work on the machine slows both of a pair alike. */
const pairs = 40;
const written = 64;
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
		bundle: true,
		format: "esm",
		platform: "node",
		outfile: childFile,
		entryPoints: [join(projectRoot, "src/localService/embedded/child.ts")],
	});
	const model = "bench.gguf";
	await writeFile(
		join(folder, model),
		tinyModel({ seed: 5, isEndless: true, scale: 4, chatTemplate }),
	);
	const embedded = new EmbeddedModels({
		childFile,
		llamaFolder: await ensureLlamaBuild(),
		modelsFolder: folder,
		clock: systemClock,
		log: silentLog,
		contextLength: () => contextLength,
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
	const [ours, theirs, ratios]: [Times[], Times[], number[]] = [[], [], []];
	const computed = { ours: 0, theirs: 0 };
	const measured = async (side: keyof typeof computed, text: string): Promise<Times> => {
		const before = await computedMs(embedded.pid);
		const times = await (side === "ours" ? here(text) : alone(text));
		computed[side] += (await computedMs(embedded.pid)) - before;
		return times;
	};
	for (let pair = 0; pair < pairs; pair += 1) {
		const text = `Question ${pair}`;
		const before = pair % 2 === 0 ? await measured("theirs", text) : undefined;
		const own = await measured("ours", text);
		const other = before ?? (await measured("theirs", text));
		ours.push(own);
		theirs.push(other);
		ratios.push(own.perSecond / other.perSecond);
	}
	const [first, firstAlone, again]: [number[], number[], number[]] = [[], [], []];
	const delay = monitorEventLoopDelay({ resolution: 5 });
	for (let round = 0; round < rounds; round += 1) {
		const text = `${round} ${"word ".repeat(600)}`;
		firstAlone.push((await alone(text)).first);
		delay.enable();
		first.push((await here(text)).first);
		again.push((await here(text, "An answer.", "And now?")).first);
		delay.disable();
	}
	const rateOf = (times: readonly Times[]): string =>
		quantile(times.map(({ perSecond }) => perSecond)).toFixed(0);
	const ratio = (share: number): string => `×${quantile(ratios, share).toFixed(2)}`;
	console.log(
		`Models inside Cutaway, ${pairs} pairs of answers of ${written} tokens, ${threads} thread(s)`,
	);
	console.log(
		`  tokens/s                     ${rateOf(ours)} inside, ${rateOf(theirs)} with node-llama-cpp alone  ${ratio(0.5)} of each pair (target: at least ×0.95; half of them from ${ratio(0.25)} to ${ratio(0.75)})`,
	);
	if (process.platform === "linux") {
		const perToken = (ms: number): string => (ms / pairs / written).toFixed(2);
		console.log(
			`  processor's time             ${perToken(computed.ours)} ms a token inside, ${perToken(computed.theirs)} ms alone  ×${(computed.theirs / computed.ours).toFixed(2)} of the tokens in the same time (target on a busy machine: at least ×0.95)`,
		);
	}
	console.log(
		`  first token after 600        ${quantile(first).toFixed(0)} ms inside, ${quantile(firstAlone).toFixed(0)} ms alone`,
	);
	console.log(
		`  the next question            first token ${quantile(again).toFixed(0)} ms  ×${(quantile(again) / quantile(first)).toFixed(2)} of reading all again (target: at most ×0.10)`,
	);
	console.log(
		`  event loop of the host       ${(delay.percentile(99) / 1e6 - 5).toFixed(1)} ms p99 while it answers (target: below 10)`,
	);
	embedded.dispose();
	await rm(folder, { recursive: true, force: true });
}

/** Returns the processor's time of this process and, on Linux, of another, in milliseconds. */
async function computedMs(pid = 0): Promise<number> {
	const { user, system } = process.cpuUsage();
	const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
	// After the name in brackets, the twelfth and thirteenth fields are in hundredths of a second.
	const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
	return (user + system) / 1_000 + 10 * (Number(fields[11] ?? 0) + Number(fields[12] ?? 0));
}

/** Measures an answer of `written` tokens. */
async function timed(answer: (onPiece: () => void) => Promise<void>): Promise<Times> {
	const start = performance.now();
	let first = 0;
	let last = 0;
	await answer(() => {
		last = performance.now() - start;
		first ||= last;
	});
	return { first, perSecond: ((written - 1) / (last - first)) * 1_000 };
}

/** The median, or another share of the values. */
function quantile(values: readonly number[], share = 0.5): number {
	return values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN;
}
