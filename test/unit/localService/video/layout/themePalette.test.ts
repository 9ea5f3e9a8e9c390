import { describe, expect, test } from "vitest";
import type { ClipTheme, CodeTokenKind } from "../../../../../src/common/clipLooks.ts";
import { contrast, mixed } from "../../../../../src/common/color.ts";
import { clipGrounds, codeTokenKinds } from "../../../../../src/common/clipLooks.ts";
import {
	bandOpacity,
	type Palette,
	paletteFor,
} from "../../../../../src/localService/video/layout/palette.ts";
import { createRandom } from "../../../../helpers/random.ts";
import { clipThemes } from "../../../../pictures/clipThemes.ts";
import { blended, contrastOf, rgbOf } from "../colors.ts";
import { drawnTexts } from "../render/drawnTexts.ts";

/** The least contrast of anything that is read on a clip. */
function leastContrast(palette: Palette): number {
	const { fill, title } = palette.pane;
	const ground = rgbOf(fill);
	const bands = [
		blended(rgbOf(palette.accent), ground, bandOpacity.accent),
		...[palette.added, palette.removed].map(color =>
			blended(rgbOf(color), ground, bandOpacity.change),
		),
	];
	const card = [palette.ground, ...palette.calm].map(rgbOf);
	const pairs = [
		...card.flatMap(behind => [
			contrastOf(rgbOf(palette.text), behind),
			contrastOf(rgbOf(palette.heading), behind),
		]),
		...[palette.code, palette.terminal]
			.flatMap(colors => Object.values(colors))
			.flatMap(color => [ground, ...bands].map(behind => contrastOf(rgbOf(color), behind))),
		...[title, palette.dim, palette.lineNumber].map(color => contrastOf(rgbOf(color), ground)),
		contrastOf(rgbOf(palette.added), bands[1] ?? ground),
		contrastOf(rgbOf(palette.removed), bands[2] ?? ground),
	];
	return Math.min(...pairs);
}

describe("with a theme, text keeps a contrast of 4.5", () => {
	test.each(Object.entries(clipThemes))("with %s", (_name, theme) => {
		expect(leastContrast(paletteFor("Any text", theme))).toBeGreaterThanOrEqual(4.5);
	});

	test("with any colors, however little they differ from their background", () => {
		const random = createRandom(3).next;
		const color = (): string =>
			`#${Math.floor(random() * 0xff_ff_ff)
				.toString(16)
				.padStart(6, "0")}`;
		for (let round = 0; round < 300; round += 1) {
			const tokens = Object.fromEntries(codeTokenKinds.map(kind => [kind, color()]));
			const theme: ClipTheme = {
				background: color(),
				foreground: color(),
				accent: color(),
				lineNumber: color(),
				added: color(),
				removed: color(),
				tokens: tokens as Record<CodeTokenKind, string>,
			};
			// Neither black nor white has more than 4.58 on the worst of grays, and bands take some of that away.
			const most = Math.max(
				...["#000000", "#ffffff"].map(end => contrastOf(rgbOf(end), rgbOf(theme.background))),
			);
			const least = most > 8 ? 4.5 : 3;
			expect({ theme, isLess: leastContrast(paletteFor("", theme)) < least }).toEqual({
				theme,
				isLess: false,
			});
		}
	});
});

describe("whatever is drawn in a clip keeps a contrast of 4.5", () => {
	const prompts = {
		prose: "# A title\n\nWords\n\n| a | b |\n|--|--|\n| 1 | 2 |",
		code: '```ts title="a.ts" line=7 {1}\nconst one = new Map("two", 3); // four\nreturn f(one);\n```',
		change: "a.ts\n```diff\n a();\n-b(1);\n+c(2);\n```",
		terminal: `\`\`\`console\n$ ls -l "a"\n\u001B[31mred \u001B[32mgreen \u001B[33myellow\u001B[0m \u001B[2mdim\n\`\`\``,
		output: "```py\nprint(1)\n```\n```output\n1\n```",
	};
	const themes: readonly (readonly [string, ClipTheme | undefined])[] = [
		...Object.entries(clipThemes),
		["the text's own colors", undefined],
	];
	test.each(themes)("with %s", (_name, theme) => {
		for (const [kind, prompt] of Object.entries(prompts)) {
			const palette = paletteFor(theme ? "" : prompt, theme);
			const bands = [palette.accent, palette.added, palette.removed].map(color =>
				mixed(palette.pane.fill, color, bandOpacity.accent),
			);
			const signature = theme ? "small" : "off";
			const looks = { shape: "16:9", tabSize: 4, theme, signature } as const;
			for (const { text, fill } of drawnTexts(prompt, looks)) {
				const isNote = text === "made with Cutaway";
				const grounds =
					kind === "prose"
						? [palette.ground, ...palette.calm]
						: isNote
							? palette.vivid
							: [palette.pane.fill, ...bands.filter(() => theme !== undefined)];
				const least = Math.min(...grounds.map(ground => contrast(fill, ground)));
				expect({ kind, text, isRead: least >= 4.5 }).toEqual({ kind, text, isRead: true });
			}
		}
	});
});

test("what code prints has none of the code's colors", () => {
	const theme = clipThemes["Dark Modern"];
	const prompt = "```py\nprint(total)\n```\n```output\n41 words\n```";
	const texts = drawnTexts(prompt, { shape: "16:9", tabSize: 4, theme });
	const printed = texts.find(({ text }) => text === "41 words");
	expect(printed).toBeDefined();
	expect(Object.values(paletteFor("", theme).code)).not.toContain(printed?.fill);
});

test("colors that can be read are those of the theme", () => {
	const theme = clipThemes["Dark Modern"];
	const { code, ground, pane } = paletteFor("Any text", theme);
	expect(code).toMatchObject({ keyword: theme.tokens.keyword, string: theme.tokens.string });
	expect([ground, pane.fill]).toEqual([theme.background, theme.background]);
});

test("a clip is drawn in the colors of the theme", () => {
	const theme: ClipTheme = { ...clipThemes["Dark Modern"], background: "#000000" };
	const prompt = '```ts\nconst answer = ask("why"); // hm\nreturn answer;\n```';
	const texts = drawnTexts(prompt, { shape: "16:9", tabSize: 4, theme });
	const fillOf = (wanted: string): string | undefined =>
		texts.find(({ text }) => text === wanted)?.fill;
	expect(["const", "return", '"why"', "ask"].map(fillOf)).toEqual(
		(["storage", "keyword", "string", "call"] as const).map(kind => theme.tokens[kind]),
	);
});

test.each(clipGrounds.filter(name => name !== "gradient" && name !== "solid"))(
	"text on the ground %s is readable with every theme, and the window keeps its colors",
	ground => {
		for (const theme of [undefined, ...Object.values(clipThemes)]) {
			const palette = paletteFor("const a = 1;", theme, ground);
			for (const end of palette.calm) {
				// A color that the user chose stays as it is.
				expect(contrast(palette.text, end)).toBeGreaterThanOrEqual(ground === "color" ? 4.5 : 6);
				expect(contrast(palette.heading, end)).toBeGreaterThanOrEqual(4.5);
			}
			const { code, pane } = paletteFor("const a = 1;", theme);
			expect(palette).toMatchObject({ code, pane });
		}
	},
);

test("the window's buttons are red, yellow and green in every theme", () => {
	for (const theme of [undefined, ...Object.values(clipThemes)]) {
		expect(paletteFor("a", theme).dots).toEqual(["#ff5f57", "#febc2e", "#28c840"]);
	}
});
