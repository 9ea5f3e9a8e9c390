import type { RequestNotice } from "../../client/contract/events.ts";
import { type Clock, every } from "../../common/async.ts";
import type { IDisposable } from "../../common/disposable.ts";
import { noticeMessage } from "./turnStatus.ts";

/** Shows notices to the waiting user. Those that count seconds are updated every second. */
export class NoticeTicker implements IDisposable {
	private readonly clock: Clock;
	private readonly say: (sentence: string | undefined) => void;
	private ticking: IDisposable | undefined;
	private shown: string | undefined;
	private notice: RequestNotice | undefined;
	/** When the subject of the notice started. */
	private start = 0;

	/** Passes each message to `say`, or undefined when it no longer applies. */
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

	/** Removes the shown notice, if any. */
	clear(): void {
		this.stop();
		this.update(undefined);
	}

	/** Drops the notice without an update, because a whole status replaces it. */
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
