import { expect, test } from "vitest";
import { splitFrontMatter } from "../../../../src/attachments/files/frontMatter.ts";

const split = (file: string) => splitFrontMatter(file, 20);

test("the front matter gives the description, in one line and without its quotes", () => {
	expect(split('---\ndescription: "Reviews code"\nmodel: x\n---\nBe strict.\n')).toEqual({
		description: "Reviews code",
		text: "Be strict.\n",
	});
	expect(split("---\r\ndescription: Two\r\n---\r\nText")).toEqual({
		description: "Two",
		text: "Text",
	});
	expect(split("No front matter\n---\nmore")).toEqual({
		description: "",
		text: "No front matter\n---\nmore",
	});
});

test.each([
	["description: >-\n  Deploys\n\n  the site\nname: x", "Deploys the site"],
	["description: |\n  Deploys it", "Deploys it"],
	["name: x\ndescription: Deploys\n  all", "Deploys all"],
	["description:\n  'Deploys'", "Deploys"],
	["name: x\n  description: not its own", ""],
	["description: one two three four five six", "one two three four f"],
	["description: A\u202Eb", "A␣U+202Eb"],
])("the description of %j is one line within the bound", (head, description) => {
	expect(split(`---\n${head}\n---\nText`)).toEqual({ description, text: "Text" });
});
