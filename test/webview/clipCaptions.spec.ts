import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures.ts";
import { addMovie, canEncodeMovies, exported, openPlain, writePicture } from "./exportedClips.ts";
import { broughtFonts, useFont } from "./fonts.ts";

interface Caption {
	/** Rows and columns of the picture with bright letters: the first and the last of each. */
	readonly rows: readonly number[];
	readonly columns: readonly number[];
	/** Contrast of the brightest to the middle of the pixels around it. */
	readonly contrast: number;
	readonly size: readonly number[];
}

/** Where the letters of a caption are in the first frame of a file, and how well they can be told from their ground. */
async function captionIn(page: Page, png: Buffer): Promise<Caption> {
	return await page.evaluate(async base64 => {
		const bytes = Uint8Array.from(atob(base64), character => character.charCodeAt(0));
		const image = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
		const { width, height } = image;
		const context = new OffscreenCanvas(width, height).getContext("2d");
		context?.drawImage(image, 0, 0);
		const data = context?.getImageData(0, 0, width, height).data ?? new Uint8ClampedArray();
		const channel = (value: number): number =>
			value <= 10 ? value / 3295 : ((value / 255 + 0.055) / 1.055) ** 2.4;
		const lightness = (at: number): number =>
			0.2126 * channel(data[at] ?? 0) +
			0.7152 * channel(data[at + 1] ?? 0) +
			0.0722 * channel(data[at + 2] ?? 0);
		const isLetter = (x: number, y: number): boolean => lightness((y * width + x) * 4) > 0.9;
		const isGround = (x: number, y: number): boolean => lightness((y * width + x) * 4) < 0.1;
		const rows: number[] = [];
		const columns: number[] = [];
		let darkest = 0;
		for (let y = 0; y < height; y++) {
			for (let x = 2; x < width - 2; x++) {
				// A letter's stroke has its dark ground within two pixels.
				if (isLetter(x, y) && (isGround(x - 2, y) || isGround(x + 2, y))) {
					rows.push(y);
					columns.push(x);
					const ground = isGround(x - 2, y) ? x - 2 : x + 2;
					darkest = Math.max(darkest, lightness((y * width + ground) * 4));
				}
			}
		}
		const ends = (values: number[]): number[] => [
			values.reduce((least, value) => Math.min(least, value), Number.POSITIVE_INFINITY),
			values.reduce((most, value) => Math.max(most, value), -1),
		];
		return {
			rows: ends(rows),
			columns: ends(columns),
			contrast: 1.05 / (darkest + 0.05),
			size: [width, height],
		};
	}, png.toString("base64"));
}

const longWords = {
	Latin: "Every window of the editor saves its chats and videos to the disk before it says so.",
	Russian: "Каждое окно редактора сначала сохраняет беседы и видео на диск и лишь потом говорит.",
	Arabic: "تحفظ كل نافذة من نوافذ المحرر محادثاتها ومقاطع الفيديو على القرص قبل أن تقول ذلك.",
	"one word": "a".repeat(84),
};

for (const [name, words] of Object.entries(longWords)) {
	for (const color of ["#ffffff", "#000000", "#d0d0d0"]) {
		test(`words are drawn within the margins and stand out from ${color}: ${name}`, async ({
			page,
			harness,
		}) => {
			await openPlain(page, harness, color, [words]);
			const png = await exported(page, "png", true, true);
			await writePicture(`caption-${name.replace(" ", "-")}-${color.slice(1)}.png`, png);
			const { rows, columns, contrast, size } = await captionIn(page, png);
			const [width = 0, height = 0] = size;
			// On a white picture the two pixels beside the dark ground look like those of a letter.
			expect(Math.min(...columns)).toBeGreaterThanOrEqual(Math.round(width * 0.04) - 2);
			expect(Math.max(...columns)).toBeLessThanOrEqual(Math.round(width * 0.96) + 2);
			expect(Math.min(...rows)).toBeGreaterThan(height * 0.5);
			expect(Math.max(...rows)).toBeLessThan(height - width * 0.04);
			expect(contrast).toBeGreaterThanOrEqual(4.5);
		});
	}
}

test("Japanese words are drawn in the page's own font, broken where there is no space", async ({
	page,
	harness,
}) => {
	await useFont(page, { file: broughtFonts["Japanese"]?.file ?? "" });
	const sentence =
		"編集画面の窓はどれも、保存したと伝える前に、会話と動画を記憶装置に書き込みます。";
	await openPlain(page, harness, "#d0d0d0", [sentence.repeat(2)]);
	const png = await exported(page, "png", true, true);
	await writePicture("caption-Japanese.png", png);
	const { rows, columns, contrast, size } = await captionIn(page, png);
	const [width = 0] = size;
	expect(Math.min(...columns)).toBeGreaterThanOrEqual(Math.round(width * 0.04) - 2);
	expect(Math.max(...columns)).toBeLessThanOrEqual(Math.round(width * 0.96) + 2);
	// Two lines.
	expect((rows[1] ?? 0) - (rows[0] ?? 0)).toBeGreaterThan(width * 0.028 * 1.6);
	expect(contrast).toBeGreaterThanOrEqual(4.5);
});

test("words are drawn into an MP4, as far as this browser encodes H.264", async ({
	page,
	harness,
}) => {
	await openPlain(page, harness, "#d0d0d0", [longWords.Latin]);
	test.skip(!(await canEncodeMovies(page)), "this browser cannot encode H.264");
	const movie = await addMovie(page, await exported(page, "mp4", true, true));
	const base64 = await movie.evaluate(async element => {
		const video = element as HTMLVideoElement;
		const isPainted = new Promise<unknown>(resolve => video.requestVideoFrameCallback(resolve));
		video.currentTime = 0.1;
		await isPainted;
		const canvas = new OffscreenCanvas(video.videoWidth, video.videoHeight);
		canvas.getContext("2d")?.drawImage(video, 0, 0);
		const bytes = new Uint8Array(await (await canvas.convertToBlob()).arrayBuffer());
		return btoa(bytes.reduce((text, byte) => text + String.fromCharCode(byte), ""));
	});
	const png = Buffer.from(base64, "base64");
	await writePicture("caption-movie.png", png);
	const { rows, contrast, size } = await captionIn(page, png);
	expect(size).toEqual([480, 270]);
	expect(Math.min(...rows)).toBeGreaterThan(270 * 0.5);
	expect(Math.max(...rows)).toBeLessThan(270 - 480 * 0.03);
	expect(contrast).toBeGreaterThanOrEqual(4.5);
});

test("words are in no file unless they were chosen", async ({ page, harness }) => {
	await openPlain(page, harness, "#ffffff", [longWords.Latin]);
	const { rows } = await captionIn(page, await exported(page, "png"));
	expect(rows).toEqual([Number.POSITIVE_INFINITY, -1]);
});

for (const [format, type] of [
	["webp", "image/webp"],
	["gif", "image/gif"],
] as const) {
	test(`the words of each scene are over its stretch of an animated ${format}`, async ({
		page,
		harness,
	}) => {
		await openPlain(page, harness, "#ffffff", ["First scene", "Second scene"]);
		const bytes = await exported(page, format, true, true);
		const changes = await page.evaluate(
			async ([base64, mime]) => {
				const data = Uint8Array.from(atob(base64), character => character.charCodeAt(0));
				const decoder = new ImageDecoder({ data, type: mime });
				await Promise.all([decoder.tracks.ready, decoder.completed]);
				const count = decoder.tracks.selectedTrack?.frameCount ?? 0;
				const found: { at: number; dark: number }[] = [];
				let at = 0;
				for (let frameIndex = 0; frameIndex < count; frameIndex++) {
					const { image } = await decoder.decode({ frameIndex });
					const canvas = new OffscreenCanvas(image.displayWidth, image.displayHeight);
					const context = canvas.getContext("2d");
					context?.drawImage(image, 0, 0);
					const { data: pixels } = context?.getImageData(0, 0, canvas.width, canvas.height) ?? {
						data: new Uint8ClampedArray(),
					};
					const dark = pixels.filter((value, place) => place % 4 === 0 && value < 90).length;
					found.push({ at, dark });
					at += (image.duration ?? 0) / 1_000_000;
					image.close();
				}
				return { found, seconds: at };
			},
			[bytes.toString("base64"), type] as const,
		);
		// The clip is plain: only the words change, once, in the middle, and the second ones are wider.
		const [first, second] = changes.found;
		expect(changes.found).toHaveLength(2);
		expect(first?.dark).toBeGreaterThan(500);
		expect(second?.dark).toBeGreaterThan((first?.dark ?? 0) * 1.05);
		expect(Math.abs((second?.at ?? 0) - changes.seconds / 2)).toBeLessThan(0.06);
	});
}
