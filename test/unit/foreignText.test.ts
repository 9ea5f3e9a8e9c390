// @module-tag thorough
import { expect, test } from "vitest";
import { spokenText } from "../../media/chat/announce/announcement.ts";
import { plainMarkdown } from "../../src/common/plainMarkdown.ts";
import { imageUrlsIn } from "../../src/editor/imageUrls.ts";
import { guessLanguage } from "../../src/clip/promptContent.ts";
import { growth, linearGrowth } from "../helpers/growth.ts";

test.each<[string, (text: string) => unknown, readonly string[]]>([
	["spokenText", spokenText, [" ", "[", "|", "`"]],
	["guessLanguage", guessLanguage, ["\n", "1", "a", "[", "import a "]],
	["plainMarkdown", plainMarkdown, ["[", "_a "]],
	["imageUrlsIn", text => imageUrlsIn(`https://example.com/${text}a`), [".", ")", ".)"]],
])("%s reads text of any kind in the time of its length", (_name, read, pieces) => {
	expect(pieces.filter(piece => growth(read, piece) >= linearGrowth)).toEqual([]);
});
