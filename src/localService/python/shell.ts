/** The surroundings that Emscripten finds inside the sandbox: those of a bare JavaScript shell. */
import type { Bridge } from "./bridge.ts";

let bridge: Bridge;

/** Ties the inside to the outside, once, before anything below is used. */
export function connect(outside: Bridge): void {
	bridge = outside;
}

/** Hands the outside one line that Python wrote. */
export function writeLine(line: string): void {
	ask(() => bridge.output(line));
}

/** The only way out. An error of the outside stays there: its constructor would lead further. */
export function ask<T>(call: () => T): T {
	try {
		return call();
	} catch {
		throw new Error("The outside refused");
	}
}

/** A file the bridge knows, in memory of the inside. Throws when there is none, or no room. */
export function bytesFrom(name: string): Uint8Array {
	const bytes = new Uint8Array(ask(() => bridge.sizeOf(name)));
	ask(() => bridge.copyInto(name, bytes));
	return bytes;
}

/** UTF-8 and the like, done by the outside on memory of the inside. */
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

/**
 * Stacks would name the files of the outside, whose functions are on them as well. With no number here V8 keeps none.
 */
Object.defineProperty(Error, "stackTraceLimit", {
	get: () => undefined,
	set: () => {
		// Pyodide sets one for its own errors.
	},
});

/**
 * Functions Emscripten expects of a bare JavaScript shell. `os.system` is how it gets random bytes there, in Base64.
 * @see https://github.com/emscripten-core/emscripten/blob/main/src/lib/libwasi.js
 */
const log = (text: unknown): void => ask(() => bridge.log(String(text)));
Object.assign(globalThis, {
	TextDecoder: OutsideTextDecoder,
	TextEncoder: OutsideTextEncoder,
	console: { log, warn: log, error: log },
	performance: { now: () => ask(() => bridge.now()) },
	// Nothing runs after its cell, so no timer would ever come.
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
