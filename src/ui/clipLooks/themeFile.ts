import * as z from "zod/mini";
import { parseJson } from "../../common/json.ts";

/** A theme's rule for TextMate scopes. Applies to everything if there are none. */
export interface TokenRule {
	readonly scope: readonly string[];
	readonly foreground: string | undefined;
}

/** The used parts of a theme's file and its includes. */
export interface ThemeFile {
	readonly colors: Readonly<Record<string, string>>;
	readonly tokenColors: readonly TokenRule[];
	readonly semanticHighlighting: boolean;
	/** Colors of semantic tokens without modifiers, by name. */
	readonly semantic: Readonly<Record<string, string>>;
}

export interface ThemeCustomizations {
	/** Colors of `workbench.colorCustomizations`. */
	readonly colors: Readonly<Record<string, string>>;
	/** Colors of the groups of `editor.tokenColorCustomizations`, such as `comments`. */
	readonly groups: Readonly<Record<string, string>>;
	readonly tokenColors: readonly TokenRule[];
	/** Colors of `editor.semanticTokenColorCustomizations`, by token name. */
	readonly semantic: Readonly<Record<string, string>>;
}

const unknowns = z.record(z.string(), z.unknown());
const ruleSchema = z.object({
	scope: z.optional(z.union([z.string(), z.array(z.string())])),
	settings: z.object({ foreground: z.optional(z.string()) }),
});
const fileSchema = z.object({
	include: z.optional(z.string()),
	colors: z.optional(unknowns),
	tokenColors: z.optional(z.unknown()),
	semanticHighlighting: z.optional(z.boolean()),
	semanticTokenColors: z.optional(unknowns),
});
const colored = z.union([z.string(), z.object({ foreground: z.string() })]);

const maxIncludes = 6;

/** Reads a theme and the files it includes, included ones first. Returns undefined if the file isn't a theme. */
export async function readThemeFile(file: ThemeSource, depth = 0): Promise<ThemeFile | undefined> {
	const parsed = fileSchema.safeParse(parseJsonc(file.text));
	if (!parsed.success) {
		return undefined;
	}
	const { include, colors, tokenColors, semanticHighlighting, semanticTokenColors } = parsed.data;
	const source =
		include === undefined || depth >= maxIncludes ? undefined : await file.open(include);
	const base = source && (await readThemeFile(source, depth + 1));
	return {
		colors: { ...base?.colors, ...textsOf(colors) },
		tokenColors: [...(base?.tokenColors ?? []), ...rulesOf(tokenColors)],
		semanticHighlighting: semanticHighlighting ?? base?.semanticHighlighting ?? false,
		semantic: { ...base?.semantic, ...coloredOf(semanticTokenColors) },
	};
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
	const [colors, tokens, semantic] = [settings.colors, settings.tokens, settings.semantic].map(
		value => forTheme(value, theme),
	);
	return {
		colors: textsOf(colors),
		groups: coloredOf(tokens),
		tokenColors: rulesOf(tokens?.["textMateRules"]),
		semantic: coloredOf(objectOf(semantic?.["rules"])),
	};
}

/** Returns an object's entries, merged with those in `[Theme]` keys that match the theme's name; stars are wildcards. */
function forTheme(value: unknown, theme: string): Readonly<Record<string, unknown>> | undefined {
	const all = objectOf(value);
	return Object.entries(all ?? {}).reduce<Record<string, unknown>>((merged, [name, entry]) => {
		const names = [...name.matchAll(/\[([^\]]+)\]/g)].map(([, pattern = ""]) => pattern);
		if (names.length === 0) {
			merged[name] ??= entry;
		} else if (names.some(pattern => fits(theme, pattern))) {
			Object.assign(merged, objectOf(entry));
		}
		return merged;
	}, {});
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

function coloredOf(values: Readonly<Record<string, unknown>> = {}): Record<string, string> {
	return Object.fromEntries(
		Object.entries(values).flatMap(([name, value]) => {
			const parsed = colored.safeParse(value);
			if (!parsed.success) {
				return [];
			}
			const { data } = parsed;
			return [[name, typeof data === "string" ? data : data.foreground] as const];
		}),
	);
}

/** Omits rules for nested scopes. */
function rulesOf(values: unknown): readonly TokenRule[] {
	return (Array.isArray(values) ? values : []).flatMap((value: unknown) => {
		const parsed = ruleSchema.safeParse(value);
		if (!parsed.success) {
			return [];
		}
		const { scope, settings } = parsed.data;
		if (scope === undefined) {
			return [{ scope: [], foreground: settings.foreground }];
		}
		const selectors = (typeof scope === "string" ? scope.split(",") : scope)
			.map(selector => selector.trim())
			.filter(selector => /^[\w.-]+$/.test(selector));
		return selectors.length === 0 ? [] : [{ scope: selectors, foreground: settings.foreground }];
	});
}

/** Parses JSON with comments and trailing commas. Returns undefined if it is invalid. */
function parseJsonc(text: string): unknown {
	return parseJson(
		text
			.replace(/^\uFEFF/, "")
			.replaceAll(/("(?:\\.|[^"\\])*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, "$1")
			.replaceAll(/("(?:\\.|[^"\\])*")|,(?=\s*[}\]])/g, "$1"),
	);
}
