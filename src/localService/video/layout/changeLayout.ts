import {
	breakLine,
	type CodeArea,
	type CodeRow,
	codeSizes,
	comfortableSize,
	fewLines,
	mayBreakLines,
	readableSize,
	rowStep,
	scrolledSize,
	smallestFor,
	smallestSize,
	wholeSizes,
} from "./codeLayout.ts";
import { type ChangeLine, withoutFarLines } from "../../../clip/changeLines.ts";
import type { CodeToken } from "../../../clip/codeToken.ts";
import { columnsOf } from "../../../clip/columns.ts";
import type { FontMetrics } from "./fontMetrics.ts";
import { type ChangeRow, matchTokens, type TokenMoves } from "./tokenMoves.ts";
import { breakWord } from "./wrapText.ts";

/** A step of a change, or a part of one that fits the window: the rows before and after, and the move of each piece. */
export interface ChangePage extends TokenMoves {
	readonly before: readonly ChangeRow[];
	readonly after: readonly ChangeRow[];
}

/** Layout of a change in a window. Every row fits the width. */
export interface ChangeLayout {
	readonly size: number;
	readonly pages: readonly ChangePage[];
	/** Whether each page starts where the one before ends. Otherwise the window scrolls from page to page. */
	readonly isOneText: boolean;
}

/** A line with its tokens, those of the later version where it is in both. */
export interface ChangeTokens extends ChangeLine {
	readonly tokens: readonly CodeToken[];
}

/** A line with its rows. `block` is the number of its run of changed lines. */
interface LaidLine {
	readonly kind: ChangeLine["kind"];
	readonly numbers: ChangeLine["numbers"];
	readonly block: number;
	readonly rows: readonly CodeRow[];
}

/**
 * Lays out the steps of a change at the largest size at which both sides of each fit the window, without lines far from a change if that helps.
 * Otherwise splits them into up to `most` pages and counts the remaining lines.
 */
export function layOutChange(
	steps: readonly (readonly ChangeTokens[])[],
	options: {
		readonly room: CodeArea;
		readonly mono: FontMetrics;
		readonly most: number;
		/** As for code. */
		readonly sizes?: readonly number[];
	},
): ChangeLayout {
	const { room, mono, most } = options;
	const columnsAt = (size: number): number => Math.floor(room.width / (mono.widthOf("0") * size));
	const smallest = smallestFor(columnsAt(scrolledSize));
	const sizes = codeSizes.filter(size => size >= smallest);
	const rowsAt = (size: number): number => Math.floor((room.height + 1) / rowStep(size));
	const near = steps.map(withoutFarLines);
	for (const kept of steps.length === 1 ? [steps, near] : [steps]) {
		const lengths = kept.flat().map(({ text }) => columnsOf(text));
		const laidAt = (size: number) => kept.map(lines => layLines(lines, columnsAt(size)));
		const fits = (size: number): boolean =>
			laidAt(size).every(lines => heightOf(lines) <= rowsAt(size));
		const isGood = (size: number): boolean => mayBreakLines(lengths, columnsAt, size, smallest);
		const chosen = options.sizes?.find(fits);
		if (chosen !== undefined) {
			return { size: chosen, pages: laidAt(chosen).map(pageOf), isOneText: true };
		}
		// Short code is rather broken than set small.
		const isShort = laidAt(1).every(lines => heightOf(lines) <= fewLines);
		const size = options.sizes
			? undefined
			: (sizes.find(size => (size >= readableSize || !isShort) && isGood(size) && fits(size)) ??
				(isShort && smallest === smallestSize
					? wholeSizes.find(size => Math.max(...lengths) <= columnsAt(size) && fits(size))
					: undefined) ??
				sizes.find(size => size <= (isShort ? comfortableSize : scrolledSize) && fits(size)));
		if (size !== undefined) {
			return { size, pages: laidAt(size).map(pageOf), isOneText: true };
		}
	}
	const size = options.sizes?.at(-1) ?? scrolledSize;
	const laid = near.flatMap(lines => layLines(lines, columnsAt(size)));
	return { size, pages: fillPages(laid, rowsAt(size), most), isOneText: false };
}

function layLines(lines: readonly ChangeTokens[], columns: number): readonly LaidLine[] {
	let block = 0;
	let wasChange = false;
	return lines.map(({ kind, text, numbers, tokens }) => {
		const isChange = kind === "removed" || kind === "added";
		block += isChange && wasChange ? 0 : 1;
		wasChange = isChange;
		const rows = kind === "gap" ? [gapRow(text, columns)] : breakLine(tokens, 0, columns);
		return { kind, numbers, block, rows };
	});
}

function gapRow(place: string, columns: number): CodeRow {
	const words = place === "" ? "⋯" : `⋯ ${place}`;
	const [start = ""] = breakWord(words, { width: columns - 1, widthOf: columnsOf });
	const text = columnsOf(words) > columns ? `${start}…` : words;
	return { tokens: [{ kind: "comment", text }], columns: columnsOf(text) };
}

function heightOf(lines: readonly LaidLine[]): number {
	return Math.max(
		...(["added", "removed"] as const).map(gone =>
			lines.reduce((sum, { kind, rows }) => sum + (kind === gone ? 0 : rows.length), 0),
		),
	);
}

function pageOf(lines: readonly LaidLine[]): ChangePage {
	const side = (gone: ChangeLine["kind"]): readonly ChangeRow[] =>
		lines.flatMap(({ kind, numbers, block, rows }) => {
			const number = gone === "added" ? numbers?.before : numbers?.after;
			return kind === gone
				? []
				: rows.map((row, index) => ({
						tokens: row.tokens,
						columns: row.columns,
						block,
						kind: kind === "gap" ? ("same" as const) : kind,
						...(index === 0 && number !== undefined && { number }),
					}));
		});
	const before = side("added");
	const after = side("removed");
	return { before, after, ...matchTokens(before, after) };
}

function fillPages(
	lines: readonly LaidLine[],
	perPage: number,
	most: number,
): readonly ChangePage[] {
	const pages = groupLines(lines, perPage);
	if (pages.length <= most) {
		// Fills the pages evenly, so that none has a single line.
		const fewer = Array.from({ length: perPage }, (_, index) => index + 1);
		const balanced = fewer
			.map(rows => groupLines(lines, rows))
			.find(each => each.length === pages.length && each.every(page => heightOf(page) <= perPage));
		return (balanced ?? pages).map(pageOf);
	}
	const shown = pages.slice(0, most);
	const last = shown.at(-1) ?? [];
	while (last.length > 0 && heightOf(last) >= perPage) {
		last.pop();
	}
	const count = (some: readonly LaidLine[]): number =>
		some.filter(({ kind }) => kind !== "gap").length;
	const hidden = count(lines) - count(shown.flat());
	last.push({
		kind: "gap",
		numbers: undefined,
		block: -1,
		rows: [gapRow(hidden === 1 ? "and 1 more line" : `and ${hidden} more lines`, 99)],
	});
	return shown.map(pageOf);
}

/** Keeps runs of changed lines together if a page has room for them. */
function groupLines(lines: readonly LaidLine[], perPage: number): readonly LaidLine[][] {
	const pages: LaidLine[][] = [[]];
	for (const run of runsOf(lines, perPage)) {
		const page = pages.at(-1) ?? [];
		if (page.length > 0 && heightOf([...page, ...run]) > perPage) {
			pages.push([...run]);
		} else {
			page.push(...run);
		}
	}
	return pages;
}

/** Groups consecutive changed lines into runs that fit a page. Any other line is alone. */
function runsOf(lines: readonly LaidLine[], perPage: number): readonly (readonly LaidLine[])[] {
	const runs: LaidLine[][] = [];
	for (const line of lines) {
		const run = runs.at(-1);
		// A gap describes the lines after it.
		const goesOn = run?.[0]?.block === line.block || run?.at(-1)?.kind === "gap";
		if (run && goesOn && heightOf([...run, line]) <= perPage) {
			run.push(line);
		} else {
			runs.push([line]);
		}
	}
	return runs;
}
