import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";

const root = resolve(import.meta.dirname, "../..");

function sourcesBelow(folder: string): string[] {
	return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
		.filter(file => file.endsWith(".ts") && !file.endsWith("faults.test.ts"))
		.map(file => readFileSync(join(root, folder, file), "utf8"));
}

/** The ids at the head of the tables' rows in a document. */
function idsOf(document: string): string[] {
	const text = readFileSync(join(root, "docs", document), "utf8");
	return [...text.matchAll(/^\| ([A-Z]\d{1,2}) +\|/gm)].map(([, id]) => id ?? "");
}

/** The ids at the head of a test's name, `"N6: …"` or `"S16, S17: …"`, or in the table that names are made from. */
function idsOfTests(): Set<string> {
	const head = /["'`]((?:[A-Z]\d{1,2})(?:, [A-Z]\d{1,2})*): |\bid: "([A-Z]\d{1,2})"/g;
	const names = sourcesBelow("test").flatMap(text => [...text.matchAll(head)]);
	return new Set(names.flatMap(([, ids, id]) => (ids ?? id ?? "").split(", ")));
}

const faults = idsOf("faults.md");
const known = new Set([...faults, ...idsOf("security.md")]);

test("every fault of docs/faults.md has a test that carries its id", () => {
	const tested = idsOfTests();

	expect(faults.length).toBeGreaterThan(120);
	expect(faults.filter(id => !tested.has(id))).toEqual([]);
});

test("every id at the head of a test's name is in docs/faults.md or docs/security.md", () => {
	const cited = [...idsOfTests()].filter(id => /^[GHJLNSTU]\d/.test(id));

	expect(cited.filter(id => !known.has(id))).toEqual([]);
});

test("no comment cites a fault or a threat by its id, which a reader would have to look up", () => {
	const citation =
		/(?:\/\/|\*).*\b(?:[Ff]aults?|[Tt]hreats?|[Rr]ows?|[Mm]atrix) [GHJLNSTU]\d{1,2}\b/g;
	const found = [...sourcesBelow("src"), ...sourcesBelow("media")].flatMap(text =>
		[...text.matchAll(citation)].map(([comment]) => comment),
	);

	expect(found).toEqual([]);
});
