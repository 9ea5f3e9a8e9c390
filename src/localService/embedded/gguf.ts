import { open } from "node:fs/promises";

/** Why a file is no model that can be loaded. */
export type GgufFault = "missing" | "unreadable" | "empty" | "notGguf" | "truncated" | "damaged";

/** A file is not a model in GGUF, or not a whole one. */
export class GgufError extends Error {
	override readonly name = "GgufError";
	readonly fault: GgufFault;

	constructor(fault: GgufFault) {
		super(`The model's file is ${fault}.`);
		this.fault = fault;
	}
}

/** What the beginning of a model's file tells. */
export interface GgufHeader {
	readonly sizeBytes: number;
	readonly architecture: string;
	/** Empty where the file has none. */
	readonly chatTemplate: string;
	/** The longest context the model was made for, in tokens; 0 where the file does not tell. */
	readonly contextLength: number;
	/** Memory that a token of context takes, in bytes; at most, since some layers keep none. */
	readonly bytesPerToken: number;
}

/** Vocabularies are the largest part of a header, a few megabytes. */
const maxHeaderBytes = 64 * 1024 * 1024;
const maxEntries = 65_536;
const maxSizes = 4;
const maxNesting = 2;

/** Bytes of a value by GGUF's number of its type; texts are 8, lists 9. */
const widths: Readonly<Record<number, number>> = {
	...{ 0: 1, 1: 1, 2: 2, 3: 2, 4: 4, 5: 4, 6: 4, 7: 1, 10: 8, 11: 8, 12: 8 },
};
const textType = 8;
const listType = 9;

/** Reads what a model's file tells of itself, and that it holds all its tensors' beginnings. Rejects with `GgufError`. */
export async function readGguf(path: string): Promise<GgufHeader> {
	const { bytes, size } = await readBeginning(path);
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
	checkTensors(reader, tensors, numberIn(values.get("general.alignment")) || 32);
	return headerOf(values, size);
}

async function readBeginning(path: string): Promise<{ bytes: Buffer; size: number }> {
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
		const isMissing = error instanceof Error && "code" in error && error.code === "ENOENT";
		throw new GgufError(isMissing ? "missing" : "unreadable");
	}
}

/** Reads a header in order, and never past its end. */
class HeaderReader {
	private readonly bytes: Buffer;
	private readonly size: number;
	at = 4;

	constructor(bytes: Buffer, size: number) {
		this.bytes = bytes;
		this.size = size;
	}

	/** Moves on by a length, and gives where it began. */
	skip(length: number): number {
		const from = this.at;
		if (!(length <= this.bytes.length - from)) {
			throw new GgufError(this.bytes.length < this.size ? "damaged" : "truncated");
		}
		this.at += length;
		return from;
	}

	/** An unsigned number of 4 or 8 bytes; a larger one than a double can hold counts as endless. */
	number(width: 4 | 8): number {
		const from = this.skip(width);
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

	/** A text or a number; undefined for what no use is made of. */
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
		this.skip(width);
		return undefined;
	}

	/** Throws where the file ends before a place in it. */
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
		// Every item takes bytes, so that the file's end bounds the loop.
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
	if (count === 0) {
		throw new GgufError("damaged");
	}
	reader.checkSize(data + last);
}

function headerOf(
	values: ReadonlyMap<string, string | number | undefined>,
	sizeBytes: number,
): GgufHeader {
	const architecture = textIn(values.get("general.architecture"));
	const own = (name: string): number => numberIn(values.get(`${architecture}.${name}`));
	const heads = own("attention.head_count");
	const headSize = own("attention.key_length") || own("embedding_length") / Math.max(1, heads);
	const keyHeads = own("attention.head_count_kv") || heads;
	return {
		sizeBytes,
		architecture,
		chatTemplate: textIn(values.get("tokenizer.chat_template")),
		contextLength: own("context_length"),
		// A key and a value of two bytes a number, in every layer.
		bytesPerToken: own("block_count") * keyHeads * headSize * 4,
	};
}

function textIn(value: string | number | undefined): string {
	return typeof value === "string" ? value : "";
}

function numberIn(value: string | number | undefined): number {
	return typeof value === "number" && Number.isFinite(value) ? value : 0;
}
