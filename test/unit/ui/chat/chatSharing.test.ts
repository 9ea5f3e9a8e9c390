import { expect, test } from "vitest";
import type { TakeoverResponder } from "../../../../src/chat/sharing/takeover.ts";
import { Emitter } from "../../../../src/common/disposable.ts";
import { silentLog } from "../../../../src/common/log.ts";
import { StoreError } from "../../../../src/storage/fileSystem.ts";
import { ChatSharing, type ChatSharingDependencies } from "../../../../src/ui/chat/chatSharing.ts";
import { createFakeClock } from "../../../helpers/fakeClock.ts";

const settle = (): Promise<void> => new Promise(resolve => setImmediate(resolve));

/** A window that shows a chat; the test decides what its store answers. */
function setUp(isHeld: boolean, results: readonly ("free" | "busy" | "noAnswer")[] = []) {
	const grown = new Emitter<{ type: "replaced" }>();
	const told: string[] = [];
	const asked: (boolean | undefined)[] = [];
	const reopened: string[] = [];
	const state = { hasWriter: true, isDisposed: false, isClosed: false, isLost: false };
	const clock = createFakeClock();
	const link = { up: Promise.resolve() };
	const waiting: TakeoverResponder[] = [];
	const left = [...results];
	const store = {
		open: (id: string) =>
			Promise.resolve(
				state.isLost ? { type: "unreadable", keptAt: id } : { type: "opened", chat: { id } },
			),
		follow: () =>
			Promise.resolve({
				turns: [],
				get hasWriter() {
					return state.hasWriter;
				},
				onDidChange: grown.event,
				dispose: () => {
					state.isDisposed = true;
				},
			}),
		takeOver: (_id: string, options?: { isInsisting?: boolean }) => {
			asked.push(options?.isInsisting);
			return Promise.resolve(left.shift() ?? "free");
		},
		answerTakeOvers: (_id: string, chat: TakeoverResponder) => {
			waiting.push(chat);
			return { dispose: () => undefined };
		},
	};
	const sharing = new ChatSharing({
		store: store as unknown as ChatSharingDependencies["store"],
		clock,
		log: silentLog,
		reachWindow: () => link.up,
		onChange: ({ type }) => told.push(type),
		show: ({ chat }) => Promise.resolve(void reopened.push(chat?.id ?? "")),
	});
	const session = {
		id: "chat",
		isBusy: false,
		turns: [{}],
		close: () => Promise.resolve(void (state.isClosed = true)),
	};
	const readOnly = isHeld ? new StoreError("heldElsewhere", "/chats/chat.lock") : undefined;
	sharing.begin(session as never, { readOnly } as never);
	return { sharing, told, asked, reopened, state, waiting, grown, session, clock, link };
}

test("L5: a chat that another window writes is read along, with a way to take it over", async () => {
	const { sharing, told, grown, state } = setUp(true);
	await settle();
	expect(sharing.banner).toEqual({
		kind: "info",
		text: "In use in another window. Read-only here.",
		action: "takeOver",
		readOnly: "Read-only: in use in another window",
	});
	expect(sharing.read?.turns).toEqual([]);
	grown.fire({ type: "replaced" });
	expect(told).toEqual(["reset", "reset"]);
	state.hasWriter = false;
	expect(sharing.banner?.text).toContain("No other window is using this chat.");
	expect(sharing.banner?.readOnly).toBe("Read-only until you take it over");
});

test("L5: a chat is taken over when the other window lets go, and opened again to write it", async () => {
	const { sharing, reopened, asked } = setUp(true, ["free"]);
	await settle();
	await sharing.takeOver(false);
	expect(asked).toEqual([false]);
	expect(reopened).toEqual(["chat"]);
});

test("L5: an answer that runs in the other window is stopped only on a second click that says so", async () => {
	const { sharing, reopened, asked } = setUp(true, ["busy", "free"]);
	await settle();
	await sharing.takeOver(false);
	expect(sharing.banner).toMatchObject({ action: "takeOverNow" });
	expect(reopened).toEqual([]);
	await sharing.takeOver(true);
	expect(asked).toEqual([false, true]);
	expect(reopened).toEqual(["chat"]);
});

test("L5: a window that does not answer is named, and can be asked again", async () => {
	const { sharing } = setUp(true, ["noAnswer"]);
	await settle();
	await sharing.takeOver(false);
	expect(sharing.banner).toMatchObject({
		text: expect.stringContaining("isn't responding"),
		action: "takeOver",
	});
});

test("L5: a window that is asked saves and closes its chat, and reads along from then on", async () => {
	const { sharing, waiting, state } = setUp(false);
	await settle();
	expect(sharing.banner).toBeUndefined();
	await waiting[0]?.letGo();
	expect(state.isClosed).toBe(true);
	expect(sharing.banner).toMatchObject({ action: "takeOver" });
});

test("showing another chat ends what was started for the one before", async () => {
	const { sharing, state, session } = setUp(true);
	await settle();
	sharing.begin(session as never, undefined);
	expect(state.isDisposed).toBe(true);
	expect(sharing.banner).toBeUndefined();
	await sharing.takeOver(false);
});

test("L5: a chat whose window has gone is continued without a click, where it is open by then", async () => {
	const { reopened, state, grown, clock } = setUp(true);
	await settle();
	state.hasWriter = false;
	grown.fire({ type: "replaced" });
	// Another window takes it over.
	state.hasWriter = true;
	await clock.advance(60_000);
	expect(reopened).toEqual([]);
	state.hasWriter = false;
	grown.fire({ type: "replaced" });
	await clock.advance(15_000);
	expect(reopened).toEqual(["chat"]);
});

test("L5: a window that reloads finds its chat as it left it, also at its second reload", async () => {
	const { reopened, state, grown, clock } = setUp(true);
	await settle();
	for (const hasWriter of [false, true, false, true]) {
		state.hasWriter = hasWriter;
		grown.fire({ type: "replaced" });
		await clock.advance(5_000);
	}
	state.hasWriter = false;
	grown.fire({ type: "replaced" });
	await clock.advance(14_000);
	expect(reopened).toEqual([]);
});

test("L5: a chat that cannot be opened stays as it was read, and is replaced only on a click", async () => {
	const { sharing, reopened, state, grown, clock } = setUp(true);
	await settle();
	state.isLost = true;
	state.hasWriter = false;
	grown.fire({ type: "replaced" });
	await clock.advance(15_000);
	expect(reopened).toEqual([]);
	expect(sharing.banner).toMatchObject({ action: "takeOver" });
	await sharing.takeOver(false);
	expect(reopened).toEqual([""]);
});

test("L5: a chat that is let go of after another is shown leaves that one as it is", async () => {
	const { sharing, waiting, session } = setUp(false);
	const closed = Promise.withResolvers<void>();
	session.close = () => closed.promise.then(() => undefined);
	const lettingGo = waiting[0]?.letGo();
	sharing.begin({ ...session, id: "other" } as never, undefined);
	closed.resolve();
	await lettingGo;
	expect(sharing.read).toBeUndefined();
	expect(sharing.banner).toBeUndefined();
});

test("L5: a chat that was handed over is not taken back without a click", async () => {
	const { sharing, waiting, reopened, state, grown, clock } = setUp(false);
	await waiting[0]?.letGo();
	state.hasWriter = false;
	grown.fire({ type: "replaced" });
	await clock.advance(60_000);
	expect(reopened).toEqual([]);
	expect(sharing.banner).toMatchObject({ action: "takeOver" });
});

test("L5: a window that has lost its connection for a minute lets go of a chat at rest, and continues it when it is back", async () => {
	const { reopened, state, session, clock, link } = setUp(false);
	await clock.advance(600_000);
	expect(state.isClosed).toBe(false);
	const back = Promise.withResolvers<void>();
	link.up = back.promise;
	session.isBusy = true;
	await clock.advance(600_000);
	expect(state.isClosed).toBe(false);
	session.isBusy = false;
	await clock.advance(10_000);
	expect(state.isClosed).toBe(true);
	state.hasWriter = false;
	await clock.advance(600_000);
	expect(reopened).toEqual([]);
	back.resolve();
	await clock.advance(1_000);
	expect(reopened).toEqual(["chat"]);
});
