import type { ClipFont } from "../../common/clipLooks.ts";

/** Limits of a clip's font families and the length of their names. Longer lists are truncated, longer names omitted. */
const maxFamilies = 16;
const maxNameLength = 100;
const maxFeatures = 32;

/** Reads the editor's font from `editor.fontFamily`, a list as in CSS, and `editor.fontLigatures`. Returns undefined if there is no family. */
export function readEditorFont(family: unknown, ligatures: unknown): ClipFont | undefined {
	const families = typeof family === "string" ? familiesOf(family) : [];
	return families.length === 0 ? undefined : { families, features: featuresOf(ligatures) };
}

function familiesOf(list: string): readonly string[] {
	const names = list.match(/"[^"]*"|'[^']*'|[^,"']+/g) ?? [];
	return names
		.map(name =>
			name
				.replace(/^(["'])(.*)\1$/s, "$2")
				.trim()
				.replaceAll(/ +/g, " "),
		)
		.filter(name => /^\P{Cc}+$/u.test(name) && name.length <= maxNameLength)
		.slice(0, maxFamilies);
}

/** The features that the editor uses if the setting is off. */
const off = { liga: false, calt: false };

/** Parses `true`, `false`, or features as in CSS, such as `'ss01', 'calt' off`. Other features keep the font's default. */
function featuresOf(ligatures: unknown): Readonly<Record<string, boolean>> {
	if (ligatures === true || ligatures === "true") {
		return {};
	}
	if (typeof ligatures !== "string" || ligatures === "false" || ligatures.trim() === "") {
		return off;
	}
	const features = ligatures.matchAll(/(["'])([a-z\d]{4})\1\s*(on|off|\d+)?/gi);
	return Object.fromEntries(
		[...features]
			.slice(0, maxFeatures)
			.map(([, , tag = "", value = "on"]) => [tag, !/^(?:off|0+)$/i.test(value)]),
	);
}
