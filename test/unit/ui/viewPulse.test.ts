import { expect, test } from "vitest";
import { dueAt, type Pulse, restingPulse } from "../../../src/ui/pulse.ts";
import type { PulseEvent } from "../../../src/ui/pulseEvents.ts";
import { stepPulse } from "../../../src/ui/viewPulse.ts";

/** What a series of events makes of a pulse, and every action on the way. */
function run(...events: readonly PulseEvent[]) {
	let pulse: Pulse = restingPulse;
	const actions = events.flatMap(event => {
		const { action, pulse: next } = stepPulse(pulse, event);
		pulse = next;
		return action === undefined || action.type === "reach" ? [] : action;
	});
	return { pulse, actions };
}

const loaded: readonly PulseEvent[] = [
	{ type: "shown", at: 0 },
	{ type: "loaded", at: 100 },
	{ type: "sent", at: 100, characters: 0 },
];
const asked: readonly PulseEvent[] = [...loaded, { type: "due", at: 300 }];

test("the first document may take ten seconds, the next ones a few times what the last took", () => {
	expect(dueAt(run({ type: "shown", at: 0 }).pulse)).toBe(10_000);
	expect(dueAt(run(...loaded, { type: "shown", at: 5000 }).pulse)).toBe(6000);
});

test("the time to answer counts from when the window has taken the ping", () => {
	expect(run(...asked).actions).toEqual([{ type: "ping", beat: 1 }]);
	expect(dueAt(run(...asked).pulse)).toBe(Number.POSITIVE_INFINITY);
	expect(dueAt(run(...asked, { type: "delivered", at: 900, beat: 1 }).pulse)).toBe(2900);
});

test("a page that text flows into may be silent for less once it has answered three times", () => {
	const beats = (count: number): readonly PulseEvent[] =>
		Array.from({ length: count }, (_, index) => {
			const [at, beat] = [300 + 200 * index, index + 1];
			return [
				{ type: "due", at },
				{ type: "delivered", at, beat },
				{ type: "answered", at: at + 5, beat, isShown: true },
			] satisfies PulseEvent[];
		}).flat();
	const patienceAfter = (count: number): number => {
		const events: readonly PulseEvent[] = [
			...loaded,
			...beats(count),
			{ type: "sent", at: 2000, characters: 0 },
			{ type: "due", at: 2200 },
			{ type: "delivered", at: 2200, beat: count + 1 },
		];
		return dueAt(run(...events).pulse) - 2200;
	};
	expect([2, 3].map(patienceAfter)).toEqual([2000, 350]);
});

test("a page in which a script broke off is asked at once and given less time; one that answers is left as it is", () => {
	const calm: readonly PulseEvent[] = [...loaded, { type: "erred", at: 110 }];
	expect(dueAt(run(...calm).pulse)).toBe(160);
	const delivered: readonly PulseEvent[] = [
		...calm,
		{ type: "due", at: 160 },
		{ type: "delivered", at: 165, beat: 1 },
	];
	expect(dueAt(run(...delivered).pulse)).toBe(465);
	expect(run(...delivered, { type: "due", at: 465 }).actions.at(-1)).toMatchObject({
		type: "revive",
		reason: "scriptFailed",
	});
	const answered: PulseEvent = { type: "answered", at: 170, beat: 1, isShown: true };
	expect(run(...delivered, answered).actions).toHaveLength(1);
});

test("an error while a ping is out shortens the wait for its answer, and never lengthens it", () => {
	const delivered: readonly PulseEvent[] = [...asked, { type: "delivered", at: 310, beat: 1 }];
	expect(dueAt(run(...delivered, { type: "erred", at: 320 }).pulse)).toBe(620);
	expect(dueAt(run(...delivered, { type: "erred", at: 2200 }).pulse)).toBe(2310);
});

test("a timer that comes late begins the wait anew: the host was busy, and the answer may lie behind it", () => {
	const late: readonly PulseEvent[] = [
		...asked,
		{ type: "delivered", at: 310, beat: 1 },
		{ type: "due", at: 4000 },
	];
	expect(run(...late).actions).toHaveLength(1);
	expect(dueAt(run(...late).pulse)).toBe(6000);
	expect(run(...late, { type: "due", at: 6005 }).actions.at(-1)).toEqual({
		type: "revive",
		way: "replace",
		reason: "silent",
		silentMs: 5705,
	});
});

/** A page that fell silent, in whose place VS Code makes a frame. */
const replaced: readonly PulseEvent[] = [
	...asked,
	{ type: "delivered", at: 300, beat: 1 },
	{ type: "due", at: 2300 },
	{ type: "ordered", at: 2340, way: "replace" },
	{ type: "hidden", at: 2350 },
	{ type: "shown", at: 2400 },
];

test("every frame is sent a word, and one made in place of another has half a second to take it", () => {
	expect(stepPulse(restingPulse, { type: "shown", at: 0 }).action).toEqual({ type: "reach" });
	expect(dueAt(run(...replaced).pulse)).toBe(2900);
	expect(run(...replaced, { type: "due", at: 2900 }).actions.at(-1)).toMatchObject({
		reason: "unreached",
		way: "changeView",
	});
	const { pulse } = run(...replaced, { type: "loaded", at: 2700 }, { type: "shown", at: 5000 });
	expect(dueAt(pulse)).toBe(6200);
	const hidden: PulseEvent = { type: "hidden", at: 2500 };
	expect(dueAt(run(...replaced, hidden, { type: "shown", at: 90_000 }).pulse)).toBe(91_000);
});

test("a page that is to be made anew is not found guilty of more while its window is asked", () => {
	const guilty = run(...asked, { type: "delivered", at: 300, beat: 1 }, { type: "due", at: 2300 });
	expect(dueAt(guilty.pulse)).toBe(Number.POSITIVE_INFINITY);
	const { pulse } = stepPulse(guilty.pulse, { type: "ordered", at: 9000, way: "redraw" });
	expect(dueAt(pulse)).toBe(10_000);
	const late = stepPulse(pulse, { type: "due", at: 12_000 });
	expect(late.action).toBeUndefined();
	expect(dueAt(late.pulse)).toBe(13_000);
	expect(stepPulse(late.pulse, { type: "due", at: 13_000 }).action).toMatchObject({
		reason: "notLoaded",
	});
});

test("a frame that took a word is given the time its page needs to load, and replaced when it is over", () => {
	const reached: readonly PulseEvent[] = [...replaced, { type: "reached", at: 2500 }];
	expect(dueAt(run(...reached).pulse)).toBe(3400);
	expect(run(...reached, { type: "due", at: 3400 }).actions.at(-1)).toMatchObject({
		reason: "notLoaded",
		way: "replace",
	});
});

test("a frame whose page says that its script is missing has taken a word", () => {
	const { pulse } = run(...replaced, { type: "scriptFailed", at: 2500 });
	expect(stepPulse(pulse, { type: "due", at: dueAt(pulse) }).action).toMatchObject({
		reason: "notLoaded",
	});
});

test("a frame that is excused for not taking a word is waited for again, and not asked for an answer", () => {
	const events: readonly PulseEvent[] = [
		...replaced,
		{ type: "due", at: 2900 },
		{ type: "excused", at: 2910, reason: "unreached" },
	];
	expect(dueAt(run(...events).pulse)).toBe(3410);
	expect(run(...events, { type: "due", at: 3410 }).actions.at(-1)).toMatchObject({
		reason: "unreached",
	});
	expect(dueAt(run(...events, { type: "reached", at: 3000 }).pulse)).toBe(3910);
});

test("the answer to an older ping, or to none, changes nothing", () => {
	const { pulse } = run(...asked);
	expect(stepPulse(pulse, { type: "answered", at: 310, beat: 0, isShown: true }).pulse).toBe(pulse);
	expect(stepPulse(pulse, { type: "delivered", at: 310, beat: 0 }).pulse).toBe(pulse);
});

test("nothing wakes a view that is hidden but being shown, or a person's word", () => {
	const excused = { type: "excused", reason: "silent" } as const;
	const types = ["due", "scriptFailed", "erred", "loaded", "reached"] as const;
	for (const event of [...types.map(type => ({ type })), excused]) {
		const events: readonly PulseEvent[] = [
			{ type: "hidden", at: 200 },
			{ ...event, at: 300 },
		];
		expect(run(...loaded, ...events).pulse.phase).toEqual({ type: "resting" });
	}
	expect(run({ type: "asked", at: 0 }).actions).toHaveLength(1);
});

test("three new pages a minute are the most; a minute later there are three more", () => {
	const died = (at: number): PulseEvent[] => [
		{ type: "shown", at },
		{ type: "answered", at: at + 1, beat: 0, isShown: false },
	];
	const first = [...died(0), ...died(10), ...died(20), ...died(30)];
	expect(run(...first).actions.map(({ type }) => type)).toEqual([
		"revive",
		"revive",
		"revive",
		"giveUp",
	]);
	expect(run(...first, ...died(61_000)).actions.at(-1)?.type).toBe("revive");
});

test("a script that cannot be loaded is asked for at once, after a second, after five, and then no more", () => {
	const failed = (at: number): PulseEvent => ({ type: "scriptFailed", at });
	const due = (at: number): PulseEvent => ({ type: "due", at });
	const events = [
		...loaded.slice(0, 1),
		failed(100),
		failed(200),
		due(1200),
		failed(1300),
		due(6300),
		failed(6400),
	];
	const { actions } = run(...events);
	expect(actions.map(({ type }) => type)).toEqual(["revive", "revive", "revive", "giveUp"]);
	expect(dueAt(run(...events.slice(0, 3)).pulse)).toBe(1200);
	expect(dueAt(run(...events.slice(0, 5)).pulse)).toBe(6300);
});
