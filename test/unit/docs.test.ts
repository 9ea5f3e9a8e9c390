import { existsSync, readFileSync, readdirSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { expect, test } from "vitest";

const root = resolve(import.meta.dirname, "../..");

const documents = [
	"README.md",
	"CONTRIBUTING.md",
	"CHANGELOG.md",
	"SECURITY.md",
	...readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
		.filter(file => file.endsWith(".md"))
		.map(file => join("docs", file)),
];

/** The anchor that Markdown viewers give a heading. */
function anchorOf(heading: string): string {
	return heading
		.toLowerCase()
		.replaceAll(/[^\p{L}\p{N} _-]/gu, "")
		.replaceAll(" ", "-");
}

/** Why a link within the repository leads nowhere; undefined when it leads somewhere. */
function brokenLink(document: string, link: string): string | undefined {
	const [path = "", anchor] = link.split("#");
	const target = path === "" ? join(root, document) : join(root, dirname(document), path);
	if (!existsSync(target)) {
		return `${document}: ${link}`;
	}
	const headings = anchor
		? [...readFileSync(target, "utf8").matchAll(/^#+ (.+)$/gm)].map(([, text]) => text ?? "")
		: [];
	return anchor && !headings.map(anchorOf).includes(anchor) ? `${document}: ${link}` : undefined;
}

test("every link between the documents leads to a file and a heading that exist", () => {
	const links = documents.flatMap(document =>
		[...readFileSync(join(root, document), "utf8").matchAll(/\]\(([^)\s]+)\)/g)]
			.map(([, link]) => ({ document, link: link ?? "" }))
			.filter(({ link }) => !/^[a-z]+:/.test(link)),
	);

	expect(links.length).toBeGreaterThan(15);
	expect(links.flatMap(({ document, link }) => brokenLink(document, link) ?? [])).toEqual([]);
});

/** Whether a path that a document names exists; one of `src` is often named from there, and without `.ts` or with a method. */
function exists(path: string): boolean {
	const candidates = [path, `${path}.ts`, path.replace(/\.\w+$/, ".ts")];
	return candidates.some(
		name => existsSync(join(root, name)) || existsSync(join(root, "src", name)),
	);
}

test("every path that the documents name in `src`, `media` and `test` exists", () => {
	const folders = readdirSync(join(root, "src")).filter(name => !name.endsWith(".ts"));
	const path = new RegExp(`\`((?:src|media|test|${folders.join("|")})/[\\w./-]*\\w)\``, "g");
	const named = documents
		.filter(document => document !== "CHANGELOG.md")
		.flatMap(document =>
			[...readFileSync(join(root, document), "utf8").matchAll(path)].map(([, name]) => name ?? ""),
		);
	expect(named.length).toBeGreaterThan(40);
	expect(named.filter(name => !exists(name))).toEqual([]);
});

test.for([
	["README.md", 120],
	["CONTRIBUTING.md", 120],
] as const)("%s stays under %i lines", ([document, most]) => {
	expect(readFileSync(join(root, document), "utf8").split("\n").length).toBeLessThan(most);
});

test("no comment cites a section of a document that is not in the repository", () => {
	const sources = ["src", "media"].flatMap(folder =>
		readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
			.filter(file => file.endsWith(".ts"))
			.map(file => join(folder, file)),
	);
	const elsewhere = /\b(?:design|fault matrix|faults|threat model),? §/i;

	expect(sources.length).toBeGreaterThan(500);
	expect(sources.filter(file => elsewhere.test(readFileSync(join(root, file), "utf8")))).toEqual(
		[],
	);
});
