import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";

const tests = resolve(import.meta.dirname, "..");

/** How many rows each part of the fault matrix has that Cutaway answers for. */
const rowCounts = { N: 10, H: 20, S: 28, U: 20, J: 26, L: 19 } as const;

/** Every quoted or interpolated piece of text in the test files that could be a test's name or a row of its table. */
function testTexts(): string {
	return readdirSync(tests, { recursive: true, encoding: "utf8" })
		.filter(file => /\.(test|spec)\.ts$/.test(file) && !file.endsWith("rows.test.ts"))
		.map(file => readFileSync(join(tests, file), "utf8"))
		.join("\n");
}

/** The ids that stand at the head of a test's name, `"N6: …"`, `"S16, S17: …"`, or in the table names are made from. */
function namedRows(text: string): Set<string> {
	const names = [...text.matchAll(/["'`]((?:[A-Z]\d+)(?:, [A-Z]\d+)*): |\bid: "([A-Z]\d+)"/g)];
	return new Set(names.flatMap(([, ids, id]) => (ids ?? id ?? "").split(", ")));
}

test("every row of the fault matrix about reaching, status, streams, tools, videos and storage has a test that carries its id", () => {
	const named = namedRows(testTexts());
	const rows = Object.entries(rowCounts).flatMap(([letter, count]) =>
		Array.from({ length: count }, (_, index) => `${letter}${index + 1}`),
	);
	expect(rows.filter(row => !named.has(row))).toEqual([]);
});
