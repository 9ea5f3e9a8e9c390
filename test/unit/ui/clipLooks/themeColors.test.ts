import { describe, expect, test } from "vitest";
import { figureColors, themeColors } from "../../../../src/ui/clipLooks/themeColors.ts";
import {
	readCustomizations,
	readThemeFile,
	type ThemeSource,
} from "../../../../src/ui/clipLooks/themeFile.ts";

const settingsOf = (kind: "dark" | "light") => ({
	kind,
	hasBracketColors: true,
	isDepthPerBracket: false,
	semanticScopes: [],
	superTypes: {},
});

/** A theme's file among others, by their names. */
function sourceOf(files: Readonly<Record<string, string>>, name: string): ThemeSource {
	return {
		text: files[name] ?? "",
		open: async path => (path in files ? sourceOf(files, path) : undefined),
	};
}

const readTheme = (theme: unknown) =>
	readThemeFile(sourceOf({ theme: JSON.stringify(theme) }, "theme"));

const none = readCustomizations({ colors: {}, tokens: {}, semantic: {} }, "Any");

describe("a theme's file", () => {
	test("may have comments and commas at the end, and adds to the files it includes", async () => {
		const files = {
			base: '{ "colors": { "editor.background": "#000000", "editor.foreground": "#111111" }, "tokenColors": [{ "scope": "comment", "settings": { "foreground": "#222222" } }] }',
			theme: `// The theme
{
	"include": "base", /* first */
	"colors": { "editor.foreground": "#eeeeee", "note": "// no comment, }", },
	"tokenColors": [{ "scope": ["string", "keyword"], "settings": { "foreground": "#333333" }, },],
}`,
		};
		const theme = themeColors(
			await readThemeFile(sourceOf(files, "theme")),
			none,
			settingsOf("light"),
		);
		expect(theme).toMatchObject({ background: "#000000", foreground: "#eeeeee" });
		expect(theme.tokens).toMatchObject({
			comment: "#222222",
			string: "#333333",
			keyword: "#333333",
		});
	});

	test("that includes itself, or one that is not there, is read as far as it goes", async () => {
		const files = { theme: '{ "include": "theme", "colors": { "editor.background": "#123456" } }' };
		const round = await readThemeFile(sourceOf(files, "theme"));
		expect(round?.colors).toEqual({ "editor.background": "#123456" });
		expect((await readTheme({ include: "gone", colors: {} }))?.tokenColors).toEqual([]);
	});

	test.each(["", "[]", "nonsense", '{ "colors": 3 }'])(
		"that is none, %j, is no theme",
		async text => {
			expect(await readThemeFile(sourceOf({ theme: text }, "theme"))).toBeUndefined();
		},
	);
});

describe("the color of a piece of code", () => {
	test("is that of the rule that names most of its scope, and of equal ones of the last", async () => {
		const rule = (scope: string | string[], foreground: string) => ({
			scope,
			settings: { foreground },
		});
		const theme = await readTheme({
			tokenColors: [
				rule("keyword.control", "#aa0000"),
				rule("keyword", "#bb0000"),
				rule("string, constant.numeric", "#00aa00"),
				rule("string", "#00bb00"),
				rule("stringy", "#00cc00"),
				rule("source.css entity.name.function", "#0000aa"),
				rule(["entity.name"], "#0000bb"),
			],
		});
		const { tokens } = themeColors(theme, none, settingsOf("dark"));
		expect(tokens).toMatchObject({
			keyword: "#aa0000",
			string: "#00bb00",
			number: "#00aa00",
			call: "#0000bb",
			type: "#0000bb",
		});
	});

	test("is the editor's foreground where no rule names it", async () => {
		const theme = await readTheme({ colors: { "editor.foreground": "#abcdef" } });
		expect(themeColors(theme, none, settingsOf("dark")).tokens.plain).toBe("#abcdef");
	});

	test("is that of its semantic token where the theme asks for semantic highlighting", async () => {
		const colors = {
			semanticTokenColors: { function: "#101010", class: { foreground: "#202020" } },
		};
		const on = themeColors(
			await readTheme({ semanticHighlighting: true, ...colors }),
			none,
			settingsOf("dark"),
		);
		expect(on.tokens).toMatchObject({ call: "#101010", type: "#202020" });
		const off = themeColors(await readTheme(colors), none, settingsOf("dark"));
		expect(off.tokens.call).not.toBe("#101010");
	});

	test("is what the user made it, in general or for this theme alone", async () => {
		const theme = await readTheme({
			colors: { "editor.background": "#000000" },
			tokenColors: [{ scope: "comment", settings: { foreground: "#222222" } }],
		});
		const settings = {
			colors: { "editor.background": "#0a0a0a", "[Night*]": { "editor.foreground": "#fafafa" } },
			tokens: {
				comments: "#303030",
				"[Night Owl]": { strings: { foreground: "#404040" } },
				"[Day]": { numbers: "#505050" },
				textMateRules: [{ scope: "keyword", settings: { foreground: "#606060" } }],
			},
			semantic: {},
		};
		const colors = themeColors(
			theme,
			readCustomizations(settings, "Night Owl"),
			settingsOf("dark"),
		);
		expect(colors).toMatchObject({ background: "#0a0a0a", foreground: "#fafafa" });
		expect(colors.tokens).toMatchObject({
			comment: "#303030",
			string: "#404040",
			keyword: "#606060",
		});
		expect(colors.tokens.number).not.toBe("#505050");
	});

	test("that lets something through is mixed with the background", async () => {
		const theme = await readTheme({
			colors: { "editor.background": "#000", "editor.foreground": "#ffffff80" },
		});
		expect(themeColors(theme, none, settingsOf("dark"))).toMatchObject({
			background: "#000000",
			foreground: "#808080",
		});
	});
});

test("a theme that is not known has the colors of VS Code's own, dark or light, with the user's changes", () => {
	expect(themeColors(undefined, none, settingsOf("dark"))).toMatchObject({ background: "#1f1f1f" });
	expect(themeColors(undefined, none, settingsOf("light")).tokens).toMatchObject({
		keyword: "#af00db",
	});
	const colors = { "editor.background": "#111111" };
	const changes = readCustomizations({ colors, tokens: undefined, semantic: 7 }, "Any");
	expect(themeColors(undefined, changes, settingsOf("dark")).background).toBe("#111111");
});

test("what is no color is not taken for one", async () => {
	const theme = await readTheme({ colors: { "editor.background": "red", "editor.foreground": 7 } });
	expect(themeColors(theme, none, settingsOf("light"))).toMatchObject({
		background: "#ffffff",
		foreground: "#3b3b3b",
	});
});

test("figures have the ground and the text of the editor, with the user's changes, or those of VS Code's own themes", async () => {
	const theme = await readTheme({ colors: { "editor.background": "#fdf6e3" } });
	const colors = { "editor.foreground": "#586e75" };
	const changes = readCustomizations({ colors, tokens: {}, semantic: {} }, "Any");
	expect(figureColors(theme, changes, "light")).toEqual({
		background: "#fdf6e3",
		foreground: "#586e75",
	});
	const [dark, light] = (["dark", "light"] as const).map(kind =>
		figureColors(undefined, none, kind),
	);
	expect(dark?.background).toBe("#1f1f1f");
	expect(light?.background).toBe("#ffffff");
});
