import { open, stat } from "node:fs/promises";
import { systemCode } from "../../common/errors.ts";

/** Why a model file can't be loaded. */
export type GgufFault = "missing" | "unreadable" | "empty" | "notGguf" | "truncated" | "damaged";

/** A file isn't a GGUF model, or is incomplete. */
export class GgufError extends Error {
	override readonly name = "GgufError";
	readonly fault: GgufFault;

	constructor(fault: GgufFault) {
		super(`The model's file is ${fault}.`);
		this.fault = fault;
	}
}

/** Metadata of a model file. */
export interface GgufHeader {
	/** Of all its files, where the model is in several. */
	readonly sizeBytes: number;
	readonly architecture: string;
	/** Empty if there is none. */
	readonly chatTemplate: string;
	/** The longest context that the model supports, in tokens; 0 if unknown. */
	readonly contextLength: number;
	/** Memory per token of context in bytes; an upper bound, because some layers need none. */
	readonly bytesPerToken: number;
}

/** The vocabulary is the largest part of a header, a few megabytes. */
const maxHeaderBytes = 64 * 1024 * 1024;
const maxEntries = 65_536;
const maxSizes = 4;
const maxNesting = 2;
/** The most files of a model. */
const maxFiles = 1_000;

/** Size of a value in bytes by GGUF type; 8 is text, 9 an array. */
const widths: Readonly<Record<number, number>> = {
	0: 1,
	1: 1,
	2: 2,
	3: 2,
	4: 4,
	5: 4,
	6: 4,
	7: 1,
	10: 8,
	11: 8,
	12: 8,
};
const shortType = 2;
const textType = 8;
const listType = 9;

/**
 * Reads a model file's header, and checks that it contains the start of every tensor. A model in several files is named by the first, which may have
 * no tensors; the others must be beside it. Rejects with `GgufError`.
 */
export async function readGguf(path: string): Promise<GgufHeader> {
	const { bytes, size } = await readHeader(path);
	if (size === 0) {
		throw new GgufError("empty");
	}
	if (bytes.subarray(0, 4).toString("latin1") !== "GGUF") {
		throw new GgufError("notGguf");
	}
	const reader = new HeaderReader(bytes, size);
	const version = reader.number(4);
	if (version !== 2 && version !== 3) {
		throw new GgufError("damaged");
	}
	const tensors = reader.count();
	const values = entriesOf(reader);
	const isSplit = numberIn(values.get("split.count")) > 1;
	if (tensors === 0 && !isSplit) {
		throw new GgufError("damaged");
	}
	checkTensors(reader, tensors, numberIn(values.get("general.alignment")) || 32);
	return headerOf(values, size + (isSplit ? await sizeOfOthers(path) : 0));
}

/** Returns the size in bytes of a model's files after the first, by their names in the form of llama.cpp. */
async function sizeOfOthers(path: string): Promise<number> {
	const [, start = "", total = "", end = ""] = /^(.*-)00001-of-(\d{5})(\.gguf)$/i.exec(path) ?? [];
	const others = Array.from(
		{ length: Math.max(0, Math.min(Number(total), maxFiles) - 1) },
		(_, index) => `${start}${String(index + 2).padStart(5, "0")}-of-${total}${end}`,
	);
	const sizes = await Promise.all(others.map(async other => (await stat(other)).size)).catch(
		() => undefined,
	);
	if (sizes === undefined || sizes.length === 0) {
		throw new GgufError("missing");
	}
	return sizes.reduce((sum, size) => sum + size, 0);
}

async function readHeader(path: string): Promise<{ bytes: Buffer; size: number }> {
	try {
		const file = await open(path, "r");
		try {
			const { size } = await file.stat();
			const bytes = Buffer.alloc(Math.min(size, maxHeaderBytes));
			const { bytesRead } = await file.read(bytes, 0, bytes.length, 0);
			return { bytes: bytes.subarray(0, bytesRead), size };
		} finally {
			await file.close();
		}
	} catch (error) {
		const isMissing = systemCode(error) === "ENOENT";
		throw new GgufError(isMissing ? "missing" : "unreadable");
	}
}

/** Reads a header sequentially, never beyond its end. */
class HeaderReader {
	private readonly bytes: Buffer;
	private readonly size: number;
	at = 4;

	constructor(bytes: Buffer, size: number) {
		this.bytes = bytes;
		this.size = size;
	}

	/** Advances by a length and returns the previous position. */
	skip(length: number): number {
		const from = this.at;
		if (!(length <= this.bytes.length - from)) {
			throw new GgufError(this.bytes.length < this.size ? "damaged" : "truncated");
		}
		this.at += length;
		return from;
	}

	/** Reads an unsigned number of 2, 4 or 8 bytes. Numbers beyond a double's range become infinite. */
	number(width: 2 | 4 | 8): number {
		const from = this.skip(width);
		if (width === 2) {
			return this.bytes.readUInt16LE(from);
		}
		return width === 4 ? this.bytes.readUInt32LE(from) : Number(this.bytes.readBigUInt64LE(from));
	}

	count(): number {
		const count = this.number(8);
		if (count > maxEntries) {
			throw new GgufError("damaged");
		}
		return count;
	}

	text(): string {
		const length = this.number(8);
		const from = this.skip(length);
		return this.bytes.toString("utf8", from, from + length);
	}

	value(type: number, nesting = 0): string | number | undefined {
		if (type === textType) {
			return this.text();
		}
		if (type === listType) {
			this.skipList(nesting);
			return undefined;
		}
		const width = widths[type];
		if (width === undefined) {
			throw new GgufError("damaged");
		}
		if (width === 4 && type !== 6) {
			return this.number(4);
		}
		if (type === 10) {
			return this.number(8);
		}
		if (type === shortType) {
			return this.number(2);
		}
		this.skip(width);
		return undefined;
	}

	/** Throws if the file ends before a position. */
	checkSize(place: number): void {
		if (!(place < this.size)) {
			throw new GgufError("truncated");
		}
	}

	private skipList(nesting: number): void {
		const type = this.number(4);
		const length = this.number(8);
		const width = widths[type];
		if (width !== undefined) {
			this.skip(width * length);
			return;
		}
		if (nesting >= maxNesting) {
			throw new GgufError("damaged");
		}
		// Every item takes bytes, so the file's size bounds the loop.
		for (let index = 0; index < length; index += 1) {
			if (type === textType) {
				this.skip(this.number(8));
			} else {
				this.value(type, nesting + 1);
			}
		}
	}
}

function entriesOf(reader: HeaderReader): ReadonlyMap<string, string | number | undefined> {
	const count = reader.count();
	const values = new Map<string, string | number | undefined>();
	for (let index = 0; index < count; index += 1) {
		const key = reader.text();
		values.set(key, reader.value(reader.number(4)));
	}
	return values;
}

function checkTensors(reader: HeaderReader, count: number, alignment: number): void {
	let last = 0;
	for (let index = 0; index < count; index += 1) {
		reader.text();
		const sizes = reader.number(4);
		if (sizes > maxSizes) {
			throw new GgufError("damaged");
		}
		reader.skip(8 * sizes + 4);
		last = Math.max(last, reader.number(8));
	}
	const data = Math.ceil(reader.at / alignment) * alignment;
	if (count > 0) {
		reader.checkSize(data + last);
	}
}

function headerOf(
	values: ReadonlyMap<string, string | number | undefined>,
	sizeBytes: number,
): GgufHeader {
	const architecture = textIn(values.get("general.architecture"));
	const own = (name: string): number => numberIn(values.get(`${architecture}.${name}`));
	const heads = own("attention.head_count");
	const headSize = own("attention.key_length") || own("embedding_length") / Math.max(1, heads);
	// The other layers store a state.
	const interval = own("full_attention_interval") || 1;
	const keyHeads = own("attention.head_count_kv") || heads;
	return {
		sizeBytes,
		architecture,
		chatTemplate: textIn(values.get("tokenizer.chat_template")),
		contextLength: own("context_length"),
		// Key and value with two bytes per number, in every layer that stores tokens.
		bytesPerToken: Math.ceil(own("block_count") / interval) * keyHeads * headSize * 4,
	};
}

function textIn(value: string | number | undefined): string {
	return typeof value === "string" ? value : "";
}

function numberIn(value: string | number | undefined): number {
	return typeof value === "number" && Number.isFinite(value) ? value : 0;
}

const shortestContext = 2_048;
const longestContext = 8_192;
/** Memory for computation in bytes, besides weights and context. */
const workingBytes = 300 * 1024 * 1024;

/**
 * Returns a model's context in tokens, a power of two from 2,048 to 8,192: the longest for which the free memory suffices besides the weights.
 * `wanted` is the user's setting, or 0. Never longer than the model supports.
 */
export function contextThatFits(
	{ sizeBytes, bytesPerToken, contextLength }: GgufHeader,
	wanted: number,
	freeBytes: number,
): number {
	const longest = contextLength || longestContext;
	if (wanted > 0) {
		return Math.min(wanted, longest);
	}
	const room = roomFor(sizeBytes, freeBytes);
	let length = shortestContext;
	while (length < longestContext && length * 2 * bytesPerToken <= room) {
		length *= 2;
	}
	return Math.min(length, longest);
}

/** Returns the number of conversations of this length in tokens to cache: two, so that they don't replace each other, or one if memory is low. */
export function conversationsThatFit(
	header: GgufHeader,
	length: number,
	freeBytes: number,
): number {
	return 2 * length * header.bytesPerToken <= roomFor(header.sizeBytes, freeBytes) ? 2 : 1;
}

function roomFor(sizeBytes: number, freeBytes: number): number {
	return freeBytes - sizeBytes - workingBytes;
}
