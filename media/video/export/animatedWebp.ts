/** A frame of an animation. `image` is a still WebP of the given size. */
export interface WebpFrame {
	/** Position in the animation, in pixels; even, because the format stores half of it. */
	readonly left: number;
	readonly top: number;
	readonly width: number;
	readonly height: number;
	readonly durationMs: number;
	readonly image: Uint8Array;
}

/** Properties of the whole animation. */
export interface WebpAnimation {
	readonly width: number;
	readonly height: number;
	readonly isLooping: boolean;
	readonly hasAlpha: boolean;
	readonly frames: readonly WebpFrame[];
}

/** Combines still images, each drawn over those before it, into an animated WebP. RFC 9649 §2.7. */
export function animatedWebp(animation: WebpAnimation): Uint8Array<ArrayBuffer> {
	const { width, height, isLooping, hasAlpha, frames } = animation;
	const animated = 0b10;
	const transparent = 0b1_0000;
	const header = [
		hasAlpha ? animated | transparent : animated,
		0,
		0,
		0,
		...bytesOf(width - 1, 3),
		...bytesOf(height - 1, 3),
	];
	const background = [0, 0, 0, 0];
	const content = [
		ascii("WEBP"),
		...chunk("VP8X", Uint8Array.from(header)),
		...chunk("ANIM", Uint8Array.from([...background, ...bytesOf(isLooping ? 0 : 1, 2)])),
		...frames.flatMap(frame => chunk("ANMF", frameOf(frame))),
	];
	return joined([ascii("RIFF"), Uint8Array.from(bytesOf(sizeOf(content), 4)), ...content]);
}

function frameOf({ left, top, width, height, durationMs, image }: WebpFrame): Uint8Array {
	const isNotBlended = 0b10;
	const place = [left / 2, top / 2, width - 1, height - 1, Math.round(durationMs)];
	return joined([
		Uint8Array.from([...place.flatMap(value => bytesOf(value, 3)), isNotBlended]),
		...pictureChunks(image),
	]);
}

/** Returns the image chunks of a still WebP unchanged. */
function pictureChunks(image: Uint8Array): Uint8Array[] {
	const view = new DataView(image.buffer, image.byteOffset, image.byteLength);
	const chunks: Uint8Array[] = [];
	for (let at = 12; at + 8 <= image.length;) {
		const name = String.fromCharCode(...image.subarray(at, at + 4));
		const size = view.getUint32(at + 4, true);
		const end = at + 8 + size + (size % 2);
		if (name === "ALPH" || name === "VP8 " || name === "VP8L") {
			chunks.push(image.subarray(at, end));
		}
		at = end;
	}
	if (chunks.length === 0) {
		throw new Error("notWebp");
	}
	return chunks;
}

/** Returns a chunk, padded to an even length. */
function chunk(name: string, content: Uint8Array): Uint8Array[] {
	const head = Uint8Array.from([...ascii(name), ...bytesOf(content.length, 4)]);
	return [head, content, new Uint8Array(content.length % 2)];
}

function ascii(text: string): Uint8Array {
	return Uint8Array.from(text, character => character.charCodeAt(0));
}

/** Encodes a number as little-endian bytes. */
function bytesOf(value: number, count: number): number[] {
	return Array.from({ length: count }, (_, index) => Math.floor(value / 256 ** index) % 256);
}

function sizeOf(parts: readonly Uint8Array[]): number {
	return parts.reduce((sum, { length }) => sum + length, 0);
}

function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
	const whole = new Uint8Array(sizeOf(parts));
	let at = 0;
	for (const part of parts) {
		whole.set(part, at);
		at += part.length;
	}
	return whole;
}
