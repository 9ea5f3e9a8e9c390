import { type Line, widthOf } from "./lines.ts";

/** Share of regularly indented lines from which a text counts as such. Other lines may be aligned. */
const regularShare = 0.75;

/** Converts lines of a block to the indentation of a text. */
export interface Indenter {
	/** One level of the text's indentation. */
	readonly step: string;
	/** Indents the lines relative to `base`. Lines inside a string stay unchanged. */
	indent(lines: readonly Line[], base: string): string[];
}

/**
 * Creates an indenter for a text and a block. If the block repeats lines of the text at the same relative indentation, its indentation is kept.
 * Otherwise each of its levels is converted to the text's.
 */
export function createIndenter(old: readonly Line[], block: readonly Line[]): Indenter {
	const to = stepOf(old) ?? stepOf(block) ?? "\t";
	const from = stepOf(block) ?? to;
	const isAlike = from === to || (from[0] === to[0] && hasSameDistances(old, block));
	return {
		step: to,
		indent: (lines, base) => {
			const isText = (line: Line): boolean => line.isInString && line.language.id !== "python";
			const first = lines.find(line => !line.isBlank && !isText(line));
			const [least, prefix] = [first?.width ?? 0, indentOf(first?.text)];
			return lines.map(line => {
				if (line.isBlank || isText(line)) {
					return line.isBlank && !isText(line) ? "" : line.text;
				}
				if (isAlike && line.text.startsWith(prefix)) {
					return `${base}${line.text.slice(prefix.length)}`;
				}
				const width = Math.max(0, line.width - least);
				const steps = Math.floor(width / widthOf(from));
				return `${base}${to.repeat(steps)}${" ".repeat(width - steps * widthOf(from))}${line.text.trimStart()}`;
			});
		},
	};
}

/** Returns the whitespace at the start of a line. */
export function indentOf(text = ""): string {
	return /^[ \t]*/.exec(text)?.[0] ?? "";
}

/** Returns one level of indentation, or undefined if nothing is indented. */
function stepOf(lines: readonly Line[]): string | undefined {
	const inCode = lines.filter(line => !line.isBlank && !line.isInside);
	const tabs = inCode.filter(({ text }) => text.startsWith("\t")).length;
	const least = Math.min(...inCode.map(({ width }) => width));
	const widths = inCode.map(({ width }) => width - least).filter(width => width > 1);
	if (tabs > 0 && tabs * 2 >= widths.length) {
		return "\t";
	}
	const fits = (step: number): boolean =>
		widths.filter(width => width % step === 0).length >= widths.length * regularShare;
	const step = [Math.min(...widths), 8, 4, 3, 2].find(fits) ?? 4;
	return widths.length === 0 ? undefined : " ".repeat(step);
}

function hasSameDistances(old: readonly Line[], block: readonly Line[]): boolean {
	const widths = new Map(old.map(({ text, width }) => [text.trim(), width]));
	const distances = block.flatMap(({ text, width }) => {
		const known = text.trim().length > 3 ? widths.get(text.trim()) : undefined;
		return known === undefined ? [] : [{ width, distance: known - width }];
	});
	const many = (distance: number): number =>
		distances.filter(other => other.distance === distance).length;
	const most = Math.max(0, ...distances.map(({ distance }) => many(distance)));
	return (
		new Set(distances.map(({ width }) => width)).size > 1 && most >= distances.length * regularShare
	);
}
