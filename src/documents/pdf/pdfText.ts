import { markdownTable } from "../textPages.ts";
import type { Extent, PdfLine } from "./pdfLines.ts";

/** Returns the height of most of the text. */
export function bodyHeightOf(lines: readonly PdfLine[]): number {
	const counts = new Map<number, number>();
	for (const { height, cells } of lines) {
		const key = Math.round(height * 2) / 2;
		counts.set(key, (counts.get(key) ?? 0) + cells.join("").length);
	}
	const [most] = [...counts].toSorted(([, one], [, other]) => other - one);
	return most?.[0] ?? 0;
}

/** Returns a page as Markdown; `body` is the height of ordinary text. Empty if none of its characters can be read. */
export function pageText(lines: readonly PdfLine[], body: number): string {
	const ordered = inColumns(lines);
	const blocks: string[] = [];
	let at = 0;
	while (at < ordered.length) {
		const table = tableAt(ordered, at);
		if (table) {
			blocks.push(`\n${markdownTable(table)}\n`);
			at += table.length;
			continue;
		}
		const line = ordered[at];
		const above = ordered[at - 1];
		if (line) {
			const isApart = above !== undefined && Math.abs(above.y - line.y) > line.height * 1.8;
			blocks.push(lineText(line, body));
			if (isApart && !blocks.at(-1)?.startsWith("\n")) {
				blocks.splice(-1, 0, "");
			}
		}
		at += 1;
	}
	const text = blocks
		.join("\n")
		.replaceAll(/\n{3,}/g, "\n\n")
		.trim();
	return isReadable(text) ? text : "";
}

/** The longest heading, and how much larger than ordinary text it is. */
const maxHeading = 150;
const headingScales = [1.7, 1.35, 1.15] as const;

function lineText({ cells, height }: PdfLine, body: number): string {
	const text = cells.join("  ");
	const level = headingScales.findIndex(scale => height > body * scale) + 1;
	if (level > 0 && cells.length === 1 && text.length <= maxHeading && /\p{L}/u.test(text)) {
		return `\n${"#".repeat(level)} ${text}\n`;
	}
	return text.replace(/^[•‣▪●◦∙·■□▶➢✓\uF0B7\uF0A7][ \t]*/u, "- ");
}

/** The fewest lines of two cells that show that a page has columns. */
const minColumnLines = 8;
/** Cells of tables are shorter on average, in characters. */
const minProse = 22;

/** Puts the lines of two columns one column after the other, where they are drawn line by line across the page. */
function inColumns(lines: readonly PdfLine[]): readonly PdfLine[] {
	const pairs = lines.filter(({ cells }) => cells.length === 2);
	const characters = pairs.reduce((sum, { cells }) => sum + cells.join("").length, 0);
	if (pairs.length < minColumnLines || characters / pairs.length / 2 < minProse) {
		return lines;
	}
	const starts = pairs.map(({ extents }) => Math.max(...extents.map(({ from }) => from)));
	const gutter = starts.toSorted((one, other) => one - other)[Math.floor(starts.length / 2)] ?? 0;
	const isAligned = (start: number): boolean => Math.abs(start - gutter) < 8;
	if (starts.filter(isAligned).length < pairs.length * 0.8) {
		return lines;
	}
	const ordered: PdfLine[] = [];
	let [left, right]: [PdfLine[], PdfLine[]] = [[], []];
	const end = (): void => {
		// The first cell of a line is that of the side where reading begins.
		ordered.push(...left, ...right);
		[left, right] = [[], []];
	};
	for (const line of lines) {
		const [first, second] = line.cells;
		const [one, other] = line.extents;
		if (first !== undefined && second !== undefined && one && other && line.cells.length === 2) {
			left.push({ ...line, cells: [first], extents: [one] });
			right.push({ ...line, cells: [second], extents: [other] });
		} else if (one && line.extents.every(({ to }) => to < gutter)) {
			left.push(line);
		} else if (line.extents.every(({ from }) => from >= gutter - 8)) {
			right.push(line);
		} else {
			end();
			ordered.push(line);
		}
	}
	end();
	return ordered;
}

const maxTableColumns = 30;

/** Returns the rows of the table that begins at a line; undefined if none does. */
function tableAt(lines: readonly PdfLine[], at: number): readonly string[][] | undefined {
	const run: PdfLine[] = [];
	for (const line of lines.slice(at)) {
		if (line.cells.length < 2) {
			break;
		}
		run.push(line);
	}
	// A line that crosses the columns, such as one about the whole table, ends it.
	for (let length = run.length; length >= 2; length -= 1) {
		const part = run.slice(0, length);
		const columns = columnsOf(part);
		const most = Math.max(...part.map(({ cells }) => cells.length));
		if (columns.length >= most && columns.length <= maxTableColumns) {
			return part.map(line => rowOf(line, columns));
		}
	}
	return undefined;
}

/** Joins the extents of cells that overlap to columns. */
function columnsOf(lines: readonly PdfLine[]): readonly Extent[] {
	const extents = lines
		.flatMap(line => line.extents)
		.toSorted((one, other) => one.from - other.from);
	const columns: { from: number; to: number }[] = [];
	for (const { from, to } of extents) {
		const last = columns.at(-1);
		if (last && from <= last.to) {
			last.to = Math.max(last.to, to);
		} else {
			columns.push({ from, to });
		}
	}
	return columns;
}

function rowOf({ cells, extents }: PdfLine, columns: readonly Extent[]): string[] {
	const isRightToLeft = (extents[0]?.from ?? 0) > (extents.at(-1)?.from ?? 0);
	const row = columns.map(({ from, to }) =>
		cells
			.filter((_, at) => (extents[at]?.from ?? -1) >= from && (extents[at]?.from ?? 0) <= to)
			.join(" "),
	);
	return isRightToLeft ? row.toReversed() : row;
}

/** Whether most characters have a meaning in Unicode. Fonts may keep it to themselves. */
function isReadable(text: string): boolean {
	const strange = text.match(/[\p{Co}\p{Cn}\uFFFD]|(?![\n\t])\p{Cc}/gu)?.length ?? 0;
	return strange * 2 < text.length;
}
