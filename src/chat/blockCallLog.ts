import type { LedgerEntry, ToolLedger } from "../tools/tool/toolLedger.ts";
import type { Conversation } from "./conversation.ts";
import type { BlockCall, ToolEnd } from "./turn/toolRecord.ts";

/**
 * Keeps what a user had done with code blocks, so that its cards are there after a reload (U17, U18). Once the chat is
 * closed, ends are not taken any more and nothing begins.
 */
export class BlockCallLog implements ToolLedger {
	private readonly conversation: Conversation;
	private readonly isClosed: () => boolean;

	constructor(conversation: Conversation, isClosed: () => boolean) {
		this.conversation = conversation;
		this.isClosed = isClosed;
	}

	/** Takes a click; its call has not been judged yet. */
	add(call: BlockCall): void {
		if (!this.isClosed()) {
			this.conversation.addBlockCall(call);
		}
	}

	begin(entry: LedgerEntry): Promise<void> {
		return this.conversation.beginTool(entry);
	}

	/** Takes the end of a call. */
	end(end: ToolEnd): void {
		if (!this.isClosed()) {
			this.conversation.endTool(end);
		}
	}
}
