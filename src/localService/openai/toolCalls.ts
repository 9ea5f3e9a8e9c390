import { randomInt } from "node:crypto";
import * as z from "zod/mini";
import { lenient } from "./lenient.ts";

const text = lenient(z.string());

/** A piece of a call as servers send it; fields may be missing, late or repeated. */
export const callDeltaSchema = z.looseObject({
	index: lenient(z.number()),
	id: text,
	function: lenient(z.object({ name: text, arguments: z.nullish(z.unknown()) })),
});
type CallDelta = z.infer<typeof callDeltaSchema>;

/** A call of a function, whole. */
export interface CompletionCall {
	readonly id: string;
	readonly name: string;
	/** JSON, unless the model wrote something else. */
	readonly arguments: string;
	/** Anything else that the server reported of the call and may want back, such as Gemini's signature of its thoughts. */
	readonly extra: Readonly<Record<string, unknown>>;
}

interface OpenCall {
	index: number | undefined;
	id: string;
	name: string;
	arguments: string;
	extra: Record<string, unknown>;
}

/** Puts calls together from the pieces of a stream; a call that came without an id gets one. */
export class CompletionCallCollector {
	private readonly open: OpenCall[] = [];

	/** Takes the calls of one chunk. */
	push(deltas: readonly CallDelta[]): void {
		for (const [position, delta] of deltas.entries()) {
			add(callFor(this.open, delta, position), delta);
		}
	}

	/** All calls, in the order in which they began. */
	calls(): readonly CompletionCall[] {
		return this.open.map(({ id, name, arguments: input, extra }) => ({
			id: id === "" ? synthesizeId() : id,
			name,
			arguments: input.trim() === "" ? "{}" : input,
			extra,
		}));
	}
}

/**
 * The call that a piece belongs to. Servers disagree: some count no index, some give every call index 0, some send no ids, some a new
 * one with every piece.
 */
function callFor(open: OpenCall[], delta: CallDelta, position: number): OpenCall {
	const { id, index } = delta;
	const byId = id ? open.findLast(call => call.id === id) : undefined;
	if (byId) {
		return byId;
	}
	const hasIndex = typeof index === "number";
	const last = hasIndex ? open.findLast(call => call.index === index) : open.at(-1);
	const isAnother = id
		? last?.id !== "" && !goesOn(last, delta)
		: (!hasIndex && position > 0) || (last !== undefined && beginsAnother(last, delta));
	if (last && !isAnother) {
		return last;
	}
	const call = { index: index ?? undefined, id: "", name: "", arguments: "", extra: {} };
	open.push(call);
	return call;
}

/** A name with the beginning of an object, when the call before has its whole object already. */
function beginsAnother(last: OpenCall, { function: called }: CallDelta): boolean {
	const input = inputOf(called?.arguments);
	return Boolean(called?.name) && input.trimStart().startsWith("{") && isJson(last.arguments);
}

/** More arguments of a call that has not all of them, under an id of their own. */
function goesOn(last: OpenCall | undefined, { function: called }: CallDelta): boolean {
	return (
		last !== undefined &&
		inputOf(called?.arguments) !== "" &&
		(!called?.name || called.name === last.name) &&
		!isJson(last.arguments === "" && called?.name ? "{}" : last.arguments)
	);
}

function add(call: OpenCall, delta: CallDelta): void {
	const name = delta.function?.name ?? "";
	call.id ||= delta.id ?? "";
	call.name = name === call.name ? name : call.name + name;
	const input = inputOf(delta.function?.arguments);
	call.arguments += repeats(call.arguments, input) ? "" : input;
	const extra = Object.entries(delta).filter(([field]) => !knownFields.has(field));
	Object.assign(call.extra, Object.fromEntries(extra));
}

/** All arguments once more behind the last piece, as they are or as JSON in a string. */
function repeats(whole: string, input: string): boolean {
	return (
		whole.trimEnd().endsWith("}") &&
		(input === whole || input === JSON.stringify(whole)) &&
		isJson(whole)
	);
}

const knownFields = new Set(["index", "id", "type", "function"]);

function inputOf(input: unknown): string {
	if (typeof input === "string") {
		return input;
	}
	return input === undefined || input === null ? "" : JSON.stringify(input);
}

/** Whether a text is JSON. */
function isJson(input: string): boolean {
	try {
		JSON.parse(input);
		return true;
	} catch {
		return false;
	}
}

const idCharacters = "abcdefghijklmnopqrstuvwxyz0123456789";

/** Nine letters and digits, the only form that every server takes back. */
function synthesizeId(): string {
	return Array.from({ length: 9 }, () => idCharacters[randomInt(idCharacters.length)]).join("");
}
