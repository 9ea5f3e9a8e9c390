import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { filesBelow } from "../../../scripts/imports.ts";
import { projectRoot } from "../../../scripts/project.ts";

/** What a file does that takes seconds: it starts a program of the tests, builds the extension, or runs Python. */
const slowKinds = /helpers\/\w+Process\.ts|"esbuild\.js"|helpers\/pythonFiles\.ts/;

/** The tag at the top of a file; Vitest would take it for this file's own if these were its very characters. */
const tag = /^\/\/ @module-tag thorough\n/;

test("a file that starts programs, builds the extension or runs Python is left out of `npm test`", () => {
	const untagged = filesBelow("test/unit").filter(file => {
		const text = readFileSync(join(projectRoot, file), "utf8");
		return slowKinds.test(text) && !tag.test(text);
	});
	expect(untagged).toEqual([]);
});
