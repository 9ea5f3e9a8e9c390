import type { Log } from "../../common/log.ts";
import type { pulseRequests } from "../../shared/pulse.ts";
import type { RequestHandlers } from "../../shared/rpc.ts";
import type { ChatWatchdog } from "./chatWatchdog.ts";
import type { PageFocus } from "./pageFocus.ts";

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
			return {};
		},
		focusMoved: ({ hasFocus, isWriting }) => {
			focus.note(hasFocus);
			if (isWriting) {
				// Remembered in case the page dies before the next pong.
				noteWriting(true);
			}
			return {};
		},
		messageNotFormatted: ({ error }) => {
			log.error("A message could not be formatted", { error });
			return {};
		},
		scriptFailed: () => {
			watchdog.scriptFailed();
			return {};
		},
	};
}
