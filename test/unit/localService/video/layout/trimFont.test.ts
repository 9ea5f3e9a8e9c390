import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readFontMetrics } from "../../../../../src/localService/video/layout/fontMetrics.ts";
import { ClipRenderer } from "../../../../../src/localService/video/render/clipRenderer.ts";
import { svgPicture, svgText } from "../../../../../src/localService/video/render/svgText.ts";
import { trimFont } from "../../../../../src/localService/video/layout/trimFont.ts";
import { packageAssets } from "../videoFixtures.ts";

const { resolve } = createRequire(import.meta.url);
const sans = readFileSync(resolve("dejavu-fonts-ttf/ttf/DejaVuSans.ttf"));
const mono = readFileSync(resolve("dejavu-fonts-ttf/ttf/DejaVuSansMono.ttf"));
const sample = "Äffin ЖΩ שלום مرحبا «½» ﬁ é\u0301 → ✓";

test("a trimmed font is smaller, has the same letters and the same widths", () => {
	const trimmed = trimFont(sans);
	expect(trimmed.length).toBeLessThan(sans.length * 0.85);
	const before = readFontMetrics(sans);
	const after = readFontMetrics(trimmed);
	for (let codePoint = 0; codePoint < 0x1_f7_00; codePoint += 1) {
		expect(after.covers(codePoint)).toBe(before.covers(codePoint));
	}
	expect(after.widthOf(sample)).toBe(before.widthOf(sample));
});

test("with a choice of letters, those stay and no others", () => {
	const isLatin = (codePoint: number): boolean => codePoint < 0x250;
	const trimmed = trimFont(mono, isLatin);
	expect(trimmed.length).toBeLessThan(mono.length / 3);
	const metrics = readFontMetrics(trimmed);
	expect(Array.from("azÄŁ").every(letter => metrics.covers(letter.codePointAt(0) ?? 0))).toBe(true);
	expect(metrics.covers(0x416)).toBe(false);
});

test("trimmed fonts draw the same pictures, joined and composed letters too", async () => {
	const folder = mkdtempSync(join(tmpdir(), "cutaway-fonts-"));
	onTestFinished(() => rmSync(folder, { recursive: true }));
	const files = { otherSans: join(folder, "sans.ttf"), otherMono: join(folder, "mono.ttf") };
	writeFileSync(files.otherSans, trimFont(sans));
	writeFileSync(
		files.otherMono,
		trimFont(mono, codePoint => codePoint < 0x460),
	);
	const line = { x: 5, size: 40, fill: "#ffffff" };
	const svg = svgPicture(
		900,
		120,
		svgText({ ...line, text: sample, baseline: 45, font: "sans", family: "DejaVu Sans" }),
		svgText({
			...line,
			text: "Äffin ЖΩ {} =>",
			baseline: 100,
			font: "mono",
			family: "DejaVu Sans Mono",
		}),
	);
	const whole = {
		otherSans: resolve("dejavu-fonts-ttf/ttf/DejaVuSans.ttf"),
		otherMono: resolve("dejavu-fonts-ttf/ttf/DejaVuSansMono.ttf"),
	};
	const before = (await ClipRenderer.open({ ...packageAssets, ...whole })).drawText(svg);
	const after = (await ClipRenderer.open({ ...packageAssets, ...files })).drawText(svg);
	expect(before.pixels.some(value => value > 0)).toBe(true);
	expect(Buffer.compare(before.pixels, after.pixels)).toBe(0);
});
