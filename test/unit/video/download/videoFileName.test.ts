import { expect, test } from "vitest";
import { detectClipFormat } from "../../../../src/video/download/clipFile.ts";
import { clipBaseName, numberedName } from "../../../../src/video/download/videoFileName.ts";
import { linkAddress } from "../../../../src/ui/video/share/videoLinks.ts";
import { createRandom } from "../../../helpers/random.ts";

const nameOf = (prompt: string): string => clipBaseName({ request: { kind: "text", prompt } });

test.each([
	["A red fox, in snow!", "a-red-fox-in-snow"],
	["  ../../etc/passwd\n", "etc-passwd"],
	["CON", "video-con"],
	["```ts\n/** Cheaper. */\nexport function volumeDiscount() {\n}\n```", "volume-discount"],
	["```ts\nclass HTMLParser2 {\n}\n```", "html-parser2"],
	["pricing.ts\n```diff\n@@ -1 +1 @@\n-a\n+b\n```", "pricing"],
	[
		"How a debounced call waits for silence before it runs",
		"how-a-debounced-call-waits-for-silence",
	],
	["# Corner Roastery\n\nA small shop that sells beans.", "corner-roastery"],
	["How it rounds\n```ts\nround(1.5);\n```", "how-it-rounds"],
	["lpt1", "video-lpt1"],
	["...", "video"],
	["", "video"],
	["🦊", "video"],
	["雪の中の赤い狐", "雪の中の赤い狐"],
	["नमस्ते दुनिया", "नमस्ते-दुनिया"],
	["Cafe\u0301", "café"],
	['a<b>c:d"e/f\\g|h?i*j', "a-b-c-d-e-f-g-h-i-j"],
	["x\u0000y\u202Etxt", "x-y-txt"],
	["--flag", "flag"],
])("the prompt %j gives the name %j", (prompt, name) => {
	expect(nameOf(prompt)).toBe(name);
});

test("an image gives its own name", () => {
	const request = {
		kind: "image",
		imageUrl: "https://example.com/a/My%20cat.final.png?x=1",
	} as const;
	expect(clipBaseName({ request })).toBe("my-cat-final");
});

test("a storyboard is called by its title, else like its document, and each scene by its number, so that the whole has the name alone", () => {
	const source = { uri: "file:///story.md", name: "story.md" };
	const scene = { prompt: "A coin falls", duration: 2, motionStrength: 3 };
	const storyboard = { kind: "storyboard", scenes: [scene] } as const;
	expect(clipBaseName({ request: storyboard, source })).toBe("story");
	expect(clipBaseName({ request: { ...storyboard, title: "How Billing Works" }, source })).toBe(
		"how-billing-works",
	);
	expect(clipBaseName({ request: { ...storyboard, title: "story.md" }, source })).toBe("story");
	expect(clipBaseName({ request: storyboard })).toBe("storyboard-a-coin-falls");
	const code = "```ts\nexport function volumeDiscount() {\n}\n```";
	expect(clipBaseName({ request: { ...storyboard, text: code } })).toBe("volume-discount");
	expect(
		clipBaseName({
			request: { kind: "text", prompt: code },
			scene: { storyboard: "a", index: 1 },
		}),
	).toBe("volume-discount-scene-2");
});

test("a plain name is written into a link as it is", () => {
	const name = `${numberedName(nameOf("A red fox, in snow!"), 2)}.webm`;
	expect(linkAddress("/project/README.md", `/project/${name}`)).toBe("a-red-fox-in-snow-2.webm");
});

test("names of a thousand random prompts are safe on every file system", () => {
	const random = createRandom(3);
	for (let count = 0; count < 1_000; count += 1) {
		const codes = Array.from({ length: random.below(300) }, () =>
			random.below(random.pick([0x80, 0x800, 0x10000, 0x110000])),
		);
		const name = nameOf(String.fromCodePoint(...codes));
		expect(Buffer.byteLength(name)).toBeLessThanOrEqual(120);
		expect(name.isWellFormed()).toBe(true);
		expect(name).toMatch(/^[\p{L}\p{N}\p{M}]+(-[\p{L}\p{N}\p{M}]+)*$/u);
	}
});

test.each([
	["mp4", "\0\0\0\u0018ftypisom"],
	["mov", "\0\0\0\u0014ftypqt  "],
	["webm", "\u001aE\u00df\u00a3\u009fB\u0086\u0081\u0001B\u0082\u0084webm"],
	["matroska", "\u001aE\u00df\u00a3\u009fB\u0082\u0088matroska"],
	["gif", "GIF89a\0\0\0\0\0\0"],
	["avi", "RIFF\0\0\0\0AVI LIST"],
	["ogg", "OggS\0\u0002\0\0\0\0\0\0"],
	[undefined, "<!doctype html><html>"],
	[undefined, '{"error":"no"}'],
	[undefined, "RIFF\0\0\0\0WEBPVP8 "],
	[undefined, ""],
])("J14: first bytes show %s", (format, head) => {
	expect(detectClipFormat(Buffer.from(head, "latin1"))).toBe(format);
});
