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
