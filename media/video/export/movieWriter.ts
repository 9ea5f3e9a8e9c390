import {
	BufferTarget,
	canEncodeVideo,
	CanvasSource,
	Mp4OutputFormat,
	Output,
	QUALITY_HIGH,
} from "mediabunny";
import type { ClipFrame } from "./clipFrames.ts";
import type { ClipShape, ClipWriter } from "./clipWriters.ts";
import { ExportFailure } from "./exportFailure.ts";

/** Writes an MP4 with H.264. Throws `ExportFailure` where the editor's browser has no encoder for it. */
export async function createMovieWriter({
	width,
	height,
	durationMs,
}: ClipShape): Promise<ClipWriter> {
	const encoding = { codec: "avc", bitrate: QUALITY_HIGH } as const;
	if (!(await canEncodeVideo("avc", { width, height, bitrate: QUALITY_HIGH }))) {
		throw new ExportFailure("cannotEncode", "avc");
	}
	const target = new BufferTarget();
	const output = new Output({ format: new Mp4OutputFormat({ fastStart: "in-memory" }), target });
	const canvas = new OffscreenCanvas(width, height);
	const source = new CanvasSource(canvas, encoding);
	output.addVideoTrack(source);
	await output.start();
	let last: ClipFrame | undefined;
	const addUntil = async (endMs: number): Promise<void> => {
		if (last) {
			const { pixels, box, atMs } = last;
			canvas.getContext("2d", { alpha: false })?.putImageData(pixels, box.left, box.top);
			await source.add(atMs / 1000, (endMs - atMs) / 1000);
		}
	};
	return {
		add: async frame => {
			await addUntil(frame.atMs);
			last = frame;
		},
		finish: async () => {
			await addUntil(durationMs);
			await output.finalize();
			return new Uint8Array(target.buffer ?? new ArrayBuffer());
		},
	};
}
