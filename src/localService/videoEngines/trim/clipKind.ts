import { open } from "node:fs/promises";
import type { StoredFormat } from "../../video/generationRecord.ts";

/**
 * Detects a video format by a file's first bytes, regardless of name and type. Returns undefined for anything else. @see
 * https://mimesniff.spec.whatwg.org/#matching-an-audio-or-video-type-pattern
 */
export async function clipKind(file: string): Promise<StoredFormat | undefined> {
	const handle = await open(file);
	try {
		const { buffer, bytesRead } = await handle.read(Buffer.alloc(64), 0, 64, 0);
		return kindOf(buffer.subarray(0, bytesRead));
	} finally {
		await handle.close();
	}
}

function kindOf(head: Buffer): StoredFormat | undefined {
	const text = head.toString("latin1");
	if (text.slice(4, 8) === "ftyp") {
		return text.slice(8, 12) === "qt  " ? "mov" : "mp4";
	}
	if (text.startsWith("\u001aE\u00df\u00a3")) {
		return text.includes("webm") ? "webm" : "mkv";
	}
	return /^GIF8[79]a/.test(text) ? "gif" : undefined;
}
