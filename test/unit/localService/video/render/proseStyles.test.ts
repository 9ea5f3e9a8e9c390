import { expect, test } from "vitest";
import { plainLooks } from "../../../../../src/common/clipLooks.ts";
import { createScene } from "../../../../../src/localService/video/render/renderClip.ts";
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

test("bold words are bold and struck words are struck in the smaller sizes", () => {
	const svgs: string[] = [];
	const job = { type: "text", prompt: prose, duration: 4, motionStrength: 2 } as const;
	createScene(job, spyRenderer(svgs)).frameAt(3.9);
	const withAttribute = (name: string): readonly string[] =>
		[...svgs.join("").matchAll(/<text (?<attributes>[^>]*)>(?<text>[^<]*)/g)].flatMap(
			({ groups }) => (groups?.["attributes"]?.includes(name) ? [groups["text"] ?? ""] : []),
		);
	expect(withAttribute("stroke-width")).toEqual(["lights", "the", "lamp"]);
	expect(withAttribute("line-through")).toEqual(["early"]);
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

test("words in italics are slanted, and marks of lists have the color of the title", () => {
	const { svg } = svgOf(
		"# A title\n\nIt was *more than _we_ needed*, said _Ada_.\n\n- One\n1. Two",
	);
	const slanted = [...svg.matchAll(/<text [^>]*matrix\(1 0 -0\.2[^>]*>([^<]*)/g)];
	expect(slanted.map(([, word]) => word)).toEqual(["more", "than", "we", "needed", "Ada"]);
	const fillOf = (words: string): string | undefined =>
		new RegExp(`<text [^>]*fill="([^"]*)"[^>]*>[^<]*${words}`).exec(svg)?.[1];
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
		Number(new RegExp(`<text x="([\\d.]+)"[^>]*>${start}`).exec(svg)?.[1]),
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
