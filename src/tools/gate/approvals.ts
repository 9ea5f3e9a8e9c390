import { type Clock, throwIfAborted } from "../../common/async.ts";
import { untilAborted } from "../../common/untilAborted.ts";
import type { EditPreview } from "../tool/edits.ts";
import type { ToolEffect, ToolPlan } from "../tool/tool.ts";

/** How long a request is shown before it can be allowed, in milliseconds, so that no key meant for elsewhere allows it (T14). */
export const armMs = 500;

/** Request that a user is asked to allow: exactly this, and nothing that changes meanwhile. */
export interface ApprovalRequest {
	/** The call it is for. */
	readonly callId: string;
	readonly tool: { readonly name: string; readonly title: string; readonly effect: ToolEffect };
	readonly summary: string;
	/** The arguments as JSON, with hidden characters made visible (T30). */
	readonly argumentsText: string;
	/** The files concerned, where they really are. */
	readonly files: readonly string[];
	/** Warnings to show: a link that was followed, a file that decides what runs, an address that is added. */
	readonly warnings: readonly string[];
	/** The whole address that is asked, of a visit. */
	readonly address?: string;
	/** Whose tool would be called, of one that is not Cutaway's. */
	readonly external?: ToolPlan["external"];
	/** The video that would be made; its prompt is as the model wrote it. */
	readonly clip?: ToolPlan["clip"];
	/** Whether «this chat» may be chosen. */
	readonly canRemember: boolean;
	readonly preview: EditPreview | undefined;
	/** Stands for everything that will happen. An answer counts only for the request whose fingerprint it carries (T13). */
	readonly fingerprint: string;
}

/** The user's answer. */
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
export class Approvals {
	private readonly approver: Approver;
	private readonly clock: Clock;
	private readonly remembered = new Set<string>();
	private tail: Promise<unknown> = Promise.resolve();

	/** Makes approvals; what is remembered lives no longer than the window. */
	constructor(approver: Approver, clock: Clock) {
		this.approver = approver;
		this.clock = clock;
	}

	/** The user's answer to exactly this request. Rejects with `AbortError` when the signal fires first. */
	decide(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalAnswer> {
		const turn = (): Promise<ApprovalAnswer> => this.askOnce(request, signal);
		const answer = this.tail.then(turn, turn);
		this.tail = answer;
		return answer;
	}

	/** Whether edits of all these files by this tool were allowed for the chat. */
	isRemembered(chatId: string, tool: string, paths: readonly string[]): boolean {
		return paths.length > 0 && paths.every(path => this.remembered.has(keyOf(chatId, tool, path)));
	}

	remember(chatId: string, tool: string, paths: readonly string[]): void {
		paths.forEach(path => this.remembered.add(keyOf(chatId, tool, path)));
	}

	private async askOnce(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalAnswer> {
		for (;;) {
			throwIfAborted(signal);
			const shownAt = this.clock.monotonic();
			const answer = await untilAborted(this.approver.ask(request, signal), signal);
			if (answer.type === "deny") {
				return answer;
			}
			if (answer.fingerprint !== request.fingerprint) {
				return { type: "deny", reason: "The answer was for another request." };
			}
			if (this.clock.monotonic() - shownAt >= armMs) {
				return answer;
			}
		}
	}
}

function keyOf(...parts: readonly string[]): string {
	return JSON.stringify(parts);
}
