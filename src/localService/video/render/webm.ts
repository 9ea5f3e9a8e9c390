import {
	BufferTarget,
	EncodedPacket,
	EncodedVideoPacketSource,
	Output,
	WebMOutputFormat,
} from "mediabunny";
import { density, framesPerSecond, type Scene } from "./scene.ts";

/** A VP8 frame and its time, in seconds from the start. */
export interface EncodedFrame {
	readonly bytes: Uint8Array;
	readonly at: number;
	/** Whether it doesn't depend on earlier frames. */
	readonly isKey: boolean;
}

/** Metadata of the file. */
const madeBy = "Drawn by Cutaway on this machine, no model";

/**
 * Writes frames to a WebM file of `duration` seconds. Each is shown until the next, the last for the time of one frame. @see
 * https://www.webmproject.org/docs/container/
 */
export async function muxWebm(
	frames: readonly EncodedFrame[],
	duration: number,
	{ size, undrawn }: Pick<Scene, "size" | "undrawn">,
): Promise<Uint8Array<ArrayBuffer>> {
	const target = new BufferTarget();
	const output = new Output({ format: new WebMOutputFormat(), target });
	const source = new EncodedVideoPacketSource("vp8");
	output.addVideoTrack(source, { frameRate: framesPerSecond });
	output.setMetadataTags({
		comment: madeBy,
		...(undrawn > 0 && { raw: { UNDRAWN: String(undrawn) } }),
	});
	await output.start();
	const decoderConfig = {
		codec: "vp8",
		codedWidth: size.width * density,
		codedHeight: size.height * density,
	};
	for (const [index, { bytes, at, isKey }] of frames.entries()) {
		const length = (frames[index + 1]?.at ?? duration) - at;
		const packet = new EncodedPacket(bytes, isKey ? "key" : "delta", at, length);
		await source.add(packet, index === 0 ? { decoderConfig } : undefined);
	}
	await output.finalize();
	if (!target.buffer) {
		throw new Error("The muxer gave no file");
	}
	return new Uint8Array(target.buffer);
}
