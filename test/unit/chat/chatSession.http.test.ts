import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { ChatSession } from "../../../src/chat/chatSession.ts";
import { ChatStore } from "../../../src/chat/store/chatStore.ts";
import type { TurnProgress } from "../../../src/chat/turn/turn.ts";
import { systemClock } from "../../../src/common/async.ts";
import { silentLog } from "../../../src/common/log.ts";
import { createDemoEngine } from "../../../src/localService/demo/demoEngine.ts";
import type { Engine } from "../../../src/localService/engine.ts";
import { LocalServer } from "../../../src/localService/http/server.ts";
import { openForTest, plainOptions, waitUntil } from "../../helpers/chatBench.ts";
import { clientOf } from "../../helpers/clientHarness.ts";
import { makeTempFolder } from "../../helpers/tempFolder.ts";

const token = "a-token-of-this-test";

/** A session that talks to the local service over HTTP and keeps its chat in a real folder. */
async function makeSession() {
	const folder = await makeTempFolder();
	const demo = createDemoEngine({ clock: systemClock, charactersPerSecond: () => 0 });
	let answers = 0;
	const engine: Engine = {
		answer: (...asked) => {
			answers += 1;
			return demo.answer(...asked);
		},
	};
	const server = await LocalServer.start({ token, engine, filesFolder: join(folder, "files") });
	onTestFinished(() => server.stop());
	const client = clientOf(server.baseUrl, { connect: { apiKey: token } });
	const store = new ChatStore({ folder: join(folder, "chats"), clock: systemClock });
	const session = new ChatSession({ client, store, clock: systemClock, log: silentLog });
	onTestFinished(() => session.close());
	return {
		session,
		store,
		stop: () => server.stop(),
		/** Requests that reached the engine, and might have been charged. */
		answers: () => answers,
		ask: async (prompt: string): Promise<TurnProgress | undefined> => {
			expect(await session.send(prompt, plainOptions)).toMatchObject({ type: "started" });
			return ended(session);
		},
	};
}

async function ended(session: ChatSession): Promise<TurnProgress | undefined> {
	await waitUntil(() => !session.isBusy);
	return session.turns.at(-1)?.progress;
}

test("a conversation with the local service is the same after the window was reloaded", async () => {
	const { session, store, ask, answers } = await makeSession();
	expect(await ask("/messages 3")).toEqual({ state: "complete" });
	expect(session.turns[0]?.messages).toHaveLength(3);
	expect(await ask("/long 200")).toEqual({ state: "complete" });
	expect(session.turns[1]?.messages[0]?.text.length).toBeGreaterThan(200_000);
	await session.close();
	expect((await openForTest(store, session.id)).turns).toEqual(session.turns);
	expect(answers()).toBe(2);
});

test("S25: a slow answer can be stopped, and the service stops with it", async () => {
	const { session, ask, answers } = await makeSession();
	await session.send("/slow", plainOptions);
	await waitUntil(() => (session.turns[0]?.messages[0]?.text.length ?? 0) > 0);
	session.stop();
	expect(await ended(session)).toEqual({ state: "stopped" });
	expect(await ask("Hello")).toEqual({ state: "complete" });
	expect(answers()).toBe(2);
});

test.each<[string, TurnProgress["state"], string | undefined]>([
	["cut", "interrupted", "interrupted"],
	["early", "endedEarly", "endedEarly"],
	["nodone", "endedEarly", "endedEarly"],
	["garbage", "interrupted", "interrupted"],
	["badframe", "partlyUnreadable", undefined],
	["empty", "empty", "empty"],
	["html", "refused", "webPage"],
	["refused", "refused", "rejected"],
	["redirect", "refused", "redirected"],
	["reset", "chargeUnknown", "connectionLost"],
	["400", "refused", "badRequest"],
	["401", "refused", "unauthorized"],
	["413", "refused", "tooLarge"],
	["429-long", "refused", "rateLimited"],
	["500", "chargeUnknown", "serverFailed"],
	["503", "chargeUnknown", "busy"],
])("G2, T8: a request that meets %s is %s, and was sent once", async (fault, state, kind) => {
	const { session, store, ask, answers } = await makeSession();
	const progress = await ask(`/fail ${fault}`);
	expect(progress).toMatchObject({ state, ...(kind ? { failure: { kind } } : {}) });
	expect(answers()).toBe(1);
	await session.close();
	expect((await openForTest(store, session.id)).turns).toEqual(session.turns);
});

test("N1: with nobody at the address is not sent", async () => {
	const { session, ask, answers, stop } = await makeSession();
	await stop();
	expect(await ask("Hello?")).toMatchObject({ state: "notSent", failure: { kind: "refused" } });
	expect(session.turns[0]?.messages).toEqual([]);
	expect(answers()).toBe(0);
});

test("S28: Show the error brings the service's words, or the answer if there is one", async () => {
	const { session, ask, answers } = await makeSession();
	await ask("/fail cut");
	const partial = session.turns[0]?.messages;
	await session.showError(session.turns[0]?.id ?? "");
	expect(await ended(session)).toMatchObject({
		failure: { serviceMessage: expect.stringContaining("stopped in the middle") },
	});
	expect(session.turns[0]?.messages).toEqual(partial);

	await ask("/fail cut-once");
	await session.showError(session.turns[1]?.id ?? "");
	expect(await ended(session)).toEqual({ state: "complete" });
	expect(session.turns[1]?.messages[0]?.text).toContain("this is the whole answer");
	expect(answers()).toBe(4);
});
