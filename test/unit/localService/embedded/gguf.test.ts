// @module-tag thorough
import { rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import {
	contextThatFits,
	conversationsThatFit,
	readGguf,
} from "../../../../src/localService/embedded/gguf.ts";
import { createRandom } from "../../../helpers/random.ts";
import { makeTempFolder } from "../../../helpers/tempFolder.ts";
import { tinyModel } from "../../../realModel/tinyModel.ts";

const whole = tinyModel({ seed: 1, isEndless: false, chatTemplate: "{{ messages }}" });
let file: string;

beforeEach(async () => {
	file = join(await makeTempFolder(), "model.gguf");
});

async function read(bytes: Buffer): ReturnType<typeof readGguf> {
	await writeFile(file, bytes);
	return await readGguf(file);
}

/** The model with bytes of its beginning replaced. */
function patched(at: number, ...bytes: readonly number[]): Buffer {
	const changed = Buffer.from(whole);
	changed.set(bytes, at);
	return changed;
}

test("a model tells its kind, its template, its context and what that takes", async () => {
	expect(await read(whole)).toEqual({
		sizeBytes: whole.length,
		architecture: "llama",
		chatTemplate: "{{ messages }}",
		contextLength: 4096,
		bytesPerToken: 2 * 64 * 4,
	});
});

test("layers that store a state take no memory for each token", async () => {
	const hybrid = tinyModel({ seed: 1, isEndless: false, isHybrid: true });
	expect(await read(hybrid)).toMatchObject({ architecture: "jamba", bytesPerToken: 64 * 4 });
});

test.each([
	[1, 2_048, 1],
	[2.1, 4_096, 1],
	[3.2, 8_192, 1],
	[16, 8_192, 2],
])("with %s GB of free memory a context has its length and number", (gigabytes, length, count) => {
	const header = {
		sizeBytes: 13e8,
		architecture: "qwen3",
		chatTemplate: "",
		contextLength: 32768,
		bytesPerToken: 114688,
	};
	const free = gigabytes * 1e9;
	expect(contextThatFits(header, 0, free)).toBe(length);
	expect(conversationsThatFit(header, length, free)).toBe(count);
	expect(contextThatFits(header, 100_000, free)).toBe(32_768);
});

const endless = [255, 255, 255, 255, 255, 255, 255, 127];
test.each([
	["empty", Buffer.alloc(0), "empty"],
	["a web page", Buffer.from("<html>Sign in</html>"), "notGguf"],
	["cut in its header", whole.subarray(0, 5_000), "truncated"],
	["cut in its weights", whole.subarray(0, 40_000), "truncated"],
	["of a version that is not known", patched(4, 9), "damaged"],
	["of endless tensors", patched(8, ...endless), "damaged"],
	["of endless entries", patched(16, ...endless), "damaged"],
	["of an endless key", patched(24, ...endless), "truncated"],
])("a file that is %s is named so", async (_, bytes, fault) => {
	await expect(read(bytes)).rejects.toMatchObject({ name: "GgufError", fault });
});

test("a file that is not there is named so", async () => {
	await expect(readGguf(file)).rejects.toMatchObject({ fault: "missing" });
});

test("no change of a header makes the reader do anything but read it or name it damaged", async () => {
	const random = createRandom(3);
	for (let round = 0; round < 300; round += 1) {
		const started = performance.now();
		const reading = read(patched(4 + random.below(9_000), random.below(256), random.below(256)));
		const outcome = await reading.then(
			() => "GgufError",
			(error: Error) => error.name,
		);
		expect(outcome).toBe("GgufError");
		expect(performance.now() - started).toBeLessThan(5_000);
	}
});

/** A file without tensors that says in how many files its model is, and of which kind the model is. */
function headOfSplit(files: number): Buffer {
	const text = (value: string): Buffer => {
		const length = Buffer.alloc(8);
		length.writeBigUInt64LE(BigInt(value.length));
		return Buffer.concat([length, Buffer.from(value)]);
	};
	const start = Buffer.alloc(24);
	start.write("GGUF");
	start.writeUInt32LE(3, 4);
	start.writeBigUInt64LE(2n, 16);
	const kind = Buffer.concat([
		text("general.architecture"),
		Buffer.from([8, 0, 0, 0]),
		text("llama"),
	]);
	const count = Buffer.concat([text("split.count"), Buffer.from([2, 0, 0, 0, files, 0])]);
	return Buffer.concat([start, kind, count]);
}

test("a model in several files whose first has no tensors has the size of all, and is missing without one of them", async () => {
	const nameOf = (number: number): string => join(dirname(file), `m-0000${number}-of-00003.gguf`);
	const head = headOfSplit(3);
	await writeFile(nameOf(1), head);
	await writeFile(nameOf(2), "x".repeat(1000));
	await writeFile(nameOf(3), "x".repeat(500));
	expect(await readGguf(nameOf(1))).toMatchObject({
		architecture: "llama",
		sizeBytes: head.length + 1500,
	});
	await rm(nameOf(3));
	await expect(readGguf(nameOf(1))).rejects.toMatchObject({ fault: "missing" });
	await expect(read(headOfSplit(1))).rejects.toMatchObject({ fault: "damaged" });
});
