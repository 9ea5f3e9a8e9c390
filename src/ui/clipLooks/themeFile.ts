import * as z from "zod/mini";
import type { ScopeRule, SemanticRule } from "../../codeColors/colorOrder.ts";
import { fontStyleOf } from "../../codeColors/semanticStyles.ts";
import { parseJsonc } from "../../common/json.ts";

/** The used parts of a theme's file and its includes. */
export interface ThemeFile {
	readonly colors: Readonly<Record<string, string>>;
	readonly tokenColors: readonly ScopeRule[];
	readonly semanticHighlighting: boolean;
	readonly semantic: readonly SemanticRule[];
}

export interface ThemeCustomizations {
	/** Colors of `workbench.colorCustomizations`. */
	readonly colors: Readonly<Record<string, string>>;
	/** Rules of `editor.tokenColorCustomizations`, those of its groups such as `comments` first. */
	readonly tokenColors: readonly ScopeRule[];
	/** Rules of `editor.semanticTokenColorCustomizations`. */
	readonly semantic: readonly SemanticRule[];
	/** Whether the user turned semantic highlighting on or off for the theme. */
	readonly semanticHighlighting: boolean | undefined;
}

const unknowns = z.record(z.string(), z.unknown());
const ruleSchema = z.object({
	scope: z.optional(z.union([z.string(), z.array(z.string())])),
	settings: z.object({
		foreground: z.optional(z.string()),
		background: z.optional(z.string()),
		fontStyle: z.optional(z.string()),
	}),
});
const fileSchema = z.object({
	include: z.optional(z.string()),
	colors: z.optional(unknowns),
	tokenColors: z.optional(z.unknown()),
	settings: z.optional(z.unknown()),
	semanticHighlighting: z.optional(z.boolean()),
	semanticTokenColors: z.optional(unknowns),
});
const styleSchema = z.object({
	foreground: z.optional(z.string()),
	fontStyle: z.optional(z.string()),
	bold: z.optional(z.boolean()),
	italic: z.optional(z.boolean()),
	underline: z.optional(z.boolean()),
	strikethrough: z.optional(z.boolean()),
});

/** The scopes of the groups of `editor.tokenColorCustomizations`. */
const groupScopes: Readonly<Record<string, readonly string[]>> = {
	comments: ["comment", "punctuation.definition.comment"],
	strings: ["string", "meta.embedded.assembly"],
	keywords: ["keyword - keyword.operator", "keyword.control", "storage", "storage.type"],
	numbers: ["constant.numeric"],
	types: ["entity.name.type", "entity.name.class", "support.type", "support.class"],
	functions: ["entity.name.function", "support.function"],
	variables: ["variable", "entity.name.variable"],
};

const maxIncludes = 6;

/** Reads a theme and the files it includes, included ones first. Returns undefined if the file isn't a theme. */
export async function readThemeFile(file: ThemeSource, depth = 0): Promise<ThemeFile | undefined> {
	if (/^\s*</.test(file.text)) {
		return await readPlist(file.text);
	}
	const parsed = fileSchema.safeParse(parseJsonc(file.text));
	if (!parsed.success) {
		return undefined;
	}
	const { include, colors, tokenColors, settings, semanticTokenColors, ...rest } = parsed.data;
	const open = async (path: string | undefined): Promise<ThemeFile | undefined> => {
		const source = path === undefined || depth >= maxIncludes ? undefined : await file.open(path);
		return source && (await readThemeFile(source, depth + 1));
	};
	const base = await open(include);
	// The rules may be in a file of their own, which may be one of TextMate.
	const other = await open(typeof tokenColors === "string" ? tokenColors : undefined);
	const own = rulesOf(tokenColors ?? settings);
	return {
		colors: {
			...base?.colors,
			...(settings === undefined ? {} : colorsOfAll(own)),
			...textsOf(colors),
		},
		tokenColors: [...(base?.tokenColors ?? []), ...(other?.tokenColors ?? []), ...own],
		semanticHighlighting: rest.semanticHighlighting ?? base?.semanticHighlighting ?? false,
		semantic: [...(base?.semantic ?? []), ...semanticOf(semanticTokenColors)],
	};
}

/** Reads a theme of TextMate, a property list. */
async function readPlist(text: string): Promise<ThemeFile | undefined> {
	const { parsePropertyList } = await import("../../codeColors/propertyList.ts");
	try {
		const { data } = z
			.object({ settings: z.array(z.unknown()) })
			.safeParse(parsePropertyList(text));
		const tokenColors = rulesOf(data?.settings);
		return (
			data && {
				colors: colorsOfAll(tokenColors),
				tokenColors,
				semanticHighlighting: false,
				semantic: [],
			}
		);
	} catch {
		// Damaged property lists have no rules.
		return undefined;
	}
}

/** Returns the editor's colors that an old theme sets by a rule for everything. */
function colorsOfAll(rules: readonly ScopeRule[]): Record<string, string> {
	const { foreground, background } = Object.assign(
		{},
		...rules.filter(({ scope }) => scope === undefined).map(({ settings }) => settings),
	);
	return textsOf({ "editor.foreground": foreground, "editor.background": background });
}

export interface ThemeSource {
	readonly text: string;
	/** Opens a file by its path relative to this one. Resolves to undefined if it can't be read. */
	open(path: string): Promise<ThemeSource | undefined>;
}

/** Reads the user's customizations from three settings, including those for the theme with this name. */
export function readCustomizations(
	settings: { readonly colors: unknown; readonly tokens: unknown; readonly semantic: unknown },
	theme: string,
): ThemeCustomizations {
	const tokens = partsFor(settings.tokens, theme);
	const semantic = partsFor(settings.semantic, theme);
	const flags = [
		...tokens.map(part => part["semanticHighlighting"]),
		...semantic.map(part => part["enabled"]),
	];
	return {
		colors: Object.assign({}, ...partsFor(settings.colors, theme).map(textsOf)),
		tokenColors: tokens.flatMap(part => [
			...Object.entries(groupScopes).flatMap(([group, scope]) => {
				const style = styleSchema.safeParse(styled(part[group]));
				const { foreground, fontStyle } = style.data ?? {};
				return style.success ? [{ scope, settings: { foreground, fontStyle } }] : [];
			}),
			...rulesOf(part["textMateRules"]),
		]),
		semantic: semantic.flatMap(part => semanticOf(objectOf(part["rules"]))),
		semanticHighlighting: flags.findLast(flag => typeof flag === "boolean"),
	};
}

/** Returns a setting's own entries, then those in its `[Theme]` keys that match the theme's name; stars are wildcards. */
function partsFor(value: unknown, theme: string): readonly Readonly<Record<string, unknown>>[] {
	const all = objectOf(value) ?? {};
	const parts = Object.entries(all).flatMap(([name, entry]) => {
		const names = [...name.matchAll(/\[([^[\]]+)\]/g)].map(([, pattern = ""]) => pattern);
		return names.some(pattern => fits(theme, pattern)) ? [objectOf(entry) ?? {}] : [];
	});
	return [all, ...parts];
}

function fits(theme: string, pattern: string): boolean {
	const [start = "", ...rest] = pattern.split("*");
	return rest.length === 0
		? theme === pattern
		: theme.startsWith(start) && theme.endsWith(rest.at(-1) ?? "");
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> | undefined {
	const parsed = unknowns.safeParse(value);
	return parsed.success ? parsed.data : undefined;
}

function textsOf(values: Readonly<Record<string, unknown>> = {}): Record<string, string> {
	return Object.fromEntries(
		Object.entries(values).flatMap(([name, value]) =>
			typeof value === "string" ? [[name, value] as const] : [],
		),
	);
}

/** A style, or a color alone. */
const styled = (value: unknown): unknown =>
	typeof value === "string" ? { foreground: value } : value;

function semanticOf(values: Readonly<Record<string, unknown>> = {}): readonly SemanticRule[] {
	return Object.entries(values).flatMap(([selector, value]): readonly SemanticRule[] => {
		const parsed = styleSchema.safeParse(styled(value));
		if (!parsed.success) {
			return [];
		}
		const { fontStyle, ...own } = parsed.data;
		return [[selector, { ...fontStyleOf(fontStyle), ...own }]];
	});
}

function rulesOf(values: unknown): readonly ScopeRule[] {
	return (Array.isArray(values) ? values : []).flatMap((value: unknown) => {
		const parsed = ruleSchema.safeParse(value);
		return parsed.success ? [parsed.data] : [];
	});
}
