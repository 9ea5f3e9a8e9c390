// @module-tag thorough
import { expect, test } from "vitest";
import { spokenText } from "../../media/chat/announce/announcement.ts";
import { withClosedFence } from "../../src/chat/export/chatMarkdown.ts";
import { readDiff } from "../../src/clip/changeLines.ts";
import { plainMarkdown } from "../../src/common/plainMarkdown.ts";
import { imageUrlsIn } from "../../src/editor/imageUrls.ts";
import { guessLanguage } from "../../src/clip/promptContent.ts";
import { codeInArguments } from "../../src/localService/python/codeArguments.ts";
import { splitTables } from "../../src/localService/video/layout/textTable.ts";
import { placeCode } from "../../src/tools/codePlacement/placeCode.ts";
import { patchedPaths } from "../../src/tools/codePlacement/readPatches.ts";
import { readCustomizations } from "../../src/ui/clipLooks/themeFile.ts";
import { commitMessageIn } from "../../src/ui/scm/commitMessage.ts";
import { cutScenes } from "../../src/video/storyboard/cutScenes.ts";
import { proposedDocument, readSceneDocument } from "../../src/video/storyboard/sceneDocument.ts";
import { cpuTimeOf, growth, linearGrowth } from "../helpers/growth.ts";

test.each<[string, (text: string) => unknown, readonly string[]]>([
	["spokenText", spokenText, [" ", "[", "|", "`"]],
	["guessLanguage", guessLanguage, ["\n", "1", "a", "[", "import a "]],
	["plainMarkdown", plainMarkdown, ["[", "_a "]],
	["imageUrlsIn", text => imageUrlsIn(`https://example.com/${text}a`), [".", ")", ".)"]],
])("%s reads text of any kind in the time of its length", (_name, read, pieces) => {
	expect(pieces.filter(piece => growth(read, piece) >= linearGrowth)).toEqual([]);
});

test.each<[string, string, (text: string) => unknown]>([
	["the fence of a message that is exported", "~", text => withClosedFence(`${text}\u2028`)],
	["the name in a diff", "\t", text => readDiff(`--- a\n+++ b${text}\u2028x\n@@ -1 +1 @@\n-a\n+b`)],
	["the head of a hunk", "@", text => readDiff(`@@ -1 +1 @@${text}\t\u2028\n-a\n+b`)],
	["the rule of a table", "\t", text => splitTables(`a|b\n${text}-:|${text}-x`)],
	["the dashes of a table", "-", text => splitTables(`a|b\n|${text} ${text}x`)],
	["strings that are not closed", '"\\', text => codeInArguments(`{"code": ${text}`)],
	["a fence around code", "~", text => codeInArguments(JSON.stringify({ code: `${text}\`\nx` }))],
	[
		"the names in a patch",
		"\t",
		text => patchedPaths([`--- ${text}\u2028x`, `+++ ${text} x`, "@@"]),
	],
	["a file of a patch", " ", text => patchedPaths([`*** Update File: a${text}x`])],
	["the line of a scene", "\t", text => readSceneDocument(`--- scene 1: ${text}\u2028x`, true)],
	["the length of a scene", "S,,", text => readSceneDocument(`--- scene 1: ${text}\u2028x`, true)],
	[
		"the fence of a storyboard",
		"~",
		text =>
			proposedDocument(`${text}\nx\n--- scene 1: 2 s\nabc`, {
				title: "",
				isDrawn: true,
			}),
	],
	["a block of a storyboard", "~", text => cutScenes(`${text}\n~x`, 3, true)],
	["a theme's name in a setting", "[x", text => customize({ [text]: {} })],
	["the fence of a commit message", "\t", text => commitMessageIn(`~~~${text}.!\n`, false)],
])("%s takes the time of its length", (_name, piece, read) => {
	expect(growth(read, piece)).toBeLessThan(linearGrowth);
});

function place(path: string, line: string): unknown {
	return placeCode(`one\n${line}\ntwo\n`, `${line}\nnew\n`, path);
}

function customize(colors: unknown): unknown {
	return readCustomizations({ colors, tokens: {}, semantic: {} }, "Dark");
}

test("the rows of dashes in an answer are left out of what is spoken in little time", () => {
	const answer = `${"\t".repeat(4000)}${"-".repeat(3990)}x`;
	expect(cpuTimeOf(() => spokenText(answer))).toBeLessThan(500);
});

test.each([
	["a long paragraph", "a.md", `# ${"a ".repeat(5000)}`],
	["quotes without a partner", "a.go", `f(${'"\\'.repeat(5000)}`],
	["the head of a table in TOML", "a.toml", `[${"\t".repeat(5000)}x`],
])("a block with %s is placed in a moment", (_name, path, line) => {
	expect(cpuTimeOf(() => place(path, line))).toBeLessThan(2000);
});
