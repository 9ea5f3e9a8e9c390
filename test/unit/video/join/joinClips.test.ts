// @module-tag thorough
import { execFileSync } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { renderClip } from "../../../../src/localService/video/render/renderClip.ts";
import { ClipRenderer } from "../../../../src/localService/video/render/clipRenderer.ts";
import { joinInThread } from "../../../helpers/joinThread.ts";
import { readWebm } from "../../../helpers/webm.ts";
import { packageAssets } from "../../localService/video/videoFixtures.ts";

let folder = "";
const seconds = [1, 2, 1] as const;
let clips: readonly string[] = [];
const never = new AbortController().signal;

beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), "cutaway-join-"));
	const renderer = await ClipRenderer.open(packageAssets);
	clips = await Promise.all(
		seconds.map(async (duration, index) => {
			const job = { type: "text", prompt: `Scene ${index}`, duration, motionStrength: 3 } as const;
			const file = join(folder, `scene-${index}.webm`);
			await writeFile(file, await renderClip(job, renderer));
			return file;
		}),
	);
}, 120_000);

afterAll(() => rm(folder, { recursive: true, force: true }));

test("clips of the local service become one of the sum of their lengths, with every frame as it was encoded", async () => {
	const target = join(folder, "joined.webm");
	const result = await joinInThread({ files: [...clips], target }, never);
	const bytes = await readFile(target);
	expect(result).toEqual({ type: "joined", format: "webm", size: bytes.length });
	const [joined, ...parts] = await Promise.all(
		[target, ...clips].map(async file => readWebm(await readFile(file))),
	);
	const frames = parts.flatMap(part => part.frames);
	expect(joined?.duration).toBeCloseTo(4, 2);
	expect(joined).toMatchObject({ codec: parts[0]?.codec, width: 1920, height: 1080 });
	expect(joined?.frames).toHaveLength(frames.length);
	joined?.frames.forEach((frame, index) => {
		expect(Buffer.compare(frame.bytes, frames[index]?.bytes ?? new Uint8Array())).toBe(0);
	});
	const times = joined?.frames.map(({ at }) => at) ?? [];
	expect(times).toEqual(times.toSorted((a, b) => a - b));
	// The first frame of each scene is where the one before it ended.
	const starts = parts.map((_, index) =>
		parts.slice(0, index).reduce((sum, part) => sum + part.frames.length, 0),
	);
	starts.forEach((frame, index) =>
		expect(times[frame]).toBeCloseTo([0, 1000, 3000][index] ?? 0, -1),
	);
});

const ffprobe = hasProgram("ffprobe");

test.skipIf(!ffprobe)("ffprobe reads the same length, size and number of frames", async () => {
	const target = join(folder, "probed.webm");
	await joinInThread({ files: [...clips], target }, never);
	const words =
		"-v error -count_frames -show_entries stream=width,height,nb_read_frames:format=duration -of json";
	const told = JSON.parse(
		execFileSync("ffprobe", [...words.split(" "), target], { encoding: "utf8" }),
	) as {
		streams: { width: number; height: number; nb_read_frames: string }[];
		format: { duration: string };
	};
	const parts = await Promise.all(clips.map(async file => readWebm(await readFile(file)).frames));
	const frames = String(parts.flat().length);
	expect(told.streams).toEqual([{ width: 1920, height: 1080, nb_read_frames: frames }]);
	expect(Number(told.format.duration)).toBeCloseTo(4, 1);
});

test("clips that differ in size are not joined, and the reason says how", async () => {
	const other = join(folder, "other.webm");
	const bytes = await readFile(clips[0] ?? "");
	// The track's own pixel width, B0 82 07 80: a clip of another service.
	const at = bytes.indexOf(Buffer.from([0xb0, 0x82, 0x07, 0x80]));
	expect(at).toBeGreaterThan(0);
	bytes.writeUInt16BE(640, at + 2);
	await writeFile(other, bytes);
	const target = join(folder, "differs.webm");
	const result = await joinInThread({ files: [clips[0] ?? "", other], target }, never);
	expect(result).toMatchObject({ type: "refused", reason: "differ" });
	expect(result.type === "refused" && result.detail).toContain("640x1080");
});

test("a file that is no video, or is not there, is named unreadable and does not end the program", async () => {
	const noVideo = join(folder, "none.webm");
	await writeFile(noVideo, "Not a video");
	for (const file of [noVideo, join(folder, "gone.webm")]) {
		const target = join(folder, "unreadable.webm");
		expect(await joinInThread({ files: [clips[0] ?? "", file], target }, never)).toMatchObject({
			type: "refused",
			reason: "unreadable",
		});
	}
});

test("a join that is no longer wanted ends", async () => {
	const stopper = new AbortController();
	const target = join(folder, "stopped.webm");
	const joining = joinInThread({ files: [...clips], target }, stopper.signal);
	stopper.abort();
	await expect(joining).rejects.toMatchObject({ name: "AbortError" });
});

function hasProgram(name: string): boolean {
	try {
		execFileSync(name, ["-version"], { stdio: "ignore" });
		return true;
	} catch {
		return false;
	}
}
