import type { ToolLedger } from "../tools/tool/index.ts";
import type { Conversation } from "./conversation.ts";
import type { BlockCall, ToolEnd } from "./turn/index.ts";

/** Keeps what a user had done with code blocks, so that its cards are there after a reload (U17, U18). */
export interface BlockCallLog extends ToolLedger {
	/** Takes a click; its call has not been judged yet. */
	add(call: BlockCall): void;
	/** Takes the end of a call. */
	end(end: ToolEnd): void;
}

/** Makes the log of a conversation; once the chat is closed, ends are not taken any more and nothing begins. */
export function createBlockCallLog(
	conversation: Conversation,
	isClosed: () => boolean,
): BlockCallLog {
	return {
		add: call => {
			if (!isClosed()) {
				conversation.addBlockCall(call);
			}
		},
		begin: entry => conversation.beginTool(entry),
		end: end => {
			if (!isClosed()) {
				conversation.endTool(end);
			}
		},
	};
}
