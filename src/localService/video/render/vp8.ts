/**
 * Takes the VP8 key frame out of a lossy WebP file: the `VP8 ` chunk holds exactly one. Throws when there is none, as
 * with lossless files. @see https://datatracker.ietf.org/doc/html/rfc9649#section-2.5
 */
export function keyFrameOf(webp: Uint8Array): Uint8Array {
	const view = new DataView(webp.buffer, webp.byteOffset, webp.byteLength);
	let position = 12;
	while (position + 8 <= webp.byteLength) {
		const size = view.getUint32(position + 4, true);
		if (view.getUint32(position) === 0x56_50_38_20) {
			return webp.subarray(position + 8, position + 8 + size);
		}
		// Chunks begin at even offsets.
		position += 8 + size + (size % 2);
	}
	throw new Error("The encoder gave no VP8 frame");
}
