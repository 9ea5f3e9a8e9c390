import * as z from "zod/mini";
import { isRecord, parseJson } from "../../common/json.ts";
import { type WrittenForm, callForms, miniMaxToken, withoutTurnEnds } from "./callForms.ts";
import { literal, startOf } from "./thoughtMarks.ts";

/** The most calls in one answer of a model that a grammar keeps to a form. */
export const maxCalls = 8;

export const toolSchema = z.looseObject({
	function: z.looseObject({ name: z.string(), parameters: z.optional(z.unknown()) }),
});
export type OfferedTool = z.infer<typeof toolSchema>;
export const propertiesSchema = z.object({ properties: z.record(z.string(), z.unknown()) });
export const argumentsSchema = z.looseObject({});

/** A line that starts or ends a code block, also in a list or quote. A line of code between back quotes does neither. */
const fenceLine = /^[\s>]*(?:(?:[-*+]|\d{1,3}[.)])\s+)?(`{3,}(?=[^`]*$)|~{3,})(.*)$/;

/** Returns the fence of the code block that is open after a line, or "". `fence` is the one open before it. */
export function fenceAfter(fence: string, line: string): string {
	const [, found = "", info = ""] = fenceLine.exec(line) ?? [];
	if (fence === "") {
		return found;
	}
	return found.startsWith(fence) && info.trim() === "" ? "" : fence;
}

/** A call as a model wrote it. */
export interface WrittenCall {
	/** Empty for a truncated call. */
	readonly name: string;
	/** An object as JSON. */
	readonly arguments: string;
}

/**
 * Reads the calls in the text from the start of the first, in any form. Returns text that is none. A call that a limit truncated has no name. `isExact`
 * if a grammar kept the model to the form.
 */
export function readCalls(
	written: string,
	tools: readonly OfferedTool[],
	isCut: boolean,
	isExact = false,
): { readonly text: string; readonly calls: WrittenCall[] } {
	const calls: WrittenCall[] = [];
	let at = 0;
	let first: WrittenForm | undefined;
	while (at < written.length && !(isExact && calls.length >= maxCalls)) {
		const read = callsAt(written, at, tools, isExact, first);
		if (!read) {
			break;
		}
		calls.push(...read.calls);
		at = read.end;
		first ??= read.form;
	}
	const rest = withoutEnds(written.slice(at), calls.length > 0 && !isCut);
	if (rest.trim() !== "" && isCut) {
		calls.push({ name: "", arguments: "{}" });
	}
	return {
		text: isCut || rest.trim() === "" ? "" : rest,
		calls: isExact ? calls.slice(0, maxCalls) : calls,
	};
}

/** Matches the start of a mark that was cut. */
const cutMark = new RegExp(
	String.raw`^\s*(?:(?:<\|close\|>\w{0,10}|${literal(miniMaxToken)})?(?:<[/|｜]{0,4}[\w:| ｜▁]*)?|${startOf(miniMaxToken)}|\[\/?[A-Z_]*|${"`"}{1,2})$`,
);

/** Removes the marks of a turn's end, and behind calls the start of a mark that was cut. */
function withoutEnds(rest: string, isBehindCalls: boolean): string {
	const text = withoutTurnEnds(rest);
	return isBehindCalls && cutMark.test(text) ? "" : text;
}

/** Returns an offered name: as it is written, or without a namespace, a number or marks of gpt-oss, which some servers leave in it. */
export function offeredName(name: string, names: ReadonlySet<string>): string {
	const plain = name
		.trim()
		.replace(/^(?:functions|default_api)[.:]/, "")
		.replace(/<\|[^]*$/, "")
		.replace(/:\d+$/, "");
	return names.has(name) || !names.has(plain) ? name : plain;
}

interface ReadCalls {
	readonly calls: readonly WrittenCall[];
	readonly end: number;
	readonly form: WrittenForm;
}

/** Reads the calls of one mark. After a first call, a form without marks of its own continues only itself. */
function callsAt(
	written: string,
	from: number,
	tools: readonly OfferedTool[],
	isExact: boolean,
	first: WrittenForm | undefined,
): ReadCalls | undefined {
	const names = new Set(tools.map(({ function: { name } }) => name));
	for (const form of callForms.filter(each => !first || each === first || !each.isPlain)) {
		const opening = new RegExp(form.opening, "y");
		opening.lastIndex = from;
		const found = opening.exec(written);
		const name = found?.[1] === undefined ? undefined : offeredName(found[1], names);
		const read =
			found && form.arguments(written, opening.lastIndex, propertiesOf(name, tools), isExact);
		const closing = new RegExp(form.closing, "y");
		closing.lastIndex = read?.end ?? 0;
		if (read && closing.test(written)) {
			const values = name === undefined ? [read.value].flat() : [{ name, arguments: read.value }];
			const calls = values.map(value => callIn(value, names));
			if (calls.length > 0 && !calls.includes(undefined)) {
				return { calls: calls.flatMap(call => call ?? []), end: closing.lastIndex, form };
			}
		}
	}
	return undefined;
}

/** Reads a call from an object with its name and arguments, as models name these. */
function callIn(value: unknown, names: ReadonlySet<string>): WrittenCall | undefined {
	if (!isRecord(value)) {
		return undefined;
	}
	const { function: inner } = value;
	if (isRecord(inner)) {
		return callIn(inner, names);
	}
	const [[only, input] = []] = Object.entries(value).length === 1 ? Object.entries(value) : [];
	if (only !== undefined && names.has(only) && isRecord(input)) {
		return { name: only, arguments: JSON.stringify(input) };
	}
	const name = value["name"] ?? value["tool_name"] ?? inner;
	const given = value["arguments"] ?? value["parameters"] ?? value["args"];
	const parsed = typeof given === "string" ? parseJson(given) : given;
	return typeof name === "string" && isRecord(parsed)
		? { name: offeredName(name, names), arguments: JSON.stringify(parsed) }
		: undefined;
}

function propertiesOf(
	name: string | undefined,
	tools: readonly OfferedTool[],
): Readonly<Record<string, unknown>> {
	const tool = tools.find(each => each.function.name === name);
	return propertiesSchema.safeParse(tool?.function.parameters).data?.properties ?? {};
}
