import type { Clock } from "../../common/async.ts";
import { Disposable, type IDisposable } from "../../common/disposable.ts";
import { toError } from "../../common/errors.ts";
import type { Log } from "../../common/log.ts";

/** How often a page on screen is asked for a sign of life, in ms. */
const pingPauseMs = 1000;

/** How long a page may take to answer, in ms; with the pause before, a dead page is noticed within 2.5 s. */
const answerPatienceMs = 1500;

/** How long a document may take to ask for its content, in ms: the first one, and one that replaces a page that failed. */
const firstLoadMs = 10_000;
const reloadMs = 5000;

/** How long the window may take to answer before a silent page is asked once more, in ms: both may wait for one process. */
const windowPatienceMs = 400;

/** A page that fails again this soon after it was replaced, in ms, is not replaced again. */
const replacementMs = 60_000;

/** Why a page counts as failed. */
type Failure = "silent" | "blank" | "notLoaded" | "scriptFailed";

type State =
	/** Hidden, closed, or shown as crashed: nobody asks. */
	| { readonly type: "resting" }
	/** A document is expected to ask for its content. */
	| { readonly type: "loading" }
	/** The next ping is due in a while, or one is on its way. */
	| { readonly type: "alive" }
	/** The page failed; whether the window itself answers is being looked at. */
	| { readonly type: "failing" };

/** Page that the watchdog watches. */
export interface WatchedPage {
	/** Asks the page for a sign of life; resolves with whether the window delivered that. */
	ping(beat: number): Promise<boolean>;
	/** Resolves once the window itself has answered, whatever its views do. */
	windowAnswers(): Promise<unknown>;
	/** Gives the view a fresh frame with a fresh document. */
	replace(): Promise<unknown>;
	/** Says that the page stopped working and offers Reload. */
	showCrashed(): void;
}

/**
 * Watches the chat view's page while it is shown: a page that is dead, blank or does not load is replaced once, and one that
 * fails again within a minute is shown as crashed, with Reload. Fault L4.
 */
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

	/** A document was written into a view on screen. */
	shown(): void {
		this.enter({ type: "loading" });
		this.after(this.wasReplaced() ? reloadMs : firstLoadMs, () => this.fail("notLoaded"));
	}

	/** The view was hidden or closed. */
	hidden(): void {
		this.enter({ type: "resting" });
	}

	/** The page asked for its content. */
	loaded(): void {
		this.keepAlive();
	}

	/** The page answered a ping; `isShown` is false when its document was emptied. */
	answered(isShown: boolean): void {
		if (!isShown) {
			this.fail("blank");
		} else if (this.state.type !== "loading") {
			this.keepAlive();
		}
	}

	/** The page's script could not be loaded, or failed before it showed anything. */
	scriptFailed(): void {
		this.fail("scriptFailed");
	}

	/** Replaces the page because the user asked for it. */
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

	private keepAlive(): void {
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
			// It was hidden or closed, or it answered after all.
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
