import { clipThemes } from "../../clip/clipThemes.ts";
import type { EditorTheme } from "../../codeColors/colorOrder.ts";
import { SemanticStyles, styleOfScope } from "../../codeColors/semanticStyles.ts";
import {
	type ClipTheme,
	type CodeTokenKind,
	codeTokenKinds,
	type FigureColors,
} from "../../common/clipLooks.ts";
import { opaqueColor } from "../../common/color.ts";
import type { ThemeCustomizations, ThemeFile } from "./themeFile.ts";

/** Kind of a theme. */
export type ThemeKind = "dark" | "light" | "hcDark" | "hcLight";

/** The TextMate scope and the semantic token type for each kind of token. */
const scopes: Readonly<Record<CodeTokenKind, { readonly scope: string; readonly token?: string }>> =
	{
		plain: { scope: "variable.other.readwrite", token: "variable" },
		keyword: { scope: "keyword.control.flow" },
		storage: { scope: "storage.type" },
		string: { scope: "string.quoted.double", token: "string" },
		number: { scope: "constant.numeric.decimal", token: "number" },
		comment: { scope: "comment.line.double-slash", token: "comment" },
		call: { scope: "entity.name.function", token: "function" },
		type: { scope: "entity.name.type.class", token: "class" },
		punctuation: { scope: "punctuation.separator" },
		tag: { scope: "entity.name.tag" },
		attribute: { scope: "entity.other.attribute-name" },
		property: { scope: "support.type.property-name", token: "property" },
		parameter: { scope: "variable.parameter", token: "parameter" },
		escape: { scope: "constant.character.escape" },
		regexp: { scope: "string.regexp" },
		constant: { scope: "constant.language" },
		builtIn: { scope: "support.function" },
		link: { scope: "markup.underline.link" },
	};

/** Colors if the theme is unknown: those of VS Code's modern themes. */
const builtIn = (kind: ThemeKind): ClipTheme =>
	clipThemes[kind === "light" || kind === "hcLight" ? "Light Modern" : "Dark Modern"];

/** The colors of bracket pairs and of a bracket alone where a theme sets none. */
const lightBrackets = ["#0431fa", "#319331", "#7b3814"];
const defaultBrackets: Readonly<Record<ThemeKind, readonly string[]>> = {
	dark: ["#ffd700", "#da70d6", "#179fff"],
	light: lightBrackets,
	hcDark: ["#ffd700", "#da70d6", "#87cefa"],
	hcLight: lightBrackets,
};
const unexpectedBrackets: Readonly<Record<ThemeKind, string>> = {
	dark: "#ff1212cc",
	light: "#ff1212cc",
	hcDark: "#ff3232",
	hcLight: "#b5200d",
};

const bracketNames = [1, 2, 3, 4, 5, 6].map(index => `editorBracketHighlight.foreground${index}`);

/** What besides the theme decides how code is shown. */
export interface CodeSettings {
	readonly kind: ThemeKind;
	readonly hasBracketColors: boolean;
	readonly isDepthPerBracket: boolean;
	readonly semanticScopes: EditorTheme["semanticScopes"];
	readonly superTypes: EditorTheme["superTypes"];
}

/** Returns a function for a theme's colors, opaque on its background, from several names in order of preference. */
function colorsOf(
	theme: ThemeFile | undefined,
	changes: ThemeCustomizations,
	standard: ClipTheme,
): {
	readonly background: string;
	readonly pick: (fallback: string, ...names: readonly string[]) => string;
} {
	const named: Readonly<Record<string, string>> = { ...theme?.colors, ...changes.colors };
	const background =
		opaqueColor(named["editor.background"] ?? "", "#000000") ?? standard.background;
	const pick = (fallback: string, ...names: readonly string[]): string =>
		names
			.map(name => opaqueColor(named[name] ?? "", background))
			.find(color => color !== undefined) ?? fallback;
	return { background, pick };
}

/** Returns ground and text color of a theme's editor. */
export function figureColors(
	theme: ThemeFile | undefined,
	changes: ThemeCustomizations,
	kind: ThemeKind,
): FigureColors {
	const standard = builtIn(kind);
	const { background, pick } = colorsOf(theme, changes, standard);
	const foreground = pick(standard.foreground, "editor.foreground", "foreground");
	return { background, foreground };
}

/** Resolves the rules by which VS Code colors code with a theme and the user's customizations. */
export function editorTheme(
	theme: ThemeFile | undefined,
	changes: ThemeCustomizations,
	settings: CodeSettings,
): EditorTheme {
	const { kind, hasBracketColors, isDepthPerBracket, semanticScopes, superTypes } = settings;
	const standard = builtIn(kind);
	const { background, pick } = colorsOf(theme, changes, standard);
	const rules = [...(theme?.tokenColors ?? builtInRules(standard)), ...changes.tokenColors];
	const base = rules.findLast(({ scope }) => scope === undefined)?.settings.foreground ?? "";
	const brackets = bracketNames.flatMap((name, index) => {
		const color = changes.colors[name] ?? theme?.colors[name] ?? defaultBrackets[kind][index] ?? "";
		// The editor skips colors without opacity.
		const isClear = /^#(?:[\da-f]{3}0|[\da-f]{6}00)$/i.test(color);
		return isClear ? [] : (opaqueColor(color, background) ?? []);
	});
	return {
		background,
		rules,
		semanticScopes,
		superTypes,
		isDepthPerBracket,
		foreground: pick(
			opaqueColor(base, background) ?? standard.foreground,
			"editor.foreground",
			"foreground",
		),
		semantic: [...(theme?.semantic ?? []), ...changes.semantic],
		brackets: hasBracketColors ? brackets : [],
		unexpectedBracket: pick(
			opaqueColor(unexpectedBrackets[kind], background) ?? standard.foreground,
			"editorBracketHighlight.unexpectedBracket.foreground",
		),
	};
}

/** Returns the rules of VS Code's own theme, as far as they are known here. */
function builtInRules({ tokens }: ClipTheme): EditorTheme["rules"] {
	return codeTokenKinds.map(kind => ({
		scope: scopes[kind].scope,
		settings: { foreground: tokens[kind] },
	}));
}

/** Returns the colors of a clip from those of a theme and its rules for code. Missing colors are those of VS Code's own themes. */
export function themeColors(
	theme: ThemeFile | undefined,
	changes: ThemeCustomizations,
	settings: CodeSettings,
): ClipTheme {
	const standard = builtIn(settings.kind);
	const rules = editorTheme(theme, changes, settings);
	const { background, pick } = colorsOf(theme, changes, standard);
	const isSemantic = changes.semanticHighlighting ?? theme?.semanticHighlighting === true;
	const semantic = new SemanticStyles(rules);
	const { foreground } = rules;
	const resolve = (kind: CodeTokenKind): string => {
		const { scope, token } = scopes[kind];
		const own = isSemantic && token !== undefined ? semantic.styleOf(token, [], "") : undefined;
		const color = own?.foreground ?? styleOfScope(scope, rules.rules)?.foreground;
		const known = (theme ? undefined : standard.tokens[kind]) ?? foreground;
		return (color === undefined ? undefined : opaqueColor(color, background)) ?? known;
	};
	return {
		background,
		foreground,
		accent: pick(standard.accent, "textLink.foreground", "button.background", "focusBorder"),
		lineNumber: pick(standard.lineNumber, "editorLineNumber.foreground"),
		added: pick(
			standard.added,
			"editorGutter.addedBackground",
			"gitDecoration.addedResourceForeground",
		),
		removed: pick(
			standard.removed,
			"editorGutter.deletedBackground",
			"gitDecoration.deletedResourceForeground",
		),
		tokens: tokenRecord(resolve),
	};
}

/** Returns the value of each kind of token. */
function tokenRecord(resolve: (kind: CodeTokenKind) => string): ClipTheme["tokens"] {
	return {
		plain: resolve("plain"),
		keyword: resolve("keyword"),
		storage: resolve("storage"),
		string: resolve("string"),
		number: resolve("number"),
		comment: resolve("comment"),
		call: resolve("call"),
		type: resolve("type"),
		punctuation: resolve("punctuation"),
		tag: resolve("tag"),
		attribute: resolve("attribute"),
		property: resolve("property"),
		parameter: resolve("parameter"),
		escape: resolve("escape"),
		regexp: resolve("regexp"),
		constant: resolve("constant"),
		builtIn: resolve("builtIn"),
		link: resolve("link"),
	};
}
