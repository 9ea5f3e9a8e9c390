import { describe, expect, test } from "vitest";
import { clipLooksSchema } from "../../../../src/localService/base/clipLooksSchema.ts";
import { readEditorFont } from "../../../../src/ui/clipLooks/fontSetting.ts";

const familiesOf = (list: unknown) => readEditorFont(list, true)?.families;
const featuresOf = (ligatures: unknown) => readEditorFont("Fira Code", ligatures)?.features;

describe("the families of the editor's font", () => {
	test.each([
		["Menlo, Monaco, 'Courier New', monospace", ["Menlo", "Monaco", "Courier New", "monospace"]],
		['"Fira Code",Consolas', ["Fira Code", "Consolas"]],
		["  Fira   Code  ", ["Fira Code"]],
		['"A, B", C', ["A, B", "C"]],
		[",,'', x", ["x"]],
		["'Unclosed, x", ["Unclosed", "x"]],
	])("are read from %j", (list, families) => {
		expect(familiesOf(list)).toEqual(families);
	});

	test.each(["", " , ", 3, undefined, null, "'a\u0007b'"])("are none in %j", list => {
		expect(familiesOf(list)).toBeUndefined();
	});

	test("are of a length and a number that the service takes, however long the setting is", () => {
		const font = readEditorFont(
			`${"x".repeat(101)}, ${Array.from({ length: 40 }, (_, index) => `f${index}`).join(",")}`,
			Array.from({ length: 50 }, (_, index) => `'ss${10 + index}'`).join(","),
		);
		expect(font?.families).toHaveLength(16);
		expect(Object.keys(font?.features ?? {})).toHaveLength(32);
		const looks = { shape: "16:9", tabSize: 4, font };
		expect(clipLooksSchema.safeParse(looks).success).toBe(true);
	});
});

describe("the ligatures of the editor's font", () => {
	test.each([false, "false", "", undefined, 1])("are off with %j", value => {
		expect(featuresOf(value)).toEqual({ liga: false, calt: false });
	});

	test.each([true, "true", "normal"])("are as the font has them with %j", value => {
		expect(featuresOf(value)).toEqual({});
	});

	test("are features by their names, on or off", () => {
		expect(featuresOf(`'ss01', "zero" on, 'calt' off, 'liga' 0, "cv02" 2`)).toEqual({
			ss01: true,
			zero: true,
			calt: false,
			liga: false,
			cv02: true,
		});
	});
});

test.each([
	{ families: [""], features: {} },
	{ families: ["a\nb"], features: {} },
	{ families: ["x".repeat(101)], features: {} },
	{ families: Array.from({ length: 17 }, () => "x"), features: {} },
	{ families: ["x"], features: { toolong: true } },
	{ families: ["x"], features: { liga: "on" } },
])("the service refuses the font %j", font => {
	expect(clipLooksSchema.safeParse({ shape: "16:9", tabSize: 4, font }).success).toBe(false);
});
