import type { HighlightResult } from "highlight.js";

/** Code and its class; empty if it isn't highlighted. */
export type HighlightedPiece = readonly [text: string, className: string];

/** Splits code into highlighted pieces. Returns undefined for an unknown language. */
export type Highlighter = (
	code: string,
	language: string,
) => readonly HighlightedPiece[] | undefined;

/** The longest code to highlight, in characters; more would block the page. */
export const maxHighlightedCharacters = 20 * 1024;

let loading: Promise<typeof import("./languages.ts")> | undefined;

/** Loads the highlighter and a language on first use. All callers share them. */
export async function loadHighlighter(language: string): Promise<Highlighter> {
	loading ??= import("./languages.ts");
	const { highlighter, loadLanguage } = await loading;
	await loadLanguage(language);
	return createHighlighter(highlighter);
}

interface HighlightingLibrary {
	getLanguage(name: string): unknown;
	highlight(code: string, options: { language: string; ignoreIllegals: boolean }): HighlightResult;
}

/** Creates a highlighter that uses the library's token tree instead of its HTML. */
export function createHighlighter(library: HighlightingLibrary): Highlighter {
	return (code, language) => {
		if (code.length > maxHighlightedCharacters || !library.getLanguage(language)) {
			return undefined;
		}
		const pieces: HighlightedPiece[] = [];
		const result = library.highlight(code, { language, ignoreIllegals: true });
		collectPieces(rootOf(result), "", pieces);
		return pieces;
	};
}

/** Returns the library's tree. Its emitter can be replaced according to its documentation; the default one has this root node. */
function rootOf(result: HighlightResult): unknown {
	const emitter: unknown = result._emitter;
	return typeof emitter === "object" && emitter !== null && "rootNode" in emitter
		? emitter.rootNode
		: result.code;
}

/** Visits the tree: a node is text, or has children and optionally a scope. Ignores anything else. */
function collectPieces(node: unknown, inherited: string, pieces: HighlightedPiece[]): void {
	if (typeof node === "string") {
		pieces.push([node, inherited]);
		return;
	}
	if (typeof node !== "object" || node === null || !("children" in node)) {
		return;
	}
	const scope = "scope" in node && typeof node.scope === "string" ? node.scope : undefined;
	const className = classOf(scope) ?? inherited;
	if (Array.isArray(node.children)) {
		node.children.forEach(child => collectPieces(child, className, pieces));
	}
}

/** Converts `title.function` to `hljs-title hljs-function`. The name of an embedded language has no color. */
function classOf(scope: string | undefined): string | undefined {
	if (scope === undefined || scope.startsWith("language:")) {
		return undefined;
	}
	return scope
		.split(".")
		.map(part => `hljs-${part}`)
		.join(" ");
}
