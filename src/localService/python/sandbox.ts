import { randomBytes } from "node:crypto";
import vm from "node:vm";
import type { Clock } from "../../common/async.ts";
import type { Bridge } from "./bridge.ts";

/** Dependencies of a sandbox. */
export interface SandboxDependencies {
	/** The bundle of `runtime.ts`. */
	readonly runtime: string;
	readonly wasm: Uint8Array;
	readonly stdlib: Uint8Array;
	readonly clock: Clock;
	/** One line that Python wrote. */
	readonly onOutput: (line: string) => void;
}

/** The functions of `runtime.ts` as the outside sees them; what they return may be anything. */
interface PythonRuntime {
	boot(bridge: Bridge, done: (failure: unknown) => void): unknown;
	mount(name: string): unknown;
	run(code: string): unknown;
}

const maxRandomBytes = 65_536;

/** Python with nothing around it: no network, no files but those mounted, no JavaScript. One per thread. */
export class Sandbox {
	private readonly runtime: PythonRuntime;
	/** What Python can read of the outside at this moment. */
	private readonly files: Map<string, Uint8Array>;

	/** Opens a sandbox; rejects when Python does not start. */
	static async open(dependencies: SandboxDependencies): Promise<Sandbox> {
		const files = new Map([
			["pyodide.asm.wasm", dependencies.wasm],
			["python_stdlib.zip", dependencies.stdlib],
		]);
		const runtime = loadRuntime(dependencies.runtime);
		const failure = await new Promise<string>(resolve => {
			runtime.boot(createBridge(files, dependencies), text =>
				resolve(typeof text === "string" ? text : "Python could not start"),
			);
		});
		if (failure !== "") {
			throw new Error(failure);
		}
		files.clear();
		return new Sandbox(runtime, files);
	}

	private constructor(runtime: PythonRuntime, files: Map<string, Uint8Array>) {
		this.runtime = runtime;
		this.files = files;
	}

	/** Puts a file into the working folder under a name without slashes. Throws when there is no room for it. */
	mount(name: string, bytes: Uint8Array): void {
		this.files.set(name, bytes);
		try {
			this.runtime.mount(name);
		} finally {
			this.files.delete(name);
		}
	}

	/** Runs a cell and returns what `runner.py` says of it, as JSON. Throws when Python itself broke down. */
	run(code: string): string {
		const report = this.runtime.run(code);
		if (typeof report !== "string") {
			throw new TypeError("Python's answer is no text");
		}
		return report;
	}
}

/**
 * A context with JavaScript's own objects alone, in which no text can become code; WebAssembly can.
 * @see https://nodejs.org/api/vm.html#vmcreatecontextcontextobject-options
 */
function loadRuntime(source: string): PythonRuntime {
	const context = vm.createContext(vm.constants.DONT_CONTEXTIFY, {
		name: "python",
		codeGeneration: { strings: false, wasm: true },
	});
	new vm.Script(source, { filename: "python:runtime" }).runInContext(context);
	// The build makes the script leave its exports under this name.
	// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what a context holds has no type
	return (context as unknown as { readonly pythonRuntime: PythonRuntime }).pythonRuntime;
}

function createBridge(
	files: ReadonlyMap<string, Uint8Array>,
	{ clock, onOutput }: SandboxDependencies,
): Bridge {
	const fileOf = (name: string): Uint8Array => {
		const bytes = files.get(name);
		if (!bytes) {
			throw new Error("There is no such file");
		}
		return bytes;
	};
	const encoder = new TextEncoder();
	return {
		sizeOf: name => fileOf(name).length,
		copyInto: (name, target) => {
			// Not the target's own method, which is one of the inside.
			Uint8Array.prototype.set.call(target, fileOf(name));
		},
		decode: (label, bytes) => new TextDecoder(label).decode(bytes),
		byteLength: text => Buffer.byteLength(text),
		encodeInto: (text, target) => void encoder.encodeInto(text, target),
		randomBase64: length => randomBytes(Math.min(length, maxRandomBytes)).toString("base64"),
		now: () => clock.monotonic(),
		output: onOutput,
		log: () => undefined,
	};
}

/**
 * Makes the constructors that turn text into code unreachable from any function of this thread: a last wall, should an
 * object of the outside ever get inside. Nothing of ours uses them.
 */
export function sealFunctionConstructors(): void {
	const functions = [
		() => undefined,
		async () => undefined,
		function* generate(): Generator {
			yield undefined;
		},
		async function* generateLater(): AsyncGenerator {
			yield undefined;
		},
	];
	for (const each of functions) {
		Object.defineProperty(Object.getPrototypeOf(each), "constructor", { value: undefined });
	}
}
