// @module-tag thorough
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ClipFont } from "../../../../../src/common/clipLooks.ts";
import type { FaceStyle } from "../../../../../src/localService/video/fonts/codeFonts.ts";
import { findEditorFont } from "../../../../../src/localService/video/fonts/editorFont.ts";
import type { Bitmap } from "../../../../../src/localService/video/render/bitmap.ts";
import { ClipRenderer } from "../../../../../src/localService/video/render/clipRenderer.ts";
import {
	createScene,
	type SceneRenderer,
} from "../../../../../src/localService/video/render/renderClip.ts";
import { svgPicture, svgText } from "../../../../../src/localService/video/render/svgText.ts";
import { collectionOf, fontOfLetters } from "../fontOfLetters.ts";
import { packageAssets } from "../videoFixtures.ts";

const { resolve } = createRequire(import.meta.url);

const ascii = Array.from({ length: 94 }, (_, index) => String.fromCodePoint(0x21 + index)).join("");

let folder: string;
let studio: ClipRenderer;

beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), "cutaway-fonts-"));
	const mono = await readFile(resolve("dejavu-fonts-ttf/ttf/DejaVuSansMono.ttf"));
	const sans = await readFile(packageAssets.sans[0] ?? "");
	const fonts: Readonly<Record<string, Uint8Array>> = {
		"CodingBold.ttf": fontOfLetters(mono, "Coding", ascii, { weight: 700 }),
		"CodingItalic.ttf": fontOfLetters(mono, "Coding", ascii, { isItalic: true }),
		"CodingRegular.ttf": fontOfLetters(mono, "Coding", ascii, { ligature: ["=", ">"] }),
		"prose.ttf": fontOfLetters(sans, "Prose", ascii),
		"some.ttf": fontOfLetters(mono, "Some Letters", "abc0"),
		"digits.otf": fontOfLetters(mono, "3270 Mono+", ascii),
		"names.ttc": collectionOf([
			fontOfLetters(mono, "First Face", ascii, { isItalic: true }),
			fontOfLetters(mono, "Other Face", ascii),
		]),
		"broken.ttf": Buffer.from("ttcf and no font at all"),
		"cut.ttf": fontOfLetters(mono, "Cut", ascii).subarray(0, 200),
	};
	await mkdir(join(folder, "deeper"));
	for (const [name, bytes] of Object.entries(fonts)) {
		await writeFile(join(folder, "deeper", name), bytes);
	}
	studio = await ClipRenderer.open(packageAssets, [folder]);
});

afterAll(() => rm(folder, { recursive: true, force: true }));

const wanting = (...families: readonly string[]): ClipFont => ({ families, features: {} });
const find = (...families: readonly string[]) => findEditorFont(wanting(...families), [folder]);

describe("the editor's font", () => {
	test("is the first family of the list that the machine has, whatever its letters' case", () => {
		expect(find("Not There", "coding", "3270 Mono+")?.family).toBe("Coding");
		expect(find("3270 MONO+")?.family).toBe("3270 Mono+");
	});

	test("brings its bold and italic faces, and one of both where it has that", () => {
		const { bold, italic, boldItalic } = find("Coding")?.faces ?? {};
		expect(bold).toMatchObject([{ family: "Coding", face: { isBold: true, isItalic: false } }]);
		expect(italic).toMatchObject([{ family: "Coding", face: { isBold: false, isItalic: true } }]);
		expect(boldItalic).toEqual([]);
		expect(find("3270 Mono+")?.faces).toEqual({ bold: [], italic: [], boldItalic: [] });
	});

	test("is the regular face and neither a bold nor a slanted one", async () => {
		const regular = await readFile(join(folder, "deeper", "CodingRegular.ttf"));
		expect(Buffer.from(find("Coding")?.bytes ?? []).equals(regular)).toBe(true);
	});

	test("may be any face of a collection", () => {
		expect(find("Other Face")?.family).toBe("Other Face");
		expect(find("First Face")?.family).toBe("First Face");
	});

	test("has letters of one width, all of ASCII", () => {
		expect(find("Prose")).toBeUndefined();
		expect(find("Some Letters")).toBeUndefined();
		expect(find("Prose", "Coding")?.family).toBe("Coding");
	});

	test("is not looked for behind a family that stands for the packed one", () => {
		expect(find("monospace", "Coding")).toBeUndefined();
	});

	test("that is damaged, or not there, leaves the packed one", () => {
		expect(find("Cut")).toBeUndefined();
		expect(findEditorFont(wanting("Coding"), [join(folder, "nowhere")])).toBeUndefined();
	});
});

/** The families that the letters of a clip are drawn in. */
function familiesIn(prompt: string, font: ClipFont): ReadonlySet<string> {
	const svgs: string[] = [];
	const spy: SceneRenderer = {
		sans: studio.sans,
		mono: studio.mono,
		drawText: svg => studio.drawText(svg),
		decodeImage: image => studio.decodeImage(image),
		fontsFor: text => studio.fontsFor(text),
		codeFontsFor: (text, wanted) => {
			const fonts = studio.codeFontsFor(text, wanted);
			return {
				...fonts,
				drawText: svg => {
					svgs.push(svg);
					return fonts.drawText(svg);
				},
			};
		},
	};
	const looks = { shape: "16:9", tabSize: 4, font } as const;
	const job = { type: "text", prompt, duration: 2, motionStrength: 3, looks } as const;
	createScene(job, spy).frameAt(1.9);
	const texts = svgs.flatMap(svg => [...svg.matchAll(/<text [^>]*font-family="([^"]*)"/g)]);
	return new Set(texts.map(([, family = ""]) => family));
}

test.each([
	["code", "```js\nlet a = 1;\n```"],
	["focus", "```js {2}\nlet a = 1;\nlet b;\n```"],
	["change", "```diff\n-let a = 1;\n+let b = 1;\n```"],
	["terminal", "```console\n$ ls\nfile\n```"],
])("%s is drawn in the editor's font, its title in that of prose", (_, prompt) => {
	const families = [...familiesIn(prompt, wanting("Coding"))].toSorted();
	expect(families).toEqual(["Coding", "Inter"]);
	expect([...familiesIn(prompt, wanting("Nowhere"))]).not.toContain("Coding");
});

test("a letter that the editor's font lacks is drawn with the packed one, in its own column", () => {
	const { code } = studio.codeFontsFor("a → b", wanting("Coding"));
	expect(code.piecesOf("a → b").map(({ text, column, family }) => [text, column, family])).toEqual([
		["a ", 0, "Coding"],
		["→", 2, "DejaVu Sans Mono"],
		[" b", 3, "Coding"],
	]);
});

test("bold and italic code is drawn in faces of its font, and slanted or outlined where these lack", () => {
	const facesIn = (style: FaceStyle, ...families: string[]) =>
		studio
			.codeFontsFor("if ж", wanting(...families))
			.code.piecesOf("if ж", style)
			.map(({ text, family, face }) => [text, family, face?.isBold, face?.isItalic]);
	const [bold, italic] = [{ isBold: true }, { isItalic: true }];
	expect(facesIn(bold)).toEqual([
		["if ", "JetBrains 0of0", true, false],
		["ж", "JetBrains 0of2", true, false],
	]);
	expect(facesIn(italic).map(([, family]) => family)).toEqual(["JetBrains 1of0", "JetBrains 1of2"]);
	expect(facesIn({ ...bold, ...italic })[0]).toEqual(["if ", "JetBrains 2of0", true, true]);
	expect(facesIn({})).toEqual([["if ж", "JetBrains Mono", undefined, undefined]]);
	expect(facesIn(bold, "Coding")[0]).toEqual(["if ", "Coding", true, false]);
	// There is no face of both.
	expect(facesIn({ ...bold, ...italic }, "Coding")[0]).toEqual(["if ", "Coding", true, false]);
	expect(facesIn(bold, "3270 Mono+")[0]).toEqual(["if ", "3270 Mono+", undefined, undefined]);
	const line = { text: "if", x: 0, baseline: 10, size: 10, fill: "#000000", font: "mono" } as const;
	const whole = svgText({ ...line, ...bold, ...italic, face: { ...bold, ...italic } });
	expect(whole).toContain('font-weight="700" font-style="italic"');
	expect(whole).not.toMatch(/stroke=|matrix/);
	const half = svgText({ ...line, ...bold, ...italic, face: bold });
	expect(half).toMatch(/font-weight="700".*matrix/);
	expect(half).not.toContain("stroke=");
	expect(svgText({ ...line, ...bold, ...italic })).toMatch(/stroke=.*matrix/);
});

test("signs of programs are as high as letters, and a cross is only where it is no operator", () => {
	const { code, drawText } = studio.codeFontsFor("✓ ✗ ✔ ➜ × a");
	const heightOf = (text: string): number => {
		const pieces = code.piecesOf(text).map(({ text: own, family, scale, shift, rise = 0 }) =>
			svgText({
				text: own,
				family,
				x: 20 + shift * 40,
				baseline: 60 - rise * 40,
				size: 40 * scale,
				fill: "#000000",
				font: "mono",
			}),
		);
		const { pixels, width, density = 1 } = drawText(svgPicture(80, 80, ...pieces));
		const rows = Array.from({ length: 80 * density }, (_, y) => y).filter(y =>
			pixels.subarray(y * width * 4, (y + 1) * width * 4).some(value => value !== 0),
		);
		return (1 + (rows.at(-1) ?? 0) - (rows[0] ?? 0)) / density;
	};
	for (const sign of ["✓", "✗", "✔", "×"]) {
		expect(heightOf(sign), sign).toBeGreaterThan(heightOf("H") * 0.85);
		expect(heightOf(sign), sign).toBeLessThan(heightOf("H") * 1.1);
	}
	expect(heightOf("➜")).toBeLessThan(heightOf("H"));
	expect(code.piecesOf("a × b").map(({ text }) => text)).toEqual(["a × b"]);
	expect(code.piecesOf("✓ ok").map(({ text, column }) => [text, column])).toEqual([
		["✓", 0],
		[" ok", 1],
	]);
});

test("bold and italic letters of every alphabet have other outlines than regular ones", () => {
	const pictureOf = (text: string, style: FaceStyle): string => {
		const { code, drawText } = studio.codeFontsFor(text);
		const pieces = code.piecesOf(text, style).map(({ text: own, column, family, face }) =>
			svgText({
				text: own,
				family,
				face,
				x: 10 + column * code.column * 40,
				baseline: 50,
				size: 40,
				fill: "#000000",
				font: "mono",
				...style,
			}),
		);
		return Buffer.from(drawText(svgPicture(200, 80, ...pieces)).pixels).toString("base64");
	};
	for (const text of ["ae", "āć", "жф", "λδ", "ươ"]) {
		const styles = [{}, { isBold: true }, { isItalic: true }, { isBold: true, isItalic: true }];
		expect(new Set(styles.map(style => pictureOf(text, style))).size, text).toBe(4);
	}
});

/** The columns of a picture of code that have ink. */
function inkOf(text: string, font: ClipFont): readonly boolean[] {
	const { code, drawText } = studio.codeFontsFor(text, font);
	const size = 40;
	const width = Math.ceil((text.length + 1) * code.column * size);
	const pieces = code.piecesOf(text).map(piece =>
		svgText({
			text: piece.text,
			x: piece.column * code.column * size,
			baseline: size,
			size,
			fill: "#000000",
			font: "mono",
			family: piece.family,
		}),
	);
	const picture = drawText(svgPicture(width, size * 2, ...pieces));
	return Array.from(text, (_, index) => {
		const column = code.column * size * (picture.density ?? 1);
		return hasInk(picture, Math.round(index * column), Math.round((index + 1) * column));
	});
}

function hasInk({ width, height, pixels }: Bitmap, from: number, to: number): boolean {
	for (let y = 0; y < height; y += 1) {
		for (let x = from; x < to; x += 1) {
			if ((pixels[(y * width + x) * 4 + 3] ?? 0) > 40) {
				return true;
			}
		}
	}
	return false;
}

describe("ligatures", () => {
	const inkWith = (features: ClipFont["features"]) =>
		inkOf("a=>b", { families: ["Coding"], features });

	test("are drawn where the font has them and they are on, and what follows stays in its column", () => {
		expect(inkWith({})).toEqual([true, false, false, true]);
		expect(inkWith({ liga: true })).toEqual([true, false, false, true]);
	});

	test("are not drawn where they are off", () => {
		expect(inkWith({ liga: false, calt: false })).toEqual([true, true, true, true]);
	});

	test("stay as they are when another feature is turned off that the font lacks", () => {
		expect(inkWith({ calt: false, ss01: true })).toEqual([true, false, false, true]);
	});
});

test("a feature that is on by its name alone is applied", async () => {
	const font = await readFile(join(folder, "deeper", "CodingRegular.ttf"));
	const at = font.indexOf("liga", 0, "latin1");
	font.write("ss01", at, "latin1");
	await writeFile(join(folder, "deeper", "Styled.ttf"), renamed(font, "Coding", "Styled"));
	const inkWith = (features: ClipFont["features"]) =>
		inkOf("a=>b", { families: ["Styled"], features });
	expect(inkWith({})).toEqual([true, true, true, true]);
	expect(inkWith({ ss01: true })).toEqual([true, false, false, true]);
});

/** A font with another name of the same length. */
function renamed(font: Buffer, from: string, to: string): Buffer {
	const wide = (text: string): Buffer => Buffer.from(text, "utf16le").swap16();
	const copy = Buffer.from(font);
	copy.set(wide(to), copy.indexOf(wide(from)));
	return copy;
}

test.each(["Coding", "3270 Mono+"])("letters are those of the font that is named «%s»", family => {
	const drawn = (name: string): Bitmap => {
		const line = {
			text: "am",
			x: 5,
			baseline: 45,
			size: 40,
			fill: "#000000",
			font: "mono",
		} as const;
		const { drawText } = studio.codeFontsFor("am", wanting(family));
		return drawText(svgPicture(80, 60, svgText({ ...line, family: name })));
	};
	// The made fonts have other outlines than those that their letters should have.
	expect(drawn(family).pixels).not.toEqual(drawn("DejaVu Sans Mono").pixels);
	expect(drawn(family).pixels).not.toEqual(drawn("DejaVu Sans").pixels);
});
