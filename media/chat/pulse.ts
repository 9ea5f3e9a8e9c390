import type { ChatPushes, ChatRequests } from "../../src/shared/chat.ts";
import { maxErrorCharacters } from "../../src/shared/pulse.ts";
import type { Host } from "../shared/host.ts";

/**
 * Answers every `ping` at once, with whether the page still shows its parts: an emptied document has a script that runs
 * and nothing to see. There is no timer here, because a page that is not on screen has its timers slowed down.
 */
export function answerPings(
	host: Pick<Host<ChatRequests, ChatPushes>, "on" | "call">,
	root: HTMLElement,
	isLoaded: () => boolean,
): void {
	host.on("ping", ({ beat }) => {
		// The host makes a view again that did not answer; there is nobody else to tell.
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

/** Says whether the keys go to the page, and to its message box, whenever that changes. */
export function reportFocus(
	host: Pick<Host<ChatRequests, ChatPushes>, "call">,
	root: HTMLElement,
): void {
	const tell = (): void => {
		host
			.call("focusMoved", { hasFocus: document.hasFocus(), isWriting: isWriting(root) })
			// Without it a key of ours is not heard; there is nobody else to tell.
			.catch(() => undefined);
	};
	// Of the elements in the page, too: their events are met on the way down alone.
	window.addEventListener("focus", tell, true);
	window.addEventListener("blur", tell);
	if (document.hasFocus()) {
		tell();
	}
}

/** Tells why a message is shown as plain text. */
export function reportUnformatted(
	host: Pick<Host<ChatRequests, ChatPushes>, "call">,
	error: unknown,
): void {
	const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
	// The message says by itself that it is not formatted; there is nobody else to tell.
	host
		.call("messageNotFormatted", { error: text.slice(0, maxErrorCharacters) })
		.catch(() => undefined);
}
