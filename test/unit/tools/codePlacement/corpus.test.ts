import { join } from "node:path";
import { expect, test } from "vitest";
import { placeCode } from "../../../../src/tools/codePlacement/placeCode.ts";
import { applyHunks } from "../../../../src/tools/contract/edits.ts";
import { type PlaceCase, readCorpus } from "./corpus.ts";

/** Share of all blocks whose place may be asked for. */
const mostAsked = 0.2;

function outcomeOf({ text, block, path, right }: PlaceCase): "right" | "wrong" | "asked" {
	const placement = placeCode(text, block, path);
	if (placement.type === "unclear") {
		return "asked";
	}
	const after = placement.type === "placed" ? applyHunks(text, placement.hunks) : text;
	return after === right ? "right" : "wrong";
}

test("no block of the corpus goes to a wrong place, and few are asked about", () => {
	const cases = readCorpus(join(import.meta.dirname, "corpus"));
	const titlesOf = (outcome: string): string[] =>
		cases.filter(one => outcomeOf(one) === outcome).map(({ title }) => title);
	const [wrong, asked] = [titlesOf("wrong"), titlesOf("asked")];
	console.log(`${cases.length} blocks: ${wrong.length} wrong, ${asked.length} asked about.`);
	expect(cases.length).toBeGreaterThanOrEqual(200);
	expect(wrong).toEqual([]);
	expect(asked.length).toBeLessThanOrEqual(cases.length * mostAsked);
});

test("no block of the corpus changes the file once more when it is applied again", () => {
	const cases = readCorpus(join(import.meta.dirname, "corpus"));
	const again = cases.filter(({ block, path, right }) => {
		const placement = right === undefined ? undefined : placeCode(right, block, path);
		return placement?.type === "placed" && applyHunks(right ?? "", placement.hunks) !== right;
	});
	expect(again.map(({ title }) => title)).toEqual([]);
});
