import { readFile } from "node:fs/promises";
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
import { writeAtomically } from "../../../storage/atomicFile.ts";
import type { TrimOutcome, TrimRequest } from "./trimThread.ts";

/** Excess length that is kept, in seconds. The last frame of the requested length may end there. */
const toleranceSeconds = 0.1;

/**
 * Trims a file to its first `seconds` by copying packets without encoding, up to the last packet needed for the frames before the end. The clip may
 * be a few frames longer if frames are stored in another order than displayed.
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
		await writeAtomically(file, new Uint8Array(target.buffer));
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

/** Returns the sequence number of the last packet displayed before `end`. All packets before it may be needed for decoding. */
async function lastNeeded(sink: EncodedPacketSink, end: number): Promise<number | undefined> {
	let last: number | undefined;
	for await (const packet of sink.packets(undefined, undefined, { metadataOnly: true })) {
		if (packet.timestamp < end - 1e-6) {
			last = packet.sequenceNumber;
		}
	}
	return last;
}

/** Copies the audio. Omits audio with an unknown codec, so that the video can still be trimmed. */
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

/** Shifts a packet to a clip that starts at `start`, and shortens a frame that lasts beyond the end. */
function moved(packet: EncodedPacket, start: number, end: number): EncodedPacket {
	const { timestamp, duration } = packet;
	return packet.clone({
		timestamp: Math.max(0, timestamp - start),
		duration: timestamp < end ? Math.min(duration, end - timestamp) : duration,
	});
}
