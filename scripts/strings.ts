/**
 * A program: `npm run strings` writes every sentence of the code that a user reads into `l10n/bundle.l10n.json`, from which
 * translators work. What it finds is what the build gives the pages and what `test/unit/l10n.test.ts` checks.
 */
import { readdirSync, readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { parseSync } from "oxc-parser";
import { projectRoot, say } from "./project.ts";

/** One `l10n.t(…)` of the code, and what is wrong with it. */
export interface StringUse {
	/** File below the project's root, and the line, such as `src/ui/base/amounts.ts:12`. */
	readonly place: string;
	/** The key in the bundles: the sentence, with its comment after a slash when it has one. */
	readonly key: string;
	/** The sentence alone. */
	readonly sentence: string;
	readonly faults: readonly string[];
}

/** Rooms whose words a user may read. */
export const stringModules = ["src", "media"] as const;

/** Rooms whose words are drawn by a webview. */
export const pageStringModules = ["media", "src/shared"] as const;

/** A node of the syntax tree, as the parser gives it. */
export interface SyntaxNode {
	readonly type: string;
	readonly start: number;
	readonly [field: string]: unknown;
}

function isNode(value: unknown): value is SyntaxNode {
	return typeof value === "object" && value !== null && "type" in value && "start" in value;
}

/** Calls `visit` for every node below this one with the nodes it is in, outermost first. */
export function walk(
	node: SyntaxNode,
	visit: (node: SyntaxNode, parents: readonly SyntaxNode[]) => void,
	parents: readonly SyntaxNode[] = [],
): void {
	visit(node, parents);
	const inner = [...parents, node];
	for (const value of Object.values(node)) {
		for (const child of Array.isArray(value) ? (value as unknown[]) : [value]) {
			if (isNode(child)) {
				walk(child, visit, inner);
			}
		}
	}
}

/** The syntax tree of a file below the project's root; throws when it does not parse. */
export function parseFile(file: string): { readonly program: SyntaxNode; readonly text: string } {
	const text = readFileSync(join(projectRoot, file), "utf8");
	const { program, errors } = parseSync(file, text);
	if (errors.length > 0) {
		throw new Error(`${file}: ${errors.map(({ message }) => message).join(" ")}`);
	}
	return { program: program as unknown as SyntaxNode, text };
}

/** TypeScript files in these folders, below the project's root, sorted. */
export function sourceFiles(rooms: readonly string[]): string[] {
	return rooms
		.flatMap(room =>
			readdirSync(join(projectRoot, room), { recursive: true, encoding: "utf8" })
				.filter(file => file.endsWith(".ts") && !file.endsWith(".d.ts"))
				.map(file => join(room, file).replaceAll("\\", "/")),
		)
		.toSorted();
}

/** The line of an offset, counted from 1. */
export function lineOf(text: string, offset: number): number {
	return text.slice(0, offset).split("\n").length;
}

/** The text of a string literal; `undefined` for anything else. */
export function literalText(node: unknown): string | undefined {
	const value = isNode(node) && node.type === "Literal" ? node["value"] : undefined;
	return typeof value === "string" ? value : undefined;
}

function property(object: SyntaxNode, name: string): unknown {
	const properties = object["properties"] as readonly SyntaxNode[];
	return properties.find(entry => (entry["key"] as SyntaxNode | undefined)?.["name"] === name)?.[
		"value"
	];
}

interface Written {
	readonly message: string | undefined;
	readonly comment: string;
	/** Names of the values that come with it; `undefined` when only running it would tell. */
	readonly values: readonly string[] | undefined;
}

/** Names of an object's fields, or the places of a list; `undefined` with a spread among them. */
function namesOf(node: unknown): readonly string[] | undefined {
	if (!isNode(node)) {
		return [];
	}
	const entries = (node["properties"] ?? node["elements"]) as readonly SyntaxNode[] | undefined;
	if (!entries || entries.some(({ type }) => type === "SpreadElement")) {
		return undefined;
	}
	return entries.map((entry, index) =>
		node.type === "ArrayExpression"
			? String(index)
			: String((entry["key"] as SyntaxNode | undefined)?.["name"]),
	);
}

function readArguments(args: readonly SyntaxNode[]): Written {
	const [first, second] = args;
	if (first?.type === "ObjectExpression") {
		const comment = property(first, "comment");
		const parts =
			isNode(comment) && comment.type === "ArrayExpression"
				? (comment["elements"] as readonly SyntaxNode[]).map(literalText)
				: [literalText(comment)];
		return {
			message: literalText(property(first, "message")),
			comment: parts.join(""),
			values: namesOf(property(first, "args")),
		};
	}
	const values =
		second?.type === "ObjectExpression"
			? namesOf(second)
			: args.some(({ type }) => type === "SpreadElement")
				? undefined
				: args.slice(1).map((_, index) => String(index));
	return { message: literalText(first), comment: "", values };
}

/** The names in braces of a sentence, sorted, each once. */
export function placeholders(sentence: string): string[] {
	return [
		...new Set([...sentence.matchAll(/\{([^{}]+)\}/g)].map(([, name]) => name ?? "")),
	].toSorted();
}

function readUse(call: SyntaxNode, parents: readonly SyntaxNode[], place: string): StringUse {
	const { message, comment, values } = readArguments(call["arguments"] as SyntaxNode[]);
	const faults: string[] = [];
	if (message === undefined) {
		faults.push("The sentence is not one literal.");
	} else if (values && placeholders(message).join() !== values.toSorted().join()) {
		faults.push("The values are not those the sentence has places for.");
	}
	if (!parents.some(({ type }) => /Function|MethodDefinition/.test(type))) {
		faults.push("It is looked up as the module loads, before the language is known.");
	}
	const sentence = message ?? "";
	return { place, key: comment === "" ? sentence : `${sentence}/${comment}`, sentence, faults };
}

/** Every `l10n.t(…)` of these files, in their order. */
export function stringUses(files: readonly string[]): StringUse[] {
	return files.flatMap(file => {
		const { program, text } = parseFile(file);
		const uses: StringUse[] = [];
		walk(program, (node, parents) => {
			const callee = node["callee"] as SyntaxNode | undefined;
			if (
				node.type === "CallExpression" &&
				callee?.type === "MemberExpression" &&
				(callee["object"] as SyntaxNode)["name"] === "l10n" &&
				(callee["property"] as SyntaxNode)["name"] === "t"
			) {
				uses.push(readUse(node, parents, `${file}:${lineOf(text, node.start)}`));
			}
		});
		return uses;
	});
}

/** The keys of these rooms' sentences, sorted by code unit, each once. */
export function stringKeys(rooms: readonly string[]): string[] {
	return [...new Set(stringUses(sourceFiles(rooms)).map(({ key }) => key))].toSorted();
}

/** The English bundle as it is to be on disk: every key with its sentence, sorted. */
export function englishBundle(): string {
	const uses = stringUses(sourceFiles(stringModules)).map(({ key, sentence }) => [key, sentence]);
	const sorted = uses.toSorted(([a = ""], [b = ""]) => (a < b ? -1 : a > b ? 1 : 0));
	return `${JSON.stringify(Object.fromEntries(sorted), null, "\t")}\n`;
}

if (import.meta.main) {
	const file = join(projectRoot, "l10n", "bundle.l10n.json");
	const bundle = englishBundle();
	await mkdir(dirname(file), { recursive: true });
	await writeFile(file, bundle);
	say(`${file}: ${Object.keys(JSON.parse(bundle) as object).length} sentences`);
}
