import type * as z from "zod/mini";
import type { ChatPushes, ChatRequests } from "../../shared/chat.ts";
import type { WebviewHost } from "../webview/webviewHost.ts";

/** A turn to go to; with `isAsking` what it asks is brought into sight. */
type ShownTurn = z.infer<ChatPushes["showTurn"]>;

/** Commands for the page once it shows its chat, in this order. */
export interface PendingPageCommands {
	/** Words for the composer. */
	words: string[];
	/** Whether the cursor goes into the composer. */
	focus: boolean;
	/** The turn to go to, or what it asks. */
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
