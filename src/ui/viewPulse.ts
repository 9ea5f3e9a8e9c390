import { assertNever } from "../common/assertNever.ts";
import { dueAt, type Pulse } from "./pulse.ts";
import type { PulseAction, PulseEvent, RevivalReason, RevivalWay } from "./pulseEvents.ts";
import {
	beatPause,
	erredPause,
	excusedAnswerMs,
	isErred,
	loadAllowance,
	patience,
	reachPatienceMs,
	scriptPause,
	workAllowance,
} from "./viewPatience.ts";

/** A timer that comes this late, in ms, shows that the host itself was busy, and answers may wait behind it. */
const latenessMs = 150;

/** At most three new pages a minute: one that dies more often is not helped by a fourth. */
const minuteMs = 60_000;
const revivalsPerMinute = 3;

/** What an event makes of the pulse, and what is to be done about it. */
export function stepPulse(
	pulse: Pulse,
	event: PulseEvent,
): { readonly pulse: Pulse; readonly action?: PulseAction } {
	const { at } = event;
	switch (event.type) {
		case "shown":
			return { pulse: load(pulse, at), action: { type: "reach" } };
		case "reached":
			return { pulse: noteReached(pulse, at) };
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
		case "ordered":
			return { pulse: noteOrder(pulse, at, event.way) };
		case "excused":
			return { pulse: excuse(pulse, at, event.reason) };
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
	// A frame that is there long after it was asked for is another one, made because the view was hidden in between.
	const awaitsFrame = pulse.awaitsFrame && recent(pulse, at).length > 0;
	const until = at + (awaitsFrame ? reachPatienceMs : loadMs(pulse, at));
	const phase = { type: "loading", since: at, until } as const;
	return { ...pulse, awaitsFrame, answers: 0, workMs: 0, phase };
}

function noteReached(pulse: Pulse, at: number): Pulse {
	const { phase } = pulse;
	const next = { ...pulse, awaitsFrame: false };
	return phase.type === "loading" && pulse.awaitsFrame
		? { ...next, phase: { ...phase, until: phase.since + loadMs(pulse, at) } }
		: next;
}

function noteLoaded(pulse: Pulse, at: number): Pulse {
	const { phase } = pulse;
	const lastLoadMs = phase.type === "loading" ? at - phase.since : pulse.loadMs;
	return phase.type === "resting"
		? pulse
		: {
				...pulse,
				awaitsFrame: false,
				loadMs: lastLoadMs,
				phase: { type: "waiting", pingAt: at + beatMs(pulse, at) },
			};
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
	switch (phase.type) {
		case "loading":
			return load(pulse, at);
		case "reviving":
			return { ...pulse, phase: { ...phase, until: at + loadMs(pulse, at) } };
		case "asked":
			return { ...pulse, phase: { ...phase, until: at + patienceMs(pulse, at) } };
		default:
			return pulse;
	}
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
	// A page that says so has a frame.
	return { pulse: { ...pulse, awaitsFrame: false, phase: { type: "loading", since: at, until } } };
}

function noteOrder(pulse: Pulse, at: number, way: RevivalWay): Pulse {
	const { phase } = pulse;
	return phase.type === "reviving"
		? {
				...pulse,
				awaitsFrame: way !== "redraw",
				phase: { ...phase, until: at + loadMs(pulse, at) },
			}
		: pulse;
}

/** Asks the page once more, whatever it was found guilty of, or waits once more for one that is not there yet. */
function excuse(pulse: Pulse, at: number, reason: RevivalReason): Pulse {
	if (pulse.phase.type !== "reviving") {
		return pulse;
	}
	const slowestMs = Math.max(pulse.slowestMs, excusedAnswerMs);
	const excused = { ...pulse, slowestMs, revivals: pulse.revivals.slice(0, -1) };
	return reason === "notLoaded" || reason === "unreached"
		? load(excused, at)
		: { ...excused, phase: { type: "waiting", pingAt: at } };
}

function act(pulse: Pulse, at: number): { readonly pulse: Pulse; readonly action?: PulseAction } {
	const { phase } = pulse;
	switch (phase.type) {
		case "resting":
			return { pulse };
		case "loading":
			return revive(pulse, at, pulse.awaitsFrame ? "unreached" : "notLoaded");
		case "reviving":
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
	const way = wayOf(reason);
	const silentMs = "since" in phase ? at - phase.since : 0;
	return {
		pulse: {
			...pulse,
			revivals: [...revivals, at],
			phase: { type: "reviving", since: at, until: undefined },
		},
		action: { type: "revive", way, reason, silentMs },
	};
}

/** How a page is made anew, for this reason. */
function wayOf(reason: RevivalReason): RevivalWay {
	switch (reason) {
		case "unreached":
			return "changeView";
		case "silent":
		case "notLoaded":
			// One that falls silent without a word has as a rule lost its process, and with it the frame; one that never came up may
			// have a frame that never did. Nothing can be written into either.
			return "replace";
		case "blank":
		case "scriptFailed":
		case "asked":
			return "redraw";
		default:
			return assertNever(reason);
	}
}

function recent({ revivals }: Pulse, at: number): readonly number[] {
	return revivals.filter(time => time > at - minuteMs);
}

function loadMs(pulse: Pulse, at: number): number {
	return loadAllowance(pulse.loadMs, recent(pulse, at).length);
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
