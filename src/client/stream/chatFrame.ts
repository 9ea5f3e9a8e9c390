import * as z from "zod/mini";
import { isRecord, parseJson } from "../../common/json.ts";
import { messageOf, own } from "../request/serviceMessage.ts";
import { createParser } from "eventsource-parser";

/** A piece of the deprecated single call: the whole name, arguments maybe in pieces. `null` means missing in all these. */
const functionCallPieceSchema = z.object({
	name: z.nullish(z.string()),
	arguments: z.nullish(z.string()),
});
export type FunctionCallPiece = z.infer<typeof functionCallPieceSchema>;

/** A frame's documented fields. docs/interface.md §2.2, §6. */
const frameShape = {
	role: z.nullish(z.string()),
	content: z.nullish(z.string()),
	name: z.nullish(z.string()),
	tool_call_id: z.nullish(z.string()),
	function_call: z.nullish(functionCallPieceSchema),
};
const frameSchema = z.object(frameShape);
const frameFields = ["role", "content", "name", "tool_call_id", "function_call"] as const;
const knownFields: ReadonlySet<string> = new Set(frameFields);

/** An item of a frame's tool calls: a whole call, or a piece to be joined by `index` or `id`. */
const toolCallPieceSchema = z.object({
	index: z.optional(z.unknown()),
	id: z.nullish(z.string()),
	type: z.nullish(z.string()),
	function: z.nullish(functionCallPieceSchema),
});
export type ToolCallPiece = z.infer<typeof toolCallPieceSchema>;
const toolCallPiecesSchema = z.array(toolCallPieceSchema);

interface ToolCallPieces {
	readonly pieces: readonly ToolCallPiece[];
	/** Whether further items were not recognized, such as a call without the object `function`. */
	readonly hasUnknownItems: boolean;
}

interface ToolCallField extends ToolCallPieces {
	readonly field: string;
}

export interface ChatFrame {
	readonly fields: z.infer<typeof frameSchema>;
	/** The array fields that look like tool calls, with the names they arrived with. docs/interface.md. */
	readonly toolCalls: readonly ToolCallField[];
	/** Whether a known field had a value of the wrong type and was ignored. */
	readonly hasUnreadableField: boolean;
	/** Text of an `error` field, or an empty text if it isn't a message. Undocumented, but sent by gateways. */
	readonly errorWords: string | undefined;
	/** Unparsed additions of the local service. */
	readonly cutaway: unknown;
	/** Whether the frame has no known fields and is ignored. */
	readonly isUnknown: boolean;
}

const noToolCalls: ChatFrame["toolCalls"] = [];

/** Parses a frame. Returns `empty` for an object without fields (docs/interface.md §6 rule 4), undefined for no object. */
export function readChatFrame(data: string): ChatFrame | "empty" | undefined {
	const value = parseJson(data);
	if (!isRecord(value)) {
		return undefined;
	}
	const names = Object.keys(value);
	return names.length === 0 ? "empty" : readFields(value, names);
}

/** Splits data whose lines are frames, sent by services that separate frames by single line breaks. */
export function framesOfLines(data: string): readonly string[] | undefined {
	const lines = data.split("\n").filter(line => line.trim() !== "");
	return lines.length > 1 && lines.every(isFrame) ? lines : undefined;
}

function isFrame(line: string): boolean {
	return /^\s*\[(?:DONE|END)\]\s*$/.test(line) || isRecord(parseJson(line));
}

const textFrameStart = '{"content":"';
const textFrameEnd = '"}';

/** Characters that JSON strings must escape, the quote that ends them, and further control characters. RFC 8259 §7. */
const notPlain = /["\\\p{Cc}]/u;

/**
 * Returns the text of a frame in the exact form of docs/interface.md §6 rule 3 without escapes, or undefined for any other frame. Nearly all frames
 * have this form, and this takes a third of the time of `readChatFrame`.
 */
export function plainTextOf(data: string): string | undefined {
	const hasRoom = data.length >= textFrameStart.length + textFrameEnd.length;
	if (!hasRoom || !data.startsWith(textFrameStart) || !data.endsWith(textFrameEnd)) {
		return undefined;
	}
	const text = data.slice(textFrameStart.length, -textFrameEnd.length);
	return notPlain.test(text) ? undefined : text;
}

function readFields(value: Readonly<Record<string, unknown>>, names: readonly string[]): ChatFrame {
	const parsed = frameSchema.safeParse(value);
	const fields = parsed.success ? parsed.data : readableFields(value);
	let toolCalls: ToolCallField[] | undefined;
	let hasUnreadableField = !parsed.success;
	let isUnknown = true;
	for (const field of names) {
		const isKnown = knownFields.has(field);
		const pieces = isKnown ? undefined : toolCallPieces(value[field]);
		if (pieces && pieces !== "unreadable") {
			toolCalls ??= [];
			toolCalls.push({ field, ...pieces });
		}
		hasUnreadableField ||= pieces === "unreadable";
		isUnknown &&= pieces === undefined && !isKnown;
	}
	return {
		fields,
		toolCalls: toolCalls ?? noToolCalls,
		hasUnreadableField,
		errorWords:
			(own(value, "error") ?? undefined) === undefined ? undefined : (messageOf(value) ?? ""),
		cutaway: own(value, "cutaway"),
		isUnknown,
	};
}

function readableFields(value: Readonly<Record<string, unknown>>): ChatFrame["fields"] {
	const readable = frameFields.filter(
		field => frameShape[field].safeParse(own(value, field)).success,
	);
	return frameSchema.parse(Object.fromEntries(readable.map(field => [field, own(value, field)])));
}

/**
 * Returns the tool calls, or pieces of them, in an array that contains at least one. Returns `unreadable` if they have values of wrong types or
 * another item may be a piece of one. docs/interface.md, name of the tool-call array.
 */
export function toolCallPieces(value: unknown): ToolCallPieces | "unreadable" | undefined {
	if (!Array.isArray(value) || !value.some(item => isToolCall(item) || isFlatCall(item))) {
		return undefined;
	}
	const others = value.filter(item => !isToolCall(item));
	const parsed = toolCallPiecesSchema.safeParse(value.filter(isToolCall));
	return parsed.success && !others.some(mayBePiece)
		? { pieces: parsed.data, hasUnknownItems: others.length > 0 }
		: "unreadable";
}

function isToolCall(item: unknown): boolean {
	return isRecord(item) && (isRecord(own(item, "function")) || own(item, "type") === "function");
}

/** Whether an item is a call, or a piece of one, without the object `function` around name and arguments. */
function isFlatCall(item: unknown): boolean {
	return (
		isRecord(item) &&
		(typeof own(item, "arguments") === "string" || (has(item, "arguments") && has(item, "name")))
	);
}

/** Whether an item that isn't a call may continue one. An item with a name is another call. */
function mayBePiece(item: unknown): boolean {
	return !has(item, "name") && (has(item, "arguments") || has(item, "index"));
}

function has(item: unknown, field: string): boolean {
	return isRecord(item) && Object.hasOwn(item, field);
}

/** The longest frame, in UTF-16 code units. */
export const maxFrameLength = 16 * 1024 * 1024;

/** The parser's allowance for field names and separators besides a frame's data. */
const framingAllowance = 1024;

interface FrameHandlers {
	/** Receives a frame's data with its lines joined by LF. `isTerminated` is false if the end of the stream cut it off. */
	readonly onFrame: (data: string, isTerminated: boolean) => void;
	/** Called if a frame is longer than `maxFrameLength`. No calls follow. */
	readonly onTooLong: () => void;
}

/** Decodes a byte stream of server-sent events into frames. */
export class FrameDecoder {
	private readonly onTooLong: FrameHandlers["onTooLong"];
	private readonly decoder = new TextDecoder("utf-8", { ignoreBOM: true });
	private isBeginning = true;
	private isOver = false;
	private isTooLong = false;
	private readonly parser: ReturnType<typeof createParser>;

	/** The frames don't depend on how the bytes are split into chunks. Ignores event names, ids, `retry` fields and comments. WHATWG HTML §9.2.6. */
	constructor({ onFrame, onTooLong }: FrameHandlers) {
		this.onTooLong = onTooLong;
		this.parser = createParser({
			maxBufferSize: maxFrameLength + framingAllowance,
			onEvent: ({ data }) => {
				if (data.length > maxFrameLength) {
					this.tooLong();
				} else if (!this.isTooLong) {
					onFrame(data, !this.isOver);
				}
			},
			onError: error => {
				if (error.type === "max-buffer-size-exceeded") {
					this.tooLong();
				}
			},
		});
		this.parser.feed("\n");
	}

	push(bytes: Uint8Array): void {
		this.feed(this.decoder.decode(bytes, { stream: true }));
	}

	/** Ends the stream. Emits a last frame that no blank line terminates. */
	end(): void {
		this.feed(this.decoder.decode());
		this.isOver = true;
		this.feed("\n\n");
	}

	private tooLong(): void {
		if (!this.isTooLong) {
			this.isTooLong = true;
			this.onTooLong();
		}
	}

	private feed(text: string): void {
		// The runtime's decoder can't be used to drop the BOM: with chunked input it drops a second one, too.
		const withoutMark = this.isBeginning && text.startsWith("\uFEFF") ? text.slice(1) : text;
		this.isBeginning &&= text === "";
		if (!this.isTooLong) {
			this.parser.feed(withoutMark);
		}
	}
}
