import { lineOf, literalText, parseFile, type SyntaxNode, walk } from "../../scripts/strings.ts";

/** A literal that looks like words for a user and is not looked up in the editor's language. */
export interface BareWords {
	/** File below the project's root, and the line. */
	readonly place: string;
	readonly words: string;
}

/** Fields of VS Code's and our own objects, and properties of elements, that are shown. */
const shownFields: ReadonlySet<string> = new Set([
	"ariaLabel",
	"detail",
	"label",
	"openLabel",
	"placeHolder",
	"placeholder",
	"prompt",
	"said",
	"saveLabel",
	"sentence",
	"spoken",
	"textContent",
	"title",
	"tooltip",
]);

/** Attributes of elements that are shown or read out. */
const shownAttribute =
	/\s(?:aria-label|aria-description|title|placeholder|alt|label)="([^"$]*[A-Za-z][^"$]*)"/g;

/** A capital and a second word: the beginning of a sentence or of a title. */
const sentence = /^(?:\$\([\w~-]+\) )?[A-Z]\S* \S/;

/** One word that is a name on a button. */
const title = /^[A-Z][a-z]+…?$/;

const keysOfKeyboards = /^(?:Arrow|Page)(?:Up|Down|Left|Right)$/;

function nameOf(node: unknown): string {
	const { name, value } = (node ?? {}) as { readonly name?: unknown; readonly value?: unknown };
	return typeof name === "string" ? name : typeof value === "string" ? value : "";
}

/** The words of a literal, values as «…»; `undefined` for any other node. */
function wordsOf(node: SyntaxNode): string | undefined {
	if (node.type !== "TemplateLiteral") {
		return literalText(node);
	}
	const quasis = node["quasis"] as readonly { readonly value: { readonly cooked: string } }[];
	return quasis.map(({ value }) => value.cooked).join("…");
}

function calleeOf(node: SyntaxNode): string {
	const callee = node["callee"] as SyntaxNode | undefined;
	return callee?.type === "MemberExpression"
		? `${nameOf((callee["object"] as SyntaxNode)["property"] ?? callee["object"])}.${nameOf(callee["property"])}`
		: nameOf(callee);
}

/** Whether it is looked up, goes to the log, is a type or a name of a module, or is compared with something. */
function isInnocent(parents: readonly SyntaxNode[]): boolean {
	const parent = parents.at(-1);
	return (
		parents.some(
			node =>
				/^(?:Import|ExportAll|TS)/.test(node.type) ||
				(node.type === "CallExpression" && /^(?:l10n\.t|log\.\w+)$/.test(calleeOf(node))),
		) ||
		(parent?.type === "BinaryExpression" && /^[!=]==$/.test(String(parent["operator"]))) ||
		parent?.type === "SwitchCase" ||
		parent?.type === "TaggedTemplateExpression"
	);
}

/** Whether what is here is shown for certain, so that one word is enough. */
function isShown(parent: SyntaxNode | undefined): boolean {
	if (parent?.type === "Property" || parent?.type === "PropertyDefinition") {
		return shownFields.has(nameOf(parent["key"]));
	}
	return (
		parent?.type === "AssignmentExpression" &&
		shownFields.has(nameOf((parent["left"] as SyntaxNode)["property"]))
	);
}

/** Words in the elements of a template: between tags, and in attributes that are read out. */
function wordsOfElements(template: SyntaxNode): string[] {
	const html = wordsOf(template) ?? "";
	const texts = [...html.replaceAll(/=\s*(?:"[^"]*"|'[^']*'|…)/g, "").matchAll(/>([^<>]*)/g)];
	return [...texts, ...html.matchAll(shownAttribute)]
		.map(([, words = ""]) => words.replaceAll("…", " ").trim())
		.filter(words => /[A-Za-z]{2}/.test(words));
}

/** What in these files looks like words for a user and is not looked up. */
export function bareWords(files: readonly string[]): BareWords[] {
	return files.flatMap(file => {
		const { program, text } = parseFile(file);
		const found: BareWords[] = [];
		walk(program, (node, parents) => {
			const place = `${file}:${lineOf(text, node.start)}`;
			if (node.type === "TaggedTemplateExpression" && nameOf(node["tag"]) === "html") {
				const inner = wordsOfElements(node["quasi"] as SyntaxNode);
				found.push(...inner.map(words => ({ place, words })));
			}
			const words = wordsOf(node);
			if (words === undefined || isInnocent(parents) || keysOfKeyboards.test(words)) {
				return;
			}
			if (sentence.test(words) || (isShown(parents.at(-1)) && title.test(words))) {
				found.push({ place, words });
			}
		});
		return found;
	});
}
