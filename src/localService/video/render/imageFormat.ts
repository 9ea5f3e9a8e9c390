export type ImageFormat = "png" | "jpeg" | "gif" | "webp";

/** Image properties from its first bytes. */
export interface ImageHeader {
	readonly format: ImageFormat;
	/** Size in pixels, as displayed. */
	readonly width: number;
	readonly height: number;
	/** Rotation and mirroring of the stored pixels, 1 to 8; absent for none. Exif 2.3, tag 0x0112. */
	readonly orientation?: number;
}

/** Reads format and size from the bytes, regardless of the content type. Returns undefined for other formats. */
export function readImageHeader(bytes: Uint8Array): ImageHeader | undefined {
	const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	const starts = (...expected: readonly number[]): boolean =>
		expected.every((byte, index) => bytes[index] === byte);
	try {
		if (starts(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)) {
			return { format: "png", width: view.getUint32(16), height: view.getUint32(20) };
		}
		if (starts(0x47, 0x49, 0x46, 0x38)) {
			return { format: "gif", width: view.getUint16(6, true), height: view.getUint16(8, true) };
		}
		if (starts(0xff, 0xd8, 0xff)) {
			return readJpeg(view);
		}
		if (starts(0x52, 0x49, 0x46, 0x46) && view.getUint32(8) === 0x57_45_42_50) {
			return readWebp(view);
		}
		return undefined;
	} catch (error) {
		if (error instanceof RangeError) {
			return undefined;
		}
		throw error;
	}
}

/** Reads the segments up to the frame header. @see https://www.w3.org/Graphics/JPEG/itu-t81.pdf §B.2.2 */
function readJpeg(view: DataView): ImageHeader | undefined {
	let position = 2;
	let orientation = 1;
	for (;;) {
		const marker = view.getUint16(position);
		const isFrame = marker >= 0xff_c0 && marker <= 0xff_cf;
		if (isFrame && ![0xff_c4, 0xff_c8, 0xff_cc].includes(marker)) {
			const high = view.getUint16(position + 5);
			const wide = view.getUint16(position + 7);
			// From 5 on, the image is rotated by 90°.
			const [width, height] = orientation > 4 ? [high, wide] : [wide, high];
			return { format: "jpeg", width, height, orientation };
		}
		if (marker === exifMarker && view.getUint32(position + 4) === 0x45_78_69_66) {
			orientation = readOrientation(view, position + 10);
		}
		if (marker < 0xff_c0) {
			return undefined;
		}
		position += 2 + view.getUint16(position + 2);
	}
}

const exifMarker = 0xff_e1;

/** Reads the orientation from the first directory of the Exif TIFF block. Returns 1 if there is none. */
function readOrientation(view: DataView, tiff: number): number {
	const isLittleEndian = view.getUint16(tiff) === 0x49_49;
	const directory = tiff + view.getUint32(tiff + 4, isLittleEndian);
	const count = view.getUint16(directory, isLittleEndian);
	for (let index = 0; index < count; index += 1) {
		const entry = directory + 2 + index * 12;
		if (view.getUint16(entry, isLittleEndian) === 0x01_12) {
			const value = view.getUint16(entry + 8, isLittleEndian);
			return value >= 1 && value <= 8 ? value : 1;
		}
	}
	return 1;
}

/** Reads the three kinds of first chunk. @see https://developers.google.com/speed/webp/docs/riff_container */
function readWebp(view: DataView): ImageHeader | undefined {
	const chunk = view.getUint32(12);
	if (chunk === 0x56_50_38_58) {
		const size = (at: number): number =>
			view.getUint16(at, true) + (view.getUint8(at + 2) << 16) + 1;
		return { format: "webp", width: size(24), height: size(27) };
	}
	if (chunk === 0x56_50_38_4c) {
		const bits = view.getUint32(21, true);
		return { format: "webp", width: (bits & 0x3f_ff) + 1, height: ((bits >>> 14) & 0x3f_ff) + 1 };
	}
	return chunk === 0x56_50_38_20
		? {
				format: "webp",
				width: view.getUint16(26, true) & 0x3f_ff,
				height: view.getUint16(28, true) & 0x3f_ff,
			}
		: undefined;
}
