import { isRecord, parseJson } from "../../common/json.ts";

/** How a form writes each argument between marks. */
export interface ElementMarks {
	/** Reads the mark that opens an argument, with its name and, in some forms, whether it is text or its type. Sticky. */
	readonly opening: RegExp;
	/** Matches the mark that closes an argument. */
	readonly closing: RegExp;
	/** Finds the next mark of the form that opens or closes a call or an argument. */
	readonly any: RegExp;
	/** Matches what may follow the last argument: marks that close the call, then nothing or another call. */
	readonly rest: RegExp;
	/** Whether a value is written without line breaks around it, and may hold closing marks that no other mark follows. */
	readonly isVerbatim?: boolean;
	/** Whether a grammar kept the model to the form, so that no closing mark is missing. */
	readonly isExact?: boolean;
}

export interface ReadValue {
	readonly value: unknown;
	readonly end: number;
}

/** The most marks within an argument. */
const maxMarks = 100;

/** Whether an argument between marks is plain text, not JSON. */
export function isTextArgument(schema: unknown): boolean {
	const { type, enum: options } = isRecord(schema) ? schema : {};
	return Array.isArray(options)
		? options.every(option => typeof option === "string")
		: type === "string";
}

/** Reads arguments between marks. Returns undefined if it isn't certain where one ends. */
export function readElements(
	written: string,
	from: number,
	properties: Readonly<Record<string, unknown>>,
	marks: ElementMarks,
): ReadValue | undefined {
	const values = new Map<string, unknown>();
	const opening = new RegExp(marks.opening, "y");
	let end = from;
	let hasLostMark = false;
	for (;;) {
		opening.lastIndex = end;
		const found = opening.exec(written);
		if (!found) {
			return { value: Object.fromEntries(values), end };
		}
		const [, key = "", kind] = found;
		const isNew = (name: string): boolean =>
			Object.hasOwn(properties, name) && name !== key && !values.has(name);
		const isText =
			kind === undefined ? isTextArgument(properties[key]) : /^(?:true|string)$/.test(kind);
		const ends = endsOf(written, opening.lastIndex, marks, isNew);
		const whole = isText ? undefined : ends.find(({ text }) => parseJson(text) !== undefined);
		const last = whole ?? ends.find(({ kind: each }) => each !== "unlikely");
		if (!last || (!whole && last.kind === "doubtful") || (values.has(key) && hasLostMark)) {
			return undefined;
		}
		// The first of a name counts, so that later text can't set it.
		if (!values.has(key)) {
			values.set(key, whole ? parseJson(last.text) : last.text);
		}
		hasLostMark ||= last.kind === "lost";
		end = last.end;
	}
}

/** Where a value may end: at its closing mark, at another one because that is missing, or where nobody can tell. */
interface ValueEnd {
	readonly kind: "closed" | "lost" | "unlikely" | "doubtful";
	readonly text: string;
	/** Where the next argument or the end of the call is. */
	readonly end: number;
}

/**
 * Returns where a value may end, in order. Text ends with a closing mark on a line of its own, or with the first if it begins beside the opening one.
 * Where its closing mark is missing, it ends before a line with the opening mark of an argument that has not come yet, or with the call.
 */
function endsOf(
	written: string,
	from: number,
	marks: ElementMarks,
	isNew: (name: string) => boolean,
): readonly ValueEnd[] {
	const ends: ValueEnd[] = [];
	const next = new RegExp(marks.any, "g");
	const opening = new RegExp(marks.opening, "y");
	const isOnLine = written[from - 1] === "\n";
	const kindWithoutMark = (mark: string, start: number, end: number): ValueEnd["kind"] => {
		if (/^(?:<\/|<\|close|\]\]>)/.test(mark)) {
			return marks.rest.test(written.slice(start, start + maxRest)) ? "lost" : "unlikely";
		}
		const isLine = isAlone(written, start, end);
		if (isOnLine && !isLine) {
			return "unlikely";
		}
		opening.lastIndex = start;
		const name = opening.exec(written)?.[1];
		return name !== undefined && isNew(name) && (isLine || marks.isVerbatim) ? "lost" : "doubtful";
	};
	next.lastIndex = from;
	for (let count = 0; count < maxMarks; count += 1) {
		const mark = next.exec(written)?.[0];
		if (mark === undefined) {
			break;
		}
		const [start, end] = [next.lastIndex - mark.length, next.lastIndex];
		const lineEnd = beforeBreak(written, start);
		if (marks.closing.test(mark)) {
			const isEnd = marks.isExact
				? start > from && lineEnd < start
				: followsMark(written, end, marks.any) ||
					(!marks.isVerbatim && (!isOnLine || lineEnd < start));
			const text = written.slice(from, isOnLine ? Math.max(from, lineEnd) : start);
			ends.push({ kind: isEnd ? "closed" : "unlikely", text, end });
			continue;
		}
		const kind = marks.isExact ? "unlikely" : kindWithoutMark(mark, start, end);
		if (kind !== "unlikely") {
			ends.push({ kind, text: written.slice(from, Math.max(from, lineEnd)), end: start });
		}
	}
	return ends;
}
/** How far to look behind a mark. */
const maxRest = 1_000;

function beforeBreak(written: string, at: number): number {
	const before = written.slice(Math.max(0, at - 2), at);
	return at - (before === "\r\n" ? 2 : before.endsWith("\n") ? 1 : 0);
}

/** Whether a mark is a line of its own. */
function isAlone(written: string, start: number, end: number): boolean {
	return (
		/(?:^|\n)[ \t]*$/.test(written.slice(Math.max(0, start - 100), start)) &&
		/^[ \t]*(?:\r?\n|$)/.test(written.slice(end, end + 100))
	);
}

/** Whether nothing but white space is before the next mark or the end. */
function followsMark(written: string, at: number, any: RegExp): boolean {
	const rest = written.slice(at, at + maxRest).trimStart();
	return rest === "" || rest.search(any) === 0;
}
