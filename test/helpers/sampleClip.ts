import {
	BufferTarget,
	EncodedAudioPacketSource,
	EncodedPacket,
	EncodedVideoPacketSource,
	MovOutputFormat,
	Mp4OutputFormat,
	MkvOutputFormat,
	Output,
	WebMOutputFormat,
} from "mediabunny";

/** Choices for a sample clip. */
export interface SampleClipOptions {
	readonly format?: "mp4" | "mov" | "webm" | "mkv";
	readonly seconds?: number;
	readonly framesPerSecond?: number;
	readonly hasSound?: boolean;
	/** Frames stored in another order than they are shown: each second and third of three. */
	readonly isReordered?: boolean;
}

/** A well-formed file of video whose frames hold no picture: what copies packets looks at none. */
export async function sampleClip({
	format = "mp4",
	seconds = 2,
	framesPerSecond = 8,
	hasSound = false,
	isReordered = false,
}: SampleClipOptions = {}): Promise<Uint8Array<ArrayBuffer>> {
	const target = new BufferTarget();
	const formats = {
		mp4: () => new Mp4OutputFormat(),
		mov: () => new MovOutputFormat(),
		webm: () => new WebMOutputFormat(),
		mkv: () => new MkvOutputFormat(),
	};
	const output = new Output({ format: formats[format](), target });
	const video = new EncodedVideoPacketSource("vp9");
	output.addVideoTrack(video);
	const audio = hasSound ? new EncodedAudioPacketSource("opus") : undefined;
	if (audio) {
		output.addAudioTrack(audio);
	}
	await output.start();
	const decoderConfig = { codec: "vp09.00.10.08", codedWidth: 64, codedHeight: 36 };
	const count = Math.round(seconds * framesPerSecond);
	for (let stored = 0; stored < count; stored += 1) {
		const shown = isReordered ? reordered(stored, count) : stored;
		const bytes = Uint8Array.of(0x82, 0x49, 0x83, 0x42, shown >> 8, shown & 255);
		const packet = new EncodedPacket(
			bytes,
			stored === 0 ? "key" : "delta",
			shown / framesPerSecond,
			1 / framesPerSecond,
		);
		await video.add(packet, { decoderConfig });
	}
	for (let index = 0; audio && index < seconds * 50; index += 1) {
		const packet = new EncodedPacket(Uint8Array.of(1, 2, 3), "key", index / 50, 1 / 50);
		const description = Uint8Array.from(
			Buffer.from("4f707573486561640101380180bb0000000000", "hex"),
		);
		await audio.add(packet, {
			decoderConfig: { codec: "opus", numberOfChannels: 1, sampleRate: 48_000, description },
		});
	}
	await output.finalize();
	return new Uint8Array(target.buffer ?? new ArrayBuffer(0));
}

/** After the first frame, of every three the last comes first, as the two before it need it. */
function reordered(stored: number, count: number): number {
	if (stored === 0) {
		return 0;
	}
	const group = Math.floor((stored - 1) / 3) * 3 + 1;
	const place = [2, 0, 1][(stored - 1) % 3] ?? 0;
	return group + 2 < count ? group + place : stored;
}

/** An MP4 file of exactly so many bytes, filled up with an empty box. ISO/IEC 14496-12 §8.1.2. */
export async function clipOfBytes(size: number): Promise<Uint8Array<ArrayBuffer>> {
	const clip = await sampleClip({ seconds: 1, framesPerSecond: 2 });
	const box = Buffer.alloc(size - clip.length);
	box.writeUInt32BE(box.length, 0);
	box.write("free", 4);
	return Uint8Array.from(Buffer.concat([clip, box]));
}
