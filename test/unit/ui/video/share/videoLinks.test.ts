import { describe, expect, test } from "vitest";
import {
	imageTag,
	isInside,
	linkAddress,
	markdownImage,
	markdownLink,
	videoTag,
} from "../../../../../src/ui/video/share/videoLinks.ts";

describe("the address of a clip in a document", () => {
	test("is relative to the document's folder", () => {
		expect(linkAddress("/project/docs/a.md", "/project/docs/clip.webm")).toBe("clip.webm");
		expect(linkAddress("/project/docs/a.md", "/project/media/clip.webm")).toBe(
			"../media/clip.webm",
		);
	});

	test("is escaped so that no character of a name ends the link", () => {
		expect(linkAddress("/w/a.md", "/w/a (1) 100%#?.webm")).toBe("a%20%281%29%20100%25%23%3F.webm");
		expect(linkAddress("/w/a.md", "/w/лодка.webm")).toBe("%D0%BB%D0%BE%D0%B4%D0%BA%D0%B0.webm");
	});

	test("has forward slashes on Windows, and is whole on another drive", () => {
		expect(linkAddress("C:\\w\\docs\\a.md", "C:\\w\\clips\\b.webm")).toBe("../clips/b.webm");
		expect(linkAddress("C:\\w\\a.md", "D:\\clips\\b c.webm")).toBe("file:///D:/clips/b%20c.webm");
	});
});

test("a file is inside its folder and folders above, and not inside a folder whose name begins alike", () => {
	expect(isInside("/project/docs/a.webm", "/project")).toBe(true);
	expect(isInside("/workshop/a.webm", "/project")).toBe(false);
	expect(isInside("/project", "/project")).toBe(false);
	expect(isInside("C:\\w\\a.webm", "C:\\w")).toBe(true);
	expect(isInside("D:\\w\\a.webm", "C:\\w")).toBe(false);
});

test("a title cannot leave the Markdown link it is in", () => {
	expect(markdownLink("a [b](https://evil.example) <c>\n*d*", "clip.webm")).toBe(
		String.raw`[a \[b\](https://evil.example) \<c\> \*d\*](clip.webm)`,
	);
});

test("a title cannot leave the attribute it is in", () => {
	expect(videoTag('"><script>', "a.webm?x&y")).toBe(
		'<video controls loop src="a.webm?x&amp;y" title="&quot;&gt;&lt;script&gt;"></video>',
	);
});

test("an image's description holds any character, in Markdown and in HTML", () => {
	expect(markdownImage("a [red]\nfox", "media/a.webp")).toBe(
		String.raw`![a \[red\] fox](media/a.webp)`,
	);
	expect(imageTag('a "red" <fox>', "media/a.webp")).toBe(
		'<img src="media/a.webp" alt="a &quot;red&quot; &lt;fox&gt;" />',
	);
});
