import { describe, expect, test } from "vitest";
import { plainLooks } from "../../../../../src/common/clipLooks.ts";
import type { FaceStyle } from "../../../../../src/localService/video/fonts/codeFonts.ts";
import { ClipRenderer } from "../../../../../src/localService/video/render/clipRenderer.ts";
import { createScene } from "../../../../../src/localService/video/render/renderClip.ts";
import { svgPicture, svgText } from "../../../../../src/localService/video/render/svgText.ts";
import { packageAssets } from "../videoFixtures.ts";
import { drawnTexts, spyRenderer } from "./drawnTexts.ts";

const prose = `A keeper climbs the stairs at dusk, **lights the lamp** and runs \`lamp --slow\` before ${"the night comes in over the coast, ".repeat(7)}~~early~~ late.`;

test("code in prose has the font of code, and nothing comes over the next word in any shape", () => {
	for (const shape of ["16:9", "1:1", "9:16"] as const) {
		for (const motion of [2, 5]) {
			const texts = drawnTexts(prose, { ...plainLooks, shape }, motion);
			const code = texts.filter(({ font }) => font === "mono").map(({ text }) => text);
			expect(code).toEqual(["lamp", "--slow"]);
			const covered = texts.filter(({ right, baseline }, index) => {
				const next = texts[index + 1];
				return next?.baseline === baseline && next.left < right - 0.1;
			});
			expect(covered).toEqual([]);
		}
	}
});

test("bold words have a bold face and struck words are struck in the smaller sizes", () => {
	const { svg } = svgOf(prose);
	const withAttribute = (name: string): readonly string[] =>
		[...svg.matchAll(/<text (?<attributes>[^>]*)>(?<text>.*?)<\/text>/g)].flatMap(({ groups }) =>
			groups?.["attributes"]?.includes(name)
				? [(groups["text"] ?? "").replaceAll(/<[^>]*>/g, "")]
				: [],
		);
	expect(withAttribute('font-weight="700"')).toEqual(["lights", "the", "lamp"]);
	expect(withAttribute("line-through")).toEqual(["early"]);
	expect(svg).not.toContain("stroke-width");
});

describe("bold and italic prose", () => {
	const line = { x: 10, baseline: 50, size: 40, fill: "#000000", font: "sans" } as const;

	test("is drawn in faces of every alphabet, and outlined only where no face has a letter", async () => {
		const studio = await ClipRenderer.open(packageAssets, []);
		for (const text of ["ae", "āč", "жф", "λδ", "ươ"]) {
			const { drawText, prose: fonts } = studio.fontsFor(text);
			const svgIn = (style: FaceStyle): string =>
				svgText({ ...line, ...style, text, fonts: fonts.ofStyle(style) });
			const styles = [{}, { isBold: true }, { isItalic: true }];
			const pictures = styles.map(style =>
				Buffer.from(drawText(svgPicture(200, 80, svgIn(style))).pixels).toString("base64"),
			);
			expect(new Set(pictures).size, text).toBe(3);
			expect(styles.map(svgIn).join(""), text).not.toMatch(/stroke=|matrix/);
		}
		const { prose: fonts } = studio.fontsFor("a☑");
		const style = { isBold: true };
		const mixed = svgText({ ...line, ...style, text: "a☑", fonts: fonts.ofStyle(style) });
		expect(mixed).toMatch(/<tspan x="10\.00" font-family="I0of0 SemiBold">a<\/tspan>/);
		expect(mixed).toMatch(/<tspan [^>]*font-family="DejaVu Sans" stroke=[^>]*>☑/);
	});

	test("takes as much room as its face needs", async () => {
		const studio = await ClipRenderer.open(packageAssets, []);
		const text = "Ship the lamp";
		const { drawText, prose: fonts, sans } = studio.fontsFor(text);
		const style = { isBold: true };
		const width = fonts.widthOf(text, style) * line.size;
		expect(width).toBeGreaterThan(sans.widthOf(text) * line.size);
		const svg = svgPicture(
			400,
			80,
			svgText({ ...line, ...style, text, fonts: fonts.ofStyle(style) }),
		);
		const { pixels, width: columns, density = 1 } = drawText(svg);
		const inked = Array.from({ length: columns }, (_, x) => x).filter(x =>
			Array.from({ length: 80 * density }, (_, y) => pixels[(y * columns + x) * 4 + 3]).some(
				value => value !== 0,
			),
		);
		expect(Math.abs((inked.at(-1) ?? 0) / density - line.x - width)).toBeLessThan(5);
	});
});

function svgOf(prompt: string): { svg: string; width: number } {
	const svgs: string[] = [];
	const job = { type: "text", prompt, duration: 4, motionStrength: 2 } as const;
	const scene = createScene(job, spyRenderer(svgs));
	scene.frameAt(3.9);
	return { svg: svgs.join(""), width: scene.size.width };
}

test("a title is 1.6 times as large as the text, and the whole is in the middle of the frame", () => {
	const texts = drawnTexts("# Release 2.4\n\nClips show how code changes.\n\n- One\n- Two");
	const [title, body] = [/Release/, /Clips/].map(words =>
		texts.find(({ text }) => words.test(text)),
	);
	expect((title?.size ?? 0) / (body?.size ?? 1)).toBeCloseTo(1.6, 1);
	const [left, right] = [
		Math.min(...texts.map(text => text.left)),
		Math.max(...texts.map(text => text.right)),
	];
	expect(Math.abs(left - (960 - right))).toBeLessThan(2);
});

test("words in italics have an italic face, and marks of lists have the color of the title", () => {
	const { svg } = svgOf(
		"# A title\n\nIt was *more than _we_ needed*, said _Ada_.\n\n- One\n1. Two",
	);
	const slanted = [...svg.matchAll(/<text [^>]*font-style="italic"[^>]*><tspan[^>]*>([^<]*)/g)];
	expect(svg).not.toContain("matrix");
	expect(slanted.map(([, word]) => word)).toEqual(["more", "than", "we", "needed", "Ada"]);
	const fillOf = (words: string): string | undefined =>
		new RegExp(`<text [^>]*fill="([^"]*)"[^>]*>(?:<tspan[^>]*>)?[^<]*${words}`).exec(svg)?.[1];
	expect(fillOf("•")).toBe(fillOf("A title"));
	expect(fillOf(String.raw`1\.`)).toBe(fillOf("A title"));
	expect(fillOf("One")).not.toBe(fillOf("A title"));
});

test("a quotation has a bar beside each of its lines, and typographic marks", () => {
	const { svg } = svgOf(
		'Before it.\n> "The best database is the one that you can copy, isn\'t it?"\nBehind it.',
	);
	const words = svg.replaceAll(/<[^>]*>/g, " ");
	expect(words).toContain("“The");
	expect(words).toContain("isn’t it?”");
	const bars = [...svg.matchAll(/<rect x="\d+" y="[\d.]+" width="\d" height/g)];
	expect(bars.length).toBeGreaterThan(0);
	const [before, quoted] = ["Before it.", "“The"].map(start =>
		Number(new RegExp(`<text x="([\\d.]+)"[^>]*>(?:<tspan[^>]*>)?${start}`).exec(svg)?.[1]),
	);
	expect(quoted).toBeGreaterThan((before ?? 0) + 20);
});

test("a table alone is in a window, as wide as that, with a rule under its head and rows 1.5 high", () => {
	const table = "| Plan | Price |\n| --- | ---: |\n| Free | 0 € |\n| Team | 29 € |";
	const texts = drawnTexts(`# Prices\n\n${table}`);
	const at = (words: string) => texts.find(({ text }) => text === words);
	expect(at("Prices")?.size).toBe(18);
	const [plan, free, price, team] = ["Plan", "Free", "Price", "Team"].map(at);
	// Strips of a sheet are as far apart as rows, and 0.3 of the size higher at either end.
	const between = (team?.baseline ?? 0) - (free?.baseline ?? 0);
	expect(between / (free?.size ?? 1)).toBeCloseTo(1.5 + 2 * 0.3, 2);
	expect((price?.right ?? 0) - (plan?.left ?? 0)).toBeGreaterThan(750);
	const { svg } = svgOf(table);
	expect([...svg.matchAll(/<rect [^>]*height="1" [^>]*fill-opacity="\.25"/g)]).toHaveLength(1);
	expect(svg).toContain("<circle");
});
