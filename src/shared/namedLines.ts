/** A location in a file as an answer writes it. Lines are counted from 1. */
export interface NamedLines {
	readonly path: string;
	readonly line?: number;
	readonly endLine?: number;
}

/** The longest path to look up, in characters. */
const maxPath = 300;

/** A path without white space, optionally with lines: `:12`, `:12:5`, `:12-20`, `#L12`, `#L12-L20`. */
const written =
	/^((?:[a-z]:[\\/])?[^\s:#?*"'`<>|(){}[\]=,;]+)(?:#L(\d{1,7})(?:-L?(\d{1,7}))?|:(\d{1,7})(?:[-–](\d{1,7})|:\d{1,7})?)?$/i;

/** What a file name looks like: an extension, a folder before it, or a well-known name without extension. */
const nameOfFile = /[^./\\]\.\w{1,12}$|[/\\][\w.-]+$|^\.\w|(?:file|LICENSE|README)$/;

/** Returns the location if a text looks like a path and nothing else. The file may not exist. */
export function placeIn(text: string): NamedLines | undefined {
	const [, path = "", hashLine, hashEnd, colonLine, colonEnd] = written.exec(text) ?? [];
	if (path === "" || path.length > maxPath || path.includes("//") || !nameOfFile.test(path)) {
		return undefined;
	}
	const [line, endLine] = [Number(hashLine ?? colonLine ?? 0), Number(hashEnd ?? colonEnd ?? 0)];
	return {
		path,
		...(line > 0 ? { line } : {}),
		...(endLine > line && line > 0 ? { endLine } : {}),
	};
}
