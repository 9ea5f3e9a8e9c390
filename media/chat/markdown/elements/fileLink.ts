import { createElement } from "./elements.ts";

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

/** Returns the location in a link's address: a percent-encoded path. */
export function placeInAddress(address: string): NamedLines | undefined {
	const [, path = "", lines = ""] =
		/^(?!\w{2,}:)([^#?]+?)(#L\d[\dL-]*|:\d[\d:-]*)?$/.exec(address) ?? [];
	try {
		const decoded = decodeURIComponent(path);
		const place = placeIn(decoded.replaceAll(/[ ()[\]{}=,;']/g, "_") + lines);
		return place && { ...place, path: decoded };
	} catch {
		// An invalid escape sequence, so it isn't a path.
		return undefined;
	}
}

/** A location in a workspace file. */
export interface FileLink {
	readonly label: string;
	readonly line?: number;
	readonly endLine?: number;
}

/** Kept outside the DOM, because attributes must not contain a model's text (docs/security.md). */
const links = new WeakMap<Element, FileLink>();

/** Creates a link that opens a workspace file. It has no URL, so nothing else can follow it. */
export function createFileLink(
	label: string,
	{ line, endLine }: Omit<NamedLines, "path">,
	words: readonly Node[],
): HTMLElement {
	const link = createElement("a", "file-link");
	link.tabIndex = 0;
	link.role = "link";
	link.title = line === undefined ? label : `${label}:${line}`;
	link.append(...words);
	links.set(link, { label, line, endLine });
	return link;
}

/** Returns the file a link opens; undefined for a link with a URL. */
export function fileOf(link: Element): FileLink | undefined {
	return links.get(link);
}
