/** VS Code's four kinds of color theme, each by the identifier of a theme that VS Code brings. */
export const themes = {
	dark: "Dark Modern",
	light: "Light Modern",
	"high-contrast": "Default High Contrast",
	"high-contrast-light": "Default High Contrast Light",
} as const;

/** The kind of a color theme. */
export type ThemeName = keyof typeof themes;

/** Every kind of color theme, for tests that run in each. */
export const themeNames: readonly ThemeName[] = [
	"dark",
	"light",
	"high-contrast",
	"high-contrast-light",
];
