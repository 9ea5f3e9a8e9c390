import type { Clock } from "../../common/async.ts";
import { Disposable, type IDisposable } from "../../common/disposable.ts";
import { toError } from "../../common/errors.ts";
import type { Log } from "../../common/log.ts";
import type { pulseRequests } from "../../shared/pulse.ts";
import type { RequestHandlers } from "../../shared/rpc.ts";
import type { PageFocus } from "./pageFocus.ts";

const pingPauseMs = 1000;

/** How long a page may take to answer, in ms. Including the interval, a dead page is detected within 2.5 s. */
const answerPatienceMs = 1500;

/** How long a document may take to request its content, in ms: the first one, and one that replaces a failed page. */
const firstLoadMs = 10_000;
const reloadMs = 5000;

/** How long the window may take to answer before a silent page gets another ping, in ms, because both may wait for the same process. */
const windowPatienceMs = 400;

/** A page that fails again within this time after it was replaced, in ms, isn't replaced again. */
const replacementMs = 60_000;

type Failure = "silent" | "blank" | "notLoaded" | "scriptFailed";

type State =
	/** Hidden, closed, or shown as crashed: no pings. */
	| { readonly type: "resting" }
	/** Waiting for a document to request its content. */
	| { readonly type: "loading" }
	/** The next ping is scheduled or pending. */
	| { readonly type: "alive" }
	/** The page failed; checking whether the window itself answers. */
	| { readonly type: "failing" };

export interface WatchedPage {
	/** Sends a ping. Resolves to whether the window delivered it. */
	ping(beat: number): Promise<boolean>;
	/** Resolves when the window itself has answered, regardless of its views. */
	windowAnswers(): Promise<unknown>;
	replace(): Promise<unknown>;
	/** Shows that the page stopped working and offers Reload. */
	showCrashed(): void;
}

/** Monitors the shown page. Replaces one that is dead, blank or doesn't load; within a minute of that, shows it as crashed. */
export class ChatWatchdog extends Disposable {
	private readonly page: WatchedPage;
	private readonly clock: Clock;
	private readonly log: Log;
	private state: State = { type: "resting" };
	private timer: IDisposable | undefined;
	private beat = 0;
	private replacedAt = Number.NEGATIVE_INFINITY;

	constructor(page: WatchedPage, clock: Clock, log: Log) {
		super();
		this.page = page;
		this.clock = clock;
		this.log = log;
		this.register({ dispose: () => this.enter({ type: "resting" }) });
	}

	/** Called when a document was rendered in a visible view. */
	shown(): void {
		this.enter({ type: "loading" });
		this.after(this.wasReplaced() ? reloadMs : firstLoadMs, () => this.fail("notLoaded"));
	}

	hidden(): void {
		this.enter({ type: "resting" });
	}

	/** Called when the page answered a ping. `isShown` is false if its document was emptied. */
	answered(isShown: boolean): void {
		if (!isShown) {
			this.fail("blank");
		} else if (this.state.type !== "loading") {
			this.keepAlive();
		}
	}

	/** Called when the page's script failed to load, or failed before it showed anything. */
	scriptFailed(): void {
		this.fail("scriptFailed");
	}

	async reload(): Promise<void> {
		this.replacedAt = Number.NEGATIVE_INFINITY;
		await this.page.replace();
	}

	private enter(state: State): void {
		this.timer?.dispose();
		this.timer = undefined;
		this.state = state;
	}

	private after(ms: number, then: () => void): void {
		this.timer?.dispose();
		this.timer = this.isDisposed ? undefined : this.clock.setTimer(ms, then);
	}

	/** Called when the page has requested its content, or answered. */
	keepAlive(): void {
		if (this.state.type !== "resting") {
			this.enter({ type: "alive" });
			this.after(pingPauseMs, () => void this.ask());
		}
	}

	private async ask(): Promise<void> {
		this.beat += 1;
		const asked: State = { type: "alive" };
		this.enter(asked);
		const isDelivered = await this.page.ping(this.beat);
		if (this.state === asked) {
			this.after(isDelivered ? answerPatienceMs : pingPauseMs, () =>
				isDelivered ? this.fail("silent") : void this.ask(),
			);
		}
	}

	private wasReplaced(): boolean {
		return this.clock.monotonic() - this.replacedAt < replacementMs;
	}

	private fail(reason: Failure): void {
		if (this.state.type === "resting" || this.state.type === "failing") {
			return;
		}
		void this.recover(reason).catch((error: unknown) =>
			this.log.error("The chat view could not be replaced", { error: toError(error).message }),
		);
	}

	private async recover(reason: Failure): Promise<void> {
		const failing: State = { type: "failing" };
		this.enter(failing);
		const askedAt = this.clock.monotonic();
		await this.page.windowAnswers();
		if (this.state !== failing) {
			// It was hidden or closed, or has answered.
			return;
		}
		const isWindowBusy = this.clock.monotonic() - askedAt > windowPatienceMs;
		if (isWindowBusy && reason === "notLoaded") {
			this.shown();
		} else if (isWindowBusy && reason === "silent") {
			this.keepAlive();
		} else if (this.wasReplaced()) {
			this.log.error("The chat view failed again", { reason });
			this.enter({ type: "resting" });
			this.page.showCrashed();
		} else {
			this.log.warn("The chat view is replaced", { reason });
			this.replacedAt = this.clock.monotonic();
			await this.page.replace();
		}
	}
}

/** Creates the handlers of the page's messages about itself. `noteWriting` receives whether the composer is focused. */
export function pulseHandlers(
	watchdog: ChatWatchdog,
	focus: Pick<PageFocus, "note" | "take">,
	log: Log,
	noteWriting: (isWriting: boolean) => void,
): RequestHandlers<typeof pulseRequests> {
	return {
		pong: ({ isShown, isWriting }) => {
			if (isShown) {
				noteWriting(isWriting);
			}
			watchdog.answered(isShown);
		},
		focusMoved: ({ hasFocus, isWriting }) => {
			focus.note(hasFocus);
			if (isWriting) {
				// Remembered in case the page dies before the next pong.
				noteWriting(true);
			}
		},
		messageNotFormatted: ({ error }) => log.error("A message could not be formatted", { error }),
		scriptFailed: () => watchdog.scriptFailed(),
	};
}
