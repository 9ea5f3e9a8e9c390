/** Reads WebM files, independently of what writes them. @see https://www.rfc-editor.org/rfc/rfc9559 */

/** One element of a file, with its children when it has any. */
interface Element {
	readonly id: number;
	readonly data: Uint8Array;
	readonly children: readonly Element[];
}

/** What a file says about itself and what its frames are. */
export interface WebmReport {
	readonly docType: string;
	readonly codec: string;
	/** Size that the track names, in pixels. */
	readonly width: number;
	readonly height: number;
	/** Seconds. */
	readonly duration: number;
	readonly frames: readonly WebmFrame[];
}

/** One frame of the video track. */
export interface WebmFrame {
	/** Milliseconds from the start. */
	readonly at: number;
	/** As the container marks it and as the VP8 header says. RFC 6386 §9.1. */
	readonly isKey: boolean;
	readonly width: number;
	readonly height: number;
	readonly bytes: Uint8Array;
}

const ids = {
	ebml: 0x1a45dfa3,
	docType: 0x4282,
	segment: 0x18538067,
	info: 0x1549a966,
	timestampScale: 0x2ad7b1,
	duration: 0x4489,
	tracks: 0x1654ae6b,
	track: 0xae,
	codec: 0x86,
	video: 0xe0,
	pixelWidth: 0xb0,
	pixelHeight: 0xba,
	cluster: 0x1f43b675,
	timestamp: 0xe7,
	simpleBlock: 0xa3,
	blockGroup: 0xa0,
	block: 0xa1,
} as const;

const parents = new Set<number>([
	ids.ebml,
	ids.segment,
	ids.info,
	ids.tracks,
	ids.track,
	ids.video,
	ids.cluster,
	ids.blockGroup,
]);

/** Walks a whole file; throws when an element reaches past its parent. */
export function readWebm(file: Uint8Array): WebmReport {
	const root = readElements(file);
	const header = one(root, ids.ebml);
	const segment = one(root, ids.segment);
	const info = one(segment.children, ids.info);
	const track = one(one(segment.children, ids.tracks).children, ids.track);
	const video = one(track.children, ids.video);
	const scale = unsigned(one(info.children, ids.timestampScale)) / 1e6;
	const clusters = segment.children.filter(element => element.id === ids.cluster);
	return {
		docType: text(one(header.children, ids.docType)),
		codec: text(one(track.children, ids.codec)),
		width: unsigned(one(video.children, ids.pixelWidth)),
		height: unsigned(one(video.children, ids.pixelHeight)),
		duration: (float(one(info.children, ids.duration)) * scale) / 1000,
		frames: clusters.flatMap(cluster => framesOf(cluster, scale)),
	};
}

function framesOf(cluster: Element, scale: number): readonly WebmFrame[] {
	const start = unsigned(one(cluster.children, ids.timestamp));
	return cluster.children.flatMap(child => {
		if (child.id === ids.simpleBlock) {
			return [frameOf(child.data, start, scale, (child.data[3] ?? 0) >= 0x80)];
		}
		return child.id === ids.blockGroup
			? [frameOf(one(child.children, ids.block).data, start, scale, true)]
			: [];
	});
}

function frameOf(block: Uint8Array, start: number, scale: number, isMarkedKey: boolean): WebmFrame {
	const view = viewOf(block);
	const bytes = block.subarray(4);
	const vp8 = viewOf(bytes);
	const hasStartCode = bytes[3] === 0x9d && bytes[4] === 0x01 && bytes[5] === 0x2a;
	return {
		at: (start + view.getInt16(1)) * scale,
		isKey: isMarkedKey && ((bytes[0] ?? 1) & 1) === 0 && hasStartCode,
		width: vp8.getUint16(6, true) & 0x3fff,
		height: vp8.getUint16(8, true) & 0x3fff,
		bytes,
	};
}

function readElements(data: Uint8Array): readonly Element[] {
	const elements: Element[] = [];
	let position = 0;
	while (position < data.length) {
		const id = readNumber(data, position, false);
		const size = readNumber(data, position + id.length, true);
		const start = position + id.length + size.length;
		const end = start + size.value;
		if (end > data.length) {
			throw new Error(`Element ${id.value.toString(16)} reaches past its parent`);
		}
		const content = data.subarray(start, end);
		const children = parents.has(id.value) ? readElements(content) : [];
		elements.push({ id: id.value, data: content, children });
		position = end;
	}
	return elements;
}

/** A number of variable length. RFC 8794 §4. */
function readNumber(
	data: Uint8Array,
	position: number,
	isSize: boolean,
): { readonly value: number; readonly length: number } {
	const first = data[position] ?? 0;
	const length = Math.clz32(first) - 23;
	let value = isSize ? first & ((1 << (8 - length)) - 1) : first;
	for (let index = 1; index < length; index += 1) {
		value = value * 256 + (data[position + index] ?? 0);
	}
	return { value, length };
}

function one(elements: readonly Element[], id: number): Element {
	const found = elements.find(element => element.id === id);
	if (!found) {
		throw new Error(`Element ${id.toString(16)} is missing`);
	}
	return found;
}

function viewOf(bytes: Uint8Array): DataView {
	return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function unsigned({ data }: Element): number {
	return data.reduce((sum, byte) => sum * 256 + byte, 0);
}

function float({ data }: Element): number {
	return data.length === 4 ? viewOf(data).getFloat32(0) : viewOf(data).getFloat64(0);
}

function text({ data }: Element): string {
	return new TextDecoder().decode(data);
}
