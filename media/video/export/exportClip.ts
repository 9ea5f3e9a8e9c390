import type { ClipExport } from "../../../src/shared/index.ts";
import { type ClipFrame, type OpenClip, openClip } from "./clipFrames.ts";
import { type ClipWriter, createGifWriter, createWebpWriter } from "./clipWriters.ts";
import { ExportFailure } from "./exportFailure.ts";

/**
 * Makes a file of the clip at an address, in any format the editor's browser has the means for. Throws `ExportFailure`, and the
 * signal's reason when it aborts.
 */
export async function exportClip(
	url: string,
	{ format, width, isLooping }: Pick<ClipExport, "format" | "width" | "isLooping">,
	signal: AbortSignal,
	onProgress: (share: number) => void,
): Promise<Uint8Array> {
	const clip = await openClip(url, width, signal);
	try {
		const frames = clip.frames(signal, onProgress);
		if (format === "png") {
			return await firstPicture(frames);
		}
		const writer = await createWriter(format, { ...clip, isLooping });
		for await (const frame of frames) {
			await writer.add(frame);
		}
		return await writer.finish();
	} finally {
		clip.close();
	}
}

async function createWriter(
	format: Exclude<ClipExport["format"], "png">,
	shape: OpenClip & { readonly isLooping: boolean },
): Promise<ClipWriter> {
	switch (format) {
		case "webp":
			return createWebpWriter(shape);
		case "gif":
			return createGifWriter(shape);
		case "mp4":
			return await (await import("./mp4Writer.ts")).createMp4Writer(shape);
	}
}

async function firstPicture(frames: AsyncGenerator<ClipFrame>): Promise<Uint8Array> {
	for await (const { canvas } of frames) {
		const blob = await canvas.convertToBlob({ type: "image/png" });
		return new Uint8Array(await blob.arrayBuffer());
	}
	throw new ExportFailure("cannotPlay", "noPicture");
}
