import type { LedgerEntry, ToolLedger } from "../tools/tool/toolLedger.ts";
import type { Conversation } from "./conversation.ts";
import type { BlockCall, ToolEnd } from "./turn/toolRecord.ts";

/** Records the user's actions on code blocks, so that their cards remain after a reload. Ignores clicks and ends once the chat is closed. */
export class BlockCallLog implements ToolLedger {
	private readonly conversation: Conversation;
	private readonly isClosed: () => boolean;

	constructor(conversation: Conversation, isClosed: () => boolean) {
		this.conversation = conversation;
		this.isClosed = isClosed;
	}

	/** Records a click. Its call hasn't been checked yet. */
	add(call: BlockCall): void {
		if (!this.isClosed()) {
			this.conversation.addBlockCall(call);
		}
	}

	begin(entry: LedgerEntry): Promise<void> {
		return this.conversation.beginTool(entry);
	}

	end(end: ToolEnd): void {
		if (!this.isClosed()) {
			this.conversation.endTool(end);
		}
	}
}
