import type { DocumentAnswer, DocumentPart, DocumentText } from "./documentText.ts";
import { startOf } from "../common/shortText.ts";

type Fault = Extract<DocumentAnswer, { type: "fault" }>["fault"];

/** Thrown by a reader for what is known about a document that can't be read. */
export class DocumentFaultError extends Error {
	override readonly name = "DocumentFaultError";
	readonly fault: Fault;
	readonly detail: string | undefined;

	constructor(fault: Fault, detail?: string) {
		super(detail ?? fault);
		this.fault = fault;
		this.detail = detail;
	}
}

/** What a reader returns. */
export type ReadText = Omit<DocumentText, "type">;

/** Room for the sentence about what is left out. */
const noteLength = 300;

/** Collects the text of pages or slides up to a limit. */
export class TextPages {
	private readonly unit: "page" | "slide";
	private readonly room: number;
	private readonly first: number;
	private readonly last: number;
	private readonly total: number;
	private readonly parts: string[] = [];
	private length = 0;
	private withoutText = 0;
	/** The last page that was added. */
	private shown: number;
	private isFull = false;

	/** Throws `DocumentFaultError` if there is no page that was asked for. */
	constructor(unit: "page" | "slide", total: number, part: DocumentPart, maxCharacters: number) {
		this.unit = unit;
		this.total = total;
		this.room = maxCharacters - noteLength;
		this.first = part.firstPage ?? 1;
		this.last = Math.min(part.lastPage ?? total, total);
		this.shown = this.first - 1;
		if (this.first > this.last) {
			throw new DocumentFaultError("noPart", `The document has ${total} ${unit}s.`);
		}
	}

	/** Numbers of the pages to add. Ends when a text has reached the limit. */
	*numbers(): Generator<number> {
		for (let page = this.first; page <= this.last && !this.isFull; page += 1) {
			yield page;
		}
	}

	/** Adds the next page. `remark` is shown behind its number. */
	add(page: number, text: string, remark = ""): void {
		const hasText = text.trim() !== "";
		const head = `[${this.unit} ${page}${remark}]`;
		const shown = hasText ? `${head}\n${text.trim()}` : `${head}\n(no text: an image, or empty)`;
		const room = this.room - this.length;
		if (shown.length > room && this.parts.length > 0) {
			this.isFull = true;
			return;
		}
		this.withoutText += hasText ? 0 : 1;
		this.shown = page;
		this.parts.push(shown.length > room ? startOf(shown, room) : shown);
		this.length += shown.length + 2;
		this.isFull = this.length >= this.room;
	}

	/** Returns everything that was added; empty if no page has text. */
	end(): ReadText {
		const { shown, last, first, withoutText } = this;
		const isEmpty = withoutText === shown - first + 1;
		const rest = shown < last ? `\n\n[${this.unit}s ${shown + 1}–${last} are left out]` : "";
		return {
			text: isEmpty ? "" : this.parts.join("\n\n") + rest,
			withoutText,
			left: shown < last ? { unit: `${this.unit}s`, shown, total: this.total } : null,
		};
	}
}

/** Returns a text that goes to its end or to the limit, with a sentence about the rest. */
export function cutDocument(text: string, maxCharacters: number): ReadText {
	const room = maxCharacters - noteLength;
	if (text.length <= room) {
		return { text, withoutText: 0, left: null };
	}
	const cut = startOf(text, room);
	return {
		text: `${cut}\n\n[about ${text.length - cut.length} characters are left out]`,
		withoutText: 0,
		left: { unit: "characters", shown: cut.length, total: text.length },
	};
}

/** Whether a text has no visible character. */
export function nothingIn(text: string): boolean {
	return !/[^\s\p{Cc}\p{Cf}]/u.test(text);
}

/** Writes rows as a Markdown table whose head is the first one. Rows may be of different lengths. */
export function markdownTable(rows: readonly (readonly string[])[]): string {
	const columns = Math.max(...rows.map(row => row.length));
	const line = (row: readonly string[]): string =>
		`| ${Array.from({ length: columns }, (_, at) => cellText(row[at] ?? "")).join(" | ")} |`;
	const [head = [], ...others] = rows;
	return [line(head), `|${" --- |".repeat(columns)}`, ...others.map(line)].join("\n");
}

function cellText(text: string): string {
	return text.trim().replaceAll(/\s+/g, " ").replaceAll("|", "\\|");
}
