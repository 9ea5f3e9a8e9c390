import { expect, test } from "vitest";
import { type ClipLooks, plainLooks } from "../../../../../src/common/clipLooks.ts";
import { clipLooksSchema } from "../../../../../src/localService/base/clipLooksSchema.ts";
import { createScene } from "../../../../../src/localService/video/render/renderClip.ts";
import { drawnTexts, spyRenderer } from "./drawnTexts.ts";

const code = '```ts title="cart.ts"\nconst total = 1;\n```';

function sceneOf(looks: Partial<ClipLooks>) {
	const svgs: string[] = [];
	const job = { type: "text", prompt: code, duration: 4, motionStrength: 3 } as const;
	const scene = createScene({ ...job, looks: { ...plainLooks, ...looks } }, spyRenderer(svgs));
	scene.frameAt(3.9);
	return { svg: svgs.join(""), pixels: [...scene.ground().pixels.subarray(0, 4)] };
}

test("a ground's own color is behind the window as it is", () => {
	const { svg, pixels } = sceneOf({ ground: "color", groundColor: "#12ab34" });
	expect(pixels).toEqual([0x12, 0xab, 0x34, 255]);
	expect(svg).toContain("<circle");
});

test("without a frame, code and its title are on the window's color alone", () => {
	const { svg, pixels } = sceneOf({ ground: "none" });
	expect(pixels).toEqual([0x12, 0x14, 0x1a, 255]);
	expect(svg).toContain("cart.ts");
	expect(svg).not.toMatch(/<circle|rx="12"/);
});

test("a chosen size of code is that of short and of long code", () => {
	const sizesOf = (prompt: string) =>
		(["small", "medium", "large"] as const).map(typeSize => {
			const words = drawnTexts(prompt, { ...plainLooks, typeSize });
			return words.find(({ text }) => text.startsWith("const"))?.size;
		});
	expect(sizesOf(code)).toEqual([16.5, 21, 27]);
	const long = `\`\`\`ts\n${"const total = await sum(items);\n".repeat(40)}\`\`\``;
	expect(sizesOf(long)).toEqual([16.5, 21, 27]);
	const change = "```diff\n-const total = 1;\n+const total = 2;\n```";
	expect(sizesOf(change)).toEqual([16.5, 21, 27]);
});

test.each(["red", "#12ab3", "#12ab34;", "url(#a)", '#12ab34"/>', "#GGGGGG"])(
	"T35: “%s” is no color of a clip's ground",
	groundColor => {
		expect(clipLooksSchema.safeParse({ ...plainLooks, groundColor }).success).toBe(false);
		expect(clipLooksSchema.safeParse({ ...plainLooks, groundColor: "#12ab34" }).success).toBe(true);
	},
);
