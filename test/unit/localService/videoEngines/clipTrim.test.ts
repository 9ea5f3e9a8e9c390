import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ALL_FORMATS, BufferSource, EncodedPacketSink, Input } from "mediabunny";
import { expect, test } from "vitest";
import { systemClock } from "../../../../src/common/async.ts";
import { createThreadTrim } from "../../../../src/localService/videoEngines/trim/trimThread.ts";
import { trimClip } from "../../../../src/localService/videoEngines/trim/clipTrim.ts";
import { sampleClip, type SampleClipOptions } from "../../../helpers/sampleClip.ts";
import { makeTestFolder } from "../testService.ts";

const workerFile = new URL(
	"../../../../src/localService/videoEngines/trim/worker.ts",
	import.meta.url,
);

async function fileOf(options: SampleClipOptions): Promise<string> {
	const file = join(await makeTestFolder(), "clip");
	await writeFile(file, await sampleClip(options));
	return file;
}

/** What a file holds: frames by the time they are shown, and how long picture and sound are. */
async function contentOf(file: string): Promise<{
	readonly shown: readonly number[];
	readonly seconds: number;
	readonly soundSeconds: number | undefined;
	readonly payloads: readonly string[];
}> {
	const input = new Input({
		source: new BufferSource(await readFile(file)),
		formats: ALL_FORMATS,
	});
	const video = await input.getPrimaryVideoTrack();
	const audio = await input.getPrimaryAudioTrack();
	if (!video) {
		throw new Error("No picture");
	}
	const packets = [];
	for await (const packet of new EncodedPacketSink(video).packets()) {
		packets.push(packet);
	}
	return {
		shown: packets.map(({ timestamp }) => Math.round(timestamp * 1000)).sort((a, b) => a - b),
		seconds: await video.computeDuration(),
		soundSeconds: await audio?.computeDuration(),
		payloads: packets.map(({ data }) => Buffer.from(data).toString("hex")),
	};
}

test.each(["mp4", "mov"] as const)(
	"a picture of a clip as %s that stays beyond the cut is shown until it",
	async format => {
		const file = await fileOf({ format, seconds: 6, framesPerSecond: 0.5 });
		await trimClip({ file, format, seconds: 3 });
		const { shown, seconds } = await contentOf(file);
		expect(shown).toEqual([0, 2000]);
		expect(seconds).toBeCloseTo(3, 1);
	},
);

test.each(["mp4", "mov", "webm", "mkv"] as const)(
	"a clip of 5 s as %s is cut to 2 s by copying its frames as they are",
	async format => {
		const file = await fileOf({ format, seconds: 5, framesPerSecond: 10 });
		const before = await contentOf(file);
		expect(await trimClip({ file, format, seconds: 2 })).toEqual({
			type: "trimmed",
			seconds: expect.closeTo(5, 0),
		});
		const after = await contentOf(file);
		expect(after.shown).toEqual(before.shown.slice(0, 20));
		expect(after.payloads).toEqual(before.payloads.slice(0, 20));
		expect(Math.abs(after.seconds - 2)).toBeLessThan(0.15);
	},
);

test("sound is cut with the picture", async () => {
	const file = await fileOf({ seconds: 4, hasSound: true });
	expect((await contentOf(file)).soundSeconds).toBeCloseTo(4, 1);
	expect((await trimClip({ file, format: "mp4", seconds: 1 })).type).toBe("trimmed");
	const after = await contentOf(file);
	expect(after.seconds).toBeCloseTo(1, 1);
	expect(after.soundSeconds).toBeCloseTo(1, 1);
});

test("frames stored in another order: what a frame before the end needs stays", async () => {
	const file = await fileOf({ seconds: 4, framesPerSecond: 10, isReordered: true });
	await trimClip({ file, format: "mp4", seconds: 2 });
	const { shown } = await contentOf(file);
	// The frame at 2.1 s is stored before those at 1.9 s and 2.0 s, of which the first is before the end.
	expect(shown.filter(ms => ms < 2000)).toEqual(Array.from({ length: 20 }, (_, at) => at * 100));
	expect(shown.filter(ms => ms >= 2000)).toEqual([2100]);
});

test("a clip that is short enough stays byte for byte", async () => {
	const file = await fileOf({ seconds: 2 });
	const before = await readFile(file);
	expect((await trimClip({ file, format: "mp4", seconds: 2 })).type).toBe("fits");
	expect((await trimClip({ file, format: "mp4", seconds: 4 })).type).toBe("fits");
	expect(await readFile(file)).toEqual(before);
});

test("what cannot be cut without encoding is kept whole, with the reason", async () => {
	const file = join(await makeTestFolder(), "clip");
	await writeFile(file, "....ftypisom and then nothing that is a video");
	expect(await trimClip({ file, format: "mp4", seconds: 1 })).toMatchObject({ type: "kept" });
	expect(await readFile(file, "utf8")).toContain("ftypisom");
	expect(await trimClip({ file, format: "gif", seconds: 1 })).toMatchObject({
		type: "kept",
		reason: expect.stringContaining("GIF"),
	});
});

test("the thread cuts the same, and one that cannot run keeps the clip", async () => {
	const file = await fileOf({ seconds: 4 });
	const signal = new AbortController().signal;
	const cut = createThreadTrim(workerFile, systemClock);
	expect((await cut({ file, format: "mp4", seconds: 1 }, signal)).type).toBe("trimmed");
	expect((await contentOf(file)).seconds).toBeCloseTo(1, 1);
	const broken = createThreadTrim(new URL("./missing.ts", workerFile), systemClock);
	expect(await broken({ file, format: "mp4", seconds: 1 }, signal)).toMatchObject({ type: "kept" });
});
