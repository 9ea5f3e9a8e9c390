import { expect, test } from "vitest";
import { readPrinted } from "../../../src/clip/printedText.ts";

/** The pieces of a line with what differs from plain output. */
function piecesOf(line: string): string[] {
	return readPrinted(line).pieces.map(({ text, color = "", ground, ...styles }) => {
		const names = Object.entries(styles).flatMap(([name, value]) => (value ? [name.slice(2)] : []));
		return [`${color}|${text}`, ...(ground ? [`on ${ground}`] : []), ...names].join(" ");
	});
}

test.each([
	["24 bits", "\u001B[38;2;80;34;33mX", ["#502221|X"]],
	["24 bits with colons", "\u001B[38:2:80:34:33mX\u001B[my", ["#502221|X", "|y"]],
	["24 bits with a color space", "\u001B[38:2::80:34:33mX", ["#502221|X"]],
	["more than 24 bits", "\u001B[38;2;300;0;0mX", ["|X"]],
	["the cube", "\u001B[38;5;31mX\u001B[38:5:231mY", ["#0087af|X", "#ffffff|Y"]],
	["the grays", "\u001B[38;5;232mX\u001B[38;5;255mY", ["#080808|X", "#eeeeee|Y"]],
	["a name of 256", "\u001B[38;5;9mX\u001B[38;5;8mY", ["red|X", "dim|Y"]],
	["no color of 256", "\u001B[38;5;256mX", ["|X"]],
	["a background", "\u001B[48;5;31mX\u001B[49m\u001B[102mY", ["|X on #0087af", "|Y on green"]],
	["several at once", "\u001B[1;4;38;5;31;48;2;1;2;3mX", ["#0087af|X on #010203 Bold Underlined"]],
	["a color of underlines", "\u001B[4:3;58:2::1:2:3;58;5;31;32mX", ["green|X Underlined"]],
	["no underline", "\u001B[4m\u001B[4:0mX", ["|X"]],
	[
		"styles",
		"\u001B[1mb\u001B[22;3mi\u001B[23;9ms\u001B[29mx",
		["|b Bold", "|i Italic", "|s Struck", "|x"],
	],
	["dim", "\u001B[2ma\u001B[31mb\u001B[22mc", ["dim|a", "red|b Dim", "red|c"]],
	["inverse", "\u001B[7ma\u001B[32mb\u001B[27mc", ["|a on text", "|b on green", "green|c"]],
	["inverse with a background", "\u001B[7;31;44ma", ["blue|a on red"]],
	["hidden", "a\u001B[8mbc\u001B[28md", ["|a", "|  ", "|d"]],
])("of a color sequence remains the style: %s", (_, line, pieces) => {
	expect(piecesOf(line)).toEqual(pieces);
});

test.each([
	["a link", "\u001B]8;;https://a.b\u001B\\link\u001B]8;;\u001B\\ end", "link end"],
	[
		"a link with a bell",
		"\u001B]8;id=1;https://a.b/?x;y\u0007link\u001B]8;;\u0007 end",
		"link end",
	],
	[
		"a link as in source code",
		String.raw`\x1b]8;;https://a.b\x1b\\link\x1b]8;;\x1b\\ end`,
		"link end",
	],
	["a link of printf", String.raw`\e]8;;https://a.b\alink\e]8;;\a end`, "link end"],
	["a title", "\u001B]0;~/a: npm\u0007ok", "ok"],
	["a title of eight bits", "\u009D2;title\u009Cok", "ok"],
	["device strings", "a\u001BP1;2|x\u001B\\b\u001B_Gx=1;AAA\u001B\\c\u001B^y\u001B\\d", "abcd"],
	["an unfinished string before another sequence", "\u001B]0;title\u001B[31mred", "red"],
	["modes", "\u001B[?25l\u001B[?2004ha\u001B[>4;2mb\u001B[!pc", "abc"],
	["short sequences", "\u001B(Ba\u001B=\u001B>b\u001B7\u001B8c\u001BM", "abc"],
	["colors of eight bits", "\u009B31ma", "a"],
	["an unfinished sequence", "a\u001B[38;5", "a"],
	["other control characters", "\u0007a\u0000b\u000Ec\u001B", "abc"],
	["a picture of the sign", "\u241B[31ma\u2190[0mb", "ab"],
	["a sequence as in source code", String.raw`\x1b[31ma\033[1;4mb\u{1b}[0mc\e[1Dd`, "abd"],
	["paths that look like one", String.raw`C:\x1b\e[1]`, String.raw`C:\x1b\e[1]`],
])("of another sequence nothing remains: %s", (_, line, text) => {
	expect(
		readPrinted(line)
			.pieces.map(piece => piece.text)
			.join(""),
	).toBe(text);
});

test.each([
	["10%\r50%\r100% done", ["|100% done"]],
	["100%\r50%", ["|50%%"]],
	["100%\r\u001B[K50%", ["|50%"]],
	["shown\u001B[2K", ["|shown"]],
	["abc\u001B[K\rx", ["|xbc"]],
	["abc\b\u001B[1Kx", ["|  x"]],
	["loading\u001B[2K\u001B[1Gdone", ["|done"]],
	["\u001B[31mold text\r\u001B[32mnew", ["green|new", "red| text"]],
	["a\r", ["|a"]],
	["ab\bc", ["|ac"]],
	["a\u001B[3Cb\u001B[2Dc", ["|a  cb"]],
	["日本\rab", ["|ab本"]],
	["日本\ra", ["|a 本"]],
	["é\re\u0301", ["|e\u0301"]],
])("the line %j is as the terminal shows it in the end", (line, pieces) => {
	expect(piecesOf(line)).toEqual(pieces);
});

test("the style of a line goes on", () => {
	const { after } = readPrinted("a\u001B[31;1mb");
	expect(readPrinted("c", after).pieces).toMatchObject([{ text: "c", color: "red", isBold: true }]);
	expect(readPrinted("\u001B[39mc", after).pieces[0]?.color).toBeUndefined();
});
