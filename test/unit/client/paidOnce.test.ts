import { expect, test } from "vitest";
import type { Log } from "../../../src/common/log.ts";
import { isAbortError } from "../../../src/common/errors.ts";
import type { ServiceClient } from "../../../src/client/contract/serviceClient.ts";
import { ServiceError } from "../../../src/client/contract/serviceError.ts";
import { canaryKey, clientOf, question } from "../../helpers/clientHarness.ts";
import {
	chunk,
	content,
	jsonReply,
	lastChunk,
	reply,
	start,
	streamHead,
} from "../../helpers/httpScripts.ts";
import { createRandom, type Random } from "../../helpers/random.ts";
import {
	fin,
	reset,
	type Script,
	send,
	startScriptedServer,
	type Step,
} from "../../helpers/scriptedServer.ts";

/** More than the suite tries can be asked for. */
const scheduleCount = Number(process.env["CUTAWAY_SCHEDULES"] ?? 30);
const statuses = [
	200, 204, 301, 307, 400, 401, 403, 404, 407, 408, 409, 413, 422, 425, 500, 502, 503, 504,
];
const echo = `Bad key ${canaryKey}, email jane@example.com`;

/** One connection that goes wrong somehow, and whether the rules let the request be sent again after it. */
function fault(random: Random): { script: Script; mayRepeat: boolean } {
	const frames = [
		start,
		content("a"),
		content("b"),
		"{}",
		"[DONE]",
		"{bad",
		"[END]",
		`"${canaryKey}"`,
	];
	const stream: Step[] = [streamHead()];
	for (let count = random.below(6); count > 0; count--) {
		stream.push(chunk(`data: ${random.pick(frames)}\n\n`));
	}
	const headers: Record<string, string> =
		random.below(2) === 0 ? {} : { "retry-after": random.pick(["0", "soon", "99", "-1"]) };
	const mayWait = headers["retry-after"] !== "99";
	const faults: readonly { script: Script; mayRepeat: boolean }[] = [
		{ script: { steps: [reset] }, mayRepeat: false },
		{ script: { steps: [fin] }, mayRepeat: false },
		{ script: { steps: [send("HTTP/1.1 2"), reset] }, mayRepeat: false },
		{ script: { steps: [send("nonsense\r\n\r\n"), fin] }, mayRepeat: false },
		{
			script: { steps: [jsonReply(random.pick(statuses), { error: echo }, headers)] },
			mayRepeat: false,
		},
		{ script: { steps: [jsonReply(429, { error: echo }, headers)] }, mayRepeat: mayWait },
		{
			script: {
				steps: [
					reply(random.pick(statuses), `<html><title>${echo}</title>`, {
						"content-type": "text/html",
					}),
				],
			},
			mayRepeat: false,
		},
		{ script: { steps: [jsonReply(200, { success: false, message: echo })] }, mayRepeat: false },
		{ script: { steps: [reply(200, echo)] }, mayRepeat: false },
		{ script: { steps: [...stream, reset] }, mayRepeat: false },
		{ script: { steps: [...stream, fin] }, mayRepeat: false },
		{ script: { steps: [...stream, lastChunk] }, mayRepeat: false },
	];
	return random.pick(faults);
}

async function* bytes(): AsyncGenerator<Uint8Array> {
	yield Buffer.from("abc");
}

const calls: readonly ((client: ServiceClient) => Promise<unknown>)[] = [
	async client => {
		for await (const event of client.streamChat(question)) {
			expect(event.type).toBeDefined();
		}
	},
	client => client.chat(question),
	client => client.createTextToVideo({ prompt: "p" }),
	client => client.createImageToVideo({ image_url: "https://example.com/a.png" }),
	client => client.uploadFile({ name: "a", type: "text/plain", size: 3, open: bytes }),
];

/** Everything an error says, itself and its causes. */
function wordsOf(error: unknown): string {
	if (!(error instanceof Error)) {
		return String(error);
	}
	const fields = JSON.stringify(Object.entries(error));
	return [
		error.message,
		error.stack,
		fields,
		error.cause === undefined ? "" : wordsOf(error.cause),
	].join("\n");
}

test("G1, G2, G16: over random faults a paid call is sent once, or once more per allowed repeat; it never ends quietly and never shows the key", async () => {
	const seed = Number(process.env["CUTAWAY_SEED"] ?? Date.now() % 2 ** 32);
	console.log(`Seed of the random faults: ${seed}`);
	const random = createRandom(seed);
	const logged: string[] = [];
	const note = (message: string, details?: unknown): void => {
		logged.push(message + JSON.stringify(details));
	};
	const log: Log = { debug: note, info: note, warn: note, error: note };
	for (let count = 0; count < scheduleCount; count++) {
		const faults = [fault(random), fault(random), fault(random), fault(random)];
		const firstFinal = faults.findIndex(({ mayRepeat }) => !mayRepeat);
		const allowed = Math.min(firstFinal === -1 ? 3 : firstFinal + 1, 3);
		await using server = await startScriptedServer(faults.map(({ script }) => script));
		const call = random.pick(calls);
		const outcome: unknown = await call(clientOf(server.url, { log })).then(
			() => "succeeded",
			(error: unknown) => error,
		);
		const where = `seed ${seed}, schedule ${count}`;
		expect(server.posts, where).toBe(allowed);
		expect(
			outcome instanceof ServiceError || outcome === "succeeded" || isAbortError(outcome),
			where,
		).toBe(true);
		expect(wordsOf(outcome), where).not.toContain(canaryKey);
	}
	expect(logged.length).toBeGreaterThan(0);
	expect(logged.join("\n")).not.toContain(canaryKey);
	expect(logged.join("\n")).not.toContain("jane@example.com");
}, 600_000);

test("G16: a key in malformed frames is in no error", async () => {
	const secret = `{"content":"${canaryKey}" jane@example.com`;
	await using server = await startScriptedServer([
		streamHead(),
		...[1, 2, 3].map(() => chunk(`data: ${secret}\n\n`)),
		lastChunk,
	]);
	const error: unknown = await calls[0]?.(clientOf(server.url)).catch((thrown: unknown) => thrown);
	expect(error).toMatchObject({ kind: "unreadable" });
	expect(wordsOf(error)).not.toMatch(/canary|jane/);
});
