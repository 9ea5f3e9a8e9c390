import type {
	CaptionPart,
	VideoViewState,
	VideoPushes,
	VideoRequests,
} from "../../../src/shared/video.ts";
import {
	type ClipExport,
	maxExportBytes,
	maxPartCharacters,
} from "../../../src/shared/clipExport.ts";
import type { Host } from "../../shared/host.ts";
import { type ClipFrame, openClip } from "./clipFrames.ts";
import { type ClipShape, type ClipWriter, GifWriter, WebpWriter } from "./clipWriters.ts";
import { ExportFailure } from "./exportFailure.ts";

/** The least progress that is told, as a share of the work. */
const progressStep = 0.05;

/** Makes a file of the clip that is shown, beside the player, which goes on, and hands it to the host in parts. */
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
			// The next word about progress replaces a lost one.
			host.call("exportProgress", { id, share }).catch(() => undefined);
		}
	};
	try {
		if (!state?.clip) {
			throw new ExportFailure("cannotPlay", "noClip");
		}
		const captions = request.hasCaptions ? state.captions : [];
		const bytes = await exportClip(state.clip.url, captions, request, signal, onProgress);
		await sendParts(host, id, bytes, signal);
	} catch (error) {
		if (!signal.aborted) {
			const reason = error instanceof ExportFailure ? error.reason : "failed";
			const detail = error instanceof Error ? error.message.slice(0, 500) : "";
			// A host that does not take this either has ended the export itself.
			host.call("exportFailed", { id, reason, detail }).catch(() => undefined);
		}
	}
}

/**
 * Makes a file of the clip at an address, in any format the editor's browser has the means for. Throws `ExportFailure`, and the
 * signal's reason when it aborts.
 */
export async function exportClip(
	url: string,
	captions: readonly CaptionPart[],
	{ format, width, isLooping }: Pick<ClipExport, "format" | "width" | "isLooping">,
	signal: AbortSignal,
	onProgress: (share: number) => void,
): Promise<Uint8Array> {
	const clip = await openClip(url, width, captions, signal);
	try {
		// A clip ends with all that it shows.
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

/** Sends a file in parts, one after the other, so that no message is too long. */
async function sendParts(
	host: Host<VideoRequests, VideoPushes>,
	id: number,
	bytes: Uint8Array,
	signal: AbortSignal,
): Promise<void> {
	// Whole groups of three bytes, so that the parts' base64 has no padding but at the end.
	const size = 3 * Math.floor(maxPartCharacters / 4);
	for (let at = 0; at === 0 || at < bytes.length; at += size) {
		signal.throwIfAborted();
		const base64 = base64Of(bytes.subarray(at, at + size));
		await host.call("exportPart", { id, base64, isLast: at + size >= bytes.length });
	}
}

/** Bytes as base64. */
export function base64Of(bytes: Uint8Array): string {
	let text = "";
	for (let at = 0; at < bytes.length; at += 8192) {
		text += String.fromCharCode(...bytes.subarray(at, at + 8192));
	}
	return btoa(text);
}
