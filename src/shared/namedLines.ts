/** A location in a file as an answer writes it. Lines are counted from 1. */
export interface NamedLines {
	readonly path: string;
	readonly line?: number;
	readonly endLine?: number;
}

/** The longest path to look up, and the longest text to search for one, in characters. */
const maxPath = 300;
const maxText = 400;

const lines = String.raw`\d{1,7}(?:\s?[-–]\s?\d{1,7})?`;
const lineWord = "(?:lines?|zeilen?|lignes?|líneas?|linhas?|rig(?:a|he)|строк[аи])";

/**
 * Source of an expression for what follows a path and names its lines: `:12`, `:12:5`, `:12-20`, `:L12`, `#L12-L20`, `(12,5)`, ` (12-20)`,
 * `, line 12`, ` (lines 12-20)` and ` 第 12 行`. Has no groups; expects the flags `i` and `u`.
 */
export const linesAfterPath = [
	String.raw`#L\d{1,7}(?:-L?\d{1,7})?`,
	String.raw`:L?\d{1,7}(?:[-–]L?\d{1,7}|:\d{1,7}(?:-\d{1,7})?)?`,
	String.raw`\(\d{1,7},\s?\d{1,7}\)`,
	String.raw`,?\s\(L?\d{1,7}[-–]L?\d{1,7}\)`,
	String.raw`,?\s\(${lineWord}\s${lines}\)`,
	String.raw`,?(?:\s(?:at|on))?\s${lineWord}\s${lines}`,
	String.raw`[,，、]?\s?[(（]?第?\s?${lines}\s?行目?[)）]?`,
].join("|");

/** A path, which may have spaces, brackets and letters of every alphabet, optionally with lines. */
const written = new RegExp(
	String.raw`^(file:\/\/(?=\/))?((?:\/?[a-z]:[\\/])?[^\n\t:#?*"'\x60<>|{};]+?)(${linesAfterPath})?$`,
	"iu",
);

/** What a file name looks like: an extension, a folder before it, or a well-known name without extension. */
const nameOfFile = /[^./\\]\.\w{1,12}$|[/\\][\p{L}\p{N}_.()[\]-]+$|^\.\w|(?:file|LICENSE|README)$/u;

/** Signs that many texts other than paths have, so a path that has one needs a folder. */
const needsFolder = /[\s()[\],=]/;

/** Returns the location if a text looks like a path and nothing else. The file may not exist. */
export function placeIn(text: string): NamedLines | undefined {
	const [, scheme, found = "", after = ""] =
		text.length > maxText ? [] : (written.exec(text) ?? []);
	const path = scheme === undefined ? found : pathOfAddress(found);
	const hasFolder = /[^\s/\\][/\\]\S/.test(path) || path.startsWith("/");
	if (
		path === "" ||
		path.length > maxPath ||
		path.includes("//") ||
		path.trim() !== path ||
		!nameOfFile.test(path) ||
		(!hasFolder && needsFolder.test(path))
	) {
		return undefined;
	}
	return { path, ...linesIn(after) };
}

/** Returns the lines that a text after a path names; a second number behind `:` or `,` is a column. */
export function linesIn(after: string): Omit<NamedLines, "path"> {
	const [line = 0, second = 0] = [...after.matchAll(/\d+/g)].map(Number);
	const isRange = /\d\s?[-–]\s?L?\d/.test(after) && !/^:\d+:/.test(after);
	const endLine = isRange ? second : 0;
	return {
		...(line > 0 ? { line } : {}),
		...(endLine > line && line > 0 ? { endLine } : {}),
	};
}

/** Returns the path of a `file:` address, without the slash before a drive; empty if its escapes are invalid. */
function pathOfAddress(path: string): string {
	try {
		return decodeURIComponent(path).replace(/^\/(?=[a-z]:)/i, "");
	} catch {
		return "";
	}
}
