import { readFile, writeFile } from "node:fs/promises";
import {
	BufferSource,
	BufferTarget,
	EncodedAudioPacketSource,
	EncodedPacket,
	EncodedPacketSink,
	EncodedVideoPacketSource,
	Input,
	type InputAudioTrack,
	type InputVideoTrack,
	MATROSKA,
	MkvOutputFormat,
	MovOutputFormat,
	MP4,
	Mp4OutputFormat,
	Output,
	QTFF,
	WEBM,
	WebMOutputFormat,
} from "mediabunny";
import type { TrimOutcome, TrimRequest } from "./trimThread.ts";

/** A clip this much longer than asked, in seconds, is left as it is: the last frame of the asked length may end there. */
const toleranceSeconds = 0.1;

/**
 * Cuts a file back to its first `seconds`, without encoding: packets are copied as they are, up to the last that a frame before the end
 * needs. So the clip may be a few frames longer where its frames are stored in another order than they are shown.
 */
export async function trimClip({ file, format, seconds }: TrimRequest): Promise<TrimOutcome> {
	if (format === "gif") {
		return { type: "kept", reason: "a GIF is not cut" };
	}
	const bytes = await readFile(file);
	const input = new Input({
		source: new BufferSource(bytes),
		formats: [MP4, QTFF, WEBM, MATROSKA],
	});
	try {
		const video = await input.getPrimaryVideoTrack();
		if (!video) {
			return { type: "kept", reason: "it has no picture that is understood" };
		}
		const start = await video.getFirstTimestamp();
		const end = start + seconds;
		const duration = (await video.computeDuration()) - start;
		if (duration <= seconds + toleranceSeconds) {
			return { type: "fits", seconds: duration };
		}
		const target = new BufferTarget();
		const output = new Output({ format: outputFormats[format](), target });
		const tracks = [await copyOfVideo(video, output, end, start)];
		const audio = await input.getPrimaryAudioTrack();
		if (audio) {
			tracks.push(...(await copyOfAudio(audio, output, end, start)));
		}
		await output.start();
		await Promise.all(tracks.map(copy => copy()));
		await output.finalize();
		if (!target.buffer) {
			return { type: "kept", reason: "the shortened file could not be written" };
		}
		await writeFile(file, new Uint8Array(target.buffer), { flush: true });
		return { type: "trimmed", seconds: duration };
	} catch (error) {
		const { message } = error instanceof Error ? error : { message: String(error) };
		return { type: "kept", reason: `its file is not understood: ${message.slice(0, 200)}` };
	} finally {
		input.dispose();
	}
}

const outputFormats = {
	mp4: () => new Mp4OutputFormat({ fastStart: "in-memory" }),
	mov: () => new MovOutputFormat({ fastStart: "in-memory" }),
	webm: () => new WebMOutputFormat(),
	mkv: () => new MkvOutputFormat(),
} as const;

type Copy = () => Promise<void>;

async function copyOfVideo(
	track: InputVideoTrack,
	output: Output,
	end: number,
	start: number,
): Promise<Copy> {
	const codec = await track.getCodec();
	const config = await track.getDecoderConfig();
	if (!codec || !config) {
		throw new Error("its codec is not known");
	}
	const source = new EncodedVideoPacketSource(codec);
	output.addVideoTrack(source, { rotation: await track.getRotation() });
	return async () => {
		const sink = new EncodedPacketSink(track);
		const last = await lastNeeded(sink, end);
		for await (const packet of sink.packets()) {
			await source.add(moved(packet, start, end), { decoderConfig: config });
			if (packet.sequenceNumber === last) {
				break;
			}
		}
		source.close();
	};
}

/** The place in the file of the last packet that is shown before `end`: all before it may be needed to decode it. */
async function lastNeeded(sink: EncodedPacketSink, end: number): Promise<number | undefined> {
	let last: number | undefined;
	for await (const packet of sink.packets(undefined, undefined, { metadataOnly: true })) {
		if (packet.timestamp < end - 1e-6) {
			last = packet.sequenceNumber;
		}
	}
	return last;
}

/** The sound; one whose codec is not known is left out rather than the whole clip kept too long. */
async function copyOfAudio(
	track: InputAudioTrack,
	output: Output,
	end: number,
	start: number,
): Promise<Copy[]> {
	const codec = await track.getCodec();
	const config = await track.getDecoderConfig();
	if (!codec || !config || !output.format.getSupportedAudioCodecs().includes(codec)) {
		return [];
	}
	const source = new EncodedAudioPacketSource(codec);
	output.addAudioTrack(source);
	return [
		async () => {
			for await (const packet of new EncodedPacketSink(track).packets()) {
				if (packet.timestamp >= end) {
					break;
				}
				if (packet.timestamp >= start) {
					await source.add(moved(packet, start, end), { decoderConfig: config });
				}
			}
			source.close();
		},
	];
}

/** The packet in a clip that begins at `start`; a picture that stays beyond the end is shown until the end. */
function moved(packet: EncodedPacket, start: number, end: number): EncodedPacket {
	const { timestamp, duration } = packet;
	return packet.clone({
		timestamp: Math.max(0, timestamp - start),
		duration: timestamp < end ? Math.min(duration, end - timestamp) : duration,
	});
}
