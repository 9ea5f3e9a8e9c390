import { describe, expect, test } from "vitest";
import { textsOf } from "../../helpers/clientHarness.ts";
import { decodeChunks, joined } from "../../helpers/chatDecoding.ts";
import { streamFixtures } from "../../helpers/streamFixtures.ts";

test("G4: there are at least eighty streams, each with a name of its own", () => {
	expect(streamFixtures.length).toBeGreaterThanOrEqual(80);
	expect(new Set(streamFixtures.map(fixture => fixture.name)).size).toBe(streamFixtures.length);
});

describe.each(streamFixtures)("$name", ({ bytes, texts, ending }) => {
	const whole = decodeChunks([bytes]);
	const meaning = { events: joined(whole.events), ending: whole.ending };

	test("says what it says", () => {
		expect([textsOf(whole.events), whole.ending]).toEqual([texts, ending]);
	});

	test("S16: says the same split at every byte, in drips and with empty chunks", () => {
		const empty = new Uint8Array();
		const drip = Array.from(bytes, byte => Uint8Array.of(byte));
		const cuttings = [drip, drip.flatMap(chunk => [empty, chunk]), [empty, bytes, empty]];
		for (let at = 0; at <= bytes.length; at++) {
			cuttings.push([bytes.subarray(0, at), bytes.subarray(at)]);
		}
		for (const chunks of cuttings) {
			const other = decodeChunks(chunks);
			expect({ events: joined(other.events), ending: other.ending }).toEqual(meaning);
		}
	});
});
