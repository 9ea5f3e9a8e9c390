import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import * as z from "zod/mini";
import { sourceFiles, stringRooms, stringUses } from "../host/strings.ts";

const root = resolve(import.meta.dirname, "../..");

const readJson = (file: string): unknown => JSON.parse(readFileSync(join(root, file), "utf8"));
const bundleSchema = z.record(z.string(), z.string().check(z.minLength(1)));

test("every sentence is one literal, looked up when it is shown, with a value for each of its places", () => {
	const faulty = stringUses(sourceFiles(stringRooms)).filter(({ faults }) => faults.length > 0);
	expect(faulty).toEqual([]);
});

/** Fields of the manifest that VS Code shows, wherever they stand. */
const shownFields: ReadonlySet<string> = new Set([
	"title",
	"shortTitle",
	"label",
	"description",
	"markdownDescription",
	"enumDescriptions",
	"markdownEnumDescriptions",
	"enumItemLabels",
	"patternErrorMessage",
	"markdownDeprecationMessage",
	"deprecationMessage",
	"altText",
	"contents",
	"contextualTitle",
	"accessibilityHelpContent",
	"displayName",
	"userDescription",
]);

/** The name is the same in every language. */
const name = "Cutaway";

/** Words of the manifest in fields that are shown; a tool's schema is for models. */
function shownWords(value: unknown, path: readonly string[]): [string, string][] {
	const field = path.findLast(part => Number.isNaN(Number(part))) ?? "";
	if (typeof value === "string") {
		const isViewName = path.includes("views") && field === "name";
		return shownFields.has(field) || isViewName ? [[path.join("."), value]] : [];
	}
	if (typeof value !== "object" || value === null || field === "inputSchema") {
		return [];
	}
	return Object.entries(value).flatMap(([key, inner]) => shownWords(inner, [...path, key]));
}

test("the manifest takes every word that VS Code shows from package.nls.json, and nothing there is left over", () => {
	const words = shownWords(readJson("package.json"), []).filter(([, word]) => word !== name);
	expect(words.filter(([, word]) => !/^%[^%]+%$/.test(word))).toEqual([]);
	expect(Object.keys(z.parse(bundleSchema, readJson("package.nls.json"))).toSorted()).toEqual(
		[...new Set(words.map(([, word]) => word.slice(1, -1)))].toSorted(),
	);
});
