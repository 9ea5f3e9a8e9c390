import { expect, test } from "vitest";
import { addressAt, addressIn, imageUrlsIn } from "../../../src/editor/imageUrls.ts";

test("the address under the cursor is found from its first to its last character, and not beside it", () => {
	const line = "see https://example.com/a.png, please";
	const url = "https://example.com/a.png";
	expect(addressAt(line, 4)).toBe(url);
	expect(addressAt(line, 29)).toBe(url);
	expect(addressAt(line, 3)).toBeUndefined();
	expect(addressAt(line, 31)).toBeUndefined();
});

test("of two addresses on a line the one under the cursor is taken", () => {
	const line = "https://a.example/1.png https://b.example/2.png";
	expect(addressAt(line, 30)).toBe("https://b.example/2.png");
});

test("an address ends before what closes the sentence or the Markdown around it, and keeps its own brackets", () => {
	expect(addressIn("![x](https://example.com/cat.webp)")).toBe("https://example.com/cat.webp");
	expect(addressIn("(https://example.com/a_(b).png).")).toBe("https://example.com/a_(b).png");
	expect(addressIn("https://example.com/a.png?w=1&h=2!")).toBe("https://example.com/a.png?w=1&h=2");
});

test("only whole https addresses without a user name or password count", () => {
	for (const text of [
		"http://example.com/a.png",
		"https://user:secret@example.com/a.png",
		"https://",
		"file:///a.png",
		"data:image/png;base64,AAAA",
		"no address",
	]) {
		expect(addressIn(text), text).toBeUndefined();
	}
});

test("a document's images are found by their name's end, by Markdown and by HTML, each once and in order", () => {
	const text = [
		"[a page](https://example.com/page)",
		"![a cat](https://example.com/cat)",
		'<img alt="dog" src="https://example.com/dog?size=2">',
		"https://example.com/bird.JPEG and again https://example.com/bird.JPEG",
		"[text](https://example.com/fish.gif#top)",
	].join("\n");
	expect(imageUrlsIn(text)).toEqual([
		"https://example.com/cat",
		"https://example.com/dog?size=2",
		"https://example.com/bird.JPEG",
		"https://example.com/fish.gif#top",
	]);
});

test("at most 50 images are offered", () => {
	const text = Array.from({ length: 80 }, (_, index) => `https://example.com/${index}.png`).join(
		" ",
	);
	expect(imageUrlsIn(text)).toHaveLength(50);
});

test("a document that looks like images throughout is searched in bounded time", () => {
	// Quadratic work on this would run into the test's time limit.
	expect(imageUrlsIn("![https://e.co ".repeat(70_000))).toEqual([]);
});
