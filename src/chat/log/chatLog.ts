/**
 * Encodes and decodes records. Each is a line with JSON inside JSON: `{"v":1,"n":4,"sum":"1a2b3c4d","record":{…}}`. `v` is the version of the format,
 * `n` counts lines from 0, and `sum` is the CRC-32 of the record's bytes seeded with `n`, which detects lost, repeated, foreign and changed lines.
 */
import { checksum } from "../../storage/atomicFile.ts";
import { atOnce } from "../../common/async.ts";
import { parseJson } from "../../common/json.ts";
import { type ChatRecord, chatRecordSchema } from "./chatRecord.ts";

/** Version of the written format. Files of a higher version are shown but not changed. */
const logVersion = 1;

export interface DecodedLog {
	/** The readable records in order, with a `gap` in place of lost lines. */
	readonly records: readonly ChatRecord[];
	/** `tornTail`: the last line is incomplete. `damaged`: something else is unreadable. */
	readonly condition: "whole" | "tornTail" | "damaged" | "newer";
	/** Length in bytes of the readable part of a whole or torn log, where the next line goes. */
	readonly length: number;
	readonly nextNumber: number;
}

/**
 * Encodes records as lines numbered from `firstNumber`. Only fields of the schema are written, so that nothing else an object has, such as an absolute
 * path, reaches the disk. A record that the schema refuses is written as it is: losing it would be worse.
 */
export function encodeRecords(records: readonly ChatRecord[], firstNumber: number): Buffer {
	return Buffer.concat(
		records.flatMap((record, offset) =>
			encodeLine(
				Buffer.from(JSON.stringify(chatRecordSchema.safeParse(record).data ?? record)),
				firstNumber + offset,
			),
		),
	);
}

/** Decodes a log. Never throws: reports what could be read. */
export function decodeLog(bytes: Uint8Array): DecodedLog {
	return atOnce(decodingLog(bytes));
}

/** Like `decodeLog`, but step by step for logs of any length. */
export function* decodingLog(bytes: Uint8Array): Generator<undefined, DecodedLog> {
	const buffer = asBuffer(bytes);
	const records: ChatRecord[] = [];
	let nextNumber = 0;
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

/** Returns the readable records in a part of a log. Omits incomplete lines at its ends. */
export function decodePiece(bytes: Uint8Array): ChatRecord[] {
	return [...recordsOf(bytes)].map(({ record }) => record);
}

/** Yields the readable records, each with the offset after its line. */
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

/** Returns the parts of a line, so that a long record is encoded only once. */
function encodeLine(record: Buffer, number: number): Buffer[] {
	const head = `{"v":${logVersion},"n":${number},"sum":"${numberedChecksum(record, number)}","record":`;
	return [Buffer.from(head), record, lineTail];
}

const lineTail = Buffer.from("}\n");

function numberedChecksum(record: Uint8Array, number: number): string {
	return checksum(record, number % 0x1_0000_0000);
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
	if (numberedChecksum(record, number) !== match[3]) {
		return { type: "unreadable" };
	}
	// A valid checksum proves that the line is unchanged, so an unknown record comes from a newer version.
	const parsed = chatRecordSchema.safeParse(parseJson(record.toString("utf8")));
	return parsed.success ? { type: "record", number, record: parsed.data } : { type: "newer" };
}

function isNewerLine(line: Buffer): boolean {
	return Number(versionOnly.exec(line.toString("latin1", 0, maxEnvelopeBytes))?.[1]) > logVersion;
}

/** Whether bytes without a line break can be the start of a line. */
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
