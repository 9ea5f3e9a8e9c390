// @module-tag thorough
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { clipShapes, type FrameShape } from "../../../../../src/common/clipLooks.ts";
import { findFonts } from "../../../../../src/localService/video/fonts/findFonts.ts";
import { stageOf } from "../../../../../src/localService/video/layout/stage.ts";
import type { Bitmap } from "../../../../../src/localService/video/render/bitmap.ts";
import {
	ClipRenderer,
	type TextFonts,
} from "../../../../../src/localService/video/render/clipRenderer.ts";
import {
	createScene,
	type SceneRenderer,
} from "../../../../../src/localService/video/render/renderClip.ts";
import { createRandom } from "../../../../helpers/random.ts";
import { packageAssets } from "../videoFixtures.ts";
import { fontOfLetters } from "../fontOfLetters.ts";

/** Words of twelve scripts; the bundled fonts have the first seven. */
const scripts: Readonly<Record<string, string>> = {
	Latin: "übergrößte façade naïve İstanbul Łódź Tiếng Việt señor",
	Cyrillic: "корабль утро Київ београд қала маяк у моря",
	Greek: "καράβι θάλασσα πρωί φάρος Ὀδυσσεύς",
	Arabic: "سفينة الصباح منارة البحر كتاب",
	Hebrew: "ספינה בוקר מגדלור שלום ים",
	Armenian: "նավակ առավոտ փարոս ծով",
	Georgian: "გემი დილა შუქურა ზღვა",
	Devanagari: "नौका सुबह प्रकाशस्तंभ समुद्र क्षत्रिय",
	Thai: "เรือรุ่งเช้าประภาคารทะเลน้ำ",
	Han: "小舟在黎明经过灯塔，大海很安静。",
	Kana: "ふねはあけぼのにトウダイをすぎる。",
	Hangul: "배가 새벽에 등대를 지나 바다로 간다",
};
const lacking = ["Devanagari", "Thai", "Han", "Kana", "Hangul"] as const;

let folder: string;
let studio: ClipRenderer;

beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), "cutaway-fonts-"));
	const base = await readFile(packageAssets.otherSans);
	for (const name of lacking) {
		const file = join(folder, `${name}.ttf`);
		await writeFile(file, fontOfLetters(base, `Test ${name}`, scripts[name] ?? ""));
	}
	await writeFile(join(folder, "broken.ttf"), "no font at all");
	await writeFile(join(folder, "cut.otf"), base.subarray(0, 300));
	studio = await ClipRenderer.open(packageAssets, [folder]);
});

afterAll(() => rm(folder, { recursive: true, force: true }));

const lettersOf = (text: string): ReadonlySet<number> =>
	new Set(Array.from(text.replaceAll(/\s/g, ""), letter => letter.codePointAt(0) ?? 0));

describe("fonts of the machine", () => {
	test("are found by the letters they draw, and files that are none are passed over", () => {
		const [only, ...more] = findFonts(lettersOf(scripts["Thai"] ?? ""), [folder, "/nowhere"]);
		expect(only?.family).toBe("Test Thai");
		expect(more).toEqual([]);
		const two = findFonts(lettersOf(`${scripts["Han"]}${scripts["Hangul"]}`), [folder]);
		expect(two.map(({ family }) => family).toSorted()).toEqual(["Test Han", "Test Hangul"]);
	});

	test("are not looked for where the bundled ones have all letters", () => {
		expect(studio.fontsFor(scripts["Greek"] ?? "").fonts).toBeUndefined();
	});

	test("are not needed for a sign of the second bundled font, which leaves the words beside it in the first", () => {
		const { fonts } = studio.fontsFor("☑ Tests pass ✓");
		expect(["☑", "✓", "T", " "].map(letter => fonts?.familyOf(letter))).toEqual([
			"DejaVu Sans",
			"DejaVu Sans",
			undefined,
			undefined,
		]);
	});

	test("that have none of the letters are not taken", () => {
		expect(findFonts(new Set([0x1_0330]), [folder])).toEqual([]);
	});
});

/** A clip's scene with all that it draws of letters. */
function film(prompt: string, shape: FrameShape, renderer = studio) {
	const svgs: string[] = [];
	const pictures: Bitmap[] = [];
	const spied = (fonts: TextFonts): TextFonts => ({
		sans: fonts.sans,
		...("fonts" in fonts ? { fonts: fonts.fonts } : {}),
		drawText: svg => {
			svgs.push(svg);
			const picture = fonts.drawText(svg);
			pictures.push(picture);
			return picture;
		},
	});
	const spy: SceneRenderer = {
		sans: renderer.sans,
		mono: renderer.mono,
		drawText: svg => renderer.drawText(svg),
		decodeImage: image => renderer.decodeImage(image),
		fontsFor: text => {
			const fonts = renderer.fontsFor(text);
			return { ...spied(fonts), prose: fonts.prose };
		},
		codeFontsFor: text => {
			const fonts = renderer.codeFontsFor(text);
			return { ...fonts, ...spied(fonts) };
		},
	};
	const looks = { shape, tabSize: 4 };
	const job = { type: "text", prompt, duration: 4, motionStrength: 1, looks } as const;
	createScene(job, spy).frameAt(3.9);
	const texts = svgs.flatMap(svg =>
		[...svg.matchAll(/<text[^>]*>(.*?)<\/text>/g)].map(([, text = ""]) =>
			text.replaceAll(/<[^>]*>/g, ""),
		),
	);
	return { texts, pictures };
}

/** The first and the last column of a picture that something is drawn in. */
function inkOf({ width, height, pixels }: Bitmap): readonly [number, number] {
	let first = width;
	let last = -1;
	for (let y = 0; y < height; y += 1) {
		for (let x = 0; x < width; x += 1) {
			if ((pixels[(y * width + x) * 4 + 3] ?? 0) > 40) {
				first = Math.min(first, x);
				last = Math.max(last, x);
			}
		}
	}
	return [first, last];
}

/** `npm run test:long` draws 200. */
const textCount = process.env["CUTAWAY_FUZZ"] === undefined ? 24 : 200;

test("texts in 12 scripts are drawn whole: no letter without a glyph, no sign for one, nothing outside the margins", () => {
	const random = createRandom(19).next;
	const names = Object.keys(scripts);
	for (let round = 0; round < textCount; round += 1) {
		const name = names[round % names.length] ?? "";
		const other = names[Math.floor(random() * names.length)] ?? "";
		const repeats = 1 + Math.floor(random() * 4);
		const prompt = [scripts[name] ?? "", ...(random() < 0.3 ? [scripts[other] ?? ""] : [])]
			.flatMap(text => text.split(" "))
			.flatMap(word => Array.from({ length: repeats }, () => word))
			.join(" ");
		const shape = clipShapes[round % clipShapes.length] ?? "16:9";
		const { texts, pictures } = film(prompt, shape);
		const { sans } = studio.fontsFor(prompt);
		const drawn = texts.join("").replaceAll(/[\s\u202B\u202C]/gu, "");
		const without = [...drawn].filter(letter => !sans.covers(letter.codePointAt(0) ?? 0));
		expect({ prompt, without }).toEqual({ prompt, without: [] });
		expect(drawn).not.toContain("\uFFFD");
		const width = stageOf({ shape }).width * 2;
		const page = pictures.find(picture => picture.width === width && picture.height > 100);
		const [left, right] = page ? inkOf(page) : [0, width];
		expect({ prompt, isInside: left >= 32 && right <= width - 32 }).toEqual({
			prompt,
			isInside: true,
		});
	}
});

test("where the machine has no font for a script, a sentence says so in place of empty boxes", async () => {
	const bare = await ClipRenderer.open(packageAssets, [join(folder, "nothing")]);
	expect(bare.fontsFor(scripts["Han"] ?? "").fonts).toBeUndefined();
	for (const name of lacking) {
		const { texts } = film(scripts[name] ?? "", "1:1", bare);
		expect(texts.join(" ")).toContain("in a script that the local renderer has no letters for");
		expect(texts.join("").replaceAll(/[\p{ASCII}]/gu, "")).toBe("");
	}
});

test("a line of a script without blanks is broken between words, and not before a full stop", () => {
	const { texts } = film((scripts["Han"] ?? "").repeat(6), "9:16");
	const lines = texts.filter(text => /\p{Script=Han}/u.test(text));
	expect(lines.length).toBeGreaterThan(3);
	expect(lines.filter(line => /^[，。]/.test(line))).toEqual([]);
	expect(lines.join("")).toBe((scripts["Han"] ?? "").repeat(6));
});

const frames: Readonly<Record<string, (words: string) => string>> = {
	code: words => `\`\`\`js\nconst a = "${words}"; // ${words}\n\`\`\``,
	focus: words => `${words}\n\`\`\`js {2}\nlet a;\nlet b = "${words}"; // and more\n\`\`\``,
	change: words => `\`\`\`diff\n-let a = "${words}";\n+let b = "${words}!";\n\`\`\``,
	terminal: words => `\`\`\`console\n$ echo "${words}"\n${words}\n\`\`\``,
};

describe("letters in code that its font lacks", () => {
	test.each(
		Object.keys(frames).flatMap(form => Object.keys(scripts).map(name => [form, name] as const)),
	)("are drawn in a %s with words in %s, and nothing stands for them", (form, name) => {
		const words = scripts[name] ?? "";
		const { texts } = film(frames[form]?.(words) ?? "", "16:9");
		const { code, sans } = studio.codeFontsFor(words);
		const drawn = texts.join("").replaceAll(/\s/g, "");
		const without = [...drawn].filter(letter => {
			const codePoint = letter.codePointAt(0) ?? 0;
			return !code.covers(codePoint) && !sans.covers(codePoint);
		});
		expect(without).toEqual([]);
		expect(drawn).not.toContain("nolettersfor");
		expect([...words.replaceAll(/\s/g, "")].filter(letter => !drawn.includes(letter))).toEqual([]);
	});

	test("take the columns that are theirs: two for a wide one, none for a mark, and are not wider", () => {
		const { code } = studio.codeFontsFor(Object.values(scripts).join(""));
		const pieces = code.piecesOf("a 小舟 b");
		expect(pieces.map(({ text, column }) => [text, column])).toEqual([
			["a ", 0],
			["小", 2],
			["舟", 4],
			[" b", 6],
		]);
		for (const { text, shift, scale } of pieces.filter(({ text }) =>
			/\p{Script=Han}/u.test(text),
		)) {
			expect(shift).toBeGreaterThanOrEqual(0);
			const { sans } = studio.codeFontsFor(text);
			expect(sans.widthOf(text) * scale + 2 * shift).toBeCloseTo(2 * code.column, 5);
		}
		const thai = code.piecesOf("xน้ำy");
		expect(thai[0]).toMatchObject({ text: "x", column: 0 });
		expect(thai.at(-1)).toMatchObject({ text: "y", column: 3 });
	});

	test("from right to left are drawn together, so that words keep their order", () => {
		const { code } = studio.codeFontsFor("");
		const pieces = code.piecesOf('"שלום ים" + 1');
		expect(pieces.map(({ text, column }) => [text, column])).toEqual([
			['"', 0],
			["שלום ים", 1],
			['" + 1', 8],
		]);
	});

	test("are not looked for where the bundled fonts have all, and all is one piece", () => {
		const { code, fonts } = studio.codeFontsFor("if (a !== b) { return → }");
		expect(fonts).toBeUndefined();
		expect(code.piecesOf("if (a !== b) { ж é }")).toHaveLength(1);
	});
});
