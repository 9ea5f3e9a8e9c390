import * as z from "zod/mini";
import type { CompletionPart } from "./completionReader.ts";
import {
	callForms,
	headsOfTurnEnds,
	miniMaxToken,
	turnEndStart,
	withoutTurnEnds,
	type WrittenForm,
} from "./callForms.ts";
import { type CompletionCall, synthesizeId } from "./completionCalls.ts";
import { literal, startOf } from "./thoughtMarks.ts";
import {
	fenceAfter,
	offeredName,
	type OfferedTool,
	readCalls,
	toolSchema,
	type WrittenCall,
} from "./writtenCalls.ts";

/** The most characters after which a text must be recognizable as a call. */
const maxStart = 400;
/** How often a text of at most this length is read as calls before its end, and how often one is at its end. */
const maxReadings = 50;
const maxReadAhead = 64 * 1024;
const maxLastReadings = 5;

/**
 * Reads calls that a model wrote as text, as a server passes them on that doesn't know the form of the model's calls. Only offered tools are called.
 * A text that turns out to be no call is passed on as it was written, one in a model's marks that can't be read as `unread`.
 */
export async function* withWrittenCalls(
	parts: AsyncIterable<CompletionPart>,
	tools: unknown,
): AsyncGenerator<CompletionPart, void, undefined> {
	let filter = new CallFilter(toolsIn(tools));
	try {
		for await (const part of parts) {
			const text = part.type === "text" ? filter.push(part.text) : "";
			if (text !== "") {
				yield { type: "text", text };
			} else if (part.type === "end") {
				yield* endOf(part, filter);
			} else if (part.type === "was-thinking") {
				yield* textParts(filter.release());
				filter = new CallFilter(toolsIn(tools));
				yield part;
			} else if (part.type !== "text") {
				yield part;
			}
		}
	} catch (error) {
		yield* textParts(filter.release());
		throw error;
	}
}

function* endOf(
	part: Extract<CompletionPart, { type: "end" }>,
	filter: CallFilter,
): Generator<CompletionPart, void, undefined> {
	// Beside calls that the server read itself, text is text.
	const written =
		part.calls.length === 0
			? filter.end(part.isCut)
			: { text: filter.release(), unread: "", calls: part.calls };
	yield* textParts(written.text);
	if (written.unread !== "") {
		yield { type: "unread", text: written.unread };
	}
	yield { ...part, calls: written.calls.map(call => ({ ...call, name: filter.nameOf(call) })) };
}

/** Returns the calls of offered tools that a thought ends with, because some models forget to end the thought before. */
export function callsAfter(thought: string, tools: unknown): readonly CompletionCall[] {
	const filter = new CallFilter(toolsIn(tools));
	filter.push(thought);
	const { isHolding } = filter;
	const { text, unread, calls } = filter.end(false);
	return isHolding && text.trim() === "" && unread === "" ? calls : [];
}

function toolsIn(tools: unknown): readonly OfferedTool[] {
	return z.array(toolSchema).safeParse(tools).data ?? [];
}

function textParts(text: string): CompletionPart[] {
	return text === "" ? [] : [{ type: "text", text }];
}

/** A text that is taken for calls until it is over, or something else follows. */
interface HeldText {
	readonly form: WrittenForm;
	/** Whether nothing but calls may follow. */
	readonly isStrict: boolean;
}

interface Ended {
	readonly text: string;
	/** What is in the marks of a call, but can't be read as one. */
	readonly unread: string;
	readonly calls: readonly CompletionCall[];
}

const cutCall: CompletionCall = { id: "", name: "", arguments: "{}", extra: {} };

/** Holds back the text of a call: from marks outside code on, or in JSON alone as the whole answer. */
class CallFilter {
	private readonly tools: readonly OfferedTool[];
	private readonly names: ReadonlySet<string>;
	private readonly signs: readonly Sign[];
	/** The first two characters of all signs, and of marks that end a turn. */
	private readonly heads: ReadonlySet<string>;
	private readonly place = new TextSurroundings();
	/** Text that is a call, or may become one. */
	private held = "";
	private candidate: HeldText | undefined;
	/** Whether the text held back may be whole calls. */
	private mayBeWhole = false;
	private readings = 0;
	private readonly calls: WrittenCall[] = [];
	private unread = "";

	constructor(tools: readonly OfferedTool[]) {
		this.tools = tools;
		this.names = new Set(tools.map(({ function: { name } }) => name));
		this.signs = signsOf(this.names);
		this.heads = new Set([...headsOfTurnEnds, ...this.signs.map(({ text }) => text.slice(0, 2))]);
	}

	/** Whether the text ends with what may be calls. */
	get isHolding(): boolean {
		return this.candidate !== undefined;
	}

	/** Returns the text that certainly belongs to no call. */
	push(piece: string): string {
		if (this.candidate) {
			this.held += piece;
			this.mayBeWhole ||= /[>\])}`]/.test(piece);
			return this.mayBeWhole ? this.readAhead() : "";
		}
		if (this.held === "" && this.place.hasText && !markStart.test(piece)) {
			this.place.pass(piece);
			return piece;
		}
		return this.scan(this.release() + piece);
	}

	/** Returns the text held back. */
	release(): string {
		const text = this.held;
		this.held = "";
		this.candidate = undefined;
		this.mayBeWhole = false;
		return text;
	}

	/** Returns the calls, and the text held back that belongs to none. A call that a limit cut has no name. */
	end(isCut: boolean): Ended {
		let text = "";
		for (let count = 0; this.candidate && count < maxLastReadings; count += 1) {
			const { form, isStrict } = this.candidate;
			const { text: rest, calls } = readCalls(this.held, this.tools, false);
			if (isCut && rest !== "" && this.kindOf(rest) !== "text") {
				this.release();
				return { text, unread: this.unread, calls: [cutCall] };
			}
			if (this.areOffered(calls) && (rest === "" || !isStrict)) {
				this.calls.push(...calls);
				this.release();
				text += rest;
			} else if (form.isPlain || (isStrict && !/>\s*$/.test(this.held))) {
				text += this.passFirst();
			} else {
				this.unread += this.release();
			}
		}
		text += withoutTurnEnds(this.release());
		const calls = this.calls.map(call => ({ ...call, id: synthesizeId(), extra: {} }));
		return { text, unread: this.unread, calls };
	}

	/** Returns the offered name of a call. */
	nameOf({ name }: CompletionCall): string {
		return offeredName(name, this.names);
	}

	/** Looks for the next text that may be a call. Returns the text before it. */
	private scan(text: string): string {
		let passed = 0;
		for (
			let at = this.place.hasText ? nextMark(text, 0) : 0;
			at !== -1;
			at = nextMark(text, at + 1)
		) {
			this.place.pass(text.slice(passed, at));
			passed = at;
			const start = text.slice(at);
			const kind = this.kindOf(start);
			if (kind !== "text") {
				this.held = start;
				this.candidate = kind === "maybe" ? undefined : kind;
				this.mayBeWhole = true;
				return text.slice(0, at) + (this.candidate ? this.readAhead() : "");
			}
		}
		this.place.pass(text.slice(passed));
		return text;
	}

	/** Returns the text behind the calls held back, once it is certain that it is none. */
	private readAhead(): string {
		this.readings += 1;
		const { text, calls } =
			this.readings > maxReadings || this.held.length > maxReadAhead
				? { text: "", calls: [] }
				: readCalls(this.held, this.tools, false);
		this.mayBeWhole = calls.length > 0;
		const written = this.held.slice(0, this.held.length - text.length);
		// Without a mark at the end, more may belong to the calls.
		const isWhole = calls.length > 0 && text !== "" && /[>\]`]\s*$/.test(written.slice(-100));
		// Another call in these marks, of a tool that isn't offered, is judged with those before it.
		const mark = markAfter.exec(text)?.[1];
		const goesOn = mayGoOn.test(text) || (mark !== undefined && written.includes(mark));
		if (!isWhole || goesOn || this.kindOf(text) !== "text") {
			return "";
		}
		const { isStrict } = this.candidate ?? { isStrict: true };
		this.release();
		if (isStrict) {
			this.place.pass(written);
			return written + this.scan(text);
		}
		if (this.areOffered(calls)) {
			this.calls.push(...calls);
		} else {
			this.unread += written;
		}
		this.place.pass("\n");
		return this.scan(text.trimStart());
	}

	/** Passes the first character of the held text on as text. */
	private passFirst(): string {
		const text = this.release();
		this.place.pass(text.slice(0, 1));
		return text.slice(0, 1) + this.scan(text.slice(1));
	}

	private areOffered(calls: readonly WrittenCall[]): boolean {
		return calls.length > 0 && calls.every(({ name }) => this.names.has(name));
	}

	/** Whether a text begins calls, or may begin them or end a turn. */
	private kindOf(text: string): HeldText | "maybe" | "text" {
		const { kind, hasText } = this.place;
		if (kind === "code") {
			return "text";
		}
		const [, first = "", second = ""] = /^\s*(\S)\s*(\S)/.exec(text.slice(0, maxStart)) ?? [];
		if (second !== "" && !this.heads.has(plainSigns(first + second))) {
			return "text";
		}
		const start = plainSigns(text.slice(0, maxStart));
		const signs = this.signs.filter(({ form }) => !hasText || !form.isWhole);
		const found = signs.find(sign => start.startsWith(sign.text));
		if (found && kind === "quoted") {
			this.place.quote();
			return "text";
		}
		if (found) {
			const { form } = found;
			return { form, isStrict: form.isPlain === true || kind === "middle" };
		}
		const mayBegin = signs.some(sign => sign.text.startsWith(start));
		return text.length < maxStart && (mayBegin || turnEndStart.test(text)) ? "maybe" : "text";
	}
}

interface Sign {
	readonly text: string;
	readonly form: WrittenForm;
}

function signsOf(names: ReadonlySet<string>): readonly Sign[] {
	return [...(names.size === 0 ? [] : callForms)].flatMap(form =>
		form.signs
			.flatMap(sign =>
				sign.includes("NAME") ? [...names].map(name => sign.replace("NAME", () => name)) : [sign],
			)
			.map(text => ({ text: plainSigns(text), form })),
	);
}

/** Returns a text without white space and the suffixes of Hunyuan's marks, and with one spelling of DeepSeek's own signs. */
function plainSigns(text: string): string {
	return text
		.replaceAll(/[\s_▁]/g, "")
		.replaceAll("｜", "|")
		.replaceAll("||", "|")
		.replaceAll(/(?<=<\/?(?:toolcalls?|toolsep|argkey)):\w*(?=>|$)/g, "");
}

/** What marks begin with. */
const markStart = /[<[]|\](?=<|$)/;

function nextMark(text: string, from: number): number {
	const next = new RegExp(markStart, "g");
	next.lastIndex = from;
	return next.exec(text)?.index ?? -1;
}

/** Matches the mark behind a call, as far as its name. */
const markAfter = new RegExp(String.raw`^\s*((?:${literal(miniMaxToken)})?<[^\s<>=]+[\s>=])`);

/** What may become marks that close a call. */
const mayGoOn = new RegExp(
	String.raw`^\s*(?:(?:<\|close\|>\w{0,10}|${literal(miniMaxToken)})?(?:<[^>\n]{0,40})?|${startOf(miniMaxToken)}|\[[/A-Z_]*|${"`"}{1,2}|[,;}]?)$`,
);

/** The most text that isn't looked at. */
const maxUnseen = 16 * 1024;

/** Where in a text the next character is. Looks at the text only when asked. */
class TextSurroundings {
	hasText = false;
	/** Text that wasn't looked at yet. */
	private unseen = "";
	/** The current line, as far as it was looked at. */
	private line: string[] = [];
	/** The number of back quotes that opened code in the line. */
	private quotes = 0;
	/** The fence of the open code block, or empty. */
	private fence = "";
	private isQuoted = false;

	/** Treats the rest of the paragraph as quoted text. */
	quote(): void {
		this.isQuoted = true;
	}

	pass(text: string): void {
		this.hasText ||= text.trim() !== "";
		this.unseen += text;
		if (this.unseen.length > maxUnseen) {
			this.look();
		}
	}

	/** Whether the place starts a line, is in the middle of one, or is in code of several lines or in code or quotes of a paragraph. */
	get kind(): "line" | "middle" | "code" | "quoted" {
		this.look();
		const [start = ""] = this.line;
		const last = this.line.at(-1)?.at(-1) ?? "";
		const isQuoted = this.isQuoted || /^\s*>/.test(start) || /["'“”„‘’«»‹›]/.test(last);
		if (this.fence !== "" || isQuoted || this.quotes > 0) {
			return this.fence === "" && !this.isQuoted ? "quoted" : "code";
		}
		const isBlank = this.line.every(text => text.trim() === "");
		const isIndented = this.hasText && /^(?: {4}|\t)/.test(start);
		return !isBlank ? "middle" : isIndented ? "code" : "line";
	}

	private look(): void {
		const lines = this.unseen.split("\n");
		this.unseen = "";
		for (const [at, text] of lines.entries()) {
			if (at > 0) {
				const line = this.line.join("").trimEnd();
				this.fence = fenceAfter(this.fence, line);
				this.line = [];
				// Code and quoted text end with the paragraph.
				this.quotes = line === "" || this.fence !== "" ? 0 : this.quotes;
				this.isQuoted &&= line !== "";
			}
			if (text !== "") {
				this.line.push(text);
			}
			for (const [run] of text.matchAll(/`+/g)) {
				this.quotes = this.quotes === 0 ? run.length : this.quotes === run.length ? 0 : this.quotes;
			}
		}
	}
}
