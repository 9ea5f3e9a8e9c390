import { randomInt } from "node:crypto";
import * as z from "zod/mini";
import { isRecord, parseJson } from "../../common/json.ts";
import { lenient } from "./plainText.ts";

const text = lenient(z.string());

/** A piece of a call. Fields may be missing, late or repeated. */
export const callDeltaSchema = z.looseObject({
	index: lenient(z.number()),
	id: text,
	function: lenient(z.object({ name: text, arguments: z.nullish(z.unknown()) })),
});
type CallDelta = z.infer<typeof callDeltaSchema>;

export interface CompletionCall {
	readonly id: string;
	readonly name: string;
	/** JSON, unless the model wrote something else. */
	readonly arguments: string;
	/** Further fields that the server may need back, such as Gemini's thought signature. */
	readonly extra: Readonly<Record<string, unknown>>;
}

interface OpenCall {
	index: number | undefined;
	id: string;
	name: string;
	arguments: string;
	extra: Record<string, unknown>;
}

/** Joins the pieces of streamed calls. Assigns ids to calls without one. */
export class CompletionCallCollector {
	private readonly open: OpenCall[] = [];

	push(deltas: readonly CallDelta[]): void {
		for (const [position, delta] of deltas.entries()) {
			add(callFor(this.open, delta, position), delta);
		}
	}

	/** Omits calls without name and arguments, which some servers send as the end of the others. */
	calls(): readonly CompletionCall[] {
		const named = this.open.filter(({ name, arguments: input }) => name !== "" || input !== "");
		const ids = new Set<string>();
		return named.map(({ id, name, arguments: input, extra }) => {
			const isUnique = id !== "" && !ids.has(id);
			ids.add(id);
			return { id: isUnique ? id : synthesizeId(), name, arguments: unwrapped(input), extra };
		});
	}
}

/** Returns the call that a piece belongs to. Servers send no index, always 0, no ids, or a new id with every piece. */
function callFor(open: OpenCall[], delta: CallDelta, position: number): OpenCall {
	const { id, index } = delta;
	const hasIndex = typeof index === "number";
	const sameId = id ? open.filter(call => call.id === id) : [];
	const byId = sameId.findLast(call => call.index === index) ?? sameId.at(-1);
	if (byId && !isAnotherWith(byId, delta)) {
		return byId;
	}
	const last = hasIndex ? open.findLast(call => call.index === index) : open.at(-1);
	const isAnother = byId
		? true
		: id
			? last?.id !== "" && !goesOn(last, delta)
			: (!hasIndex && position > 0) || (last !== undefined && beginsAnother(last, delta));
	if (last && !isAnother) {
		return last;
	}
	const call = { index: index ?? undefined, id: "", name: "", arguments: "", extra: {} };
	open.push(call);
	return call;
}

/** Whether a piece begins another call though it has the id of one: with a name and another index, or behind one that it doesn't repeat. */
function isAnotherWith(call: OpenCall, delta: CallDelta): boolean {
	const { index, function: called } = delta;
	const isAt = typeof index === "number" && call.index !== undefined && index !== call.index;
	if (isAt && called?.name) {
		return true;
	}
	const isSame = called?.name === call.name;
	return (
		beginsAnother(call, delta) &&
		!(isSame && unwrapped(call.arguments) === "{}") &&
		!(isSame && repeats(call.arguments, inputOf(called.arguments)))
	);
}

/** Whether a piece with a name and the start of an object follows a call that is complete. */
function beginsAnother(last: OpenCall, { function: called }: CallDelta): boolean {
	const input = inputOf(called?.arguments);
	return Boolean(called?.name) && input.trimStart().startsWith("{") && isJson(last.arguments);
}

/** Whether a piece continues the arguments of an incomplete call, possibly with another id. */
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
	const given = delta.function?.arguments;
	// Some proxies send an empty object or list for no text.
	const isEmpty = typeof given === "object" && given !== null && Object.keys(given).length === 0;
	const input = isEmpty ? "" : inputOf(given);
	call.arguments += repeats(call.arguments, input) ? "" : input;
	const extra = Object.entries(delta).filter(([field]) => !knownFields.has(field));
	Object.assign(call.extra, Object.fromEntries(extra));
}

/** Normalizes arguments: unwraps a JSON string, and removes repeated arguments and the empty values around or in them. */
function unwrapped(written: string): string {
	const input = isJson(written) ? written : withoutNothings(written);
	if (/^\s*(?:null|""|\[\s*\])?\s*$/.test(input)) {
		return "{}";
	}
	const half = input.slice(0, input.length / 2);
	if (half.startsWith("{") && half + half === input && isJson(half)) {
		return half;
	}
	const value = parseJson(input);
	return typeof value === "string" && isRecord(parseJson(value)) ? value : input;
}

const nothing = String.raw`(?:\{\s*\}|\[\s*\]|null|"")`;
/** Matches an empty value directly before another value, which isn't valid JSON, or any quoted text. */
const nothingBeforeValue = new RegExp(
	String.raw`${nothing}(?=\s*["{[\dtfn-])|("[^"\\]*(?:\\[^][^"\\]*)*(?:"|\\?$))`,
	"g",
);
const lastNothing = new RegExp(String.raw`(?<=\})\s*${nothing}\s*$`);

/** Removes empty objects and lists, null and empty strings before a value, or behind the object. */
function withoutNothings(input: string): string {
	const first = input.replace(nothingBeforeValue, "$1").trimStart();
	const last = first.replace(lastNothing, "");
	return [first, last].find(isJson) ?? input;
}

/** Whether a piece repeats the complete arguments, literally or as a JSON string. */
function repeats(whole: string, input: string): boolean {
	return (
		// Checked first, because parsing all arguments with each piece would take quadratic time.
		input.length >= whole.length &&
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

function isJson(input: string): boolean {
	return parseJson(input) !== undefined;
}

const idCharacters = "abcdefghijklmnopqrstuvwxyz0123456789";

/** Nine letters and digits, the only format that every server accepts. */
export function synthesizeId(): string {
	return Array.from({ length: 9 }, () => idCharacters[randomInt(idCharacters.length)]).join("");
}
