import { isRecord } from "../../common/json.ts";
import type { ReadValue } from "./writtenElements.ts";

/** How deep lists and objects may be nested. */
const maxDepth = 50;

const rawQuotes = ['<|"|>', "<escape>"];
const escapes: Readonly<Record<string, string>> = {
	n: "\n",
	t: "	",
	r: "\r",
	b: "\b",
	f: "\f",
	"0": "\0",
};
const words = new Map<string, unknown>([
	...([
		["true", true],
		["True", true],
		["false", false],
		["False", false],
	] as const),
	...([
		["null", null],
		["None", null],
	] as const),
]);

/**
 * Reads values as models write them that don't write JSON: Gemma's, with keys and marks in place of quotes, and Python's. Methods return undefined,
 * and leave the position anywhere, for everything else.
 */
class ValueReader {
	at: number;
	private readonly written: string;

	constructor(written: string, at: number) {
		this.written = written;
		this.at = at;
	}

	/** Moves behind white space and a text, if it is there. */
	skip(text: string): boolean {
		this.match(/\s*/y);
		const isThere = this.written.startsWith(text, this.at);
		this.at += isThere ? text.length : 0;
		return isThere;
	}

	match(pattern: RegExp): string | undefined {
		pattern.lastIndex = this.at;
		const found = pattern.exec(this.written);
		this.at += found?.[0].length ?? 0;
		return found?.[0];
	}

	value(depth = 0): { readonly value: unknown } | undefined {
		if (depth > maxDepth) {
			return undefined;
		}
		if (this.skip("{")) {
			return this.members("}", ":", depth);
		}
		if (this.skip("[")) {
			return this.list(depth);
		}
		const text = this.text();
		if (text !== undefined) {
			return { value: text };
		}
		const number = this.match(/-?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?(?![\w.])/y);
		if (number !== undefined) {
			return Number.isFinite(Number(number)) ? { value: Number(number) } : undefined;
		}
		const word = this.match(/[A-Za-z]+/y) ?? "";
		return words.has(word) ? { value: words.get(word) } : undefined;
	}

	/** Reads members up to a closing sign, with a sign between key and value. */
	members(end: string, between: string, depth: number): { readonly value: object } | undefined {
		const read = new Map<string, unknown>();
		while (!this.skip(end)) {
			const key = (this.skip(""), this.text() ?? this.match(/[\p{L}_$][\p{L}\p{N}_$.-]*/uy));
			if (key === undefined || read.has(key) || !this.skip(between)) {
				return undefined;
			}
			const found = this.value(depth + 1);
			if (!found || !this.isBeforeNext(end)) {
				return undefined;
			}
			read.set(key, found.value);
		}
		return { value: Object.fromEntries(read) };
	}

	private list(depth: number): { readonly value: unknown } | undefined {
		const items: unknown[] = [];
		while (!this.skip("]")) {
			const found = this.value(depth + 1);
			if (!found || !this.isBeforeNext("]")) {
				return undefined;
			}
			items.push(found.value);
		}
		return { value: items };
	}

	isBeforeNext(end: string): boolean {
		return this.skip(",") || this.written.startsWith(end, this.at);
	}

	private text(): string | undefined {
		for (const quote of rawQuotes.filter(each => this.written.startsWith(each, this.at))) {
			const start = this.at + quote.length;
			const end = this.written.indexOf(quote, start);
			this.at = end + quote.length;
			return end === -1 ? undefined : this.written.slice(start, end);
		}
		const quoted = this.match(
			/"""[^"\\]*(?:(?:\\[^]|"(?!""))[^"\\]*)*"""|'''[^'\\]*(?:(?:\\[^]|'(?!''))[^'\\]*)*'''|"[^"\\]*(?:\\[^][^"\\]*)*"|'[^'\\]*(?:\\[^][^'\\]*)*'/y,
		);
		if (quoted === undefined) {
			return undefined;
		}
		const width = /^(?:"""|''')/.test(quoted) && quoted.length >= 6 ? 3 : 1;
		return quoted
			.slice(width, -width)
			.replaceAll(/\\(?:u([\da-fA-F]{4})|x([\da-fA-F]{2})|(\r?\n|[^]))/g, unescaped);
	}
}

function unescaped(_all: string, wide?: string, short?: string, sign = ""): string {
	const code = wide ?? short;
	return code === undefined
		? (escapes[sign] ?? (/^["'\\/]$/.test(sign) ? sign : sign.endsWith("\n") ? "" : `\\${sign}`))
		: String.fromCharCode(Number.parseInt(code, 16));
}

/** Reads an object with bare keys, as Gemma writes it. */
export function readBareObject(written: string, from: number): ReadValue | undefined {
	const reader = new ValueReader(written, from);
	const found = reader.value();
	return found && isRecord(found.value) ? { value: found.value, end: reader.at } : undefined;
}

/** Reads calls as Python writes them, in a list or one a line. Their arguments must have names. */
export function readPythonCalls(written: string, from: number): ReadValue | undefined {
	const reader = new ValueReader(written, from);
	const isList = reader.skip("[");
	const calls: { readonly name: string; readonly arguments: object }[] = [];
	let end = reader.at;
	for (;;) {
		reader.skip("");
		const name = reader.match(/[A-Za-z_][\w.-]*(?=\()/y);
		if (name === undefined) {
			break;
		}
		const found = reader.skip("(") ? reader.members(")", "=", 0) : undefined;
		if (!found) {
			return undefined;
		}
		calls.push({ name, arguments: found.value });
		end = reader.at;
		if (!reader.skip(",") && isList) {
			break;
		}
	}
	if (isList && !reader.skip("]")) {
		return undefined;
	}
	return calls.length === 0 ? undefined : { value: calls, end: isList ? reader.at : end };
}
