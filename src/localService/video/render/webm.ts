import {
	BufferTarget,
	EncodedPacket,
	EncodedVideoPacketSource,
	Output,
	WebMOutputFormat,
} from "mediabunny";
import { framesPerSecond, frameSize } from "./scene.ts";

/** Puts VP8 key frames into a WebM file, one every 1/24 s. @see https://www.webmproject.org/docs/container/ */
export async function muxWebm(frames: readonly Uint8Array[]): Promise<Uint8Array<ArrayBuffer>> {
	const target = new BufferTarget();
	const output = new Output({ format: new WebMOutputFormat(), target });
	const source = new EncodedVideoPacketSource("vp8");
	output.addVideoTrack(source, { frameRate: framesPerSecond });
	await output.start();
	const decoderConfig = {
		codec: "vp8",
		codedWidth: frameSize.width,
		codedHeight: frameSize.height,
	};
	for (const [index, frame] of frames.entries()) {
		const packet = new EncodedPacket(frame, "key", index / framesPerSecond, 1 / framesPerSecond);
		await source.add(packet, index === 0 ? { decoderConfig } : undefined);
	}
	await output.finalize();
	if (!target.buffer) {
		throw new Error("The muxer gave no file");
	}
	return new Uint8Array(target.buffer);
}
