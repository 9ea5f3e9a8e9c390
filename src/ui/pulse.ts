import { assertNever } from "../common/assertNever.ts";

/** Where the page stands. Times are milliseconds of a clock that only grows. */
type Phase =
	/** Hidden, closed, or given up: nobody asks. */
	| { readonly type: "resting" }
	/** The page is to be made anew. `until` is known once that is under way: whether it is needed is looked at first. */
	| { readonly type: "reviving"; readonly since: number; readonly until: number | undefined }
	/** A document was made and has until then to ask for its content, or its frame to take a word. */
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
	/** Whether a frame was asked for that has taken no word yet. */
	readonly awaitsFrame: boolean;
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
	awaitsFrame: false,
	revivals: [],
};

/** When the next `due` event is wanted; infinity when nothing is waited for. */
export function dueAt({ phase }: Pulse): number {
	switch (phase.type) {
		case "resting":
			return Number.POSITIVE_INFINITY;
		case "loading":
			return phase.until;
		case "waiting":
			return phase.pingAt;
		case "reviving":
		case "asked":
			return phase.until ?? Number.POSITIVE_INFINITY;
		default:
			return assertNever(phase);
	}
}
