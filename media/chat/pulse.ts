import type { ChatPushes, ChatRequests } from "../../src/shared/chat.ts";
import { maxErrorCharacters } from "../../src/shared/pulse.ts";
import type { Host } from "../shared/host.ts";

/**
 * Answers every `ping` at once, with whether the page still shows its parts, because the script of an emptied document still runs. Uses no timer,
 * because timers of hidden pages are throttled.
 */
export function answerPings(
	host: Pick<Host<ChatRequests, ChatPushes>, "on" | "call">,
	root: HTMLElement,
	isLoaded: () => boolean,
): void {
	host.on("ping", ({ beat }) => {
		// The host replaces a view that doesn't answer; no other handling is possible.
		host
			.call("pong", { beat, isShown: isShown(root, isLoaded()), isWriting: isWriting(root) })
			.catch(() => undefined);
	});
}

function isShown(root: HTMLElement, isLoaded: boolean): boolean {
	return (
		root.isConnected &&
		root.querySelector("[role=log]") !== null &&
		(!isLoaded || root.querySelector("textarea") !== null)
	);
}

function isWriting(root: HTMLElement): boolean {
	const { activeElement } = document;
	return document.hasFocus() && root.querySelector("textarea") === activeElement;
}

/** Reports changes of the page's and the composer's focus. */
export function reportFocus(
	host: Pick<Host<ChatRequests, ChatPushes>, "call">,
	root: HTMLElement,
): void {
	const tell = (): void => {
		host
			.call("focusMoved", { hasFocus: document.hasFocus(), isWriting: isWriting(root) })
			// If this fails, keybindings don't work; no other handling is possible.
			.catch(() => undefined);
	};
	// In the capture phase, to include elements in the page.
	window.addEventListener("focus", tell, true);
	window.addEventListener("blur", tell);
	if (document.hasFocus()) {
		tell();
	}
}

/** Reports why a message is shown as plain text. */
export function reportUnformatted(
	host: Pick<Host<ChatRequests, ChatPushes>, "call">,
	error: unknown,
): void {
	const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
	// The message itself shows that it isn't formatted; no other handling is possible.
	host
		.call("messageNotFormatted", { error: text.slice(0, maxErrorCharacters) })
		.catch(() => undefined);
}
