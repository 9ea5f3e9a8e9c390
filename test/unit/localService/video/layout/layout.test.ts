import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import { layOutCode } from "./plainTokens.ts";
import { clipShapes } from "../../../../../src/common/clipLooks.ts";
import { highlightCode } from "../../../../../src/localService/video/layout/highlightCode.ts";
import {
	drawableText,
	isRightToLeft,
} from "../../../../../src/localService/video/layout/drawableText.ts";
import {
	type FontMetrics,
	joinMetrics,
	readFontMetrics,
} from "../../../../../src/localService/video/layout/fontMetrics.ts";
import { paletteOf } from "../../../../../src/localService/video/layout/palette.ts";
import { readPrompt } from "../../../../../src/clip/promptContent.ts";
import type { ReadableText } from "../../../../../src/common/plainMarkdown.ts";
import { stageOf } from "../../../../../src/localService/video/layout/stage.ts";
import { ProseFonts } from "../../../../../src/localService/video/render/proseFonts.ts";
import type { ProseTools } from "../../../../../src/localService/video/render/scene.ts";
import { svgText } from "../../../../../src/localService/video/render/svgText.ts";
import {
	createTextScene,
	layOutText,
} from "../../../../../src/localService/video/render/textScene.ts";
import {
	balanceText,
	joinHardWraps,
	type WrappedLine,
	wrapText,
} from "../../../../../src/localService/video/layout/wrapText.ts";
import { createRandom } from "../../../../helpers/random.ts";
import { contrastOf, rgbOf } from "../colors.ts";
import { packageAssets } from "../videoFixtures.ts";

let sans: FontMetrics;
let mono: FontMetrics;
let artist: ProseTools;

beforeAll(() => {
	sans = joinMetrics(
		[...packageAssets.sans, packageAssets.otherSans].map(path =>
			readFontMetrics(readFileSync(path)),
		),
	);
	mono = readFontMetrics(readFileSync(packageAssets.mono[0] ?? ""));
	artist = {
		sans,
		mono,
		prose: new ProseFonts(
			sans,
			{
				bold: [],
				italic: [],
			},
			undefined,
		),
		stage: stageOf({ shape: "16:9" }),
		ground: "solid",
		isSigned: false,
		isStill: false,
		typeSize: "auto",
		paletteOf,
		drawText: () => ({
			width: 1,
			height: 1,
			pixels: new Uint8Array(4),
		}),
	};
});

const textsOf = (lines: readonly WrappedLine[]): readonly string[] => lines.map(({ text }) => text);

describe("font metrics", () => {
	test("are those of the font: widths as its tables say, letters it has and has not", () => {
		expect(mono.widthOf("i")).toBeCloseTo(0.6, 4);
		expect(mono.widthOf("iW@")).toBeCloseTo(1.8, 4);
		expect(sans.widthOf("W")).toBeGreaterThan(sans.widthOf("i") * 3);
		expect(Array.from("aжΩאع→").every(letter => sans.covers(letter.codePointAt(0) ?? 0))).toBe(
			true,
		);
		expect(sans.covers("漢".codePointAt(0) ?? 0)).toBe(false);
	});
});

describe("wrapping", () => {
	const room = { width: 10, widthOf: (text: string) => [...text].length };

	test("breaks at spaces and keeps every word", () => {
		expect(textsOf(wrapText("the quick brown fox", room))).toEqual(["the quick", "brown fox"]);
	});

	test("breaks a word only when it is wider than a line, and never inside a letter", () => {
		const family = "👨‍👩‍👧";
		expect(textsOf(wrapText(`a ${"x".repeat(12)}`, room))).toEqual(["a", "xxxxxxxxxx", "xx"]);
		expect(
			textsOf(wrapText(family.repeat(4), { width: 10, widthOf: text => text.length })),
		).toEqual([family, family, family, family]);
	});

	test("breaks an address behind one of its signs where it can", () => {
		expect(textsOf(wrapText("abc/defgh/ijklmnop", room))).toEqual(["abc/defgh/", "ijklmnop"]);
		expect(textsOf(wrapText("abcdef-ghijklmno", room))).toEqual(["abcdef-", "ghijklmno"]);
		expect(textsOf(wrapText("a-bcdefghijklm", room))).toEqual(["a-bcdefghi", "jklm"]);
	});

	test("keeps all lines within the width and loses no letter, for any text", () => {
		const random = createRandom(7).next;
		for (let round = 0; round < 300; round += 1) {
			const text = Array.from({ length: 60 }, () =>
				random() < 0.2 ? (random() < 0.2 ? "\n" : " ") : "abцé漢🦊"[Math.floor(random() * 6)],
			).join("");
			const lines = textsOf(wrapText(text.toWellFormed(), room));
			expect(lines.every(line => room.widthOf(line) <= 10)).toBe(true);
			expect(lines.join("").replaceAll(/\s/g, "")).toBe(text.toWellFormed().replaceAll(/\s/g, ""));
		}
	});

	test("balanced, a text has as few lines, and no word alone in the last one", () => {
		const text = "A lighthouse at dusk, waves breaking slowly against the rocks";
		const room = { width: 29, widthOf: (line: string) => line.length };
		expect(textsOf(wrapText(text, room)).at(-1)).toBe("rocks");
		const lines = textsOf(balanceText(text, room));
		expect(lines).toHaveLength(wrapText(text, room).length);
		expect(lines.join(" ")).toBe(text);
		expect(lines.at(-1)).toBe("against the rocks");
	});

	test("balanced, words that are broken are broken where they were", () => {
		const room = { width: 10, widthOf: (line: string) => line.length };
		const text = "a word, then abcdefghijklmnopqrstuvwxyz";
		expect(textsOf(balanceText(text, room))).toEqual(textsOf(wrapText(text, room)));
	});

	test.each(["• ", "1. ", "12) ", "☑ ", "٣. "])(
		"an item that begins with «%s» goes on below its first word",
		mark => {
			const room = { width: 20, widthOf: (text: string) => [...text].length };
			const [first, ...rest] = wrapText(`${mark}one two three four five six`, room);
			expect(first?.indent).toBe(0);
			expect(rest.length).toBeGreaterThan(0);
			expect(rest.map(({ indent }) => indent)).toEqual(rest.map(() => mark.length));
			expect(
				[first, ...rest].every(line => (line?.text.length ?? 0) + (line?.indent ?? 0) <= 20),
			).toBe(true);
		},
	);

	test("an item of an item begins below its words, and a paragraph is not set in", () => {
		const room = { width: 20, widthOf: (text: string) => [...text].length };
		const lines = wrapText("• one\n  • two\n  three and four and five and six", room);
		expect(lines.map(({ indent }) => indent)).toEqual([0, 0.9, 0, 0]);
	});

	test("joins lines that were broken at a width, not lists and not verses", () => {
		const long = "This line was broken by an editor because it came to its";
		expect(joinHardWraps(`${long}\nmargin.\n\n- one\n- two`)).toBe(
			`${long} margin.\n\n- one\n- two`,
		);
		expect(joinHardWraps("Roses are red,\nviolets are blue")).toBe(
			"Roses are red,\nviolets are blue",
		);
	});
});

describe("text on a card", () => {
	const words = (count: number): string => "lorem ".repeat(count).trim();
	const plain = (body: string): ReadableText => ({ title: "", body });

	test.each([1, 3, 10, 30, 60, 120, 300, 600])(
		"%i words are within the width, with at least 28 units, and none is lost",
		count => {
			const { size, lines } = layOutText(plain(words(count)), artist);
			const { text: area } = artist.stage;
			expect(size).toBeGreaterThanOrEqual(28);
			expect(lines.every(line => sans.widthOf(line.text) * size <= area.width)).toBe(true);
			expect(textsOf(lines).join(" ")).toBe(words(count));
			expect(size === 28 || lines.length * size * 1.36 <= area.height).toBe(true);
		},
	);

	test("a few words are set large, many small", () => {
		expect(layOutText(plain("Ship it."), artist).size).toBe(88);
		expect(layOutText(plain(words(80)), artist).size).toBeLessThan(40);
	});

	test("a word that is broken at any size doesn't make all others small", () => {
		const word = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamte".repeat(2);
		expect(layOutText(plain(`A ${word}`), artist).size).toBeGreaterThan(36);
	});

	describe("a table", () => {
		const rows = (cell: string): string =>
			`Before\n| Plan | Price |\n|:--|--:|\n| Free | 0 € |\n| ${cell} | 112 € |\nAfter`;

		test("is set in columns without its bars, numbers below one another at their ends", () => {
			const { lines, size } = layOutText(plain(rows("Team \\| more")), artist);
			expect(lines.map(({ cells, text }) => cells?.map(cell => cell.text) ?? text)).toEqual([
				"Before",
				["Plan", "Price"],
				["Free", "0 €"],
				["Team | more", "112 €"],
				"After",
			]);
			const cells = lines.flatMap(line => (line.cells ? [line.cells] : []));
			expect(new Set(cells.map(([first]) => first?.at))).toEqual(new Set([0]));
			const ends = cells.map(([, price]) => (price?.at ?? 0) + sans.widthOf(price?.text ?? ""));
			expect(Math.max(...ends) - Math.min(...ends)).toBeLessThan(0.001);
			expect(Math.max(...ends) * size).toBeLessThanOrEqual(artist.stage.text.width);
		});

		test("has a head that isn't a rule", () => {
			const { lines } = layOutText(plain("|--|--|\n|--|--|\n| a | b |"), artist);
			expect(lines.every(line => !line.cells)).toBe(true);
		});

		test("that is too wide becomes lines of text, and no cell is lost", () => {
			const { lines, size } = layOutText(plain(rows("lorem ipsum ".repeat(12).trim())), artist);
			expect(lines.every(line => !line.cells && !line.text.includes("|"))).toBe(true);
			expect(lines.every(({ text }) => sans.widthOf(text) * size <= artist.stage.text.width)).toBe(
				true,
			);
			expect(textsOf(lines).join(" ")).toContain("ipsum · 112 € After");
		});
	});

	test("a title, paragraphs and tables are apart from one another", () => {
		const body = "two\nthree\n\nfour\n| five | six |\n|--|--|\n| seven | eight |";
		const { lines, titleLines } = layOutText({ title: "One", body }, artist);
		expect(titleLines).toBe(1);
		const apart = lines.filter(({ isApart }) => isApart).map(({ text }) => text);
		expect(apart).toEqual(["two", "four", "five six"]);
	});

	test("no item of a list ends with a word alone", () => {
		const items = ["Commands are typed in a terminal", "A page of prose scrolls at reading speed"];
		const { lines } = layOutText(plain(items.map(item => `• ${item}`).join("\n")), artist);
		const last = textsOf(lines).at(-1) ?? "";
		expect(last.split(" ").length).toBeGreaterThan(1);
	});

	test.each(clipShapes)("that scrolls rests with whole lines in %s, none of them faded", shape => {
		const timing = { duration: 12, motionStrength: 3 };
		const scene = createTextScene(words(600), timing, { ...artist, stage: stageOf({ shape }) });
		const opacities = scene.frameAt(0).sprites.map(({ opacity }) => opacity);
		expect(opacities.length).toBeGreaterThan(5);
		expect(new Set(opacities)).toEqual(new Set([1]));
	});
});

describe("what can be drawn", () => {
	test("line ends, tabs and control characters become plain", () => {
		expect(drawableText("a\r\nb\tc\u0007\u202Ed", sans)).toBe("a\nb    cd");
	});

	test("single letters the font lacks are marked, emoji it lacks left out", () => {
		expect(drawableText("the sign 漢 here, a party 🥳 there", sans)).toBe(
			"the sign � here, a party  there",
		);
	});

	test.each([
		["שלום world", true],
		["«مرحبا» hello", true],
		["The word שלום means peace", false],
		["123, 456", false],
	])("the first letter says where a text begins: %j", (text, isFromRight) => {
		expect(isRightToLeft(text)).toBe(isFromRight);
	});

	test("a line from right to left is embedded as one, so that its last comma is on the left", () => {
		const line = {
			text: "שלום,",
			x: 0,
			baseline: 10,
			size: 10,
			fill: "#fff",
			font: "sans",
		} as const;
		expect(svgText({ ...line, isRightToLeft: true })).toContain(">\u202Bשלום,\u202C</text>");
		expect(svgText(line)).toContain(">שלום,</text>");
	});

	test("a text that could not be read says so instead", () => {
		expect(drawableText("夕暮れの灯台", sans)).toMatch(/^This text of 6 characters is in a script/);
		expect(drawableText(" \n ", sans)).toBe("There is nothing to read here.");
	});
});

describe("prose and code are told apart", () => {
	test.each([
		"A cat on a skateboard",
		"Explain why the sky is blue (and sunsets are red); be brief.",
		"# A heading\n\n- one\n- two\n\nSee [this](https://a.example).",
		"name,age\nAda,36\nAlan,41",
		"",
	])("prose: %j", prompt => {
		expect(readPrompt(prompt).type).toBe("prose");
	});

	test.each([
		["const total = items.map(item => item.price);", "javascript"],
		["def greet(name):\n    import os\n    return name", "python"],
		["    for (i = 0; i < n; i++) {\n        sum[i] = 0;\n    }", undefined],
		['{ "name": "cutaway", "version": 1 }', "json"],
		['<main class="card">\n  <h1>Hello</h1>\n</main>', "html"],
	])("code: %j", (prompt, language) => {
		expect(readPrompt(prompt)).toMatchObject({ type: "code", language });
	});

	test("a fenced block that is most of the prompt is the code, the words before it its title", () => {
		const prompt =
			"How does this work?\n```py\nfor item in basket:\n    total += item.price\n```\nThanks";
		expect(readPrompt(prompt)).toEqual({
			type: "code",
			language: "py",
			caption: "How does this work?",
			code: "for item in basket:\n    total += item.price",
		});
		expect(readPrompt(`${"Words and words. ".repeat(20)}\n\`\`\`sh\nls\n\`\`\``).type).toBe(
			"prose",
		);
	});

	test("the indentation all lines share is taken away", () => {
		expect(readPrompt("\t\tif (a) {\n\t\t\tb();\n\t\t}")).toMatchObject({
			code: "if (a) {\n    b();\n}",
		});
	});
});

describe("code in the colors of highlight.js", () => {
	/** The kinds of a text's tokens, line by line, with what each has in common. */
	const kinds = (lines: readonly string[], language?: string): string[][] =>
		highlightCode(lines, language).map(line =>
			line.filter(({ text }) => text.trim() !== "").map(({ kind, text }) => `${kind} ${text}`),
		);

	test("a docstring is a text over its lines, whatever its words and signs", () => {
		const lines = ['x = """doc', 'string with # hash and "quotes"', '"""', "y = 1"];
		const found = kinds(lines, "python");
		expect(found[1]).toEqual(['string string with # hash and "quotes"']);
		expect(found[3]?.at(-1)).toBe("number 1");
	});

	test("a template literal goes on over lines, with code only in its places", () => {
		const lines = ["const s = `line one", "line // two ${a}", "end`;"];
		const found = kinds(lines, "ts");
		expect(found[1]?.[0]).toBe("string line // two ");
		expect(found.flat().filter(token => token.startsWith("comment"))).toEqual([]);
	});

	test("an apostrophe in the text of HTML begins nothing, and a comment goes on over lines", () => {
		const found = kinds(["<p>it's <b>so</b></p>", "<!-- a", "b -->"], "html");
		expect(found[0]?.some(token => token.startsWith("string"))).toBe(false);
		expect(found.slice(1)).toEqual([["comment <!-- a"], ["comment b -->"]]);
	});

	test("long brackets of Lua hold a text", () => {
		expect(kinds(["s = [[a", "for b]]"], "lua")[1]).toEqual(["string for b]]"]);
	});

	test("code of a language that is not known is plain", () => {
		expect(kinds(["if (a) {"], "no-such-language")).toEqual([["plain if (a) {"]]);
	});

	test("the tokens of a line are the line, whatever it holds", () => {
		const random = createRandom(11).next;
		const letters = Array.from("ab0 \t\"'`/*#-(){}\\<!>漢🦊$@.é");
		for (let round = 0; round < 500; round += 1) {
			const line = Array.from(
				{ length: 30 },
				() => letters[Math.floor(random() * letters.length)],
			).join("");
			const tokens = highlightCode([line], ["python", "html", undefined][round % 3])[0] ?? [];
			expect(tokens.map(token => token.text).join("")).toBe(line);
		}
	});

	const room = { width: 796, height: 392 };

	test("few lines are whole where they can be read so, rather than larger", () => {
		const line = 'export const answer = retry(() => ask("why"), { times: 3 });';
		const { size, rows } = layOutCode(line, "ts", { room, mono });
		expect([rows.length, size]).toEqual([1, 21]);
		expect(layOutCode(`${line} ${line}`, "ts", { room, mono }).size).toBeGreaterThan(21);
	});

	test("short code with lines of 80 columns is rather smaller than broken, and longer lines are broken", () => {
		const line = `${"=".repeat(36)} ok ${"=".repeat(40)}`;
		const lines = Array.from({ length: 6 }, () => line).join("\n");
		const { rows, size } = layOutCode(lines, "text", { room, mono });
		expect([rows.length, size]).toEqual([6, 16.5]);
		const longer = layOutCode(lines.replaceAll("ok", "ok".repeat(20)), "text", { room, mono });
		expect(longer.size).toBeGreaterThanOrEqual(18);
	});

	test("every row fits, and numbers count lines and not rows", () => {
		const { size, rows } = layOutCode(`short\n${"a + ".repeat(60)}\nlast`, "js", { room, mono });
		expect(rows.every(row => row.columns * mono.widthOf("0") * size <= room.width)).toBe(true);
		expect(rows.map(row => row.number).filter(number => number !== undefined)).toEqual([1, 2, 3]);
	});

	test.each([1, 6, 12])("%i lines are set with at least 18 units", count => {
		const line = `const answer = await fetch(${"a".repeat(40)});`;
		const code = Array.from({ length: count }, () => line).join("\n");
		expect(layOutCode(code, "js", { room, mono }).size).toBeGreaterThanOrEqual(18);
	});

	test("a few long lines are rather broken than set small, many are not", () => {
		const long = `const answer = await fetch(${"a".repeat(90)});`;
		const few = layOutCode(long, "javascript", { room, mono });
		expect(few.size).toBeGreaterThanOrEqual(25);
		expect(few.rows.length).toBeGreaterThan(1);
		const many = `${long.slice(0, 60)}\n`.repeat(8).trim();
		expect(layOutCode(many, "javascript", { room, mono }).rows).toHaveLength(8);
	});

	test("no row that a line goes on in is a bracket alone", () => {
		const line = `function total(items: readonly Item[], discount: Discount, currency: Currency) {`;
		for (let width = 300; width < 800; width += 20) {
			const { rows } = layOutCode(line, "ts", { room: { width, height: 392 }, mono });
			const texts = rows.map(row =>
				row.tokens
					.map(({ text }) => text)
					.join("")
					.trim(),
			);
			expect(texts.every(text => text.length >= 8)).toBe(true);
		}
	});

	test.each([
		"tags: list[str] = field(default_factory=list)",
		"console.table([{ name: 'Ada', born: 1815 }, { name: 'Grace', born: 1906 }]);",
		"return Settings.from_environment(prefix='APP_', host='127.0.0.1')",
	])("no row of %s goes on with a bracket that closes, and none is set in by a blank", line => {
		for (let width = 250; width < 700; width += 7) {
			const { rows } = layOutCode(line, "py", { room: { width, height: 900 }, mono });
			const more = rows.slice(1).map(({ tokens, indent = 0 }) =>
				tokens
					.map(({ text }) => text)
					.join("")
					.slice(indent),
			);
			expect(more.filter(text => /^[)\]}; ]/.test(text))).toEqual([]);
		}
	});

	test("a deeply indented line doesn't go on left of its beginning", () => {
		const line = `${" ".repeat(12)}Row(line["day"], float(line["amount"]), line["tags"].split("|"))`;
		const { rows } = layOutCode(line, "py", { room: { width: 440, height: 900 }, mono });
		expect(rows.length).toBeGreaterThan(1);
		expect(rows.slice(1).every(({ indent = 0 }) => indent > 12)).toBe(true);
	});
});

describe("colors", () => {
	const contrast = (left: string, right: string): number => contrastOf(rgbOf(left), rgbOf(right));

	test("text keeps a contrast of 4.5 on the ground and in the window, for any text", () => {
		for (let index = 0; index < 400; index += 1) {
			const palette = paletteOf(`prompt ${index}`);
			for (const behind of palette.calm) {
				expect(contrast(palette.text, behind)).toBeGreaterThanOrEqual(4.5);
			}
			for (const color of Object.values(palette.code)) {
				expect(contrast(color, palette.pane.fill)).toBeGreaterThanOrEqual(4.5);
			}
		}
	});

	test("are the same for the same text, and others for one that differs in a letter", () => {
		expect(paletteOf("A cat")).toEqual(paletteOf("A cat"));
		expect(paletteOf("A cat").ground).not.toBe(paletteOf("A bat").ground);
	});
});
