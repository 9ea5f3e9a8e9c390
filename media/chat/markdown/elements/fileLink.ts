import { createElement } from "./elements.ts";

/** A place in a file, as an answer names it; lines are counted from 1. */
export interface NamedLines {
	readonly path: string;
	readonly line?: number;
	readonly endLine?: number;
}

/** The longest path worth asking for, in characters. */
const maxPath = 300;

/** A path without white space, then perhaps lines: `:12`, `:12:5`, `:12-20`, `#L12`, `#L12-L20`. */
const written =
	/^((?:[a-z]:[\\/])?[^\s:#?*"'`<>|(){}[\]=,;]+)(?:#L(\d{1,7})(?:-L?(\d{1,7}))?|:(\d{1,7})(?:[-–](\d{1,7})|:\d{1,7})?)?$/i;

/** What the name of a file looks like: an extension, a folder before it, or one of the names without. */
const nameOfFile = /[^./\\]\.\w{1,12}$|[/\\][\w.-]+$|^\.\w|(?:file|LICENSE|README)$/;

/** The place that a text names and nothing else, when it reads like a path; whether there is such a file is not known here. */
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

/** The place that the address of a link names: a path, its white space and the like percent-encoded. */
export function placeInAddress(address: string): NamedLines | undefined {
	const [, path = "", lines = ""] =
		/^(?!\w{2,}:)([^#?]+?)(#L\d[\dL-]*|:\d[\d:-]*)?$/.exec(address) ?? [];
	try {
		const decoded = decodeURIComponent(path);
		const place = placeIn(decoded.replaceAll(/[ ()[\]{}=,;']/g, "_") + lines);
		return place && { ...place, path: decoded };
	} catch {
		// No escape sequence: no path that anybody wrote.
		return undefined;
	}
}

/** A file of the workspace, and where in it. */
export interface FileLink {
	readonly label: string;
	readonly line?: number;
	readonly endLine?: number;
}

/** Kept beside the elements: no attribute ever holds words of a model (threat T16). */
const links = new WeakMap<Element, FileLink>();

/** Makes a link around nodes that opens a file of the workspace; it has no address, so nothing else can follow it. */
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

/** What a link opens; nothing for one with an address. */
export function fileOf(link: Element): FileLink | undefined {
	return links.get(link);
}
