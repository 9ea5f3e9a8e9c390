import type * as z from "zod/mini";
import type { ChatPushes, ChatRequests } from "../../shared/chat.ts";
import type { WebviewHost } from "../webview/webviewHost.ts";

/** A turn to scroll to, or its open request if `isAsking`. */
type ShownTurn = z.infer<ChatPushes["showTurn"]>;

/** Commands for the page once it shows its chat, run in this order. */
export interface PendingPageCommands {
	/** Text for the composer. */
	words: string[];
	focus: boolean;
	/** The turn to scroll to, or its open request. */
	turn: ShownTurn | undefined;
}

/** Sends the commands to the page and clears them. */
export async function flushPageCommands(
	pending: PendingPageCommands,
	host: Pick<WebviewHost<ChatRequests, ChatPushes>, "push"> | undefined,
): Promise<void> {
	pending.focus = false;
	for (const text of pending.words.splice(0)) {
		void host?.push("fillComposer", { text });
	}
	await host?.push("focusComposer", {});
	if (pending.turn !== undefined) {
		void host?.push("showTurn", pending.turn);
		pending.turn = undefined;
	}
}
