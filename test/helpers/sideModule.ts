/** WebAssembly side modules, as Emscripten links them, written byte by byte. */

/** Libraries that a side module needs, and folders to find them in. */
export interface Needs {
	readonly libraries: readonly string[];
	/** Each may begin with `$ORIGIN`, the folder of the module. */
	readonly paths: readonly string[];
}

const noNeeds: Needs = { libraries: [], paths: [] };

/** Returns a shared library with a function that returns a number below 64. */
export function sharedLibrary(name: string, value: number, needs = noNeeds): Buffer {
	return moduleOf(needs, 0, [
		section(1, list([functionType(0)])),
		section(3, list([[0]])),
		section(7, list([[...text(name), functionKind, 0]])),
		section(10, list([body([], [i32Const, value])])),
	]);
}

/** Offsets in the module's memory: the names of module and attribute, then the module's definition. */
const attributeAt = 16;
const definitionAt = 32;
/** Offsets in `PyModuleDef`. @see https://docs.python.org/3/c-api/module.html#c.PyModuleDef */
const nameAt = 20;
const sizeAt = 28;
const memoryBytes = 96;
const apiVersion = [0xf5, 0x07];

/** Returns an extension module of Python whose attribute `value` is what a function of a library returns. */
export function extensionModule(name: string, symbol: string, needs: Needs): Buffer {
	const store = (offset: number, value: readonly number[]): number[] =>
		[memoryBase, value, [i32Store, 2, definitionAt + offset]].flat();
	const at = (offset: number): number[] => [...memoryBase, i32Const, offset, i32Add];
	const imported = [
		[...text("env"), ...text("memory"), 2, 0, 1],
		[...text("env"), ...text("__memory_base"), 3, i32, 0],
		...["PyModule_Create2", "PyModule_AddIntConstant", symbol].map((each, index) => [
			...text("env"),
			...text(each),
			functionKind,
			[1, 2, 0][index] ?? 0,
		]),
	];
	const code = [
		...store(0, [i32Const, 1]),
		...store(nameAt, memoryBase),
		...store(sizeAt, [i32Const, minusOne]),
		...at(definitionAt),
		i32Const,
		...apiVersion,
		call,
		0,
		localTee,
		0,
		...at(attributeAt),
		call,
		2,
		call,
		1,
		drop,
		localGet,
		0,
	];
	const names = Buffer.alloc(definitionAt);
	names.write(name, 0);
	names.write("value", attributeAt);
	return moduleOf(needs, memoryBytes, [
		section(1, list([functionType(0), functionType(2), functionType(3)])),
		section(2, list(imported)),
		section(3, list([[0]])),
		section(7, list([[...text(`PyInit_${name}`), functionKind, 3]])),
		section(10, list([body([[1, i32]], code)])),
		section(11, list([[0, ...memoryBase, end, ...number(names.length), ...names]])),
	]);
}

const i32 = 0x7f;
const functionKind = 0;
const i32Const = 0x41;
const minusOne = 0x7f;
const i32Add = 0x6a;
const i32Store = 0x36;
const memoryBase = [0x23, 0];
const call = 0x10;
const drop = 0x1a;
const localGet = 0x20;
const localTee = 0x22;
const end = 0x0b;

/** @see https://github.com/WebAssembly/tool-conventions/blob/main/DynamicLinking.md */
function moduleOf(
	{ libraries, paths }: Needs,
	memory: number,
	sections: readonly number[][],
): Buffer {
	const align = 4;
	const parts = [
		[1, [...number(memory), align, 0, 0]],
		[2, list(libraries.map(text))],
		[5, list(paths.map(text))],
	] as const;
	const linking = parts.flatMap(([id, content]) => section(id, content));
	return Buffer.from([
		0,
		0x61,
		0x73,
		0x6d,
		1,
		0,
		0,
		0,
		...section(0, [...text("dylink.0"), ...linking]),
		...sections.flat(),
	]);
}

function section(id: number, content: readonly number[]): number[] {
	return [id, ...number(content.length), ...content];
}

function list(items: readonly (readonly number[])[]): number[] {
	return [...number(items.length), ...items.flat()];
}

function functionType(parameters: number): number[] {
	return [0x60, ...list(Array.from({ length: parameters }, () => [i32])), 1, i32];
}

function body(locals: readonly (readonly number[])[], code: readonly number[]): number[] {
	const whole = [...list(locals), ...code, end];
	return [...number(whole.length), ...whole];
}

function text(characters: string): number[] {
	return [...number(Buffer.byteLength(characters)), ...Buffer.from(characters)];
}

/** Encodes an unsigned number as LEB128. */
function number(value: number): number[] {
	return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...number(value >> 7)];
}
