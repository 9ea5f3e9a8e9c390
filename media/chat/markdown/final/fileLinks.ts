import {
	linesAfterPath,
	linesIn,
	type NamedLines,
	placeIn,
} from "../../../../src/shared/namedLines.ts";
import { createFileLink, placeInAddress } from "../elements/fileLink.ts";
import { inertAddress } from "../elements/elements.ts";

/** The host's function that returns the label of each path's file, or null; at most 64 paths per call. */
export type NameFiles = (paths: readonly string[]) => Promise<readonly (string | null)[]>;

/** The most paths per request. */
const maxAsked = 64;

/** The most locations in a block to examine, and the most files to cache. */
const maxPlaces = 200;
const maxKnown = 5000;

/** How long a path without a file is cached, in milliseconds. */
const missingMs = 30_000;

/** A location in finished text that may become a link. */
interface LinkCandidate {
	readonly place: NamedLines;
	link(label: string): void;
}

/** Links locations in finished text to workspace files. Sends at most one request per frame. */
export class FileLinks {
	private readonly nameFiles: NameFiles;
	/** Labels of files by path; null for paths that had no file a moment ago. */
	private readonly known = new Map<string, string | null>();
	private readonly waiting = new Map<string, LinkCandidate[]>();
	private isArmed = false;

	constructor(nameFiles: NameFiles) {
		this.nameFiles = nameFiles;
	}

	/** Links the locations in an element, at once or after the host's reply. */
	linkIn(element: HTMLElement): void {
		for (const candidate of placesIn(element).slice(0, maxPlaces)) {
			const { path } = candidate.place;
			const label = this.known.get(path);
			if (label === undefined) {
				this.waiting.set(path, [...(this.waiting.get(path) ?? []), candidate]);
				this.arm();
			} else if (label !== null) {
				candidate.link(label);
			}
		}
	}

	private arm(): void {
		if (!this.isArmed) {
			this.isArmed = true;
			requestAnimationFrame(() => this.ask());
		}
	}

	private ask(): void {
		this.isArmed = false;
		const paths = [...this.waiting.keys()].slice(0, maxAsked);
		const asked = paths.map(path => [path, this.waiting.get(path) ?? []] as const);
		paths.forEach(path => this.waiting.delete(path));
		this.nameFiles(paths).then(
			labels => asked.forEach(([path, found], index) => this.take(path, found, labels[index])),
			// Without links the text is still complete.
			() => undefined,
		);
		if (this.waiting.size > 0) {
			this.arm();
		}
	}

	private take(
		path: string,
		found: readonly LinkCandidate[],
		label: string | null | undefined,
	): void {
		if (this.known.size >= maxKnown) {
			this.known.clear();
		}
		this.known.set(path, label ?? null);
		if (typeof label === "string") {
			found.forEach(candidate => candidate.link(label));
		} else {
			// A tool may create the file meanwhile.
			setTimeout(() => this.known.delete(path), missingMs);
		}
	}
}

/** Elements without running text, or inside links. */
const noProse = "a, code, pre, button, .math, .inert-link, .inert-image";

function placesIn(element: HTMLElement): LinkCandidate[] {
	return [...codeIn(element), ...linksIn(element), ...proseIn(element)];
}

/** Lines named in the text after a path in code, as in “`a.ts`, line 12”. */
const linesAfterCode = new RegExp(`^(?:${linesAfterPath})(?![\\w])`, "iu");

function linesBehind(code: HTMLElement): Omit<NamedLines, "path"> {
	const next = code.nextSibling;
	const [after = ""] = (next instanceof Text && linesAfterCode.exec(next.data)) || [];
	return linesIn(after);
}

/** Returns the inline code that is only a path. */
function codeIn(element: HTMLElement): LinkCandidate[] {
	return [...element.querySelectorAll<HTMLElement>(":not(pre) > code")].flatMap(code => {
		const found = code.closest("a, .inert-link") ? undefined : placeIn(code.textContent);
		const place = found?.line === undefined ? found && { ...found, ...linesBehind(code) } : found;
		return place
			? {
					place,
					link: label => code.replaceChildren(createFileLink(label, place, [...code.childNodes])),
				}
			: [];
	});
}

/** Returns the links to a path. */
function linksIn(element: HTMLElement): LinkCandidate[] {
	return [...element.querySelectorAll<HTMLElement>(".inert-link")].flatMap(inert => {
		const { address, words } = inertAddress(inert) ?? { address: "", words: [] };
		const place = placeInAddress(address);
		return place
			? { place, link: label => inert.replaceWith(createFileLink(label, place, words)) }
			: [];
	});
}

/** A path in running text whose names have these letters, or are in brackets as `[id]` and `(shop)` are. Optionally with lines. */
function pathOf(letter: string): RegExp {
	const part = String.raw`(?:[${letter}.@+$-]|\[{1,2}[^\s[\]/]{1,60}\]{1,2}|\([^\s()/]{1,60}\))`;
	const start = String.raw`(?<![${letter}/\\.:@#?&=%~-])(?:file:\/\/(?=\/))?(?:\/[a-z]:)?(?:\.{1,2}\/|\/)?`;
	const path = String.raw`(?:${part}{1,100}\/){0,30}${part}{1,100}\.[a-z]\w{0,9}`;
	return new RegExp(String.raw`${start}${path}(?:${linesAfterPath})?(?![\w/\\])`, "giu");
}

/** Names of every alphabet, then of ASCII alone, because languages without spaces write on behind or before a path. */
const inProse = [pathOf(String.raw`\p{L}\p{M}\p{N}_`), pathOf(String.raw`\w`)];

function proseIn(element: HTMLElement): LinkCandidate[] {
	const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
	const candidates: LinkCandidate[] = [];
	for (let node = walker.nextNode(); node; node = walker.nextNode()) {
		if (
			node instanceof Text &&
			(/[/:]/.test(node.data) || (/\.\w/.test(node.data) && /\d/.test(node.data))) &&
			!node.parentElement?.closest(noProse)
		) {
			candidates.push(...pathsIn(node));
		}
	}
	return candidates;
}

function pathsIn(text: Text): LinkCandidate[] {
	const found = new Set(inProse.flatMap(paths => text.data.match(paths) ?? []));
	return [...found].flatMap(match => {
		const place = placeIn(match);
		return place && (place.line !== undefined || match.includes("/"))
			? { place, link: label => linkWords(text, match, label, place) }
			: [];
	});
}

/** Links words in a text, which earlier links may have split. */
function linkWords(text: Text, words: string, label: string, place: NamedLines): void {
	for (let node: Node | null = text; node; node = node.nextSibling) {
		const start = node instanceof Text ? node.data.indexOf(words) : -1;
		if (node instanceof Text && start !== -1) {
			const rest = node.splitText(start);
			rest.splitText(words.length);
			rest.replaceWith(createFileLink(label, place, [document.createTextNode(words)]));
			return;
		}
	}
}
