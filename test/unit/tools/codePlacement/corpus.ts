import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** A file, a block for it, and what is right. */
export interface PlaceCase {
	readonly title: string;
	readonly path: string;
	readonly text: string;
	readonly block: string;
	/** The text as it should be; undefined where the user has to be asked. */
	readonly right: string | undefined;
}

interface CorpusFile {
	readonly path: string;
	readonly lines: readonly string[];
	readonly flags: readonly string[];
}

/**
 * Reads every case of a folder. A corpus holds files (`==== file NAME FLAGS`), cases for the file above them (`==== case TITLE`,
 * the block below it), and for each what is right: `---- ask`, `---- same` for what is there already, or `---- right` with hunks whose
 * lines begin with a space, `-` or `+` and which fit the file in one place alone.
 */
export function readCorpus(folder: string): PlaceCase[] {
	return readdirSync(folder)
		.filter(name => name.endsWith(".txt"))
		.toSorted()
		.flatMap(name => readCases(readFileSync(join(folder, name), "utf8")));
}

function readCases(corpus: string): PlaceCase[] {
	const cases: PlaceCase[] = [];
	let file: CorpusFile | undefined;
	for (const part of corpus.split(/^==== /m).slice(1)) {
		const [head = "", ...lines] = part.replace(/\n$/, "").split("\n");
		const [, kind, rest = ""] = /^(file|case) (.*)$/.exec(head) ?? [];
		if (kind === "file") {
			const [path = "", ...flags] = rest.split(" ");
			file = { path, lines, flags };
		} else if (file) {
			cases.push(readCase(file, rest, lines));
		}
	}
	return cases;
}

function readCase(file: CorpusFile, title: string, lines: readonly string[]): PlaceCase {
	const mark = lines.findIndex(line => line.startsWith("---- "));
	const block = lines.slice(0, mark).join("\n");
	const isAsked = lines[mark] === "---- ask";
	const isSame = lines[mark] === "---- same";
	const right = isAsked
		? undefined
		: textOf(file, isSame ? file.lines : patched(file.lines, lines.slice(mark + 1), title));
	return {
		title: `${file.path}: ${title}`,
		path: file.path,
		text: textOf(file, file.lines),
		block,
		right,
	};
}

function textOf({ flags }: CorpusFile, lines: readonly string[]): string {
	const lineEnd = flags.includes("crlf") ? "\r\n" : "\n";
	return `${flags.includes("bom") ? "\uFEFF" : ""}${lines.join(lineEnd)}${flags.includes("noeol") ? "" : lineEnd}`;
}

function patched(lines: readonly string[], hunks: readonly string[], title: string): string[] {
	const result = [...lines];
	for (const hunk of hunks.join("\n").split("\n@@\n")) {
		const own = hunk.split("\n").map(line => (line === "" ? " " : line));
		const side = (mark: string): string[] =>
			own.filter(line => !line.startsWith(mark)).map(line => line.slice(1));
		const [old, fresh] = [side("+"), side("-")];
		const places = result.flatMap((_, at) =>
			old.every((line, index) => result[at + index] === line) ? [at] : [],
		);
		if (places.length !== 1) {
			throw new Error(`The corpus is wrong: a hunk of “${title}” fits in ${places.length} places.`);
		}
		result.splice(places[0] ?? 0, old.length, ...fresh);
	}
	return result;
}
