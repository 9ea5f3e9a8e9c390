import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const media = join(import.meta.dirname, "../../../media");

/** The sides of a table's column are what its author wrote; code runs from left to right whatever the page does. */
const physicalOnPurpose = /^text-align: (?:left|right);$/;

/** A declaration that names a side of the screen, or gives two sides of a box different lengths by their order. */
function isPhysical(declaration: string): boolean {
	const [property = "", value = ""] = declaration.split(/:\s*/, 2);
	const lengths = value.replace(/;$/, "").match(/(?:\w+\([^)]*\)|\S)+/g) ?? [];
	const isUneven = lengths.length === 4 && lengths[1] !== lengths[3];
	return (
		/(?:^|-)(?:left|right)(?:-|$)/.test(property) ||
		/^(?:text-align|float|clear): (?:left|right)/.test(declaration) ||
		(isUneven && /^(?:margin|padding|inset|border-width)$/.test(property))
	);
}

test("A page has no left and no right of its own, so that it can be read from either side", () => {
	const found = globSync("**/*.css", { cwd: media }).flatMap(file =>
		readFileSync(join(media, file), "utf8")
			.split("\n")
			.map(line => line.trim())
			.filter(line => isPhysical(line) && !physicalOnPurpose.test(line))
			.map(line => `${file}: ${line}`),
	);
	expect(found).toEqual([]);
});
