import type { RequestNotice } from "../../client/index.ts";
import { type Clock, every } from "../../common/async.ts";
import type { IDisposable } from "../../common/disposable.ts";
import { noticeMessage } from "./turnStatus.ts";

/** Shows what a waiting user reads; a countdown is said again every second until something else happens. */
export interface NoticeTicker extends IDisposable {
	show(notice: RequestNotice): void;
	/** Takes the notice back, if one is. */
	clear(): void;
	/** Forgets the notice without a word, because a whole status takes its place. */
	forget(): void;
}

/** Makes a ticker that hands each sentence, or undefined when none is any more, to `say`. */
export function createNoticeTicker(
	clock: Clock,
	say: (sentence: string | undefined) => void,
): NoticeTicker {
	let ticking: IDisposable | undefined;
	let isShown = false;
	const stop = (): void => {
		ticking?.dispose();
		ticking = undefined;
	};
	const update = (sentence: string | undefined): void => {
		isShown = sentence !== undefined;
		say(sentence);
	};
	return {
		show: notice => {
			stop();
			const start = clock.monotonic();
			update(noticeMessage(notice, 0));
			if (notice.type === "retrying") {
				ticking = every(
					1000,
					() => update(noticeMessage(notice, clock.monotonic() - start)),
					clock,
				);
			}
		},
		clear: () => {
			stop();
			if (isShown) {
				update(undefined);
			}
		},
		forget: () => {
			stop();
			isShown = false;
		},
		dispose: stop,
	};
}
