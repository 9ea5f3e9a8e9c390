import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { clipFonts } from "../../../../scripts/clipFonts.ts";
import type { Bitmap } from "../../../../src/localService/video/render/bitmap.ts";
import type { VideoAssets } from "../../../../src/localService/video/assets.ts";
import type { ClipRenderer } from "../../../../src/localService/video/render/clipRenderer.ts";

const fonts = await clipFonts();

const { resolve } = createRequire(import.meta.url);

/** What drawing needs, straight from the packages. */
export const packageAssets: VideoAssets = {
	resvg: resolve("@resvg/resvg-wasm/index_bg.wasm"),
	webpDecoder: resolve("@jsquash/webp/codec/dec/webp_dec.wasm"),
	sans: fontFiles(/^Inter-(?!bold|italic)/),
	sansFaces: { bold: fontFiles(/^Inter-bold-/), italic: fontFiles(/^Inter-italic-/) },
	mono: fontFiles(/^JetBrainsMono-(?!bold|italic)/),
	monoFaces: {
		bold: fontFiles(/^JetBrainsMono-bold-/),
		italic: fontFiles(/^JetBrainsMono-italic-/),
		boldItalic: fontFiles(/^JetBrainsMono-boldItalic-/),
	},
	otherSans: fontFiles(/^DejaVuSans\./)[0] ?? "",
	otherMono: fontFiles(/^DejaVuSansMono/)[0] ?? "",
};

/** Files of the fonts that the build makes. */
function fontFiles(name: RegExp): string[] {
	const folder = join(tmpdir(), "cutaway-clip-fonts");
	mkdirSync(folder, { recursive: true });
	return [...fonts].flatMap(([file, bytes]) => {
		const path = join(folder, file);
		if (name.test(file)) {
			// Another worker may read what this one writes: a file is there as a whole or not at all.
			writeFileSync(`${path}.${process.pid}`, bytes);
			renameSync(`${path}.${process.pid}`, path);
		}
		return name.test(file) ? [path] : [];
	});
}

/** A VP8 key frame as the one of a WebP file. @see https://datatracker.ietf.org/doc/html/rfc9649#section-2.5 */
export function webpOf(frame: Uint8Array): Uint8Array<ArrayBuffer> {
	const padded = frame.length + (frame.length % 2);
	const file = Buffer.alloc(20 + padded);
	file.write("RIFF", 0);
	file.writeUInt32LE(12 + padded, 4);
	file.write("WEBPVP8 ", 8);
	file.writeUInt32LE(frame.length, 16);
	file.set(frame, 20);
	return Uint8Array.from(file);
}

/** Decodes a VP8 key frame. */
export function decodeKeyFrame(
	frame: Uint8Array,
	studio: ClipRenderer,
	size = { width: 1920, height: 1080 },
): Bitmap {
	const { width, height } = size;
	return studio.decodeImage({ format: "webp", bytes: webpOf(frame), width, height });
}

const base64 = (text: string): Uint8Array<ArrayBuffer> =>
	Uint8Array.from(Buffer.from(text, "base64"));

/** Small images of every format that can be drawn, made by a browser: 8 × 6 pixels, orange. */
export const images = {
	png: base64(
		"iVBORw0KGgoAAAANSUhEUgAAAAgAAAAGCAYAAAD+Bd/7AAAAIUlEQVR4AczKsQkAABDCQHFyN89P8NgaSHcmgvxbpQVwAAAA//+lSvllAAAABklEQVQDACuqE/23XVTUAAAAAElFTkSuQmCC",
	),
	jpeg: base64(
		"/9j/4AAQSkZJRgABAQAAAQABAAD/4gHYSUNDX1BST0ZJTEUAAQEAAAHIAAAAAAQwAABtbnRyUkdCIFhZWiAH4AABAAEAAAAAAABhY3NwAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAQAA9tYAAQAAAADTLQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAlkZXNjAAAA8AAAACRyWFlaAAABFAAAABRnWFlaAAABKAAAABRiWFlaAAABPAAAABR3dHB0AAABUAAAABRyVFJDAAABZAAAAChnVFJDAAABZAAAAChiVFJDAAABZAAAAChjcHJ0AAABjAAAADxtbHVjAAAAAAAAAAEAAAAMZW5VUwAAAAgAAAAcAHMAUgBHAEJYWVogAAAAAAAAb6IAADj1AAADkFhZWiAAAAAAAABimQAAt4UAABjaWFlaIAAAAAAAACSgAAAPhAAAts9YWVogAAAAAAAA9tYAAQAAAADTLXBhcmEAAAAAAAQAAAACZmYAAPKnAAANWQAAE9AAAApbAAAAAAAAAABtbHVjAAAAAAAAAAEAAAAMZW5VUwAAACAAAAAcAEcAbwBvAGcAbABlACAASQBuAGMALgAgADIAMAAxADb/2wBDABALDA4MChAODQ4SERATGCgaGBYWGDEjJR0oOjM9PDkzODdASFxOQERXRTc4UG1RV19iZ2hnPk1xeXBkeFxlZ2P/2wBDARESEhgVGC8aGi9jQjhCY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2P/wAARCAAGAAgDASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAT/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/8QAFAEBAAAAAAAAAAAAAAAAAAAABv/EABQRAQAAAAAAAAAAAAAAAAAAAAD/2gAMAwEAAhEDEQA/ALABcjf/2Q==",
	),
	webp: base64(
		"UklGRhoCAABXRUJQVlA4WAoAAAAgAAAABwAABQAASUNDUMgBAAAAAAHIAAAAAAQwAABtbnRyUkdCIFhZWiAH4AABAAEAAAAAAABhY3NwAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAQAA9tYAAQAAAADTLQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAlkZXNjAAAA8AAAACRyWFlaAAABFAAAABRnWFlaAAABKAAAABRiWFlaAAABPAAAABR3dHB0AAABUAAAABRyVFJDAAABZAAAAChnVFJDAAABZAAAAChiVFJDAAABZAAAAChjcHJ0AAABjAAAADxtbHVjAAAAAAAAAAEAAAAMZW5VUwAAAAgAAAAcAHMAUgBHAEJYWVogAAAAAAAAb6IAADj1AAADkFhZWiAAAAAAAABimQAAt4UAABjaWFlaIAAAAAAAACSgAAAPhAAAts9YWVogAAAAAAAA9tYAAQAAAADTLXBhcmEAAAAAAAQAAAACZmYAAPKnAAANWQAAE9AAAApbAAAAAAAAAABtbHVjAAAAAAAAAAEAAAAMZW5VUwAAACAAAAAcAEcAbwBvAGcAbABlACAASQBuAGMALgAgADIAMAAxADZWUDggLAAAANABAJ0BKggABgACwEwloAJ0ugH4AAOwAP7e1j/z8zu3F/Vb/5miY5j8sAAA",
	),
	gif: base64("R0lGODlhAQABAIAAAP+AAAAAACwAAAAAAQABAAACAkQBADs="),
} as const;

/** A JPEG of 32 × 16 pixels: red and green above, blue and white below. */
export const fourColors = base64(
	"/9j/4AAQSkZJRgABAQAAAQABAAD/4gHYSUNDX1BST0ZJTEUAAQEAAAHIAAAAAAQwAABtbnRyUkdCIFhZWiAH4AABAAEAAAAAAABhY3NwAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAQAA9tYAAQAAAADTLQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAlkZXNjAAAA8AAAACRyWFlaAAABFAAAABRnWFlaAAABKAAAABRiWFlaAAABPAAAABR3dHB0AAABUAAAABRyVFJDAAABZAAAAChnVFJDAAABZAAAAChiVFJDAAABZAAAAChjcHJ0AAABjAAAADxtbHVjAAAAAAAAAAEAAAAMZW5VUwAAAAgAAAAcAHMAUgBHAEJYWVogAAAAAAAAb6IAADj1AAADkFhZWiAAAAAAAABimQAAt4UAABjaWFlaIAAAAAAAACSgAAAPhAAAts9YWVogAAAAAAAA9tYAAQAAAADTLXBhcmEAAAAAAAQAAAACZmYAAPKnAAANWQAAE9AAAApbAAAAAAAAAABtbHVjAAAAAAAAAAEAAAAMZW5VUwAAACAAAAAcAEcAbwBvAGcAbABlACAASQBuAGMALgAgADIAMAAxADb/2wBDABALDA4MChAODQ4SERATGCgaGBYWGDEjJR0oOjM9PDkzODdASFxOQERXRTc4UG1RV19iZ2hnPk1xeXBkeFxlZ2P/2wBDARESEhgVGC8aGi9jQjhCY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2P/wAARCAAQACADASIAAhEBAxEB/8QAFgABAQEAAAAAAAAAAAAAAAAAAAUG/8QAFBABAAAAAAAAAAAAAAAAAAAAAP/EABUBAQEAAAAAAAAAAAAAAAAAAAUG/8QAGhEAAgMBAQAAAAAAAAAAAAAAAKEVYuFjFv/aAAwDAQACEQMRAD8AiiOFPO9VozPc3hvRtRLx1lpGxN1p/9k=",
);
