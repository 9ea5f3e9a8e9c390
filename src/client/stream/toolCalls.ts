import { parseJson } from "../../common/json.ts";
import {
	type ChatFrame,
	type FunctionCallPiece,
	toolCallPieces,
	type ToolCallPiece,
} from "./chatFrame.ts";
import type { ChatMessage, FunctionCall, ToolCall } from "../contract/schemas.ts";

/** A message's tool calls and the name of their field. */
export interface MessageToolCalls {
	readonly field: string;
	readonly calls: readonly ToolCall[];
	readonly hasUnknownItems: boolean;
}

interface CallInProgress {
	readonly index: number | undefined;
	id: string;
	name: string;
	type: string;
	arguments: string;
}

/**
 * Joins a message's streamed tool calls by `index`, or else by `id`. Other pieces start a call if they have a name, or else continue the last one.
 * Never guesses. docs/interface.md, docs/faults.md.
 */
export class ToolCallJoiner {
	private readonly calls: CallInProgress[] = [];
	private field: string | undefined;
	private hasUnknownItems = false;

	/** Adds a frame's tool calls. Returns false if a piece can't be assigned or contradicts an earlier one. */
	add(toolCalls: ChatFrame["toolCalls"]): boolean {
		this.field ??= toolCalls[0]?.field;
		const added = toolCalls.find(entry => entry.field === this.field);
		this.hasUnknownItems ||= added?.hasUnknownItems === true;
		return (added?.pieces ?? []).every(piece => extend(this.place(piece), piece));
	}

	/** Returns the calls in order, undefined if there are none, or `unusable` if one lacks its id, name or type or none was recognized. */
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
		// A repeated id with complete arguments is a second call. The tool ledger handles it.
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

/** Joins the pieces of a deprecated `function_call`. docs/interface.md §2.2. */
export class FunctionCallJoiner {
	private call: { name: string; arguments: string } | undefined;

	/** Adds a piece. Returns false if it names another function than the pieces before. */
	add(piece: FunctionCallPiece): boolean {
		this.call ??= { name: "", arguments: "" };
		if (contradicts(this.call.name, piece.name)) {
			return false;
		}
		this.call.name ||= piece.name ?? "";
		this.call.arguments += piece.arguments ?? "";
		return true;
	}

	/** Returns the call, undefined if there is none, or `unusable` if it has no name. */
	result(): FunctionCall | "unusable" | undefined {
		return this.call?.name === "" ? "unusable" : this.call;
	}
}

/** Returns the tool calls of a complete message, from the first array field that contains such items. docs/interface.md. */
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

/** Whether a later piece has a different name. A missing or empty name is no contradiction. */
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

/** Whether arguments are a complete JSON object. */
function isWhole(text: string): boolean {
	return text.startsWith("{") && text.endsWith("}") && parseJson(text) !== undefined;
}
