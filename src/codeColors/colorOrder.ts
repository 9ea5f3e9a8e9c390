import * as z from "zod/mini";
import type { ClipColors } from "../common/clipLooks.ts";

/** A rule of a theme for TextMate scopes, as in its file. */
export interface ScopeRule {
	/** Selectors; everything if absent. */
	readonly scope?: string | readonly string[] | undefined;
	readonly settings: {
		readonly foreground?: string | undefined;
		/** Words such as `bold italic`; an empty text takes styles away. */
		readonly fontStyle?: string | undefined;
	};
}

/** What a theme sets for a semantic token. */
export interface SemanticStyle {
	readonly foreground?: string | undefined;
	readonly bold?: boolean | undefined;
	readonly italic?: boolean | undefined;
	readonly underline?: boolean | undefined;
	readonly strikethrough?: boolean | undefined;
}

/** A rule for semantic tokens: a selector such as `variable.readonly:typescript`, and a style. */
export type SemanticRule = readonly [selector: string, style: SemanticStyle];

/** A rule that gives semantic tokens the style of the first of these scopes that the theme has. */
export type SemanticScopes = readonly [selector: string, scopes: readonly string[]];

/** The rules by which the editor colors code. Colors are opaque. */
export interface EditorTheme {
	readonly background: string;
	readonly foreground: string;
	/** The theme's, then the user's. */
	readonly rules: readonly ScopeRule[];
	readonly semantic: readonly SemanticRule[];
	readonly semanticScopes: readonly SemanticScopes[];
	/** Super types of semantic token types. */
	readonly superTypes: Readonly<Record<string, string>>;
	/** Colors of bracket pairs by depth; empty if they have none. */
	readonly brackets: readonly string[];
	readonly unexpectedBracket: string;
	/** Whether each kind of bracket has its own depth. */
	readonly isDepthPerBracket: boolean;
}

/** A grammar of an extension. */
export interface GrammarSource {
	readonly scopeName: string;
	readonly path: string;
	readonly language?: string | undefined;
	/** Languages of scopes. */
	readonly embeddedLanguages?: Readonly<Record<string, string>> | undefined;
	readonly tokenTypes?: Readonly<Record<string, string>> | undefined;
	readonly balancedBracketScopes?: readonly string[] | undefined;
	readonly unbalancedBracketScopes?: readonly string[] | undefined;
	/** Scopes of the grammars that it adds to. */
	readonly injectTo?: readonly string[] | undefined;
}

/** A semantic token: its line in the text, its start, its length, its type and its modifiers. */
export interface SemanticToken {
	readonly line: number;
	readonly start: number;
	readonly length: number;
	readonly type: string;
	readonly modifiers: readonly string[];
}

/** A text to be colored. */
export interface ColorText {
	/** The key of its colors. */
	readonly key: string;
	/** An id of the editor's languages. */
	readonly language: string;
	/** The file's lines, as far as they are needed. */
	readonly lines: readonly string[];
	/** Whether nothing follows these lines in their file. */
	readonly isWhole: boolean;
	/** The lines to be colored, with the index of each in `lines`. Spaces may differ. */
	readonly shown: readonly { readonly text: string; readonly at: number }[];
	readonly tokens: readonly SemanticToken[];
}

/** The input of the thread that finds colors. */
export interface ColorOrder {
	readonly texts: readonly ColorText[];
	readonly theme: EditorTheme;
	readonly grammars: readonly GrammarSource[];
	/** Paths of the configurations of languages by id. */
	readonly configurations: Readonly<Record<string, string>>;
	/** The path of Oniguruma's WebAssembly. */
	readonly oniguruma: string;
}

export interface FoundColors {
	readonly colors: ClipColors;
	/** What could not be colored and why, for the log. */
	readonly notes: readonly string[];
}

export const foundColorsSchema = z.object({
	colors: z.record(
		z.string(),
		z.object({ styles: z.array(z.string()), lines: z.array(z.array(z.number())) }),
	),
	notes: z.array(z.string()),
});
