/**
 * The renderer of before, kept as a reference: it draws every frame whole and encodes each as a WebP picture, which is a key frame of
 * VP8 that needs no other.
 */
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import createEncoder from "@jsquash/webp/codec/enc/webp_enc_simd.js";
import { defaultOptions } from "@jsquash/webp/meta.js";
import { FrameComposer } from "../../src/localService/video/render/frameComposer.ts";
import { framesPerSecond, type Scene } from "../../src/localService/video/render/scene.ts";
import type { EncodedFrame } from "../../src/localService/video/render/renderClip.ts";

/** Films a scene of `duration` seconds in key frames. */
export type FilmKeyFrames = (scene: Scene, duration: number) => readonly EncodedFrame[];

/** Quality of the picture, 0 to 100, and effort of the encoder, 0 to 6. */
const encoding = { ...defaultOptions, quality: 80, method: 2 };

/** Loads the encoder. */
export async function openKeyFrames(): Promise<FilmKeyFrames> {
	const { resolve } = createRequire(import.meta.url);
	const wasmBinary = await readFile(resolve("@jsquash/webp/codec/enc/webp_enc_simd.wasm"));
	const encoder = await createEncoder({
		wasmBinary: Uint8Array.from(wasmBinary).buffer,
		noInitialRun: true,
	});
	return (scene, duration) =>
		Array.from({ length: duration * framesPerSecond }, (_, index) => {
			const at = index / framesPerSecond;
			const composer = new FrameComposer(scene.ground());
			composer.compose(scene.frameAt(at));
			const { pixels, width, height } = composer.frame;
			const webp = encoder.encode(pixels, width, height, encoding);
			if (!webp) {
				throw new Error("The encoder refused a frame");
			}
			return { bytes: keyFrameOf(new Uint8Array(webp)), at, isKey: true };
		});
}

/** The `VP8 ` chunk of a lossy WebP file holds exactly one frame. @see https://datatracker.ietf.org/doc/html/rfc9649#section-2.5 */
function keyFrameOf(webp: Uint8Array): Uint8Array {
	const view = new DataView(webp.buffer);
	for (let at = 12; at + 8 <= webp.length;) {
		const size = view.getUint32(at + 4, true);
		if (view.getUint32(at) === 0x56_50_38_20) {
			return webp.slice(at + 8, at + 8 + size);
		}
		at += 8 + size + (size % 2);
	}
	throw new Error("The encoder gave no frame of VP8");
}
