import type { ClipFont } from "../../common/clipLooks.ts";

/** As many families as a clip takes, and the length of their names; longer lists are cut, longer names left out. */
const maxFamilies = 16;
const maxNameLength = 100;
const maxFeatures = 32;

/**
 * The font of the editor, from the values of `editor.fontFamily`, a list as in CSS, and `editor.fontLigatures`; undefined where no
 * family is named.
 */
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

/** What the editor asks of the font when the setting is off. */
const off = { liga: false, calt: false };

/** `true`, `false`, or features as in CSS, such as `'ss01', 'calt' off`; what these leave out is as the font has it. */
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
