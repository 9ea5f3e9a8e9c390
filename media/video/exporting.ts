import {
	type ClipExport,
	type ClipView,
	maxPartCharacters,
	type VideoPushes,
	type VideoRequests,
} from "../../src/shared/index.ts";
import type { Host } from "../shared/host.ts";

/** The least time between two words about progress, in milliseconds. */
const progressMs = 200;

/** Answers the host's wishes for a file of the clip that is shown; a clip is read beside the player, which goes on. */
export function answerExports(
	host: Host<VideoRequests, VideoPushes>,
	clip: () => ClipView | null,
): void {
	const running = new Map<number, AbortController>();
	host.on("export", wish => {
		const stopper = new AbortController();
		running.set(wish.id, stopper);
		void runExport(host, clip(), wish, stopper.signal).finally(() => running.delete(wish.id));
	});
	host.on("stopExport", ({ id }) => running.get(id)?.abort());
}

async function runExport(
	host: Host<VideoRequests, VideoPushes>,
	clip: ClipView | null,
	wish: ClipExport,
	signal: AbortSignal,
): Promise<void> {
	const { id } = wish;
	const { exportClip, ExportFailure } = await import("./export/index.ts");
	let told = performance.now();
	const onProgress = (share: number): void => {
		if (performance.now() - told >= progressMs) {
			told = performance.now();
			// The next word about progress replaces a lost one.
			host.call("exportProgress", { id, share }).catch(() => undefined);
		}
	};
	try {
		if (!clip) {
			throw new ExportFailure("cannotPlay", "noClip");
		}
		await sendParts(host, id, await exportClip(clip.url, wish, signal, onProgress), signal);
	} catch (error) {
		if (!signal.aborted) {
			const reason = error instanceof ExportFailure ? error.reason : "failed";
			const detail = error instanceof Error ? error.message.slice(0, 500) : "";
			// A host that does not take this either has ended the export itself.
			host.call("exportFailed", { id, reason, detail }).catch(() => undefined);
		}
	}
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

function base64Of(bytes: Uint8Array): string {
	let text = "";
	for (let at = 0; at < bytes.length; at += 8192) {
		text += String.fromCharCode(...bytes.subarray(at, at + 8192));
	}
	return btoa(text);
}
