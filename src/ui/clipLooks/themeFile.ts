import * as z from "zod/mini";

/** A rule of a theme for TextMate scopes; without any it is for everything. */
export interface TokenRule {
	readonly scope: readonly string[];
	readonly foreground: string | undefined;
}

/** What a clip takes from a theme's file, and those it includes. */
export interface ThemeFile {
	readonly colors: Readonly<Record<string, string>>;
	readonly tokenColors: readonly TokenRule[];
	readonly semanticHighlighting: boolean;
	/** Colors of semantic tokens without modifiers, by their name. */
	readonly semantic: Readonly<Record<string, string>>;
}

/** The user's changes to a theme. */
export interface ThemeCustomizations {
	/** Colors of `workbench.colorCustomizations`. */
	readonly colors: Readonly<Record<string, string>>;
	/** Colors of the groups of `editor.tokenColorCustomizations`, such as `comments`. */
	readonly groups: Readonly<Record<string, string>>;
	readonly tokenColors: readonly TokenRule[];
	/** Colors of `editor.semanticTokenColorCustomizations`, by the name of the token. */
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

/** How many files may include each other. */
const maxIncludes = 6;

/**
 * Reads a theme and the files that it includes, the included ones first; undefined when its file is none.
 */
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

/** A theme's file. */
export interface ThemeSource {
	readonly text: string;
	/** Opens a file by its path from this one; undefined when it cannot be read. */
	open(path: string): Promise<ThemeSource | undefined>;
}

/** Reads the user's changes from the values of three settings, with what is for the theme of this name alone. */
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

/** An object's entries, with those below `[Theme]` where the name, or its pattern with stars, is that of the theme. */
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

/** Rules for scopes within others are left out. */
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

/** Reads JSON with comments and with commas before a closing bracket; undefined when it is none. */
function parseJsonc(text: string): unknown {
	const bare = text
		.replace(/^\uFEFF/, "")
		.replaceAll(/("(?:\\.|[^"\\])*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, "$1")
		.replaceAll(/("(?:\\.|[^"\\])*")|,(?=\s*[}\]])/g, "$1");
	try {
		return JSON.parse(bare);
	} catch {
		// A theme that cannot be read is one that is not known.
		return undefined;
	}
}
