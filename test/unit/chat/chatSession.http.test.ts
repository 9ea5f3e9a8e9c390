import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { ChatSession } from "../../../src/chat/chatSession.ts";
import { ChatStore } from "../../../src/chat/store/chatStore.ts";
import type { TurnProgress } from "../../../src/chat/contract/turn.ts";
import { systemClock } from "../../../src/common/async.ts";
import { silentLog } from "../../../src/common/log.ts";
import { openForTest, plainOptions, waitUntil } from "../../helpers/chatBench.ts";
import { clientOf } from "../../helpers/clientHarness.ts";
import { type ModelAnswer, startScriptedModel, wireFailures } from "../../helpers/scriptedModel.ts";
import { makeTempFolder } from "../../helpers/tempFolder.ts";

/** A session that asks a service over HTTP, which gives these answers, and keeps its chat in a real folder. */
async function makeSession(...answers: readonly ModelAnswer[]) {
	const folder = await makeTempFolder();
	const model = await startScriptedModel();
	onTestFinished(() => model.stop());
	model.script(...answers);
	const client = clientOf(model.baseUrl);
	const store = new ChatStore({ folder: join(folder, "chats"), clock: systemClock });
	const session = new ChatSession({ client, store, clock: systemClock, log: silentLog });
	onTestFinished(() => session.close());
	return {
		session,
		store,
		stop: () => model.stop(),
		/** Requests that reached the service, and might have been charged. */
		answers: () => model.questions.length,
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

test("a conversation is the same after the window was reloaded", async () => {
	const { session, store, ask, answers } = await makeSession(
		{ text: ["One", "two", "three"] },
		{ text: "Long ".repeat(50_000) },
	);
	expect(await ask("Count")).toEqual({ state: "complete" });
	expect(session.turns[0]?.messages).toHaveLength(3);
	expect(await ask("Go on")).toEqual({ state: "complete" });
	expect(session.turns[1]?.messages[0]?.text.length).toBe(250_000);
	await session.close();
	expect((await openForTest(store, session.id)).turns).toEqual(session.turns);
	expect(answers()).toBe(2);
});

test("S25: an answer can be stopped on its way, and what came stays", async () => {
	const { session, ask, answers } = await makeSession({
		text: "A beginning",
		until: new Promise(() => undefined),
	});
	await session.send("Hello?", plainOptions);
	await waitUntil(() => (session.turns[0]?.messages[0]?.text.length ?? 0) > 0);
	session.stop();
	expect(await ended(session)).toEqual({ state: "stopped" });
	expect(await ask("Hello")).toEqual({ state: "complete" });
	expect(answers()).toBe(2);
});

test.each<[string, TurnProgress["state"], string | undefined]>([
	["cut", "interrupted", "interrupted"],
	["early", "endedEarly", "endedEarly"],
	["noDone", "endedEarly", "endedEarly"],
	["garbage", "interrupted", "interrupted"],
	["badFrame", "partlyUnreadable", undefined],
	["empty", "empty", "empty"],
	["webPage", "refused", "webPage"],
	["rejected", "refused", "rejected"],
	["redirect", "refused", "redirected"],
	["reset", "chargeUnknown", "connectionLost"],
	["400", "refused", "badRequest"],
	["401", "refused", "unauthorized"],
	["413", "refused", "tooLarge"],
	["429", "refused", "rateLimited"],
	["500", "chargeUnknown", "serverFailed"],
	["503", "chargeUnknown", "busy"],
])("G2, T8: a request that meets %s is %s, and was sent once", async (fault, state, kind) => {
	const answer = wireFailures[fault];
	const { session, store, ask, answers } = await makeSession(...(answer ? [answer] : []));
	const progress = await ask("Hello?");
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
	const { session, ask, answers } = await makeSession(
		{ text: "A beginning", ending: "cut" },
		{ status: 500, message: "The model stopped." },
		{ text: "A beginning", ending: "cut" },
		{ body: '{"messages":[{"role":"assistant","content":"All of it"}]}', type: "application/json" },
	);
	await ask("Hello?");
	const partial = session.turns[0]?.messages;
	await session.showError(session.turns[0]?.id ?? "");
	expect(await ended(session)).toMatchObject({
		failure: { serviceMessage: expect.stringContaining("The model stopped.") },
	});
	expect(session.turns[0]?.messages).toEqual(partial);

	await ask("And now?");
	await session.showError(session.turns[1]?.id ?? "");
	expect(await ended(session)).toEqual({ state: "complete" });
	expect(session.turns[1]?.messages[0]?.text).toBe("All of it");
	expect(answers()).toBe(4);
});
