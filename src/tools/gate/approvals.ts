import { type Clock, throwIfAborted, untilAborted } from "../../common/async.ts";
import type { EditPreview } from "../contract/edits.ts";
import type { ToolEffect, ToolPlan } from "../contract/tool.ts";

/** How long a request is shown before it can be allowed, in milliseconds, so that a keystroke meant for something else doesn't allow it. */
export const armMs = 500;

/** An approval request. It covers exactly its content. */
export interface ApprovalRequest {
	readonly callId: string;
	readonly tool: { readonly name: string; readonly title: string; readonly effect: ToolEffect };
	readonly summary: string;
	/** The arguments as JSON, with visible codes for invisible characters. */
	readonly argumentsText: string;
	/** The real paths of the files concerned, without links. */
	readonly files: readonly string[];
	/** Warnings to show: a followed link, a file whose content is executed, an added URL. */
	readonly warnings: readonly string[];
	readonly address?: string;
	readonly external?: ToolPlan["external"];
	/** The video to make, with the model's unchanged prompt. */
	readonly clip?: ToolPlan["clip"];
	/** Whether “in this chat” is offered. */
	readonly canRemember: boolean;
	readonly preview: EditPreview | undefined;
	/** Digest of the effect. An answer applies only to the request with the same fingerprint. */
	readonly fingerprint: string;
}

export type ApprovalAnswer =
	| {
			readonly type: "allow";
			readonly fingerprint: string;
			readonly scope: "once" | "chat";
			/** The accepted hunks; all if undefined. */
			readonly hunks?: ReadonlySet<number>;
	  }
	| { readonly type: "deny"; readonly reason?: string };

/** Shows a request and waits for the answer. A request that disappears unanswered is denied. */
export interface Approver {
	ask(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalAnswer>;
}

/** Asks for approvals one at a time. */
export class Approvals {
	private readonly approver: Approver;
	private readonly clock: Clock;
	private readonly remembered = new Set<string>();
	private tail: Promise<unknown> = Promise.resolve();

	/** Remembered approvals last until the window closes. */
	constructor(approver: Approver, clock: Clock) {
		this.approver = approver;
		this.clock = clock;
	}

	/** Returns the user's answer to this request. Rejects with `AbortError` if the signal aborts first. */
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
