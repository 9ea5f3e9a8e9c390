/** What showing a streamed answer costs in a real browser, beside plain text in the same run. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, chromium, type Page } from "@playwright/test";
import { createRandom, type Random } from "../helpers/random.ts";
import { browserFlags, ensureBrowser } from "../host/browser.ts";
import { startHarness } from "../webview/harness.ts";
import { bundlePage } from "./chatPage.ts";
import { bundleStreamdown } from "./peers.ts";
import type { Renderer, StreamCost } from "./renderPage.ts";

const kilobyte = 1024;

/** Prints the figures. */
export async function run(): Promise<void> {
	const folder = await mkdtemp(join(tmpdir(), "cutaway-bench-"));
	await bundlePage(folder, "test/bench/renderPage.ts");
	await bundleStreamdown(folder);
	const harness = await startHarness(folder);
	const browser = await chromium.launch({
		executablePath: ensureBrowser(),
		args: [...browserFlags, "--disable-frame-rate-limit", "--disable-gpu-vsync"],
	});
	const url = harness.urlOf("dark");
	try {
		await printGrowth(browser, url);
		await printSingleBlocks(browser, url);
	} finally {
		await browser.close();
	}
	const paced = await chromium.launch({ executablePath: ensureBrowser(), args: [...browserFlags] });
	try {
		await printLongestTask(paced, url);
	} finally {
		await paced.close();
		await harness.close();
		await rm(folder, { recursive: true, force: true });
	}
}

async function openPage(browser: Browser, url: string): Promise<Page> {
	const page = await browser.newPage({ viewport: { width: 420, height: 800 } });
	await page.goto(url);
	await page.waitForFunction(() => "bench" in window);
	return page;
}

/** What one stretch cost, with the time its thread was really at work, in milliseconds per 1024 characters. */
interface Cost extends StreamCost {
	readonly cpuMsPerKb: number;
}

/** Measures one stretch in a page of its own, after the page has warmed up on another text. */
async function measure(
	browser: Browser,
	url: string,
	renderer: Renderer,
	before: string,
	text: string,
): Promise<Cost> {
	const page = await openPage(browser, url);
	const warmUp = answerOf(createRandom(99), 5 * kilobyte);
	await page.evaluate(
		async ([kind, start, warm]) => {
			await window.bench.prepare(kind, "");
			await window.bench.stream(warm);
			await window.bench.prepare(kind, start);
		},
		[renderer, before, warmUp] as const,
	);
	const devtools = await page.context().newCDPSession(page);
	// Thread time leaves out what other programs on the machine take.
	await devtools.send("Performance.setTimeDomain", { timeDomain: "threadTicks" });
	await devtools.send("Performance.enable");
	const busy = async (): Promise<number> => {
		const { metrics } = await devtools.send("Performance.getMetrics");
		return (metrics.find(metric => metric.name === "TaskDuration")?.value ?? 0) * 1000;
	};
	const start = await busy();
	const cost = await page.evaluate(streamed => window.bench.stream(streamed), text);
	const cpuMsPerKb = ((await busy()) - start) / (text.length / kilobyte);
	await page.close();
	return { ...cost, cpuMsPerKb };
}

function median(values: readonly number[]): number {
	return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

function costLine(name: string, costs: readonly Cost[]): string {
	const of = (pick: (cost: Cost) => number): string => median(costs.map(pick)).toFixed(2);
	return [
		name.padEnd(32),
		`${of(cost => cost.cpuMsPerKb)} ms/KB of the main thread`,
		`wall ${of(cost => cost.msPerKb)}`,
		`script ${of(cost => cost.scriptMsPerKb)}`,
		`frame p50 ${of(cost => cost.frame.p50)}`,
		`p95 ${of(cost => cost.frame.p95)}`,
		`worst ${of(cost => cost.frame.worst)} ms`,
	].join("  ");
}

async function printGrowth(browser: Browser, url: string): Promise<void> {
	const text = answerOf(createRandom(1), 500 * kilobyte);
	const [head, before] = [text.slice(0, 50 * kilobyte), text.slice(0, 450 * kilobyte)];
	const tail = text.slice(450 * kilobyte);
	const costs = {
		floor: [] as Cost[],
		head: [] as Cost[],
		tail: [] as Cost[],
		redraw: [] as Cost[],
		peer: [] as Cost[],
	};
	for (let round = 0; round < 3; round++) {
		costs.floor.push(await measure(browser, url, "lines", "", head));
		costs.head.push(await measure(browser, url, "answer", "", head));
		costs.tail.push(await measure(browser, url, "answer", before, tail));
		costs.redraw.push(await measure(browser, url, "redraw", "", head));
		costs.peer.push(await measure(browser, url, "streamdown", "", head));
	}
	const cpu = (list: readonly Cost[]): number => median(list.map(cost => cost.cpuMsPerKb));
	const script = (list: readonly Cost[]): number => median(list.map(cost => cost.scriptMsPerKb));
	print(costLine("plain text, 0-50 KB (reference)", costs.floor));
	print(costLine("answer, 0-50 KB", costs.head));
	print(costLine("answer, 450-500 KB", costs.tail));
	print(costLine("open block drawn again, 0-50 KB", costs.redraw));
	print(costLine("streamdown with React, 0-50 KB", costs.peer));
	const all = (cpu(costs.peer) / cpu(costs.head)).toFixed(2);
	const inScript = (script(costs.peer) / script(costs.head)).toFixed(2);
	print(`${"streamdown / answer".padEnd(40)}x${all}, script alone x${inScript}`);
	printRatio("answer / plain text", cpu(costs.head) / cpu(costs.floor), 1.3);
	printRatio("450-500 KB / 0-50 KB", cpu(costs.tail) / cpu(costs.head), 1.5);
	printRatio("the same, script alone", script(costs.tail) / script(costs.head), 1.2);
}

/** One block that is the whole answer: the last fifth of it against the first, beside the same of plain text. */
async function printSingleBlocks(browser: Browser, url: string): Promise<void> {
	const blocks = { fence: fenceOf(50 * kilobyte), list: listOf(50 * kilobyte) };
	for (const [name, text] of Object.entries(blocks)) {
		const growth = { lines: [] as number[], answer: [] as number[], redraw: [] as number[] };
		for (let round = 0; round < 3; round++) {
			growth.lines.push(await growthOf(browser, url, "lines", text));
			growth.answer.push(await growthOf(browser, url, "answer", text));
			growth.redraw.push(await growthOf(browser, url, "redraw", text));
		}
		print(
			`${`one 50 KB ${name}, plain text`.padEnd(40)}x${median(growth.lines).toFixed(2)} (reference)`,
		);
		printRatio(`one 50 KB ${name}, last fifth / first`, median(growth.answer), 1.3);
		print(
			`${`the same, drawn again in every frame`.padEnd(40)}x${median(growth.redraw).toFixed(2)} (why it is not done)`,
		);
	}
}

async function growthOf(
	browser: Browser,
	url: string,
	renderer: Renderer,
	text: string,
): Promise<number> {
	const fifth = Math.floor(text.length / 5);
	const first = await measure(browser, url, renderer, "", text.slice(0, fifth));
	const last = await measure(browser, url, renderer, text.slice(0, -fifth), text.slice(-fifth));
	return last.cpuMsPerKb / first.cpuMsPerKb;
}

async function printLongestTask(browser: Browser, url: string): Promise<void> {
	const text = answerOf(createRandom(2), 500 * kilobyte);
	const page = await openPage(browser, url);
	for (const start of [0, 475 * kilobyte]) {
		const longest = await page.evaluate(
			async ([before, streamed]) => {
				await window.bench.prepare("answer", before);
				return window.bench.pace(streamed, 128);
			},
			[text.slice(0, start), text.slice(start, start + 25 * kilobyte)] as const,
		);
		const place = `${start / kilobyte}-${start / kilobyte + 25} KB`;
		print(
			`longest task at 7.7 KB/s, ${place}`.padEnd(40) +
				`${longest.toFixed(0)} ms (target: none over 50)`,
		);
	}
	await page.close();
}

function print(line: string): void {
	process.stdout.write(`${line}\n`);
}

function printRatio(name: string, ratio: number, target: number): void {
	print(`${name.padEnd(40)}x${ratio.toFixed(2)} (target: at most ${target})`);
}

const words =
	"the of a model answer stream value function returns each frame list when code is in to and for it".split(
		" ",
	);

function sentenceOf(random: Random, length: number): string {
	const picked = Array.from({ length }, () => {
		const word = random.pick(words);
		const style = random.below(30);
		return style === 0
			? `**${word}**`
			: style === 1
				? `\`${word}\``
				: style === 2
					? `[${word}](https://example.com/${word})`
					: word;
	});
	return `${picked.join(" ")}.`;
}

function codeOf(random: Random): string {
	const lines = Array.from({ length: 6 + random.below(20) }, (_, index) =>
		random.below(2) === 0
			? `\tconst ${random.pick(words)}${index} = await ${random.pick(words)}(${index}); // ${random.pick(words)}`
			: `\tif (${random.pick(words)} > ${index}) return "${random.pick(words)}";`,
	);
	return `\`\`\`ts\nexport async function ${random.pick(words)}() {\n${lines.join("\n")}\n}\n\`\`\``;
}

/** Markdown like an answer's: headings, paragraphs, lists, tables, quotes and code. */
function answerOf(random: Random, length: number): string {
	const blocks: string[] = [];
	for (let size = 0; size < length; size += (blocks.at(-1)?.length ?? 0) + 2) {
		const kind = random.below(10);
		if (kind < 1) {
			blocks.push(`## ${sentenceOf(random, 4)}`);
		} else if (kind < 2) {
			blocks.push(codeOf(random));
		} else if (kind < 4) {
			blocks.push(
				Array.from(
					{ length: 3 + random.below(5) },
					() => `- ${sentenceOf(random, 8)}\n  - ${sentenceOf(random, 6)}`,
				).join("\n"),
			);
		} else if (kind < 5) {
			const rows = Array.from(
				{ length: 4 },
				() => `| ${sentenceOf(random, 3)} | ${sentenceOf(random, 4)} |`,
			);
			blocks.push(`| a | b |\n|---|--:|\n${rows.join("\n")}`);
		} else if (kind < 6) {
			blocks.push(`> ${sentenceOf(random, 20)}`);
		} else {
			blocks.push(sentenceOf(random, 50));
		}
	}
	return blocks.join("\n\n").slice(0, length);
}

function fenceOf(length: number): string {
	const random = createRandom(3);
	let code = "```ts\n";
	while (code.length < length) {
		code += `const ${random.pick(words)} = "${sentenceOf(random, 5)}";\n`;
	}
	return code.slice(0, length);
}

function listOf(length: number): string {
	const random = createRandom(4);
	let list = "";
	while (list.length < length) {
		list += `- ${sentenceOf(random, 8)}\n`;
	}
	return list.slice(0, length);
}
