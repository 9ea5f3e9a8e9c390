/** The environment of a bare JavaScript shell that Emscripten finds inside the sandbox. */

let bridge: Bridge;

/** Sets the bridge. Call it once, before any other function. */
export function connect(outside: Bridge): void {
	bridge = outside;
}

/** Sends a line of Python's output to the outside. */
export function writeLine(line: string): void {
	ask(() => bridge.output(line));
}

/** Copies a written file to the outside. */
export function keepFile(name: string, bytes: Uint8Array): void {
	ask(() => bridge.keep(name, bytes));
}

/** The only way to call the outside. Replaces its errors, whose constructors would lead to outside objects. */
export function ask<T>(call: () => T): T {
	try {
		return call();
	} catch {
		throw new Error("The outside refused");
	}
}

/** Copies a file of the bridge into the sandbox. Throws if it doesn't exist or there is not enough space. */
export function bytesFrom(name: string): Uint8Array {
	const bytes = new Uint8Array(ask(() => bridge.sizeOf(name)));
	ask(() => bridge.copyInto(name, bytes));
	return bytes;
}

/** Text decoder that calls the outside, working on memory of the sandbox. */
class OutsideTextDecoder {
	private readonly label: string;

	constructor(label = "utf-8") {
		this.label = label;
	}

	decode(bytes: Uint8Array): string {
		return ask(() => bridge.decode(this.label, bytes));
	}
}

class OutsideTextEncoder {
	encode(text: string): Uint8Array {
		const bytes = new Uint8Array(ask(() => bridge.byteLength(text)));
		ask(() => bridge.encodeInto(text, bytes));
		return bytes;
	}

	encodeInto(text: string, bytes: Uint8Array): { readonly read: number; readonly written: number } {
		const whole = this.encode(text).subarray(0, bytes.length);
		bytes.set(whole);
		return { read: text.length, written: whole.length };
	}
}

const lineFeed = 0x0a;
/** The most bytes of a line to keep, more than the thread sends of all output. */
const maxLineBytes = 160_000;

/**
 * Sends output line by line, and what is left at `fsync`. Drops the rest of a line that is too long: Pyodide's own writer keeps a line's bytes as an
 * array of numbers, and one that can't grow any more ends the whole process.
 */
export class LineWriter {
	private readonly line = new Uint8Array(maxLineBytes);
	private length = 0;

	write(bytes: Uint8Array): number {
		for (let start = 0; start < bytes.length;) {
			const found = bytes.indexOf(lineFeed, start);
			const end = found === -1 ? bytes.length : found;
			const kept = bytes.subarray(start, Math.min(end, start + maxLineBytes - this.length));
			this.line.set(kept, this.length);
			this.length += kept.length;
			if (found !== -1) {
				this.send();
			}
			start = end + 1;
		}
		return bytes.length;
	}

	fsync(): void {
		if (this.length > 0) {
			this.send();
		}
	}

	private send(): void {
		const text = new OutsideTextDecoder().decode(this.line.subarray(0, this.length));
		this.length = 0;
		writeLine(text.replaceAll("\0", ""));
	}
}

/** Disables stack traces, which would name outside files and functions. */
Object.defineProperty(Error, "stackTraceLimit", {
	get: () => undefined,
	set: () => {
		// Pyodide sets it for its own errors.
	},
});

const log = (): void => undefined;

/**
 * Functions that Emscripten expects of a bare JavaScript shell. It gets random bytes from `os.system`, as Base64.
 * @see https://github.com/emscripten-core/emscripten/blob/main/src/lib/libwasi.js
 */
Object.assign(globalThis, {
	TextDecoder: OutsideTextDecoder,
	TextEncoder: OutsideTextEncoder,
	console: { log, warn: log, error: log },
	performance: { now: () => ask(() => bridge.now()) },
	// Nothing runs after a cell, so no timer could fire.
	setTimeout: () => 0,
	clearTimeout: () => undefined,
	load: () => undefined,
	read: () => "",
	readbuffer: (name: string) => bytesFrom(name.slice(name.lastIndexOf("/") + 1)).buffer,
	os: {
		system: (_shell: string, [, command = ""]: readonly string[]) => {
			const length = Number(/head -c(\d+)/.exec(command)?.[1] ?? 0);
			return ask(() => bridge.randomBase64(length));
		},
	},
});

/** The sandbox's calls to the outside: only strings, numbers and bytes in its memory, so that no outside object gets in. */
export interface Bridge {
	/** Returns the size of a file to be copied in: Python's own, or one being mounted. Throws if it doesn't exist. */
	sizeOf(name: string): number;
	/** Copies such a file into `target`, which must have its size. */
	copyInto(name: string, target: Uint8Array): void;
	decode(label: string, bytes: Uint8Array): string;
	byteLength(text: string): number;
	encodeInto(text: string, target: Uint8Array): void;
	/** Returns random bytes as Base64, at most 64 KB. */
	randomBase64(length: number): string;
	/** Returns monotonic milliseconds. */
	now(): number;
	/** Reports a line of output of Python, without its line break. */
	output(line: string): void;
	/** Copies a file that a cell has written out of the sandbox. */
	keep(name: string, bytes: Uint8Array): void;
}
