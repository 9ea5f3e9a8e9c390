import { expect, test } from "vitest";
import { FrameDecoder, maxFrameLength } from "../../../../src/client/stream/chatFrame.ts";

const head = "data: ";
const encoder = new TextEncoder();

/** Lengths of the frames that bytes hold, cut in chunks of `size`, and whether one was too long. */
function read(bytes: Uint8Array, size: number): { lengths: number[]; isTooLong: boolean } {
	const lengths: number[] = [];
	let isTooLong = false;
	const decoder = new FrameDecoder({
		onFrame: data => lengths.push(data.length),
		onTooLong: () => {
			isTooLong = true;
		},
	});
	for (let start = 0; start < bytes.length; start += size) {
		decoder.push(bytes.subarray(start, start + size));
	}
	return { lengths, isTooLong };
}

test.each([64 * 1024, 64 * 1024 * 1024])(
	"S20: the longest frame is read and the next one refused, in chunks of %i bytes",
	size => {
		const longest = encoder.encode(`${head}${"x".repeat(maxFrameLength)}\n\n${head}y\n\n`);
		expect(read(longest, size)).toEqual({ lengths: [maxFrameLength, 1], isTooLong: false });
		const longer = encoder.encode(`${head}${"x".repeat(maxFrameLength + 1)}\n\n${head}y\n\n`);
		expect(read(longer, size)).toEqual({ lengths: [], isTooLong: true });
	},
);

test("S20: a frame of many lines that never ends is refused too", () => {
	const lines = encoder.encode(`${head}${"x".repeat(1023)}\n`.repeat(20 * 1024));
	expect(read(lines, 1024)).toEqual({ lengths: [], isTooLong: true });
});

test("S20: comments of any length are read over and not kept", () => {
	const comment = encoder.encode(`:${"x".repeat(20 * 1024 * 1024)}\n${head}y\n\n`);
	expect(read(comment, 64 * 1024)).toEqual({ lengths: [1], isTooLong: false });
});
