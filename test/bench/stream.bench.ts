import { spawn } from "node:child_process";
import { once } from "node:events";
import { createParser } from "eventsource-parser";
import { request } from "undici";
import { FrameDecoder } from "../../src/client/stream/chatFrame.ts";
import { AnswerAssembler } from "../../src/client/stream/answerAssembler.ts";
import OpenAI from "openai";
import { systemClock } from "../../src/common/async.ts";
import { silentLog } from "../../src/common/log.ts";
import { streamCompletion } from "../../src/localService/openai/streamCompletion.ts";
import { clientOf, question } from "../helpers/clientHarness.ts";
import { loadAiSdk } from "./peers.ts";

const rounds = 7;
const frames = 200_000;
const warmUpFrames = 20_000;
const peerFrames = 50_000;

type Reader = (baseUrl: string) => Promise<number>;

const post = { method: "POST", body: JSON.stringify({ ...question, stream: true }) } as const;

/** The floor: the bytes, and nothing made of them. */
const bytesOnly: Reader = async baseUrl => {
	const { body } = await request(`${baseUrl}/v1/chat/messages`, post);
	let count = 0;
	for await (const chunk of body) {
		count += Buffer.isBuffer(chunk) ? chunk.length : 0;
	}
	return count;
};

/** The reference: the least that reads the frames' text with the same parts. */
const bare: Reader = async baseUrl => {
	const { body } = await request(`${baseUrl}/v1/chat/messages`, post);
	const decoder = new TextDecoder();
	let count = 0;
	const parser = createParser({
		onEvent: ({ data }) => {
			if (data !== "[DONE]" && data !== "[END]") {
				const frame: unknown = JSON.parse(data);
				count +=
					typeof frame === "object" && frame && "content" in frame
						? String(frame.content).length
						: 0;
			}
		},
	});
	for await (const chunk of body) {
		parser.feed(decoder.decode(Buffer.isBuffer(chunk) ? chunk : undefined, { stream: true }));
	}
	return count;
};

/** Cutaway's client, as the chat uses it. */
const streamChat: Reader = async baseUrl => {
	let count = 0;
	for await (const event of clientOf(baseUrl).streamChat(question)) {
		count += event.type === "text-delta" ? event.text.length : 0;
	}
	return count;
};

const asked = [{ role: "user" as const, content: "Hi" }];

/** Cutaway's reader of a model's server, with the usage and the calls that it reads on the way. */
const completion: Reader = async baseUrl => {
	let count = 0;
	const parts = streamCompletion({
		server: { name: "bench", baseUrl: `${baseUrl}/v1`, headers: {} },
		body: { model: "m", messages: asked },
		clock: systemClock,
		log: silentLog,
		signal: new AbortController().signal,
	});
	for await (const part of parts) {
		count += part.type === "text" ? part.text.length : 0;
	}
	return count;
};

/** OpenAI's own client. */
const openai: Reader = async baseUrl => {
	const client = new OpenAI({ baseURL: `${baseUrl}/v1`, apiKey: "none" });
	const request = { model: "m", messages: asked, stream: true } as const;
	let count = 0;
	for await (const chunk of await client.chat.completions.create(request)) {
		count += chunk.choices[0]?.delta.content?.length ?? 0;
	}
	return count;
};

/** The AI SDK, with its provider for OpenAI-compatible servers. */
async function loadAi(): Promise<Reader> {
	const { streamText, createOpenAICompatible } = await loadAiSdk();
	return async baseUrl => {
		const provider = createOpenAICompatible({ name: "bench", baseURL: `${baseUrl}/v1` });
		let count = 0;
		for await (const text of streamText({ model: provider("m"), messages: asked }).textStream) {
			count += text.length;
		}
		return count;
	};
}

const readers = {
	"bytes only": bytesOnly,
	"undici + eventsource-parser": bare,
	streamChat,
} as const;

/** Measures streaming and prints each figure beside its reference from the same run, with the target where there is one. */
export async function run(): Promise<void> {
	const server = spawn(process.execPath, [new URL("streamServer.ts", import.meta.url).pathname], {
		stdio: ["pipe", "pipe", "inherit"],
	});
	const [output]: unknown[] = await once(server.stdout, "data");
	const origin = `http://127.0.0.1:${String(output).trim()}`;
	try {
		for (const shape of ["frame", "bulk"] as const) {
			await compareReaders(origin, shape);
		}
		await comparePeers(origin);
		await measureGrowth(origin);
	} finally {
		server.stdin.end();
	}
	measureLongFrame();
}

async function compareReaders(origin: string, shape: "frame" | "bulk"): Promise<void> {
	const costs = await costsOf(readers, `${origin}/${shape}`, frames);
	console.log(
		`Stream, ${frames} frames, ${shape === "frame" ? "one HTTP chunk each" : "HTTP chunks of 16 KiB"}, CPU per frame`,
	);
	printCosts(costs, "bytes only");
	const ratio =
		(costs.get("streamChat") ?? Number.NaN) /
		(costs.get("undici + eventsource-parser") ?? Number.NaN);
	console.log(
		`  streamChat is ×${ratio.toFixed(2)} undici + eventsource-parser (target: at most 1.15; one chunk each: at most ×2 bytes only)`,
	);
}

/** The stream of a model's server, read by Cutaway and by what others use. */
async function comparePeers(origin: string): Promise<void> {
	const peers = { "Cutaway's reader": completion, openai, ai: await loadAi() };
	const costs = await costsOf(peers, `${origin}/model`, peerFrames);
	console.log(
		`Stream of a model's server, ${peerFrames} frames, one HTTP chunk each, CPU per frame`,
	);
	printCosts(costs, "Cutaway's reader");
}

/** Has each reader read each stream in turn. Returns the median cost of a frame in microseconds of CPU, by reader. */
async function costsOf<Name extends string>(
	compared: Readonly<Record<Name, Reader>>,
	address: string,
	count: number,
): Promise<ReadonlyMap<Name, number>> {
	const entries = Object.entries<Reader>(compared) as [Name, Reader][];
	const costs = new Map<Name, number[]>(entries.map(([name]) => [name, []]));
	for (const [, read] of entries) {
		await read(`${address}-${warmUpFrames}`);
	}
	for (let round = 0; round < rounds; round++) {
		for (const [name, read] of entries) {
			costs.get(name)?.push((await cpuMs(() => read(`${address}-${count}`))) / count);
		}
	}
	return new Map(entries.map(([name]) => [name, median(costs.get(name) ?? []) * 1000]));
}

function printCosts<Name extends string>(costs: ReadonlyMap<Name, number>, reference: Name): void {
	const floor = costs.get(reference) ?? Number.NaN;
	for (const [name, cost] of costs) {
		console.log(
			`  ${name.padEnd(28)} ${cost.toFixed(3)} µs  ×${(cost / floor).toFixed(2)} ${reference}`,
		);
	}
}

async function measureGrowth(origin: string): Promise<void> {
	const perKilobyte = async (kilobytes: number): Promise<number> => {
		const costs: number[] = [];
		for (let round = 0; round < rounds * 3; round++) {
			costs.push((await cpuMs(() => streamChat(`${origin}/text-${kilobytes}`))) / kilobytes);
		}
		return median(costs);
	};
	const small = await perKilobyte(50);
	const large = await perKilobyte(500);
	console.log(
		`Stream, CPU per KB: ${(small * 1000).toFixed(1)} µs at 50 KB, ${(large * 1000).toFixed(1)} µs at 500 KB, ×${(large / small).toFixed(2)} (target: at most 1.5)`,
	);
}

function measureLongFrame(): void {
	const bytes = new TextEncoder().encode(
		`data: ${JSON.stringify({ content: "x".repeat(10 * 1024 * 1024) })}\n\n`,
	);
	const times: number[] = [];
	for (let round = 0; round < rounds; round++) {
		const assembler = new AnswerAssembler();
		const decoder = new FrameDecoder({
			onFrame: (data, isTerminated) => assembler.accept(data, isTerminated),
			onTooLong: () => assembler.fail("answerTooLarge"),
		});
		const before = process.cpuUsage();
		for (let start = 0; start < bytes.length; start += 64) {
			decoder.push(bytes.subarray(start, start + 64));
		}
		assembler.take();
		const { user, system } = process.cpuUsage(before);
		times.push((user + system) / 1000);
	}
	console.log(
		`Stream, a frame of 10 MiB in chunks of 64 bytes: ${median(times).toFixed(0)} ms of CPU (target: at most 150)`,
	);
}

async function cpuMs(task: () => Promise<number>): Promise<number> {
	const before = process.cpuUsage();
	const count = await task();
	const { user, system } = process.cpuUsage(before);
	if (count === 0) {
		throw new Error("The benchmark read nothing");
	}
	return (user + system) / 1000;
}

function median(values: readonly number[]): number {
	return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
