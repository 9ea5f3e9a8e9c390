import type { ChatPushes, ChatRequests } from "../../shared/index.ts";
import type { WebviewHost } from "../webview/index.ts";

/** What the page is to do once it shows its chat, in this order. */
export interface PendingPageCommands {
	/** Words for the composer. */
	words: string[];
	/** Whether the cursor goes into the composer. */
	focus: boolean;
	/** The turn to go to. */
	turn: string | undefined;
}

/** Tells the page; what it was told is no wish any more. */
export async function flushPageCommands(
	wishes: PendingPageCommands,
	host: Pick<WebviewHost<ChatRequests, ChatPushes>, "push"> | undefined,
): Promise<void> {
	wishes.focus = false;
	for (const text of wishes.words.splice(0)) {
		void host?.push("fillComposer", { text });
	}
	await host?.push("focusComposer", {});
	if (wishes.turn !== undefined) {
		void host?.push("showTurn", { turnId: wishes.turn });
		wishes.turn = undefined;
	}
}
