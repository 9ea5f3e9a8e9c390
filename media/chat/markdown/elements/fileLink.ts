import { type NamedLines, placeIn } from "../../../../src/shared/namedLines.ts";
import { createElement } from "./elements.ts";

/** Returns the location in a link's address: a percent-encoded path. */
export function placeInAddress(address: string): NamedLines | undefined {
	const [, path = "", lines = ""] =
		/^(?:file:\/\/(?=\/))?(?!\w{2,}:)([^#?]+?)(#L\d[\dL-]*|:\d[\d:-]*)?$/.exec(address) ?? [];
	try {
		const decoded = decodeURIComponent(path).replace(/^\/(?=[a-z]:)/i, "");
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
