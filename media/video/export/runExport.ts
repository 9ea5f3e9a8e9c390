import {
	type CaptionPart,
	type VideoViewState,
	type VideoPushes,
	type VideoRequests,
	type ClipExport,
	maxExportBytes,
	maxPartCharacters,
} from "../../../src/shared/video.ts";
import type { Host } from "../../shared/host.ts";
import { type ClipFrame, openClip, type ReadableClip } from "./clipFrames.ts";
import { type ClipShape, type ClipWriter, GifWriter, WebpWriter } from "./clipWriters.ts";
import { ExportFailure } from "./exportFailure.ts";

/** The smallest progress to report, as a share of the work. */
const progressStep = 0.05;

/** Exports the shown clip, while the player continues, and sends the file to the host in parts. */
export async function runExport(
	host: Host<VideoRequests, VideoPushes>,
	state: Pick<VideoViewState, "clip" | "captions"> | undefined,
	request: ClipExport,
	signal: AbortSignal,
): Promise<void> {
	const { id } = request;
	let told = 0;
	const onProgress = (share: number): void => {
		if (share - told >= progressStep) {
			told = share;
			// The next progress report replaces a lost one.
			host.call("exportProgress", { id, share }).catch(() => undefined);
		}
	};
	try {
		if (!state?.clip) {
			throw new ExportFailure("cannotPlay", "noClip");
		}
		const clip = request.drawn ?? state.clip.url;
		const captions = request.hasCaptions ? state.captions : [];
		const bytes = await exportClip(clip, captions, request, signal, onProgress);
		await sendParts(host, id, bytes, signal);
	} catch (error) {
		if (!signal.aborted) {
			const reason = error instanceof ExportFailure ? error.reason : "failed";
			const detail = error instanceof Error ? error.message.slice(0, 500) : "";
			// If this fails, too, the host has ended the export.
			host.call("exportFailed", { id, reason, detail }).catch(() => undefined);
		}
	}
}

/**
 * Exports a clip. Supports the formats for which the editor's browser has encoders. Throws `ExportFailure`, and the signal's reason if it
 * aborts.
 */
export async function exportClip(
	readable: ReadableClip,
	captions: readonly CaptionPart[],
	{ format, width, isLooping }: Pick<ClipExport, "format" | "width" | "isLooping">,
	signal: AbortSignal,
	onProgress: (share: number) => void,
): Promise<Uint8Array> {
	const clip = await openClip(readable, width, captions, signal);
	try {
		// A single image is taken from the clip's end, which shows everything.
		const frames = clip.frames(signal, onProgress, format === "png");
		if (format === "png") {
			return await onlyPicture(frames);
		}
		const writer = await createWriter(format, { ...clip, isLooping });
		for await (const frame of frames) {
			await writer.add(frame);
			if (writer.size > maxExportBytes) {
				throw new ExportFailure("tooLarge", String(writer.size));
			}
		}
		return await writer.finish();
	} finally {
		clip.close();
	}
}

async function createWriter(
	format: Exclude<ClipExport["format"], "png">,
	shape: ClipShape,
): Promise<ClipWriter> {
	switch (format) {
		case "webp":
			return new WebpWriter(shape);
		case "gif":
			return new GifWriter(shape);
		case "mp4":
			return await (await import("./movieWriter.ts")).startMovie(shape);
	}
}

async function onlyPicture(frames: AsyncGenerator<ClipFrame>): Promise<Uint8Array> {
	for await (const { canvas } of frames) {
		const blob = await canvas.convertToBlob({ type: "image/png" });
		return new Uint8Array(await blob.arrayBuffer());
	}
	throw new ExportFailure("cannotPlay", "noPicture");
}

/** Sends a file in sequential parts, to keep each message below the limit. */
async function sendParts(
	host: Host<VideoRequests, VideoPushes>,
	id: number,
	bytes: Uint8Array,
	signal: AbortSignal,
): Promise<void> {
	// A multiple of three bytes, so that only the last part's base64 has padding.
	const size = 3 * Math.floor(maxPartCharacters / 4);
	for (let at = 0; at === 0 || at < bytes.length; at += size) {
		signal.throwIfAborted();
		const base64 = base64Of(bytes.subarray(at, at + size));
		await host.call("exportPart", { id, base64, isLast: at + size >= bytes.length });
	}
}

export function base64Of(bytes: Uint8Array): string {
	let text = "";
	for (let at = 0; at < bytes.length; at += 8192) {
		text += String.fromCharCode(...bytes.subarray(at, at + 8192));
	}
	return btoa(text);
}
