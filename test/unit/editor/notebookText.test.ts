import { expect, test } from "vitest";
import { savedNotebookText } from "../../../src/editor/notebookText.ts";

const plot = "iVBORw0KGgo".padEnd(100_000, "A");

function saved(cells: readonly unknown[], rest: object = {}): string {
	return JSON.stringify({ nbformat: 4, nbformat_minor: 5, metadata: {}, cells, ...rest });
}

function code(source: string | readonly string[], ...outputs: readonly unknown[]): unknown {
	return { cell_type: "code", execution_count: 1, metadata: {}, source, outputs };
}

test("a notebook is its cells with what they printed, and images by their size", () => {
	const text = savedNotebookText(
		saved(
			[
				{ cell_type: "markdown", metadata: {}, source: ["# Sales\n", "By month"] },
				code(
					["import pandas as pd\n", "df.plot()"],
					{ output_type: "stream", name: "stdout", text: ["one\n", "two\n"] },
					{
						output_type: "display_data",
						metadata: {},
						data: { "image/png": plot, "text/plain": ["<Figure size 640x480>"] },
					},
				),
			],
			{ metadata: { language_info: { name: "python" } } },
		),
	);
	expect(text).toBe(
		[
			"[cell 1, markdown]\n# Sales\nBy month",
			"",
			"[cell 2, python]\nimport pandas as pd\ndf.plot()",
			"[output]\none\ntwo",
			"[output]\n<Figure size 640x480>\n[image, 75 KB]",
		].join("\n"),
	);
});

test.each([
	[
		"an error without its colors",
		{ output_type: "error", ename: "E", evalue: "v", traceback: ["\u001B[0;31mE\u001B[0m: v"] },
		"E: v",
	],
	[
		"an error without a traceback",
		{ output_type: "error", ename: "KeyError", evalue: "'a'" },
		"KeyError: 'a'",
	],
	[
		"a table as text in place of HTML",
		{ output_type: "execute_result", data: { "text/html": "<table>", "text/plain": "a b" } },
		"a b",
	],
	[
		"HTML where there is nothing else",
		{ output_type: "display_data", data: { "text/html": ["<b>", "x</b>"] } },
		"<b>x</b>",
	],
	[
		"an SVG by its size",
		{ output_type: "display_data", data: { "image/svg+xml": ["<svg>".padEnd(3000, " ")] } },
		"[image, 3 KB]",
	],
	[
		"a widget by its kind",
		{ output_type: "display_data", data: { "application/vnd.x+json": { a: "b".repeat(5000) } } },
		"[application/vnd.x+json, 5 KB]",
	],
	[
		"the last state of a progress bar",
		{ output_type: "stream", text: "10%\r50%\r100%\r\ndone\n" },
		"100%\ndone",
	],
	[
		"HTML without the image in it",
		{
			output_type: "display_data",
			data: { "text/html": `<img src="data:image/png;base64,${plot}">` },
		},
		'<img src="data:image/png;base64,[data, 75 KB]">',
	],
])("an output is shown as %s", (_, output, expected) => {
	expect(savedNotebookText(saved([code("x", output)]))).toBe(
		`[cell 1, code]\nx\n[output]\n${expected}`,
	);
});

test("a long output is cut and says so", () => {
	const text = savedNotebookText(
		saved([code("x", { output_type: "stream", text: "ab ".repeat(10_000) })]),
	);
	expect(text).toMatch(/\[21999 more characters\]$/);
});

test.each(["", "{", "[]", '{"cells": 1}', '{"nbformat": 3, "worksheets": []}', "<<<<<<< HEAD\n{}"])(
	"%j is no notebook that can be shown so",
	text => {
		expect(savedNotebookText(text)).toBeUndefined();
	},
);
