import { isRecord, parseJson } from "../../common/json.ts";
import { assumptions } from "../contract/schemas.ts";
import { maxDetailCharacters, maxMessageCharacters, plainText } from "./redact.ts";

/** Whether a body is HTML, by its type or its start. */
export function isWebPage(contentType: string | undefined, body: string): boolean {
	if (parseBody(body) !== undefined) {
		return false;
	}
	return (
		/^\s*(text\/html|application\/xhtml\+xml)\b/i.test(contentType ?? "") ||
		/^\uFEFF?\s*(<!--[^]{0,2000}?-->\s*)?<(!doctype\s+html|html|head|body)\b/i.test(body)
	);
}

/** Returns the title of an HTML page as plain text of at most 120 characters, if it has one. */
export function pageTitle(body: string): string | undefined {
	const title = /<title\b[^>]{0,200}>([^<]{0,2000})/i.exec(body)?.[1];
	const text =
		title === undefined
			? ""
			: plainText(decodeEntities(title).replaceAll("\n", " "), maxDetailCharacters);
	return text === "" ? undefined : text;
}

/**
 * Returns the service's message about a failure, as plain text of at most 500 characters: `message`, `error`, `error.message`, `detail` or
 * `errors[]`, with its `code` if there is one; otherwise the body itself. docs/interface.md §7.
 */
export function serviceMessage(body: string): string | undefined {
	const json = parseBody(body);
	const spoken = isRecord(json) ? messageOf(json) : undefined;
	const text = plainText(spoken ?? body, maxMessageCharacters);
	return text === "" ? undefined : text;
}

/** Returns the message and code in a parsed body, or undefined. */
export function messageOf(body: Readonly<Record<string, unknown>>): string | undefined {
	for (const field of assumptions.errorFields) {
		const text = messageText(own(body, field), 0);
		if (text) {
			return withCode(text, own(body, "code") ?? codeWithin(own(body, "error")));
		}
	}
	return undefined;
}

/** Returns a value's own field, never an inherited one. */
export function own(value: Readonly<Record<string, unknown>>, field: string): unknown {
	return Object.hasOwn(value, field) ? value[field] : undefined;
}

/** Parses a body as JSON. Returns undefined if it is invalid. */
export function parseBody(text: string): unknown {
	return parseJson(text.replace(/^\uFEFF/, ""));
}

const maxDepth = 3;
const maxListed = 5;

/** The message may be a string, in an object's `message`, `msg` or `detail`, or in a list of either. */
function messageText(value: unknown, depth: number): string | undefined {
	if (typeof value === "string") {
		return value.trim() === "" ? undefined : value;
	}
	if (depth >= maxDepth) {
		return undefined;
	}
	if (Array.isArray(value)) {
		const parts = value.slice(0, maxListed).map(item => messageText(item, depth + 1));
		return parts.filter(part => part !== undefined).join("\n") || undefined;
	}
	if (!isRecord(value)) {
		return undefined;
	}
	const words = ["message", "msg", "detail", "error", "title"]
		.map(field => messageText(own(value, field), depth + 1))
		.find(text => text !== undefined);
	const place = fieldPath(
		own(value, "loc") ?? own(value, "path") ?? own(value, "field") ?? own(value, "param"),
	);
	return words !== undefined && place ? `${place}: ${words}` : words;
}

/** Returns the field of an error, as validators report it: a string, or a path of strings and numbers. */
function fieldPath(value: unknown): string {
	const parts: readonly unknown[] = Array.isArray(value) ? value : [value];
	return parts.filter(part => typeof part === "string" || typeof part === "number").join(".");
}

function codeWithin(error: unknown): unknown {
	return isRecord(error) ? own(error, "code") : undefined;
}

function withCode(text: string, code: unknown): string {
	const isShown = (typeof code === "string" && code !== "") || typeof code === "number";
	return isShown && !text.includes(String(code)) ? `${text} (${String(code)})` : text;
}

const entities: Readonly<Record<string, string>> = {
	amp: "&",
	lt: "<",
	gt: ">",
	quot: '"',
	apos: "'",
	nbsp: " ",
};

function decodeEntities(text: string): string {
	return text.replaceAll(
		/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,4}));/gi,
		(whole, decimal, hex, name) => {
			if (typeof name === "string") {
				const key = name.toLowerCase();
				return Object.hasOwn(entities, key) ? (entities[key] ?? whole) : whole;
			}
			const point =
				typeof decimal === "string" ? Number(decimal) : Number.parseInt(String(hex), 16);
			return point <= 0x10ffff ? String.fromCodePoint(point) : whole;
		},
	);
}
