import {
	type ChatFrame,
	type FunctionCallPiece,
	toolCallPieces,
	type ToolCallPiece,
} from "./chatFrame.ts";
import type { ChatMessage, FunctionCall, ToolCall } from "../contract/schemas.ts";

/** The tool calls of a message, and the name of the field they came in. */
export interface MessageToolCalls {
	readonly field: string;
	readonly calls: readonly ToolCall[];
	/** True when something beside them was not understood. */
	readonly hasUnknownItems: boolean;
}

interface CallInProgress {
	readonly index: number | undefined;
	id: string;
	name: string;
	type: string;
	arguments: string;
}

/** Joins a streamed message's tool calls. A piece that cannot be placed is never guessed at. docs/faults.md. Pieces are joined by `index`, else by `id`, else to the call before. docs/interface.md. */
export class ToolCallJoiner {
	private readonly calls: CallInProgress[] = [];
	private field: string | undefined;
	private hasUnknownItems = false;

	/** Takes one frame's tool calls. False when a piece could not be placed or contradicts an earlier one. */
	add(toolCalls: ChatFrame["toolCalls"]): boolean {
		this.field ??= toolCalls[0]?.field;
		const added = toolCalls.find(entry => entry.field === this.field);
		this.hasUnknownItems ||= added?.hasUnknownItems === true;
		return (added?.pieces ?? []).every(piece => extend(this.place(piece), piece));
	}

	/** The joined calls in order, nothing when there were none, `unusable` when one lacks its id, name or type or none was understood. */
	result(): MessageToolCalls | "unusable" | undefined {
		if (this.field === undefined) {
			return undefined;
		}
		const ordered = this.calls.toSorted((a, b) => (a.index ?? 0) - (b.index ?? 0)).map(toToolCall);
		const usable = ordered.filter(call => call !== undefined);
		const isUsable =
			usable.length === ordered.length && (usable.length > 0 || !this.hasUnknownItems);
		return isUsable
			? { field: this.field, calls: usable, hasUnknownItems: this.hasUnknownItems }
			: "unusable";
	}

	private place(piece: ToolCallPiece): CallInProgress | undefined {
		if (piece.index !== undefined && piece.index !== null) {
			return isIndex(piece.index)
				? (this.findByIndex(piece.index) ?? this.begin(piece.index))
				: undefined;
		}
		if (piece.id) {
			return this.findById(piece) ?? this.begin(undefined);
		}
		return piece.function?.name ? this.begin(undefined) : this.calls.at(-1);
	}

	private findByIndex(index: number): CallInProgress | undefined {
		return this.calls.findLast(call => call.index === index);
	}

	private findById(piece: ToolCallPiece): CallInProgress | undefined {
		const found = this.calls.findLast(call => call.id === piece.id);
		// The same id with whole arguments again is a second call, which the tools' ledger judges (rows U1, U2).
		const isRepeated =
			found && isWhole(piece.function?.arguments ?? "") && isWhole(found.arguments);
		return isRepeated ? undefined : found;
	}

	private begin(index: number | undefined): CallInProgress {
		const call: CallInProgress = { index, id: "", name: "", type: "", arguments: "" };
		this.calls.push(call);
		return call;
	}
}

/** Joins the pieces of a deprecated `function_call`. Interface §2.2. */
export class FunctionCallJoiner {
	private call: { name: string; arguments: string } | undefined;

	/** False when the piece names another function than the pieces before it. */
	add(piece: FunctionCallPiece): boolean {
		this.call ??= { name: "", arguments: "" };
		if (contradicts(this.call.name, piece.name)) {
			return false;
		}
		this.call.name ||= piece.name ?? "";
		this.call.arguments += piece.arguments ?? "";
		return true;
	}

	/** The call, nothing when there was none, `unusable` when it has no name. */
	result(): FunctionCall | "unusable" | undefined {
		return this.call?.name === "" ? "unusable" : this.call;
	}
}

/** The tool calls of a whole message, from the first array field whose items look like them. docs/interface.md. */
export function toolCallsOf(message: ChatMessage): MessageToolCalls | "unusable" | undefined {
	const joiner = new ToolCallJoiner();
	for (const [field, value] of Object.entries(message)) {
		const pieces = toolCallPieces(value);
		if (pieces === "unreadable") {
			return "unusable";
		}
		if (pieces) {
			return joiner.add([{ field, ...pieces }]) ? joiner.result() : "unusable";
		}
	}
	return undefined;
}

function extend(call: CallInProgress | undefined, piece: ToolCallPiece): boolean {
	const name = piece.function?.name;
	if (
		!call ||
		contradicts(call.id, piece.id) ||
		contradicts(call.name, name) ||
		contradicts(call.type, piece.type)
	) {
		return false;
	}
	call.id ||= piece.id ?? "";
	call.name ||= name ?? "";
	call.type ||= piece.type ?? "";
	call.arguments += piece.function?.arguments ?? "";
	return true;
}

/** Whether a later piece names something else than an earlier one did; a missing or empty name says nothing. */
function contradicts(earlier: string, later: string | null | undefined): boolean {
	return Boolean(earlier) && Boolean(later) && earlier !== later;
}

function toToolCall(call: CallInProgress): ToolCall | undefined {
	const { id, name } = call;
	const type = call.type === "" ? "function" : call.type;
	return id !== "" && name !== "" && type === "function"
		? { id, type, function: { name, arguments: call.arguments } }
		: undefined;
}

function isIndex(value: unknown): value is number {
	return Number.isSafeInteger(value) && Number(value) >= 0;
}

/** Whether arguments are a JSON object from end to end. */
function isWhole(text: string): boolean {
	if (!text.startsWith("{") || !text.endsWith("}")) {
		return false;
	}
	try {
		JSON.parse(text);
		return true;
	} catch {
		return false;
	}
}
