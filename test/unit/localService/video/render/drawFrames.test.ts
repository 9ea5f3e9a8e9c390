// @module-tag thorough
import { inflateSync } from "node:zlib";
import { expect, test } from "vitest";
import { scenesOf } from "../../../../../src/clip/clipLength.ts";
import type { FramesHeader } from "../../../../../src/common/clipLooks.ts";
import type { FramesJob } from "../../../../../src/localService/video/assets.ts";
import { ClipRenderer } from "../../../../../src/localService/video/render/clipRenderer.ts";
import { drawFrames } from "../../../../../src/localService/video/render/drawFrames.ts";
import { FrameComposer } from "../../../../../src/localService/video/render/frameComposer.ts";
import { createScene } from "../../../../../src/localService/video/render/renderClip.ts";
import { packageAssets } from "../videoFixtures.ts";

const studio = await ClipRenderer.open(packageAssets);
const code = "```ts\nexport const answer = 42;\n```";
const job = { type: "text" as const, prompt: code, duration: 1, motionStrength: 5 };

/** What a file of frames holds: its header, and the pictures that it makes one after the other. */
function read(order: Omit<FramesJob, "type">) {
	const file = Buffer.from(drawFrames({ type: "frames", ...order }, studio));
	const length = file.readUInt32LE(0);
	const header = JSON.parse(file.toString("utf8", 4, 4 + length)) as FramesHeader;
	const picture = Buffer.alloc(header.width * header.height * 4);
	let at = 4 + length;
	const pictures = header.frames.map(({ left, top, width, height, size }) => {
		const part = inflateSync(file.subarray(at, at + size));
		at += size;
		for (let row = 0; row < height; row += 1) {
			part.copy(
				picture,
				((top + row) * header.width + left) * 4,
				row * width * 4,
				(row + 1) * width * 4,
			);
		}
		return Buffer.from(picture);
	});
	expect(at).toBe(file.length);
	return { header, pictures };
}

test("the frames are those of the clip, byte for byte, and each holds only what changed", () => {
	const { header, pictures } = read({ scenes: [job], rate: 4, hasGround: true });
	expect(header).toMatchObject({ width: 1920, height: 1080, durationMs: 1000 });
	expect(header.frames.map(({ atMs }) => atMs)).toEqual(
		[0, 250, 500, 750].slice(0, pictures.length),
	);
	expect(header.frames.at(-1)?.height).toBeLessThan(200);
	const scene = createScene(job, studio);
	const composer = new FrameComposer(scene.ground());
	for (const [index, { atMs }] of header.frames.entries()) {
		composer.compose(scene.frameAt(atMs / 1000));
		expect(pictures[index]?.equals(composer.frame.pixels)).toBe(true);
	}
});

test("without the background the window is left alone, in its own colors", () => {
	const whole = read({ scenes: [job], hasGround: true }).pictures[0];
	const { header, pictures } = read({ scenes: [job], hasGround: false });
	expect(header.frames).toHaveLength(1);
	const middle = (540 * 1920 + 960) * 4;
	expect([...(pictures[0]?.subarray(0, 4) ?? [])]).toEqual([0, 0, 0, 0]);
	expect(pictures[0]?.subarray(middle, middle + 4)).toEqual(whole?.subarray(middle, middle + 4));
});

test("a whole picture is as high as its code, and the last frame alone is of the clip's shape", () => {
	const prompt = `\`\`\`ts\n${"export const answer = 42;\n".repeat(40)}\`\`\``;
	const long = { ...job, prompt, duration: 2, motionStrength: 2 };
	const order = { scenes: [long], hasGround: true };
	expect(read(order).header).toMatchObject({ width: 1920, height: 1080 });
	const { header, pictures } = read({ ...order, isWhole: true });
	expect(header.height).toBeGreaterThan(2000);
	expect(header.frames).toMatchObject([{ left: 0, top: 0, width: 1920, height: header.height }]);
	expect(pictures).toHaveLength(1);
});

test("frames of too many bytes are refused", () => {
	const order = { type: "frames" as const, scenes: [job], hasGround: true };
	expect(() => drawFrames(order, studio, 1000)).toThrow("more than 1000 bytes");
});

test("a long clip's scenes follow each other, and its last frame is that of the last", () => {
	const scenes = scenesOf(code, 6).map(scene => ({ ...job, ...scene }));
	const { header, pictures } = read({ scenes, rate: 2, hasGround: true });
	expect(header.durationMs).toBe(6000);
	expect(header.frames.map(({ atMs }) => atMs)).toContain(4000);
	const last = read({ scenes, hasGround: true });
	expect(last.header).toMatchObject({ durationMs: 6000, frames: [{ atMs: 0 }] });
	expect(last.pictures[0]?.equals(pictures.at(-1) ?? Buffer.alloc(0))).toBe(true);
});
