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

/**
 * Whether an answer that grows has the browser look for what a `:has()` names in everything it holds, or after every element that
 * comes, whatever it is.
 */
function looksFar(selector: string): boolean {
	return [...selector.matchAll(/([^\s>+~]*):has\(((?:[^()]|\([^()]*\))*)\)/g)].some(
		([, anchor = "", wanted = ""]) => {
			const holdsAnswers = /^$|^(?:main|body)|\.(?:answer|turn|conversation|markdown|scroller)/;
			return (
				(holdsAnswers.test(anchor) && !/^[>+~]/.test(wanted)) ||
				/:(?:nth|not|empty)/.test(wanted) ||
				/(?:^|[\s>+~])[:*]/.test(wanted.replaceAll(/:is\([^()]*\)/g, ".any"))
			);
		},
	);
}

test.each([
	["main:has(.a)", true],
	[".answer:has(.a) + .answer", true],
	[".b:has(> :nth-child(8))", true],
	[".b:has(+ .a:not(:empty))", true],
	[".answer:has(+ :is(.a, .b)):not(:hover) > .c", false],
	[".b:has(.a)", false],
])("%s is known for what it costs", (selector, isFar) => {
	expect(looksFar(selector)).toBe(isFar);
});

test("No rule has the browser look through a whole answer again whenever it grows", () => {
	const found = globSync("{chat,shared}/**/*.css", { cwd: media }).flatMap(file =>
		(
			readFileSync(join(media, file), "utf8")
				.replaceAll(/\/\*[\s\S]*?\*\//g, "")
				.match(/[^{}]*:has\([^{}]*(?=\{)/g) ?? []
		)
			.filter(looksFar)
			.map(selector => `${file}: ${selector.trim()}`),
	);
	expect(found).toEqual([]);
});
