/**
 * How records become bytes and come back. One line per record, JSON inside JSON:
 * `{"v":1,"n":4,"sum":"1a2b3c4d","record":{…}}`. `v` is the version of the format, `n` counts lines from 0, `sum` is the
 * CRC-32 of the record's bytes seeded with `n`, so that a lost, repeated or foreign line shows as well as a changed one.
 */
import { crc32 } from "node:zlib";
import { atOnce } from "../../common/async.ts";
import { type ChatRecord, chatRecordSchema } from "./chatRecord.ts";

/** The version of the format written here; files of a higher one are shown and left alone (L9). */
const logVersion = 1;

/** Records in the bytes of a log, and its condition. */
export interface DecodedLog {
	/** The readable records in order, with a `gap` where lines were lost. */
	readonly records: readonly ChatRecord[];
	/** `tornTail`: the last line was cut off while being written. `damaged`: something else could not be read. */
	readonly condition: "whole" | "tornTail" | "damaged" | "newer";
	/** Length of the readable part in bytes when the log is whole or torn; the next line goes there. */
	readonly length: number;
	/** The number of the next line. */
	readonly nextNumber: number;
}

/** Encodes records as the lines numbered from `firstNumber`. */
export function encodeRecords(records: readonly ChatRecord[], firstNumber: number): Buffer {
	return Buffer.concat(
		records.flatMap((record, offset) =>
			encodeLine(Buffer.from(JSON.stringify(record)), firstNumber + offset),
		),
	);
}

/**
 * Decodes a whole log, or the part of it that begins with line `firstNumber`. Never throws: whatever the bytes are, it says what
 * of them could be read.
 */
export function decodeLog(bytes: Uint8Array, firstNumber = 0): DecodedLog {
	return atOnce(decodingLog(bytes, firstNumber));
}

/** The same line by line, for logs of any length. */
export function* decodingLog(bytes: Uint8Array, firstNumber = 0): Generator<undefined, DecodedLog> {
	const buffer = asBuffer(bytes);
	const records: ChatRecord[] = [];
	let nextNumber = firstNumber;
	let isDamaged = false;
	let start = 0;
	for (let end = buffer.indexOf(lineEnd); end !== -1; end = buffer.indexOf(lineEnd, start)) {
		const line = decodeLine(buffer.subarray(start, end));
		if (line.type === "newer") {
			return { records, condition: "newer", length: start, nextNumber };
		}
		start = end + 1;
		if (line.type === "unreadable" || line.number !== nextNumber) {
			isDamaged = true;
			addGap(records);
		}
		if (line.type === "record") {
			records.push(line.record);
			nextNumber = line.number;
		}
		nextNumber += 1;
		yield;
	}
	const tail = buffer.subarray(start);
	if (isNewerLine(tail)) {
		return { records, condition: "newer", length: start, nextNumber };
	}
	if (tail.length > 0 && !isTornLine(tail)) {
		isDamaged = true;
		addGap(records);
	}
	const condition = isDamaged ? "damaged" : tail.length > 0 ? "tornTail" : "whole";
	return { records, condition, length: start, nextNumber };
}

/** The readable records among the lines of a piece of a log; a line cut by the piece's ends is left out. */
export function decodePiece(bytes: Uint8Array): ChatRecord[] {
	return [...recordsOf(bytes)].map(({ record }) => record);
}

/** The same, one after the other, each with the place of the byte behind its line. */
export function* recordsOf(
	bytes: Uint8Array,
): Generator<{ readonly record: ChatRecord; readonly end: number }> {
	const buffer = asBuffer(bytes);
	let start = 0;
	for (let end = buffer.indexOf(lineEnd); end !== -1; end = buffer.indexOf(lineEnd, start)) {
		const line = decodeLine(buffer.subarray(start, end));
		start = end + 1;
		if (line.type === "record") {
			yield { record: line.record, end: start };
		}
	}
}

type LogLine =
	| { readonly type: "record"; readonly number: number; readonly record: ChatRecord }
	| { readonly type: "newer" }
	| { readonly type: "unreadable" };

const lineEnd = 0x0a;
const lineStart = '{"v":';
const envelope = /^\{"v":(\d{1,9}),"n":(\d{1,15}),"sum":"([0-9a-f]{8})","record":/;
const versionOnly = /^\{"v":(\d{1,9})[,}]/;
/** Longer than any envelope. */
const maxEnvelopeBytes = 80;

/** The parts of a line; a long record becomes bytes once. */
function encodeLine(record: Buffer, number: number): Buffer[] {
	const head = `{"v":${logVersion},"n":${number},"sum":"${checksum(record, number)}","record":`;
	return [Buffer.from(head), record, lineTail];
}

const lineTail = Buffer.from("}\n");

function checksum(record: Uint8Array, number: number): string {
	return crc32(record, number % 0x1_0000_0000)
		.toString(16)
		.padStart(8, "0");
}

function decodeLine(line: Buffer): LogLine {
	if (isNewerLine(line)) {
		return { type: "newer" };
	}
	const match = envelope.exec(line.toString("latin1", 0, maxEnvelopeBytes));
	if (!match || Number(match[1]) !== logVersion || line.at(-1) !== 0x7d) {
		return { type: "unreadable" };
	}
	const number = Number(match[2]);
	const record = line.subarray(match[0].length, -1);
	if (checksum(record, number) !== match[3]) {
		return { type: "unreadable" };
	}
	// A right checksum says that the line is as it was written, so what is unknown here was known to its writer.
	const parsed = chatRecordSchema.safeParse(parseJson(record.toString("utf8")));
	return parsed.success ? { type: "record", number, record: parsed.data } : { type: "newer" };
}

function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

function isNewerLine(line: Buffer): boolean {
	return Number(versionOnly.exec(line.toString("latin1", 0, maxEnvelopeBytes))?.[1]) > logVersion;
}

/** Whether bytes without a line end can be the beginning of a line of ours. */
function isTornLine(tail: Buffer): boolean {
	const head = tail.toString("latin1", 0, lineStart.length);
	return lineStart.startsWith(head) && !tail.includes(0);
}

function addGap(records: ChatRecord[]): void {
	if (records.at(-1)?.type !== "gap") {
		records.push({ type: "gap" });
	}
}

function asBuffer(bytes: Uint8Array): Buffer {
	return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
