import { expect, test } from "vitest";
import { fixProblems, reportedProblems } from "../../../../src/localService/demo/problemFix.ts";

function fixed(line: string, column: number, message: string): string | undefined {
	const { edits } = fixProblems(`${line}\nlast\n`, [{ line: 1, column, message }]);
	const [edit] = edits;
	return edit && `${line}\nlast\n`.replace(edit.find, () => edit.replace).split("\nlast")[0];
}

test.each([
	["cuont + 1", 1, "Cannot find name 'cuont'. Did you mean 'count'?", "count + 1"],
	["a.lenght;", 3, "Property 'lenght' does not exist. Did you mean 'length'?", "a.length;"],
	["a = 1 b = 2", 7, "';' expected.", "a = 1; b = 2"],
	["color: red }", 12, "semicolon expected", "color: red; }"],
	['"a": 1', 7, "Expected comma", '"a": 1,'],
	['"a": 1,', 7, "Trailing comma", '"a": 1'],
	[
		"import { a, b } from 'x';",
		13,
		"'b' is declared but its value is never read.",
		"import { a } from 'x';",
	],
	[
		"import { a, b } from 'x';",
		10,
		"'a' is declared but its value is never read.",
		"import { b } from 'x';",
	],
])("«%s» at column %i with «%s» becomes «%s»", (line, column, message, after) => {
	expect(fixed(line, column, message)).toBe(after);
});

test.each([
	["import { a } from 'x';", "'a' is declared but its value is never read."],
	["import * as a from 'x'", "'a' is declared but its value is never read."],
	["const a = 3;", "'a' is declared but its value is never read."],
	["import { a, b } from 'x';", "All imports in import declaration are unused."],
	["import os", "'os' is not accessed"],
])("«%s» goes as a whole when «%s»", (line, message) => {
	const { edits } = fixProblems(`${line}\nnext()`, [{ line: 1, column: 1, message }]);
	expect(edits).toEqual([{ find: `${line}\n`, replace: "", startLine: 1 }]);
});

test.each([
	["const a = start();", "'a' is declared but its value is never read."],
	["function a() {", "'a' is declared but its value is never read."],
	["foo(", "')' expected."],
	["", "';' expected."],
])("«%s» stays as it is when «%s»: no rule is sure enough", (line, message) => {
	const problem = { line: 1, column: 1, message };
	expect(fixProblems(line, [problem])).toEqual({ edits: [], fixed: [], left: [problem] });
});

test("several problems of a line are fixed together, and lines beyond the end are left alone", () => {
	const { edits, left } = fixProblems("aa + bb", [
		{ line: 1, column: 1, message: "Did you mean 'alpha'?" },
		{ line: 1, column: 6, message: "Did you mean 'beta'?" },
		{ line: 9, column: 1, message: "Did you mean 'x'?" },
	]);
	expect(edits).toEqual([{ find: "aa + bb", replace: "alpha + beta", startLine: 1 }]);
	expect(left).toHaveLength(1);
});

test("problems are read as the tool tells them", () => {
	expect(reportedProblems("src/a b.ts:3:14 error ts: ')' expected.\n[cut: 3 more]")).toEqual([
		{ line: 3, column: 14, message: "')' expected." },
	]);
});

test("a mark that is missed at the beginning of a line is put to the end of the one before", () => {
	const text = '{\n\t"name": "Beans"\n\n\t"open": true\n}\n';
	const { edits } = fixProblems(text, [{ line: 4, column: 2, message: "Expected comma" }]);
	expect(edits).toEqual([
		{ find: '\t"name": "Beans"', replace: '\t"name": "Beans",', startLine: 2 },
	]);
});
