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

/** Writes an MP4 with H.264. */
class MovieWriter implements ClipWriter {
	private readonly output: Output<Mp4OutputFormat, BufferTarget>;
	private readonly canvas: OffscreenCanvas;
	private readonly source: CanvasSource;
	private readonly durationMs: number;
	private last: ClipFrame | undefined;
	size = 0;

	constructor({ width, height, durationMs }: ClipShape) {
		const format = new Mp4OutputFormat({ fastStart: "in-memory" });
		this.output = new Output({ format, target: new BufferTarget() });
		this.canvas = new OffscreenCanvas(width, height);
		this.source = new CanvasSource(this.canvas, {
			codec: "avc",
			bitrate: QUALITY_HIGH,
			onEncodedPacket: ({ byteLength }) => {
				this.size += byteLength;
			},
		});
		this.durationMs = durationMs;
		this.output.addVideoTrack(this.source);
	}

	/** Starts the file. Call it before adding frames. */
	async start(): Promise<void> {
		await this.output.start();
	}

	async add(frame: ClipFrame): Promise<void> {
		await this.addUntil(frame.atMs);
		this.last = frame;
	}

	async finish(): Promise<Uint8Array> {
		await this.addUntil(this.durationMs);
		await this.output.finalize();
		return new Uint8Array(this.output.target.buffer ?? new ArrayBuffer());
	}

	/** Adds the last frame now that its duration is known. */
	private async addUntil(endMs: number): Promise<void> {
		if (this.last) {
			const { pixels, box, atMs } = this.last;
			this.canvas.getContext("2d", { alpha: false })?.putImageData(pixels, box.left, box.top);
			await this.source.add(atMs / 1000, (endMs - atMs) / 1000);
		}
	}
}

/** Starts an MP4 with H.264. Throws `ExportFailure` if the editor's browser can't encode it. */
export async function startMovie(shape: ClipShape): Promise<ClipWriter> {
	const { width, height } = shape;
	if (!(await canEncodeVideo("avc", { width, height, bitrate: QUALITY_HIGH }))) {
		throw new ExportFailure("cannotEncode", "avc");
	}
	const writer = new MovieWriter(shape);
	await writer.start();
	return writer;
}
