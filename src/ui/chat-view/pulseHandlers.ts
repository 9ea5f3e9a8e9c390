import type { Log } from "../../common/log.ts";
import type { pulseRequests } from "../../shared/pulse.ts";
import type { RequestHandlers } from "../../shared/rpc.ts";
import type { ChatWatchdog } from "./chatWatchdog.ts";
import type { PageFocus } from "./pageFocus.ts";

/** Handlers of what the page says about itself; `noteWriting` learns whether the cursor is in its message box. */
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
				// A page that dies before the next pong had the cursor, too.
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
