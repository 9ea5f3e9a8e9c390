import * as z from "zod/mini";
import { isRecord, messageOf, own } from "../request/serviceMessage.ts";

/**
 * A piece of the deprecated single call; the name comes whole, the arguments may come in pieces. Here and below, `null` says
 * as little as a missing field.
 */
const functionCallPieceSchema = z.object({
	name: z.nullish(z.string()),
	arguments: z.nullish(z.string()),
});
export type FunctionCallPiece = z.infer<typeof functionCallPieceSchema>;

/** The fields of a frame that the interface names. Interface §2.2, §6. */
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

/** One item of a frame's array of tool calls: a whole call, or a piece that `index` or `id` joins to others. */
const toolCallPieceSchema = z.object({
	index: z.optional(z.unknown()),
	id: z.nullish(z.string()),
	type: z.nullish(z.string()),
	function: z.nullish(functionCallPieceSchema),
});
export type ToolCallPiece = z.infer<typeof toolCallPieceSchema>;
const toolCallPiecesSchema = z.array(toolCallPieceSchema);

/** Content of an array of tool calls. */
export interface ToolCallPieces {
	readonly pieces: readonly ToolCallPiece[];
	/** True when items beside them were not understood, such as a call whose name is outside `function` (row U4). */
	readonly hasUnknownItems: boolean;
}

/** Tool calls, and the name of the field they came in. */
export interface ToolCallField extends ToolCallPieces {
	readonly field: string;
}

/** Content of one frame. */
export interface ChatFrame {
	readonly fields: z.infer<typeof frameSchema>;
	/** The array fields that look like tool calls, under the names they came with. docs/interface.md. */
	readonly toolCalls: readonly ToolCallField[];
	/** True when a known field held a value of a wrong type, which was left out (row S14). */
	readonly hasUnreadableField: boolean;
	/** Text of an `error` in it, empty when that is not words: not in the interface, but gateways send it. */
	readonly errorWords: string | undefined;
	/** What the local service adds, unread. */
	readonly cutaway: unknown;
	/** True when nothing in it is known: an unknown kind of frame, which is read over (row S13). */
	readonly isUnknown: boolean;
}

const noToolCalls: ChatFrame["toolCalls"] = [];

/**
 * Reads a frame's data as JSON. `empty` for an object without fields (interface §6 rule 4, row S15), nothing for data that
 * is not a JSON object (rows S10, S11).
 */
export function readChatFrame(data: string): ChatFrame | "empty" | undefined {
	const value = parseObject(data);
	if (!value) {
		return undefined;
	}
	const names = Object.keys(value);
	return names.length === 0 ? "empty" : readFields(value, names);
}

/** The frames in the data of one whose lines are frames: a service that separates them by single line ends (row S29). */
export function framesOfLines(data: string): readonly string[] | undefined {
	const lines = data.split("\n").filter(line => line.trim() !== "");
	return lines.length > 1 && lines.every(isFrame) ? lines : undefined;
}

function isFrame(line: string): boolean {
	return /^\s*\[(?:DONE|END)\]\s*$/.test(line) || parseObject(line) !== undefined;
}

const textFrameStart = '{"content":"';
const textFrameEnd = '"}';

/** Characters that a JSON string may hold only escaped, or as its end, and a few control characters more. RFC 8259 §7. */
const notPlain = /["\\\p{Cc}]/u;

/**
 * The text of a frame written exactly as the interface shows it (§6 rule 3) and without escapes; nothing for any other,
 * which `readChatFrame` reads. Nearly every frame is one, and reading it this way takes a third of the time.
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

function parseObject(data: string): Readonly<Record<string, unknown>> | undefined {
	try {
		const value: unknown = JSON.parse(data);
		return isRecord(value) ? value : undefined;
	} catch {
		return undefined;
	}
}

/** The known fields that are what they should be; the others are left out. Row S14. */
function readableFields(value: Readonly<Record<string, unknown>>): ChatFrame["fields"] {
	const readable = frameFields.filter(
		field => frameShape[field].safeParse(own(value, field)).success,
	);
	return frameSchema.parse(Object.fromEntries(readable.map(field => [field, own(value, field)])));
}

/**
 * The tool calls, or pieces of them, in an array that holds at least one; `unreadable` when they hold values of wrong types,
 * or another item may be a piece of one (row S14). docs/interface.md, name of the tool-call array.
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

/** Whether an item is a call, or a piece of one, that lacks the object `function` around its name and arguments. */
function isFlatCall(item: unknown): boolean {
	return (
		isRecord(item) &&
		(typeof own(item, "arguments") === "string" || (has(item, "arguments") && has(item, "name")))
	);
}

/** Whether what is no call itself may go on with one, which then lacks what it says; with a name it is another call. */
function mayBePiece(item: unknown): boolean {
	return !has(item, "name") && (has(item, "arguments") || has(item, "index"));
}

function has(item: unknown, field: string): boolean {
	return isRecord(item) && Object.hasOwn(item, field);
}
