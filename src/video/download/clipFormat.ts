import type { ClipFormat } from "../job/videoJob.ts";

/** Number of bytes that `detectClipFormat` needs. */
export const formatProbeBytes = 64;

/**
 * Detects a video format by a file's first bytes, regardless of its name and content type. Returns undefined for anything else.
 * @see https://mimesniff.spec.whatwg.org/#matching-an-audio-or-video-type-pattern
 */
export function detectClipFormat(head: Uint8Array): ClipFormat | undefined {
	const text = (start: number, end: number): string =>
		String.fromCharCode(...head.subarray(start, end));
	if (text(4, 8) === "ftyp") {
		return text(8, 12) === "qt  " ? "mov" : "mp4";
	}
	if (head.length >= 8 && ["moov", "mdat", "wide", "free"].includes(text(4, 8))) {
		return "mov";
	}
	if (text(0, 4) === "\u001aE\u00df\u00a3") {
		return text(0, head.length).includes("webm") ? "webm" : "matroska";
	}
	if (/^GIF8[79]a/.test(text(0, 6))) {
		return "gif";
	}
	if (text(0, 4) === "RIFF" && text(8, 12) === "AVI ") {
		return "avi";
	}
	return text(0, 4) === "OggS" ? "ogg" : undefined;
}

export function extensionOf(format: ClipFormat): string {
	const extensions = {
		mp4: "mp4",
		mov: "mov",
		webm: "webm",
		matroska: "mkv",
		gif: "gif",
		avi: "avi",
		ogg: "ogv",
	};
	return extensions[format];
}
