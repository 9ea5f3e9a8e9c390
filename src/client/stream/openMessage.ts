import type { ChatFrame } from "./chatFrame.ts";
import type { ChatEvent } from "../contract/serviceClient.ts";
import type { ChatMessage } from "../contract/schemas.ts";
import { FunctionCallJoiner, ToolCallJoiner } from "./toolCalls.ts";

/** A streamed message that has started and not ended. */
export class OpenMessage {
	readonly index: number;
	readonly role: string;
	private readonly toolCalls = new ToolCallJoiner();
	private readonly functionCall = new FunctionCallJoiner();
	private readonly names = new Map<"name" | "tool_call_id", string>();
	/** Emitted text, and fragments not emitted yet. Joined late, because appending to a long text piece by piece is hard on the heap. */
	private readonly texts: string[] = [];
	private fragments: string[] = [];
	private totalLength = 0;
	private unreadableFrames = 0;
	private hasCalls = false;
	private hasSecondStart = false;

	constructor(index: number, role: string) {
		this.index = index;
		this.role = role;
	}

	/** Sum of its frames in UTF-16 code units. */
	get length(): number {
		return this.totalLength;
	}

	get hasSubstance(): boolean {
		return this.hasCalls || this.texts.length > 0 || this.fragments.length > 0;
	}

	get hasPendingText(): boolean {
		return this.fragments.length > 0;
	}

	/** Whether a frame starts another message, because it has another role. */
	isFollowedBy({ fields }: ChatFrame): boolean {
		return Boolean(fields.role) && fields.role !== this.role;
	}

	/** Adds a frame. Returns false if one of its calls couldn't be assigned. */
	add(frame: ChatFrame, length: number): boolean {
		const { fields } = frame;
		// Every message starts with such a frame, so two messages may have been merged.
		this.hasSecondStart ||= Boolean(fields.role) && fields.content === "" && this.hasSubstance;
		this.addText(fields.content ?? "", length);
		this.keepName("name", fields.name);
		this.keepName("tool_call_id", fields.tool_call_id);
		this.hasCalls ||= frame.toolCalls.length > 0 || Boolean(fields.function_call);
		const isCallPlaced = !fields.function_call || this.functionCall.add(fields.function_call);
		return this.toolCalls.add(frame.toolCalls) && isCallPlaced;
	}

	addText(text: string, length: number): void {
		this.totalLength += length;
		if (text !== "") {
			this.fragments.push(text);
		}
	}

	/** Removes the text so far, which was a thought. */
	removeText(): void {
		this.texts.length = 0;
	}

	markUnreadable(frames: number): void {
		this.unreadableFrames += frames;
	}

	/** Returns the text since the last call as at most one event. */
	takeText(): readonly ChatEvent[] {
		if (this.fragments.length === 0) {
			return [];
		}
		const text = this.fragments.join("");
		this.fragments = [];
		this.texts.push(text);
		return [{ type: "text-delta", index: this.index, text }];
	}

	/** Returns the last events. Calls are among them only after `[DONE]` and if every frame was readable. */
	finish(hasDone: boolean): readonly ChatEvent[] {
		const joined = this.toolCalls.result();
		const single = this.functionCall.result();
		const isUnusable = joined === "unusable" || single === "unusable";
		if (isUnusable) {
			this.unreadableFrames++;
		}
		const hasUnusableCall = isUnusable || joined?.hasUnknownItems === true;
		const isClosed = hasDone && !this.hasSecondStart;
		// Incomplete calls aren't sent back, because the service would wait for their results.
		const isWhole = this.unreadableFrames === 0;
		const found = isWhole && joined !== "unusable" ? joined : undefined;
		const content = this.texts.join("");
		const message: ChatMessage = {
			...(found ? Object.fromEntries([[found.field, found.calls]]) : {}),
			...(isWhole && single && single !== "unusable" ? { function_call: single } : {}),
			...Object.fromEntries(this.names),
			role: this.role,
			content,
		};
		const { index, unreadableFrames } = this;
		const hasReplacedBytes = content.includes("\uFFFD");
		return [
			...(isClosed ? (found?.calls ?? []) : []).map(
				call => ({ type: "tool-call", index, call }) as const,
			),
			{
				type: "message-end",
				index,
				message,
				isClosed,
				unreadableFrames,
				hasReplacedBytes,
				...(hasUnusableCall ? { hasUnusableCall } : {}),
			},
		];
	}

	private keepName(field: "name" | "tool_call_id", value: string | null | undefined): void {
		if (value && !this.names.has(field)) {
			this.names.set(field, value);
		}
	}
}
