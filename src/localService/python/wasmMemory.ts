const pageBytes = 64 * 1024;
const memorySection = 5;
const hasMaximum = 1;

/**
 * Lowers the maximum memory of a WebAssembly module in place. The engine then enforces it, whatever the module does. Throws if the module declares no
 * growing memory of its own. @see https://webassembly.github.io/spec/core/binary/modules.html#memory-section
 */
export function limitWasmMemory(wasm: Uint8Array, maxBytes: number): void {
	let at = 8;
	while (at < wasm.length) {
		const section = wasm[at];
		const length = readUnsigned(wasm, at + 1);
		if (section === memorySection) {
			limitFirstMemory(wasm, length.next, Math.floor(maxBytes / pageBytes));
			return;
		}
		at = length.next + length.value;
	}
	throw new Error("The WebAssembly module has no memory");
}

function limitFirstMemory(wasm: Uint8Array, start: number, pages: number): void {
	const count = readUnsigned(wasm, start);
	const flags = wasm[count.next] ?? 0;
	const minimum = readUnsigned(wasm, count.next + 1);
	const maximum = readUnsigned(wasm, minimum.next);
	if (count.value !== 1 || (flags & hasMaximum) === 0 || minimum.value > pages) {
		throw new Error("The WebAssembly module's memory cannot be limited");
	}
	writeUnsigned(wasm, minimum.next, maximum.next, Math.min(pages, maximum.value));
}

/** Reads an unsigned LEB128 number and returns the offset after it. */
function readUnsigned(
	bytes: Uint8Array,
	start: number,
): { readonly value: number; readonly next: number } {
	let value = 0;
	let at = start;
	for (let shift = 0; shift < 35; shift += 7) {
		const byte = bytes[at] ?? 0;
		value += (byte & 0x7f) * 2 ** shift;
		at += 1;
		if (byte < 0x80) {
			break;
		}
	}
	return { value, next: at };
}

/** Overwrites a LEB128 number of the same or greater length, padded to that length. */
function writeUnsigned(bytes: Uint8Array, start: number, end: number, value: number): void {
	let left = value;
	for (let at = start; at < end; at += 1) {
		bytes[at] = (left & 0x7f) | (at === end - 1 ? 0 : 0x80);
		left = Math.floor(left / 128);
	}
}
