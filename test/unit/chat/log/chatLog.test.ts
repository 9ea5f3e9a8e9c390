import { describe, expect, test } from "vitest";
import { decodeLog, decodePiece, encodeRecords } from "../../../../src/chat/log/chatLog.ts";
import type { ChatRecord } from "../../../../src/chat/log/chatRecord.ts";
import { plainOptions } from "../../../helpers/chatBench.ts";

const options = plainOptions;

const records: ChatRecord[] = [
	{ type: "chat-created", at: 1, id: "abc" },
	{ type: "title", at: 1, title: "Line\u2028ends \u{1f600} \ud800 \u0000" },
	{ type: "turn-started", at: 2, turn: 1, id: "t1", prompt: "a\nb", options },
	{ type: "text", turn: 1, index: 0, role: "assistant", text: "é".repeat(40) },
	{
		type: "message-finished",
		turn: 1,
		index: 0,
		isContentSaved: true,
		message: {
			role: "assistant",
			toolNames: ["read"],
			raw: { role: "assistant", content: "", anyName: [{ id: "c" }], "7": 1, extra: null },
		},
	},
	{ type: "turn-ended", at: 3, turn: 1, progress: { state: "complete" } },
];
const bytes = encodeRecords(records, 0);
/** Where each line begins, and where the last one ends. */
const starts = [0, ...[...bytes.keys()].filter(at => bytes[at] === 0x0a).map(at => at + 1)];

describe("a log", () => {
	test("comes back as it was written, one JSON object per line", () => {
		expect(decodeLog(bytes)).toEqual({
			records,
			condition: "whole",
			length: bytes.length,
			nextNumber: records.length,
		});
		const lines = bytes.toString().trimEnd().split("\n");
		expect(lines.map(line => JSON.parse(line) as unknown)).toMatchObject(
			records.map((record, n) => ({ v: 1, n, record })),
		);
	});

	test("is nothing when there are no bytes", () => {
		expect(decodeLog(new Uint8Array())).toMatchObject({
			records: [],
			condition: "whole",
			length: 0,
		});
	});

	test("L8: cut off at any byte keeps every line that had ended", () => {
		for (let length = 0; length < bytes.length; length += 1) {
			const ended = starts.filter(start => start <= length).length - 1;
			const isBetween = starts.includes(length);
			expect(decodeLog(bytes.subarray(0, length))).toEqual({
				records: records.slice(0, ended),
				condition: isBetween ? "whole" : "tornTail",
				length: starts[ended],
				nextNumber: ended,
			});
		}
	});

	test("L8: with any one byte changed never passes for whole, and loses one line at most", () => {
		for (let at = 0; at < bytes.length - 1; at += 1) {
			const changed = Buffer.from(bytes);
			changed[at] = (changed[at] ?? 0) ^ 0x01;
			const decoded = decodeLog(changed);
			expect(decoded.condition).not.toBe("whole");
			const kept = decoded.records.filter(record => record.type !== "gap");
			// A changed line end takes the line behind it along.
			const most = bytes[at] === 0x0a ? 2 : 1;
			expect(kept.length).toBeGreaterThanOrEqual(records.length - most);
		}
	});

	test("L8: with NULs behind its end is damaged, not torn", () => {
		const decoded = decodeLog(Buffer.concat([bytes, Buffer.alloc(512)]));
		expect(decoded.condition).toBe("damaged");
		expect(decoded.records).toEqual([...records, { type: "gap" }]);
	});

	test("L8: with NULs in a line that did not end is damaged, not torn", () => {
		const torn = Buffer.concat([bytes.subarray(0, -10), Buffer.alloc(10)]);
		expect(decodeLog(torn).condition).toBe("damaged");
	});

	test.each([
		["lost", [0, 1, 3, 4, 5], [0, 1, "gap", 3, 4, 5]],
		["repeated", [0, 1, 1, 2], [0, 1, "gap", 1, 2]],
		["of another log in the middle", [0, 1, 0, 1, 2], [0, 1, "gap", 0, 1, 2]],
	])("L8: shows a line %s", (_, lines, kept) => {
		const mixed = Buffer.concat(lines.map(line => bytes.subarray(starts[line], starts[line + 1])));
		const decoded = decodeLog(mixed);
		expect(decoded.condition).toBe("damaged");
		const gap: ChatRecord = { type: "gap" };
		expect(decoded.records.slice(0, kept.length)).toEqual(
			kept.map(line => (typeof line === "number" ? records[line] : gap)),
		);
	});

	test.each([
		["a higher version", '{"v":2,"anything":"else"}\n'],
		["a higher version, torn", '{"v":12,"any'],
		[
			"a record that only another version can have written",
			encodeRecords([{ type: "mood", at: 4 } as unknown as ChatRecord], records.length).toString(),
		],
	])("L9: with %s is newer", (_, line) => {
		expect(decodeLog(Buffer.concat([bytes, Buffer.from(line)]))).toMatchObject({
			records,
			condition: "newer",
		});
	});

	test("never throws, whatever the bytes are", () => {
		let seed = 7;
		const random = (): number => (seed = (seed * 48_271) % 2_147_483_647);
		for (let round = 0; round < 2000; round += 1) {
			const noise = Buffer.from(bytes);
			for (let change = random() % 9; change >= 0; change -= 1) {
				noise[random() % noise.length] = random() % 256;
			}
			expect(decodeLog(noise.subarray(0, random() % noise.length)).records.length).toBeLessThan(20);
		}
	});
});

test("a piece of a log yields the lines that are whole in it", () => {
	expect(decodePiece(bytes.subarray(3, bytes.length - 3))).toEqual(records.slice(1, -1));
});
