import { open } from "node:fs/promises";
import {
	type AudioCodec,
	EncodedAudioPacketSource,
	type EncodedPacket,
	EncodedPacketSink,
	EncodedVideoPacketSource,
	FilePathSource,
	FilePathTarget,
	Input,
	type InputAudioTrack,
	type InputVideoTrack,
	MATROSKA,
	type MetadataTags,
	MP4,
	Mp4OutputFormat,
	Output,
	QTFF,
	type VideoCodec,
	WEBM,
	WebMOutputFormat,
} from "mediabunny";
import * as z from "zod/mini";
import { clipLooksTag } from "../../common/clipLooks.ts";
import { parseJson } from "../../common/json.ts";
import { type JoinJob, JoinRefusal, type JoinResult } from "./joinThread.ts";

/** An open clip and the properties that must match. */
interface ReadClip {
	readonly input: Input;
	readonly video: InputVideoTrack;
	readonly videoCodec: VideoCodec;
	readonly videoConfig: VideoDecoderConfig;
	readonly audio: Sound | undefined;
	/** Codecs, sizes and decoder settings. Clips with different values can't share a track. */
	readonly shape: string;
	readonly isMp4: boolean;
	/** Start of the first frame and end of the last, in seconds. */
	readonly start: number;
	readonly end: number;
}

interface Sound {
	readonly track: InputAudioTrack;
	readonly codec: AudioCodec;
	readonly config: AudioDecoderConfig;
}

/** Joins clips by copying packets. Throws `JoinRefusal` if they differ or are unreadable, and the system's errors. */
export async function joinClips({ files, target }: JoinJob): Promise<JoinResult> {
	const clips: ReadClip[] = [];
	try {
		for (const file of files) {
			clips.push(await openClip(file));
		}
		const [first] = clips;
		if (!first) {
			throw new JoinRefusal("unreadable", "no clips");
		}
		const other = clips.find(({ shape }) => shape !== first.shape);
		if (other) {
			throw new JoinRefusal("differ", `${first.shape} | ${other.shape}`);
		}
		await writeClips(clips, first, target);
		return { type: "joined", format: first.isMp4 ? "mp4" : "webm", size: await settled(target) };
	} finally {
		clips.forEach(({ input }) => input.dispose());
	}
}

/** Flushes a file to disk and returns its size. */
async function settled(file: string): Promise<number> {
	const handle = await open(file, "r+");
	try {
		await handle.datasync();
		return (await handle.stat()).size;
	} finally {
		await handle.close();
	}
}

async function openClip(file: string): Promise<ReadClip> {
	const input = new Input({
		source: new FilePathSource(file),
		formats: [MP4, QTFF, WEBM, MATROSKA],
	});
	try {
		const format = await input.getFormat();
		const isMp4 = format === MP4 || format === QTFF;
		const video = await input.getPrimaryVideoTrack();
		const videoCodec = await video?.getCodec();
		const videoConfig = await video?.getDecoderConfig();
		if (!video || !videoCodec || !videoConfig) {
			throw new JoinRefusal("unreadable", "no video track");
		}
		const audio = await soundOf(input);
		const size = `${await video.getCodedWidth()}x${await video.getCodedHeight()} ${await video.getRotation()}`;
		const sound = audio && `${audio.codec} ${settingsOf(audio.config)}`;
		return {
			input,
			video,
			videoCodec,
			videoConfig,
			audio,
			shape: `${isMp4 ? "mp4" : "webm"} ${videoCodec} ${size} ${settingsOf(videoConfig)} ${sound ?? "silent"}`,
			isMp4,
			start: await video.getFirstTimestamp(),
			end: await video.computeDuration(),
		};
	} catch (error) {
		input.dispose();
		throw error instanceof JoinRefusal
			? error
			: new JoinRefusal("unreadable", error instanceof Error ? error.message : "");
	}
}

async function soundOf(input: Input): Promise<Sound | undefined> {
	const track = await input.getPrimaryAudioTrack();
	const codec = await track?.getCodec();
	const config = await track?.getDecoderConfig();
	if (track && (!codec || !config)) {
		throw new JoinRefusal("unreadable", "unknown sound");
	}
	return track && codec && config ? { track, codec, config } : undefined;
}

/** Returns decoder settings as a text, including their private data. */
function settingsOf(config: VideoDecoderConfig | AudioDecoderConfig): string {
	const { description } = config;
	const bytes =
		description === undefined
			? new Uint8Array()
			: ArrayBuffer.isView(description)
				? new Uint8Array(description.buffer, description.byteOffset, description.byteLength)
				: new Uint8Array(description);
	const sound = "sampleRate" in config ? `${config.sampleRate} ${config.numberOfChannels}` : "";
	return `${sound} ${Buffer.from(bytes).toString("hex")}`.trim();
}

async function writeClips(
	clips: readonly ReadClip[],
	first: ReadClip,
	target: string,
): Promise<void> {
	const format = first.isMp4 ? new Mp4OutputFormat({ fastStart: false }) : new WebMOutputFormat();
	const output = new Output({ format, target: new FilePathTarget(target) });
	const video = new EncodedVideoPacketSource(first.videoCodec);
	output.addVideoTrack(video, { rotation: await first.video.getRotation() });
	const audio = first.audio && new EncodedAudioPacketSource(first.audio.codec);
	if (audio) {
		output.addAudioTrack(audio);
	}
	output.setMetadataTags(await tagsOf(clips));
	await output.start();
	let offset = 0;
	for (const [index, clip] of clips.entries()) {
		const isFirst = index === 0;
		const shift = offset - clip.start;
		await Promise.all([
			addVideo(video, clip, shift, isFirst),
			audio && clip.audio && addAudio(audio, clip.audio, clip, shift, isFirst),
		]);
		offset += clip.end - clip.start;
	}
	await output.finalize();
}

/** Returns the first clip's metadata, with the colors of all texts, but without an appearance that the others don't share. */
async function tagsOf(clips: readonly ReadClip[]): Promise<MetadataTags> {
	const tags = await Promise.all(clips.map(({ input }) => input.getMetadataTags()));
	const looks = tags.map(({ raw }) => {
		const text = raw?.[clipLooksTag];
		return looksSchema.safeParse(typeof text === "string" ? parseJson(text) : undefined).data;
	});
	const [first] = looks;
	const withoutColors = looks.map(all => JSON.stringify({ ...all, colors: undefined }));
	const isShared = first !== undefined && new Set(withoutColors).size === 1;
	const colors = Object.assign({}, ...looks.map(all => all?.colors));
	const hasColors = Object.keys(colors).length > 0;
	const shared = isShared ? { ...first, ...(hasColors && { colors }) } : null;
	const raw = { ...tags[0]?.raw, [clipLooksTag]: shared && JSON.stringify(shared) };
	return { ...tags[0], raw };
}

/** The appearance of a clip, as far as joining needs it. */
const looksSchema = z.looseObject({ colors: z.optional(z.record(z.string(), z.unknown())) });

async function addVideo(
	source: EncodedVideoPacketSource,
	{ video, videoConfig }: ReadClip,
	shift: number,
	isFirst: boolean,
): Promise<void> {
	let meta = isFirst ? { decoderConfig: videoConfig } : undefined;
	for await (const packet of new EncodedPacketSink(video).packets()) {
		await source.add(moved(packet, shift), meta);
		meta = undefined;
	}
}

/** Audio before the first frame or after the last would overlap with the neighboring clip and is omitted. */
async function addAudio(
	source: EncodedAudioPacketSource,
	{ track, config }: Sound,
	{ start, end }: ReadClip,
	shift: number,
	isFirst: boolean,
): Promise<void> {
	let meta = isFirst ? { decoderConfig: config } : undefined;
	for await (const packet of new EncodedPacketSink(track).packets()) {
		if (packet.timestamp >= start && packet.timestamp < end) {
			await source.add(moved(packet, shift), meta);
			meta = undefined;
		}
	}
}

function moved(packet: EncodedPacket, shift: number): EncodedPacket {
	return packet.clone({ timestamp: Math.max(0, packet.timestamp + shift) });
}
