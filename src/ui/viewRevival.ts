import { type Clock, delay } from "../common/async.ts";
import { Disposable, type IDisposable } from "../common/disposable.ts";
import { toError } from "../common/errors.ts";
import type { Log } from "../common/log.ts";
import type { PulseAction, PulseEvent, RevivalReason } from "./pulseEvents.ts";
import { dueAt, type Pulse, restingPulse } from "./pulse.ts";
import { stepPulse } from "./viewPulse.ts";

/** A view that can be made anew while it is shown. */
export interface RevivableView {
	/** Asks the page for a sign; resolves with whether the window handed that on. */
	ping(beat: number): Promise<boolean>;
	/** Sends the view's frame a word that means nothing; resolves with whether it was taken, once it was. */
	reach(): Promise<boolean>;
	/** Resolves once the window itself has answered, whatever its views do. */
	windowAnswers(): Promise<unknown>;
	/** Which share of the machine's processors was idle since this was last asked, from 0 to 1. */
	idleShare(): number;
	/** Writes a new document into the view's frame. */
	redraw(): unknown;
	/** Has VS Code make a new frame for the view. */
	replace(): Promise<unknown>;
	/** Has VS Code make a frame in another process, which takes another view. */
	changeView(): Promise<unknown>;
	/** Shows that the view is not opened again by itself, and how a person opens it. */
	giveUp(): void;
}

/** How long the window may take to answer before its page is excused, in ms. */
const windowPatienceMs = 400;

/** How long a silent page's answer may take behind that of its window, which may have held it up until then, in ms. */
const lateAnswerMs = 50;

/** With less than this share of the processors idle, a page that is silent may merely wait for its turn. */
const crowdedIdleShare = 0.15;

/**
 * How long a page is excused because the machine is crowded, in ms. With what it was silent for before, that is twice what the
 * slowest of 1745 answers took at a load of nine for each processor.
 */
const crowdedPatienceMs = 600;

/** An event without its time, which is the moment it is told. */
type Happening = PulseEvent extends infer Event
	? Event extends PulseEvent
		? Omit<Event, "at">
		: never
	: never;

/**
 * Watches one view's page and makes it anew when it is dead, blank or never came up, at most three times a minute. What the rules
 * are is in `viewPulse`; here is the clock, and what carries them out.
 */
export class ViewRevival extends Disposable {
	private readonly view: RevivableView;
	private readonly clock: Clock;
	private readonly log: Log;
	private pulse: Pulse = restingPulse;
	private timer: IDisposable | undefined;
	/** When the page last answered a ping. */
	private answeredAt = Number.NEGATIVE_INFINITY;
	/** Since when the page has given no sign on a crowded machine. */
	private crowdedSince: number | undefined;

	constructor(view: RevivableView, clock: Clock, log: Log) {
		super();
		this.view = view;
		this.clock = clock;
		this.log = log;
		this.register({ dispose: () => this.timer?.dispose() });
	}

	/** Says what happened to the page. */
	tell(happening: Happening): void {
		if (this.isDisposed) {
			return;
		}
		if (happening.type === "answered" || happening.type === "loaded") {
			this.crowdedSince = undefined;
		}
		if (happening.type === "answered") {
			this.answeredAt = this.clock.monotonic();
		}
		const { pulse, action } = stepPulse(this.pulse, { ...happening, at: this.clock.monotonic() });
		this.pulse = pulse;
		this.arm();
		if (action) {
			void this.carryOut(action);
		}
	}

	private arm(): void {
		this.timer?.dispose();
		const due = dueAt(this.pulse);
		this.timer = Number.isFinite(due)
			? this.clock.setTimer(Math.max(0, due - this.clock.monotonic()), () =>
					this.tell({ type: "due" }),
				)
			: undefined;
	}

	private async carryOut(action: PulseAction): Promise<void> {
		try {
			switch (action.type) {
				case "ping":
					this.view.idleShare();
					if (await this.view.ping(action.beat)) {
						this.tell({ type: "delivered", beat: action.beat });
					}
					return;
				case "reach":
					this.view.idleShare();
					if (await this.view.reach()) {
						this.tell({ type: "reached" });
					}
					return;
				case "revive":
					return await this.revive(action);
				case "giveUp":
					this.log.error("The chat view died too often and is not made anew", {
						reason: action.reason,
					});
					this.view.giveUp();
					return;
			}
		} catch (error) {
			this.log.error("The chat view could not be made anew", { error: toError(error).message });
		}
	}

	private async revive({
		way,
		reason,
		silentMs,
	}: Extract<PulseAction, { type: "revive" }>): Promise<void> {
		const askedAt = this.clock.monotonic();
		const { phase } = this.pulse;
		await this.view.windowAnswers();
		const windowMs = this.clock.monotonic() - askedAt;
		if (reason === "silent") {
			await delay(lateAnswerMs, undefined, this.clock);
		}
		if (this.pulse.phase !== phase) {
			// It was hidden, closed or found guilty of something else meanwhile.
			return;
		}
		const hasAnswered = reason === "silent" && this.answeredAt >= askedAt;
		const isExcused = hasAnswered || windowMs > windowPatienceMs || this.isCrowded(reason);
		if (isExcused && reason !== "asked") {
			this.log.info("The machine was busy; its chat view is given more time", { windowMs });
			this.tell({ type: "excused", reason });
			return;
		}
		this.crowdedSince = undefined;
		this.log.warn("The chat view is made anew", { reason, way, silentMs: Math.round(silentMs) });
		this.tell({ type: "ordered", way });
		await this.view[way]();
	}

	/** Whether a page that gave no sign is excused because the processors had no time for it, as while a video is rendered. */
	private isCrowded(reason: RevivalReason): boolean {
		if (
			(reason !== "silent" && reason !== "unreached") ||
			this.view.idleShare() >= crowdedIdleShare
		) {
			return false;
		}
		const now = this.clock.monotonic();
		this.crowdedSince ??= now;
		return now - this.crowdedSince < crowdedPatienceMs;
	}
}
