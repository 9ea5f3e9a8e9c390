import { randomBytes } from "node:crypto";
import vm from "node:vm";
import type { Clock } from "../../common/async.ts";
import type { Bridge } from "./shell.ts";

export interface SandboxDependencies {
	readonly runtime: string;
	readonly wasm: Uint8Array;
	readonly stdlib: Uint8Array;
	/** Ground and text color of figures; Matplotlib's own if empty. */
	readonly colors: readonly string[];
	readonly clock: Clock;
	readonly onOutput: (line: string) => void;
}

/** Functions of `runtime.ts`. Their results are untrusted. */
interface PythonRuntime {
	boot(bridge: Bridge, colors: string, done: (failure: unknown) => void): unknown;
	mount(name: string): unknown;
	install(name: string, target: string): unknown;
	missingModules(code: string): unknown;
	run(code: string): unknown;
}

const maxRandomBytes = 65_536;
/** Limits of the files that a cell has written and that are copied out. */
const maxKeptFiles = 20;
const maxKeptBytes = 200 * 1024 * 1024;

/** A file that a cell has written. */
export interface CopiedFile {
	readonly name: string;
	readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Returns the length of a typed array of any realm without calling its own code. Throws for anything else. */
const lengthOf = Object.getOwnPropertyDescriptor(
	Object.getPrototypeOf(Uint8Array.prototype),
	"length",
)?.get;

/** Python without network, JavaScript and files other than mounted ones. One per thread. */
export class Sandbox {
	private readonly runtime: PythonRuntime;
	private readonly files: Map<string, Uint8Array>;
	private readonly kept: CopiedFile[];

	/** Opens a sandbox. Rejects if Python doesn't start. */
	static async open(dependencies: SandboxDependencies): Promise<Sandbox> {
		const files = new Map([
			["pyodide.asm.wasm", dependencies.wasm],
			["python_stdlib.zip", dependencies.stdlib],
		]);
		const kept: CopiedFile[] = [];
		const runtime = loadRuntime(dependencies.runtime);
		const failure = await new Promise<string>(resolve => {
			const bridge = createBridge(files, kept, dependencies);
			runtime.boot(bridge, dependencies.colors.join(" "), text =>
				resolve(typeof text === "string" ? text : "Python could not start"),
			);
		});
		if (failure !== "") {
			throw new Error(failure);
		}
		files.clear();
		return new Sandbox(runtime, files, kept);
	}

	private constructor(runtime: PythonRuntime, files: Map<string, Uint8Array>, kept: CopiedFile[]) {
		this.runtime = runtime;
		this.files = files;
		this.kept = kept;
	}

	/** Copies a file into the working folder. The name must not contain slashes. Throws if there is not enough space. */
	mount(name: string, bytes: Uint8Array): void {
		this.lend(name, bytes, () => this.runtime.mount(name));
	}

	/** Installs a package. `target` is `site` or `library`. Throws if there is not enough space. */
	install(name: string, bytes: Uint8Array, target: "site" | "library"): void {
		this.lend(name, bytes, () => this.runtime.install(name, target));
	}

	/** Returns the modules that code imports and that aren't there, as JSON. */
	missingModules(code: string): string {
		const modules = this.runtime.missingModules(code);
		return typeof modules === "string" ? modules : "[]";
	}

	/** Runs a cell and returns the JSON report of `runner.py`. Throws if Python crashes. */
	run(code: string): string {
		const report = this.runtime.run(code);
		if (typeof report !== "string") {
			throw new TypeError("Python's report isn't text");
		}
		return report;
	}

	private lend(name: string, bytes: Uint8Array, use: () => void): void {
		this.files.set(name, bytes);
		try {
			use();
		} finally {
			this.files.delete(name);
		}
	}

	/** Returns the files that the last cell has written, once. */
	takeWrittenFiles(): CopiedFile[] {
		return this.kept.splice(0);
	}
}

/**
 * Creates a context with only JavaScript's own objects, in which strings can't be evaluated but WebAssembly can.
 * @see https://nodejs.org/api/vm.html#vmcreatecontextcontextobject-options
 */
function loadRuntime(source: string): PythonRuntime {
	const context = vm.createContext(vm.constants.DONT_CONTEXTIFY, {
		name: "python",
		codeGeneration: { strings: false, wasm: true },
	});
	new vm.Script(source, { filename: "python:runtime" }).runInContext(context);
	// The build assigns the script's exports to this name.
	// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what a context holds has no type
	return (context as unknown as { readonly pythonRuntime: PythonRuntime }).pythonRuntime;
}

function createBridge(
	files: ReadonlyMap<string, Uint8Array>,
	kept: CopiedFile[],
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
			// Doesn't use the target's own method, which the sandbox could have replaced.
			Uint8Array.prototype.set.call(target, fileOf(name));
		},
		decode: (label, bytes) => new TextDecoder(label).decode(bytes),
		byteLength: text => Buffer.byteLength(text),
		encodeInto: (text, target) => void encoder.encodeInto(text, target),
		randomBase64: length => randomBytes(Math.min(length, maxRandomBytes)).toString("base64"),
		now: () => clock.monotonic(),
		output: onOutput,
		keep: (name, bytes) => {
			const length: unknown = lengthOf?.call(bytes);
			const held = kept.reduce((sum, file) => sum + file.bytes.length, 0);
			if (
				typeof name === "string" &&
				typeof length === "number" &&
				kept.length < maxKeptFiles &&
				held + length <= maxKeptBytes
			) {
				const copy = new Uint8Array(length);
				Uint8Array.prototype.set.call(copy, bytes);
				kept.push({ name, bytes: copy });
			}
		},
	};
}

/**
 * Makes the constructors that evaluate code unreachable from functions of this thread. A last line of defense in case an outside object gets into the
 * sandbox. Cutaway's code doesn't use them.
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
