import { assertNever } from "../common/assertNever.ts";
import type { PulseAction, PulseEvent, RevivalReason } from "./pulseEvents.ts";
import {
	beatPause,
	erredPause,
	isErred,
	loadAllowance,
	patience,
	scriptPause,
	workAllowance,
} from "./viewPatience.ts";

/** Where the page stands. Times are milliseconds of a clock that only grows. */
type Phase =
	/** Hidden, closed, or given up: nobody asks. */
	| { readonly type: "resting" }
	/** A document was made and has until then to ask for its content. */
	| { readonly type: "loading"; readonly since: number; readonly until: number }
	/** All is well; the next ping is due then. */
	| { readonly type: "waiting"; readonly pingAt: number }
	/** A ping is out. `until` is known once the window has taken it: a window that is busy says nothing about the page. */
	| {
			readonly type: "asked";
			readonly beat: number;
			readonly since: number;
			readonly until: number | undefined;
			/** When the window took it. */
			readonly deliveredAt?: number;
	  };

/** What is known of the page's heartbeat. */
export interface Pulse {
	readonly phase: Phase;
	/** The number of the last ping. */
	readonly beat: number;
	/** How long a page took to load lately, in ms; undefined before the first. */
	readonly loadMs: number | undefined;
	/** How many pings the page has answered since it was made. */
	readonly answers: number;
	/** The slowest answer of late, in ms; it fades with quicker ones. */
	readonly slowestMs: number;
	/** What the page may take, in ms, for work it was sent since it last answered. */
	readonly workMs: number;
	readonly lastWorkAt: number;
	/** When a script of the page last broke off. */
	readonly erredAt: number;
	/** When the page was made anew within the last minute. */
	readonly revivals: readonly number[];
}

/** A page that nobody watches. */
export const restingPulse: Pulse = {
	phase: { type: "resting" },
	beat: 0,
	loadMs: undefined,
	answers: 0,
	slowestMs: 0,
	workMs: 0,
	lastWorkAt: Number.NEGATIVE_INFINITY,
	erredAt: Number.NEGATIVE_INFINITY,
	revivals: [],
};

/** A timer that comes this late, in ms, shows that the host itself was busy, and answers may wait behind it. */
const latenessMs = 150;

/** At most three new pages a minute: one that dies more often is not helped by a fourth. */
const minuteMs = 60_000;
const revivalsPerMinute = 3;

/** When the next `due` event is wanted; infinity when nothing is waited for. */
export function dueAt({ phase }: Pulse): number {
	switch (phase.type) {
		case "resting":
			return Number.POSITIVE_INFINITY;
		case "loading":
			return phase.until;
		case "waiting":
			return phase.pingAt;
		case "asked":
			return phase.until ?? Number.POSITIVE_INFINITY;
		default:
			return assertNever(phase);
	}
}

/** What an event makes of the pulse, and what is to be done about it. */
export function stepPulse(
	pulse: Pulse,
	event: PulseEvent,
): { readonly pulse: Pulse; readonly action?: PulseAction } {
	const { at } = event;
	switch (event.type) {
		case "shown":
			return { pulse: load(pulse, at) };
		case "hidden":
			return { pulse: { ...pulse, phase: { type: "resting" } } };
		case "loaded":
			return { pulse: noteLoaded(pulse, at) };
		case "sent":
			return { pulse: noteWork(pulse, at, event.characters) };
		case "delivered":
			return { pulse: noteDelivery(pulse, at, event.beat) };
		case "answered":
			return event.isShown
				? { pulse: noteAnswer(pulse, at, event.beat) }
				: revive(pulse, at, "blank");
		case "due":
			return at > dueAt(pulse) + latenessMs && pulse.phase.type !== "waiting"
				? { pulse: wait(pulse, at) }
				: act(pulse, at);
		case "excused":
			return { pulse: excuse(pulse, at) };
		case "scriptFailed":
			return retryScript(pulse, at);
		case "erred":
			return { pulse: noteError(pulse, at) };
		case "asked":
			return revive({ ...pulse, revivals: [] }, at, "asked");
		default:
			return assertNever(event);
	}
}

function load(pulse: Pulse, at: number): Pulse {
	const until = at + loadAllowance(pulse.loadMs, recent(pulse, at).length);
	return { ...pulse, answers: 0, workMs: 0, phase: { type: "loading", since: at, until } };
}

function noteLoaded(pulse: Pulse, at: number): Pulse {
	const { phase } = pulse;
	const loadMs = phase.type === "loading" ? at - phase.since : pulse.loadMs;
	return phase.type === "resting"
		? pulse
		: { ...pulse, loadMs, phase: { type: "waiting", pingAt: at + beatMs(pulse, at) } };
}

function noteWork(pulse: Pulse, at: number, characters: number): Pulse {
	const ms = workAllowance(characters);
	const next = { ...pulse, lastWorkAt: at, workMs: pulse.workMs + ms };
	const { phase } = pulse;
	if (phase.type === "waiting") {
		const pingAt = Math.min(phase.pingAt, at + beatPause(0));
		return { ...next, phase: { ...phase, pingAt } };
	}
	return phase.type === "asked" && phase.until !== undefined
		? { ...next, phase: { ...phase, until: phase.until + ms } }
		: next;
}

/** A page in which something breaks is asked soon whether it still runs; one that does has lost nothing by it. */
function noteError(pulse: Pulse, at: number): Pulse {
	const next = { ...pulse, erredAt: at };
	const { phase } = next;
	if (phase.type === "waiting") {
		return { ...next, phase: { ...phase, pingAt: Math.min(phase.pingAt, at + erredPause) } };
	}
	return phase.type === "asked" && phase.until !== undefined
		? { ...next, phase: { ...phase, until: Math.min(phase.until, at + patienceMs(next, at)) } }
		: next;
}

function noteDelivery(pulse: Pulse, at: number, beat: number): Pulse {
	const { phase } = pulse;
	return phase.type === "asked" && phase.beat === beat && phase.until === undefined
		? { ...pulse, phase: { ...phase, deliveredAt: at, until: at + patienceMs(pulse, at) } }
		: pulse;
}

function noteAnswer(pulse: Pulse, at: number, beat: number): Pulse {
	const { phase } = pulse;
	if (phase.type !== "asked" || phase.beat !== beat) {
		return pulse;
	}
	const answeredMs = at - (phase.deliveredAt ?? at);
	const slowestMs = Math.max(answeredMs, 0.8 * pulse.slowestMs);
	const pingAt = at + beatMs(pulse, at);
	const answers = pulse.answers + 1;
	return { ...pulse, answers, slowestMs, workMs: 0, phase: { type: "waiting", pingAt } };
}

/** Begins the wait that is under way anew. */
function wait(pulse: Pulse, at: number): Pulse {
	const { phase } = pulse;
	if (phase.type === "loading") {
		return load(pulse, at);
	}
	return phase.type === "asked"
		? { ...pulse, phase: { ...phase, until: at + patienceMs(pulse, at) } }
		: pulse;
}

/** The first failure is answered at once; a file that is away for longer, as during an update, is waited for. */
function retryScript(
	pulse: Pulse,
	at: number,
): { readonly pulse: Pulse; readonly action?: PulseAction } {
	const { length } = recent(pulse, at);
	if (length === 0 || length >= revivalsPerMinute || pulse.phase.type === "resting") {
		return revive(pulse, at, "scriptFailed");
	}
	const until = at + scriptPause(length);
	return { pulse: { ...pulse, phase: { type: "loading", since: at, until } } };
}

/** Asks the page once more, whatever it was found guilty of. */
function excuse(pulse: Pulse, at: number): Pulse {
	return pulse.phase.type === "resting"
		? pulse
		: { ...pulse, revivals: pulse.revivals.slice(0, -1), phase: { type: "waiting", pingAt: at } };
}

function act(pulse: Pulse, at: number): { readonly pulse: Pulse; readonly action?: PulseAction } {
	const { phase } = pulse;
	switch (phase.type) {
		case "resting":
			return { pulse };
		case "loading":
			return revive(pulse, at, "notLoaded");
		case "asked":
			// What broke off is no matter of how busy the machine is.
			return revive(pulse, at, isErred(at - pulse.erredAt) ? "scriptFailed" : "silent");
		case "waiting": {
			const beat = pulse.beat + 1;
			return {
				pulse: { ...pulse, beat, phase: { type: "asked", beat, since: at, until: undefined } },
				action: { type: "ping", beat },
			};
		}
		default:
			return assertNever(phase);
	}
}

function revive(
	pulse: Pulse,
	at: number,
	reason: RevivalReason,
): { readonly pulse: Pulse; readonly action?: PulseAction } {
	const { phase } = pulse;
	if (phase.type === "resting" && reason !== "asked") {
		return { pulse };
	}
	const revivals = recent(pulse, at);
	if (revivals.length >= revivalsPerMinute) {
		const resting: Pulse = { ...pulse, revivals, phase: { type: "resting" } };
		return { pulse: resting, action: { type: "giveUp", reason } };
	}
	// A page that falls silent without a word has as a rule lost its process, and with it the frame; one that never came up may have
	// a frame that never did. Nothing can be written into either.
	const way = reason === "silent" || reason === "notLoaded" ? "replace" : "redraw";
	const silentMs = "since" in phase ? at - phase.since : 0;
	return {
		pulse: load({ ...pulse, revivals: [...revivals, at] }, at),
		action: { type: "revive", way, reason, silentMs },
	};
}

function recent({ revivals }: Pulse, at: number): readonly number[] {
	return revivals.filter(time => time > at - minuteMs);
}

function beatMs({ lastWorkAt }: Pulse, at: number): number {
	return beatPause(at - lastWorkAt);
}

function patienceMs(pulse: Pulse, at: number): number {
	const { answers, slowestMs, workMs, lastWorkAt, erredAt } = pulse;
	return patience({
		answers,
		slowestMs,
		workMs,
		sinceErrorMs: at - erredAt,
		sinceWorkMs: at - lastWorkAt,
		revivals: recent(pulse, at).length,
	});
}
