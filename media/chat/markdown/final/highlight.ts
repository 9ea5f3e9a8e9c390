import type { HighlightResult } from "highlight.js";

/** A piece of code and the class it is shown with; no class for code without a meaning of its own. */
export type HighlightedPiece = readonly [text: string, className: string];

/** Finds the parts of code that are shown in color; nothing for a language it does not know. */
export type Highlighter = (
	code: string,
	language: string,
) => readonly HighlightedPiece[] | undefined;

/** The longest code that is highlighted, in characters: a longer one would hold up the page. */
export const maxHighlightedCharacters = 20 * 1024;

let loading: Promise<typeof import("./languages.ts")> | undefined;

/** Loads the highlighter and a language on first use; all callers share them. */
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

/** Makes a highlighter that reads the library's tree of tokens; its HTML is never made. */
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

/** The library's tree; its emitter is documented for replacement, its root node is what the default one builds. */
function rootOf(result: HighlightResult): unknown {
	const emitter: unknown = result._emitter;
	return typeof emitter === "object" && emitter !== null && "rootNode" in emitter
		? emitter.rootNode
		: result.code;
}

/** Walks the tree: a node is text, or has children and perhaps a scope; anything else is left out. */
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

/** `title.function` becomes `hljs-title hljs-function`; the name of an embedded language says nothing about color. */
function classOf(scope: string | undefined): string | undefined {
	if (scope === undefined || scope.startsWith("language:")) {
		return undefined;
	}
	return scope
		.split(".")
		.map(part => `hljs-${part}`)
		.join(" ");
}
