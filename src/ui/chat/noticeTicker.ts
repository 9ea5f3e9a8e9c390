import type { RequestNotice } from "../../client/contract/events.ts";
import { type Clock, every } from "../../common/async.ts";
import type { IDisposable } from "../../common/disposable.ts";
import { noticeMessage } from "./turnStatus.ts";

/** Shows what a waiting user reads; what counts seconds is updated every second until something else happens. */
export class NoticeTicker implements IDisposable {
	private readonly clock: Clock;
	private readonly say: (sentence: string | undefined) => void;
	private ticking: IDisposable | undefined;
	private shown: string | undefined;
	private notice: RequestNotice | undefined;
	/** When what it is about began. */
	private start = 0;

	/** Makes a ticker that hands each sentence, or undefined when it no longer applies, to `say`. */
	constructor(clock: Clock, say: (sentence: string | undefined) => void) {
		this.clock = clock;
		this.say = say;
	}

	show(notice: RequestNotice): void {
		const isGoingOn =
			notice.type === "progress" &&
			this.notice?.type === "progress" &&
			notice.stage === this.notice.stage;
		if (!isGoingOn) {
			this.stop();
			this.start = this.clock.monotonic();
			if (notice.type === "retrying" || notice.type === "progress") {
				this.ticking = every(1000, () => this.tell(), this.clock);
			}
		}
		this.notice = notice;
		this.tell();
	}

	/** Takes back the notice that is shown, if any. */
	clear(): void {
		this.stop();
		this.update(undefined);
	}

	/** Forgets the notice without a word, because a whole status takes its place. */
	forget(): void {
		this.stop();
		this.shown = undefined;
	}

	dispose(): void {
		this.stop();
	}

	private stop(): void {
		this.ticking?.dispose();
		this.ticking = undefined;
		this.notice = undefined;
	}

	private tell(): void {
		if (this.notice) {
			this.update(noticeMessage(this.notice, this.clock.monotonic() - this.start));
		}
	}

	private update(sentence: string | undefined): void {
		if (sentence !== this.shown) {
			this.shown = sentence;
			this.say(sentence);
		}
	}
}
