import { describe, expect, test } from "vitest";
import { decodeLog } from "../../../src/chat/log/chatLog.ts";
import { chatPaths } from "../../../src/chat/log/chatPaths.ts";
import { replayChat } from "../../../src/chat/log/chatReplay.ts";
import { ChatSession } from "../../../src/chat/chatSession.ts";
import { ChatStore } from "../../../src/chat/store/chatStore.ts";
import { silentLog } from "../../../src/common/log.ts";
import { ServiceError, type ServiceErrorKind } from "../../../src/client/contract/serviceError.ts";
import { plainOptions } from "../../helpers/chatBench.ts";
import { createFakeClock } from "../../helpers/fakeClock.ts";
import { createMemoryFileSystem } from "../../helpers/memoryFileSystem.ts";
import { createRandom, type Random } from "../../helpers/random.ts";
import { createScriptedClient, messageEvents, streamEnd } from "../../helpers/scriptedClient.ts";

const folder = "/chats";
/** `npm run test:long` runs 3,000. */
const schedules = 10 * Number(process.env["CUTAWAY_SCHEDULES"] ?? 30);

function makeWorld() {
	const files = createMemoryFileSystem();
	const clock = createFakeClock();
	const store = new ChatStore({ folder, clock, files });
	const readBack = (id: string) =>
		replayChat(decodeLog(files.contentOf(chatPaths(folder, id).logPath)).records).turns;
	return { files, clock, store, readBack };
}

const failures: readonly [ServiceErrorKind, ...ServiceErrorKind[]] = [
	"refused",
	"unauthorized",
	"rateLimited",
	"serverFailed",
	"connectionLost",
	"noText",
	"interrupted",
	"stalled",
	"empty",
];

/** Runs one random schedule of clicks, answers, faults and reloads; returns what was clicked and what was sent. */
async function runSchedule(random: Random): Promise<{ started: number; sent: number }> {
	const { files, clock, store, readBack } = makeWorld();
	let started = 0;
	let nextIndex = 0;
	const client = createScriptedClient(() => {
		nextIndex = 0;
		// The record of this very attempt is on disk before the client hears of it.
		const turn = readBack(session.id).at(-1);
		expect(turn).toMatchObject({ id: session.turns.at(-1)?.id });
		expect(turn?.attempt).toBe(session.turns.at(-1)?.attempt);
	});
	const open = (): ChatSession => new ChatSession({ client, store, clock, log: silentLog });
	let session = open();
	const click = async (): Promise<void> => {
		const turnId = session.turns.at(-1)?.id ?? "";
		const result = await random.pick([
			() => session.send("Why?", plainOptions),
			() => session.retry(turnId),
			() => session.showError(turnId),
		])();
		started += result.type === "started" ? 1 : 0;
	};
	const answer = (): void => {
		const call = client.calls.at(-1);
		const message = messageEvents(nextIndex, "some text");
		const steps = random.below(5);
		if (steps < 3) {
			call?.send(...message.slice(0, 1 + random.below(3)));
			call?.fail(new ServiceError(random.pick(failures), { charge: "unknown" }));
		} else if (call?.kind === "whole") {
			call.finish([{ role: "assistant", content: "all" }]);
		} else {
			call?.send(...message, streamEnd);
			call?.finish();
		}
	};
	const reload = async (): Promise<void> => {
		await session.close().catch(() => undefined);
		const opened = await store.open(session.id);
		const chat = opened.type === "opened" ? { chat: opened.chat } : {};
		session = new ChatSession({ client, store, clock, log: silentLog, ...chat });
	};
	for (let step = 0; step < 25; step += 1) {
		const action = random.below(12);
		if (action < 4) {
			await click();
		} else if (action < 7) {
			answer();
		} else if (action === 7) {
			session.stop();
		} else if (action === 8) {
			files.failure = random.pick(["", "", "ENOSPC", "EIO"]) || undefined;
		} else if (action === 9 && files.failure === undefined) {
			await reload();
		} else {
			await clock.advance(random.pick([1, 100, 1000, 31_000, 120_000]));
		}
	}
	files.failure = undefined;
	await session.close();
	expect(readBack(session.id)).toEqual(session.turns);
	return { started, sent: client.calls.length };
}

test("G1: over random schedules of clicks, answers, faults and reloads, what is sent is what was clicked", async () => {
	const first = Date.now() % 1_000_000;
	console.log(`schedules from seed ${first}`);
	let clicks = 0;
	for (let seed = first; seed < first + schedules; seed += 1) {
		const { started, sent } = await runSchedule(createRandom(seed));
		expect({ seed, sent }).toEqual({ seed, sent: started });
		clicks += started;
	}
	expect(clicks).toBeGreaterThan(schedules);
});

describe("G21: a window gone at any point of a stream", () => {
	test("keeps all text older than a second, at 200 random points", async () => {
		const seed = Date.now() % 1_000_000;
		console.log(`reloads from seed ${seed}`);
		const random = createRandom(seed);
		for (let point = 0; point < 200; point += 1) {
			const { clock, store, readBack } = makeWorld();
			const client = createScriptedClient();
			const session = new ChatSession({ client, store, clock, log: silentLog });
			await session.send("Long?", plainOptions);
			const call = await client.called(1);
			call.send({ type: "message-start", index: 0, role: "assistant" });
			const received: { at: number; length: number }[] = [];
			for (let delta = random.below(60); delta >= 0; delta -= 1) {
				call.send({ type: "text-delta", index: 0, text: "x".repeat(1 + random.below(300)) });
				await clock.advance(0);
				const length = session.turns[0]?.messages[0]?.text.length ?? 0;
				received.push({ at: clock.monotonic(), length });
				await clock.advance(random.below(700));
			}
			const due = received.findLast(({ at }) => at <= clock.monotonic() - 1000)?.length ?? 0;
			const [turn] = readBack(session.id);
			const kept = turn?.messages[0]?.text.length ?? 0;
			expect({ seed, point, isKept: kept >= due }).toEqual({ seed, point, isKept: true });
			expect(turn?.progress).toEqual({ state: "interrupted", failure: { kind: "reload" } });
			expect(client.calls).toHaveLength(1);
			await session.close();
		}
	});
});
