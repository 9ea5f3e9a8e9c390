import { expect, test } from "vitest";
import { bestMatches, fuzzyMatch } from "../../../../src/ui/base/fuzzyMatch.ts";

const paths = [
	"README.md",
	"data/orders.csv",
	"data/products.json",
	"scripts/sales_report.py",
	"src/orderDetails.ts",
	"src/pricing.ts",
	"docs/old/reader.md",
];

function found(query: string): readonly string[] {
	return bestMatches(query, paths, path => path, 20).map(({ candidate }) => candidate);
}

test("Letters match in their order, whatever their case", () => {
	expect(found("PRICE")).toEqual([]);
	expect(found("pring")).toContain("src/pricing.ts");
	expect(found("gnicirp")).toEqual([]);
});

test("A name that holds the query whole comes first, then beginnings of words", () => {
	expect(found("orders")[0]).toBe("data/orders.csv");
	expect(found("salrep")[0]).toBe("scripts/sales_report.py");
	expect(found("orderd")[0]).toBe("src/orderDetails.ts");
	expect(found("read")[0]).toBe("README.md");
});

test("A query without letters matches everything in its order", () => {
	expect(found("")).toEqual(paths);
});

test("Letters of the folder count, so that a path can be written", () => {
	expect(found("data/pro")[0]).toBe("data/products.json");
	expect(found("sc/sale")[0]).toBe("scripts/sales_report.py");
});

test("The positions are those of the letters that matched", () => {
	const match = fuzzyMatch("prts", "src/pricing.ts");
	expect(match?.positions.map(position => "src/pricing.ts"[position]).join("")).toBe("prts");
	expect(fuzzyMatch("İ", "İstanbul.csv")).toBeUndefined();
});
