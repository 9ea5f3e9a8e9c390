import { highlighter } from "./highlighter.js";
import type { CodeToken } from "../../../clip/codeToken.ts";
import type { CodeTokenKind } from "../../../common/clipLooks.ts";

/** Names of languages that the library knows by another one. */
const otherNames: Readonly<Record<string, string>> = {
	shellscript: "bash",
	fish: "bash",
	console: "bash",
	typescriptreact: "tsx",
	terraform: "ini",
	javascriptreact: "jsx",
	"objective-c": "objectivec",
	"objective-cpp": "objectivec",
	svelte: "html",
	vue: "html",
	toml: "ini",
	dotenv: "ini",
	jsonc: "json",
	json5: "json",
	docker: "dockerfile",
	sass: "scss",
	pwsh: "powershell",
	ps1: "powershell",
};

/** The kinds of the library's classes. A class inside one that isn't here has the kind of the outer one. */
const kinds: Readonly<Record<string, CodeTokenKind>> = {
	keyword: "keyword",
	"selector-tag": "tag",
	name: "tag",
	tag: "punctuation",
	doctag: "keyword",
	string: "string",
	"meta string": "string",
	char: "string",
	"char escape_": "escape",
	subst: "plain",
	regexp: "regexp",
	number: "number",
	literal: "constant",
	symbol: "constant",
	bullet: "punctuation",
	comment: "comment",
	quote: "comment",
	title: "call",
	"title function_": "call",
	section: "keyword",
	"title class_": "type",
	"title class_ inherited__": "type",
	type: "type",
	class: "type",
	built_in: "builtIn",
	"variable language_": "storage",
	"variable constant_": "constant",
	attr: "property",
	attribute: "property",
	property: "property",
	variable: "plain",
	params: "parameter",
	"selector-class": "attribute",
	"selector-id": "attribute",
	"selector-attr": "attribute",
	"selector-pseudo": "attribute",
	"template-tag": "storage",
	"template-variable": "plain",
	meta: "keyword",
	"meta prompt": "comment",
	operator: "punctuation",
	punctuation: "punctuation",
	link: "link",
	code: "string",
	addition: "string",
	deletion: "keyword",
	function: "call",
};

/** Keywords that name what something is, which editors color differently from control flow. */
const storageWords =
	/^(?:abstract|bool|boolean|char|class|const|constexpr|def|double|enum|extends|final|float|fn|func|function|impl|implements|int|interface|internal|lambda|let|long|mod|module|mut|namespace|object|override|package|private|protected|pub|public|readonly|record|sealed|short|signed|static|struct|template|trait|type|typedef|union|unsigned|val|var|virtual|void|volatile)$/;

/** Texts of more letters are plain: the library takes them as a whole. */
const maxLength = 200_000;

/** Splits code into lines of tokens by the rules of highlight.js. A line's tokens joined are the line. Code of an unknown language is plain. */
export function highlightCode(
	lines: readonly string[],
	language: string | undefined,
): readonly (readonly CodeToken[])[] {
	const code = lines.join("\n");
	const wanted = language?.toLowerCase() ?? "";
	const name = otherNames[wanted] ?? wanted;
	if (!highlighter.getLanguage(name) || code.length > maxLength) {
		return lines.map(text => (text === "" ? [] : [{ kind: "plain", text }]));
	}
	const html = highlighter.highlight(code, { language: name, ignoreIllegals: true }).value;
	const rows: CodeToken[][] = [[]];
	for (const { kind, text } of tokensIn(html)) {
		for (const [index, part] of text.split("\n").entries()) {
			if (index > 0) {
				rows.push([]);
			}
			if (part !== "") {
				rows.at(-1)?.push({ kind, text: part });
			}
		}
	}
	return rows;
}

/** Reads the library's HTML, in which spans are nested. */
function tokensIn(html: string): readonly CodeToken[] {
	const tokens: CodeToken[] = [];
	const open: CodeTokenKind[] = ["plain"];
	for (const [part] of html.matchAll(/<span class="[^"]*">|<\/span>|[^<]+/g)) {
		const classes = /^<span class="([^"]*)">$/.exec(part)?.[1];
		if (classes !== undefined) {
			open.push(kinds[classes.replaceAll("hljs-", "")] ?? open.at(-1) ?? "plain");
		} else if (part === "</span>") {
			open.pop();
		} else {
			const kind = open.at(-1) ?? "plain";
			const isStorage = kind === "keyword" && storageWords.test(part);
			tokens.push({ kind: isStorage ? "storage" : kind, text: unescaped(part) });
		}
	}
	return tokens;
}

const escapes: Readonly<Record<string, string>> = {
	"&amp;": "&",
	"&lt;": "<",
	"&gt;": ">",
	"&quot;": '"',
	"&#x27;": "'",
};

function unescaped(text: string): string {
	return text.replaceAll(/&(?:amp|lt|gt|quot|#x27);/g, sign => escapes[sign] ?? sign);
}
