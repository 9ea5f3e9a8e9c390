// @module-tag thorough
import { expect, test } from "vitest";
import { readAnswer, readWholeStream } from "../../helpers/chatOracle.ts";
import { readingOf } from "../../helpers/chatDecoding.ts";
import { createRandom, type Random } from "../../helpers/random.ts";

const frames = [
	'data: {"role":"assistant","content":""}',
	'data: {"role":"function","name":"f","content":""}',
	'data: {"content":"ab"}',
	'data:{"content":"é🐎語"}',
	'data: {"content":"\\u2028\\ud83d\\n[DONE]"}',
	'data: {"content":"x","other":[1]}',
	'data: {"content":7}',
	'data: {"content":"}',
	'data: {"content":"a"b"}',
	'data: {"content":"\\"}',
	'data: {"content":"\t"}',
	'data: {"content":""}',
	'data: {"content":null}',
	'data: {"type":"ping"}',
	"data: {}",
	"data: [DONE]",
	"data: [DONE]",
	"data:[DONE]",
	"data: [END]",
	"data: [END] ",
	"data:  [DONE]\t",
	"data: [END].",
	"data: [DONE]x",
	"data: {bad",
	"data: 1",
	'data: "[DONE]"',
	"data:",
	"data",
	": comment",
	":",
	"event: delta",
	"id: 1",
	"retry: 5",
	"Data: x",
	" data: x",
	"dat",
	"unknown: field",
	"\uFEFF",
	"ï»¿data: {}",
];
/** More than the suite reads can be asked for, and one frame more in every sequence. */
const streamCount = Number(process.env["CUTAWAY_STREAMS"] ?? 4_000);
const longest = process.env["CUTAWAY_STREAMS"] === undefined ? 5 : 6;
const lineEnds = ["\n", "\r\n", "\r"];
const encoder = new TextEncoder();

/** A stream that begins well more often than not, then anything; sometimes broken bytes, sometimes cut. */
function randomStream(random: Random): Uint8Array {
	const lineEnd = random.pick(lineEnds);
	const usualEnd = (): string => (random.below(12) === 0 ? random.pick(lineEnds) : lineEnd);
	let text = random.below(8) === 0 ? "\uFEFF" : "";
	text += random.below(20) === 0 ? "\uFEFF" : "";
	if (random.below(4) > 0) {
		text += `${frames[0]}${usualEnd()}${usualEnd()}${frames[2]}${usualEnd()}${usualEnd()}`;
	}
	const count = random.below(9);
	for (let index = 0; index < count; index++) {
		text += random.pick(frames) + usualEnd() + (random.below(9) > 0 ? usualEnd() : "");
	}
	const bytes = encoder.encode(text);
	for (let broken = random.below(12) === 0 ? 1 + random.below(3) : 0; broken > 0; broken--) {
		bytes[random.below(bytes.length)] = random.pick([0, 0x80, 0xc3, 0xe2, 0xf0, 0xff, 0x0a, 0x0d]);
	}
	return random.below(3) === 0 ? bytes.subarray(0, random.below(bytes.length + 1)) : bytes;
}

function randomChunks(bytes: Uint8Array, random: Random): Uint8Array[] {
	const largest = random.pick([3, 12, 32, 128, 1024]);
	const chunks: Uint8Array[] = [];
	for (let start = 0; start < bytes.length;) {
		const end = start + random.below(largest + 1);
		chunks.push(bytes.subarray(start, end));
		start = end;
	}
	return chunks;
}

test("G3, S16, S17: random streams, randomly cut, read as a plain reader reads them whole", () => {
	const seed = Number(process.env["CUTAWAY_SEED"] ?? Date.now() % 2 ** 32);
	// A failing run is repeated with CUTAWAY_SEED.
	console.log(`Seed of the random streams: ${seed}`);
	const random = createRandom(seed);
	const endings = new Set<string>();
	for (let count = 0; count < streamCount; count++) {
		const bytes = randomStream(random);
		const expected = readWholeStream(bytes);
		const actual = readingOf(randomChunks(bytes, random));
		endings.add(expected.ending);
		if (JSON.stringify(actual) !== JSON.stringify(expected)) {
			expect(
				actual,
				`seed ${seed}, stream ${count}: ${JSON.stringify(Buffer.from(bytes).toString())}`,
			).toEqual(expected);
		}
	}
	const all = ["empty", "ended", "endedEarly", "interrupted", "noText", "unreadable"];
	expect([...endings].sort()).toEqual(all);
}, 600_000);

/** The alphabet of goal G5; `cut` ends the stream where it is. */
const alphabet = {
	start: '{"role":"assistant","content":""}',
	text: '{"content":"a"}',
	empty: "{}",
	bad: "{bad",
	done: "[DONE]",
	end: "[END]",
	comment: undefined,
} as const;
const letters = Object.keys(alphabet) as (keyof typeof alphabet)[];

function* words(length: number): Generator<(keyof typeof alphabet)[]> {
	if (length === 0) {
		yield [];
		return;
	}
	for (const word of words(length - 1)) {
		for (const letter of letters) {
			yield [...word, letter];
		}
	}
}

test(`G5: every sequence of up to ${longest} frames, sentinels and comments ends as the grammar says`, () => {
	let count = 0;
	const endings = new Set<string>();
	for (let length = 0; length <= longest; length++) {
		for (const word of words(length)) {
			const data = word.map(letter => alphabet[letter]);
			const expected = readAnswer(data.filter(frame => frame !== undefined));
			const text = data
				.map(frame => (frame === undefined ? ": c\n" : `data: ${frame}\n\n`))
				.join("");
			const actual = readingOf([encoder.encode(text)]);
			count++;
			endings.add(expected.ending);
			if (JSON.stringify(actual) !== JSON.stringify(expected)) {
				expect(actual, word.join(" ")).toEqual(expected);
			}
		}
	}
	expect(count).toBe((letters.length ** (longest + 1) - 1) / (letters.length - 1));
	expect(endings.size).toBe(6);
}, 60_000);

test("the plain reader can tell readings apart: a planted difference is seen", () => {
	const bytes = encoder.encode("data: [DONE]x\n\ndata: [END]\n\n");
	expect(readWholeStream(bytes)).toEqual({ messages: [], ending: "unreadable" });
	expect(readingOf([encoder.encode("data: [DONE]\n\ndata: [END]\n\n")])).toEqual({
		messages: [],
		ending: "empty",
	});
});
