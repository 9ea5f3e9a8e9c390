import { type Clock, throwIfAborted } from "../../common/async.ts";
import { untilAborted } from "../../common/untilAborted.ts";
import type { EditPreview, ToolEffect } from "../tool/index.ts";

/** How long a request is before it can be allowed, in milliseconds, so that no key meant for elsewhere allows it (T14). */
export const armMs = 500;

/** What a user is asked to allow: exactly this, and nothing that changes meanwhile. */
export interface ApprovalRequest {
	/** The call it is for. */
	readonly callId: string;
	readonly tool: { readonly name: string; readonly title: string; readonly effect: ToolEffect };
	readonly summary: string;
	/** The arguments as JSON, with hidden characters made visible (T30). */
	readonly argumentsText: string;
	/** The files concerned, where they really are. */
	readonly files: readonly string[];
	/** What to say aloud: a link that was followed, a file that decides what runs, an address that is added. */
	readonly warnings: readonly string[];
	/** Whether «this chat» may be chosen. */
	readonly canRemember: boolean;
	readonly preview: EditPreview | undefined;
	/** Stands for everything that will happen. An answer counts only for the request whose fingerprint it carries (T13). */
	readonly fingerprint: string;
}

/** What the user said. */
export type ApprovalAnswer =
	| {
			readonly type: "allow";
			readonly fingerprint: string;
			readonly scope: "once" | "chat";
			/** The hunks they took, all when undefined. */
			readonly hunks?: ReadonlySet<number>;
	  }
	| { readonly type: "deny"; readonly reason?: string };

/** Shows a request and waits for the answer. One that goes away unanswered counts as denied. */
export interface Approver {
	ask(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalAnswer>;
}

/** Asks one thing at a time. */
export interface Approvals {
	/** The user's answer to exactly this request. Rejects with `AbortError` when the signal fires first. */
	decide(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalAnswer>;
	/** Whether edits of all these files by this tool were allowed for the chat. */
	isRemembered(chatId: string, tool: string, paths: readonly string[]): boolean;
	remember(chatId: string, tool: string, paths: readonly string[]): void;
}

/** Makes approvals; what is remembered lives no longer than the window. */
export function createApprovals(approver: Approver, clock: Clock): Approvals {
	const remembered = new Set<string>();
	const keyOf = (...parts: readonly string[]): string => JSON.stringify(parts);
	let tail: Promise<unknown> = Promise.resolve();
	const askOnce = async (
		request: ApprovalRequest,
		signal: AbortSignal,
	): Promise<ApprovalAnswer> => {
		for (;;) {
			throwIfAborted(signal);
			const shownAt = clock.monotonic();
			const answer = await untilAborted(approver.ask(request, signal), signal);
			if (answer.type === "deny") {
				return answer;
			}
			if (answer.fingerprint !== request.fingerprint) {
				return { type: "deny", reason: "The answer was for another request." };
			}
			if (clock.monotonic() - shownAt >= armMs) {
				return answer;
			}
		}
	};
	return {
		decide: (request, signal) => {
			const turn = (): Promise<ApprovalAnswer> => askOnce(request, signal);
			const answer = tail.then(turn, turn);
			tail = answer;
			return answer;
		},
		isRemembered: (chatId, tool, paths) =>
			paths.length > 0 && paths.every(path => remembered.has(keyOf(chatId, tool, path))),
		remember: (chatId, tool, paths) =>
			paths.forEach(path => remembered.add(keyOf(chatId, tool, path))),
	};
}
