import { expect, test } from "vitest";
import { limitWasmMemory } from "../../../../src/localService/python/wasmMemory.ts";

/** A module with one memory: its minimum and, in three bytes as linkers leave them, its maximum. */
const moduleWith = (memory: readonly number[]): Uint8Array<ArrayBuffer> =>
	Uint8Array.of(
		0,
		0x61,
		0x73,
		0x6d,
		1,
		0,
		0,
		0,
		5,
		memory.length,
		...memory,
		7,
		5,
		1,
		1,
		0x6d,
		2,
		0,
	);

const megabyte = 1024 * 1024;

async function memoryOf(bytes: Uint8Array<ArrayBuffer>): Promise<WebAssembly.Memory> {
	const { instance } = await WebAssembly.instantiate(bytes);
	return instance.exports["m"] as WebAssembly.Memory;
}

test("the memory grows to the limit and not beyond", async () => {
	const bytes = moduleWith([1, 1, 2, 0x80, 0x80, 4]);
	limitWasmMemory(bytes, megabyte);
	const memory = await memoryOf(bytes);
	expect(memory.grow(14)).toBe(2);
	expect(() => memory.grow(1)).toThrow(RangeError);
});

test("a lower limit of the module's own stays", async () => {
	const bytes = moduleWith([1, 1, 2, 0x84, 0x80, 0]);
	limitWasmMemory(bytes, megabyte);
	const memory = await memoryOf(bytes);
	expect(() => memory.grow(3)).toThrow(RangeError);
});

test.each([
	["with no maximum", moduleWith([1, 0, 2])],
	["that begins above the limit", moduleWith([1, 1, 32, 0x80, 0x80, 4])],
	["without a memory", Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0)],
])("a module %s is refused", (_name, bytes) => {
	expect(() => limitWasmMemory(bytes, megabyte)).toThrow(/memory/);
});
