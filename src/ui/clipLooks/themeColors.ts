import { clipThemes } from "../../clip/clipThemes.ts";
import type { ClipTheme, CodeTokenKind } from "../../common/clipLooks.ts";
import { opaqueColor } from "../../common/color.ts";
import type { ThemeCustomizations, ThemeFile, TokenRule } from "./themeFile.ts";

/** Kind of a theme. High contrast themes are one of them, too. */
export type ThemeKind = "dark" | "light";

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
	};

/** The named groups of `editor.tokenColorCustomizations`. */
const groups: Readonly<Partial<Record<CodeTokenKind, string>>> = {
	plain: "variables",
	keyword: "keywords",
	storage: "keywords",
	string: "strings",
	number: "numbers",
	comment: "comments",
	call: "functions",
	type: "types",
};

/** Colors if the theme is unknown: those of VS Code's modern themes. */
const builtIn: Readonly<Record<ThemeKind, ClipTheme>> = {
	dark: clipThemes["Dark Modern"],
	light: clipThemes["Light Modern"],
};

/**
 * Resolves a theme's colors with the user's customizations like VS Code. Missing colors are those of VS Code's own themes. Ignores rules for single
 * languages, because a clip has one set of colors.
 */
export function themeColors(
	theme: ThemeFile | undefined,
	changes: ThemeCustomizations,
	kind: ThemeKind,
): ClipTheme {
	const standard = builtIn[kind];
	const named: Readonly<Record<string, string>> = { ...theme?.colors, ...changes.colors };
	const background =
		opaqueColor(named["editor.background"] ?? "", "#000000") ?? standard.background;
	const pick = (fallback: string, ...names: readonly string[]): string =>
		names
			.map(name => opaqueColor(named[name] ?? "", background))
			.find(color => color !== undefined) ?? fallback;
	const rules = [...(theme?.tokenColors ?? []), ...changes.tokenColors];
	const base = rules.findLast(({ scope }) => scope.length === 0)?.foreground ?? "";
	const foreground = pick(
		opaqueColor(base, background) ?? standard.foreground,
		"editor.foreground",
		"foreground",
	);
	const resolve = (token: CodeTokenKind): string => {
		const color = tokenColor(token, rules, theme, changes);
		const known = theme ? foreground : standard.tokens[token];
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
		tokens: {
			plain: resolve("plain"),
			keyword: resolve("keyword"),
			storage: resolve("storage"),
			string: resolve("string"),
			number: resolve("number"),
			comment: resolve("comment"),
			call: resolve("call"),
			type: resolve("type"),
			punctuation: resolve("punctuation"),
		},
	};
}

/** Prefers the user's color, then the semantic one, then that of the rule that fits the scope best. */
function tokenColor(
	kind: CodeTokenKind,
	rules: readonly TokenRule[],
	theme: ThemeFile | undefined,
	changes: ThemeCustomizations,
): string | undefined {
	const { scope, token = "" } = scopes[kind];
	const isSemantic = theme?.semanticHighlighting === true;
	const semantic = changes.semantic[token] ?? theme?.semantic[token];
	return (
		changes.groups[groups[kind] ?? ""] ??
		(isSemantic ? semantic : undefined) ??
		bestRule(scope, rules)
	);
}

/** Returns the color of the most specific rule for a scope; of equal ones the last, as in TextMate. */
function bestRule(scope: string, rules: readonly TokenRule[]): string | undefined {
	let best: { readonly length: number; readonly foreground: string } | undefined;
	for (const { scope: selectors, foreground } of rules) {
		const fitting = selectors.filter(
			selector => scope === selector || scope.startsWith(`${selector}.`),
		);
		const length = Math.max(0, ...fitting.map(selector => selector.length));
		if (length > 0 && foreground !== undefined && length >= (best?.length ?? 0)) {
			best = { length, foreground };
		}
	}
	return best?.foreground;
}
