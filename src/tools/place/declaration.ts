import type { LanguageId } from "./language.ts";

/** The kind of a declaration. A declaration replaces only one of the same kind. */
export type DeclarationKind =
	| "value"
	/** Contains members that may be shown individually: classes, namespaces, test suites, sections. */
	| "group"
	/** Shown as a whole: interfaces, enums, structs without methods, style rules. */
	| "data"
	| "key"
	/** A call with a title, or a statement with its own head, such as `it("adds", …)`. */
	| "titled";

export interface Declaration {
	readonly kind: DeclarationKind;
	readonly name: string;
	/** Parameter types, in languages with overloads. */
	readonly parameters?: string;
	/** Whether it must be a member: a method without a keyword, or one with `self`. */
	readonly isMember?: boolean;
	readonly isVariable?: boolean;
}

/** The most characters of a head to examine. Lines of minified files may be very long. */
const maxHead = 300;

/** Removes modifiers and the contents of parentheses from a head. */
function bareOf(code: string): string {
	let [bare, depth] = ["", 0];
	for (const character of code) {
		depth -= character === ")" ? 1 : 0;
		bare += depth <= 0 ? character : "";
		depth += character === "(" ? 1 : 0;
	}
	return bare.replace(modifiers, "").slice(0, maxHead);
}

type Reader = (head: string, code: string, isInGroup: boolean) => Declaration | undefined;

const modifiers =
	/^(?:(?:export|default|declare|public|private|protected|internal|static|abstract|final|sealed|async|pub(?:\([^)]*\))?|unsafe|override|readonly|partial|virtual|extern(?:\s*"[^"]*")?|inline|constexpr|open|data|suspend|inner|companion|const(?=\s+(?:fn|enum)\b)|mut|lateinit|tailrec|operator|infix|synchronized|native|transient|volatile|required|convenience|fileprivate|weak|lazy|friend|local|typedef|template\s*<[^>]*>|new(?=\s+\w+\s+\w+))\s+)*/;

const word = String.raw`[\p{L}_$#@~][\p{L}\p{N}_$]*[!?]?`;
const groupWords = /^(class|object|namespace|module|mod|extension|actor|record|package)\b/;
const keyword = new RegExp(
	String.raw`^(class|interface|type|enum(?:\s+class|\s+struct)?|struct|trait|union|record(?:\s+struct|\s+class)?|object|protocol|extension|actor|namespace|module|mod|function\s*\*?|def|fn|func|fun|const|let|var|val|static|macro_rules!|annotation\s+class)\s+((?:self\.)?(?:[\w$.]+(?:::|\\))*${word}(?:\.${word})*)`,
	"u",
);
const control =
	/^(?:if|for|foreach|while|switch|return|catch|else|do|new|throw|await|yield|case|sizeof|delete|using|go|defer|when|match|try|with|goto|assert|print|echo|lock|unless|until|import|from|in)\b/;
const suite =
	/^(?:describe|context|suite|fdescribe|xdescribe|test\.describe|feature|namespace|scope|shared_examples)\b/i;
const titled = /^([\w$.]+?)(?:\.(?:only|skip|todo|each\(.*?\)))?\s*[( ]\s*(["'`])(.*?)\2/;
const hooks =
	/^(beforeEach|afterEach|beforeAll|afterAll|before|after|setUp|tearDown|setup|teardown)\b\s*(?:\(|\bdo\b)/;
const hasFunction = /=>|\bfunction\b|\bfunc\b|\bdo\b|[{(]\s*$/;
const routes = /\.(?:get|post|put|patch|delete|all|route|on|handle|handleFunc|use|command)$/i;

/** Returns name and kind of what a head line declares. `code` is the head without strings and comments. */
export function declarationOf(
	head: string,
	code: string,
	language: LanguageId,
	isInGroup: boolean,
): Declaration | undefined {
	const readers = special[language] ?? [];
	for (const read of [...readers, ...(dataLanguages.has(language) ? [] : common)]) {
		const found = read(head.slice(0, maxHead), code, isInGroup);
		if (found) {
			return /^(?:js|python|java|cs)$/.test(language) ? found : { ...found, isMember: false };
		}
	}
	return undefined;
}

const dataLanguages: ReadonlySet<LanguageId> = new Set([
	"css",
	"docker",
	"html",
	"json",
	"make",
	"markdown",
	"shell",
	"sql",
	"toml",
	"yaml",
]);

/** Creates a reader for heads that match a pattern. The name is the first group, preceded by `prefix`. */
function reader(
	pattern: RegExp,
	kind: DeclarationKind,
	prefix = "",
	more: Partial<Declaration> = {},
): Reader {
	return head => {
		const found = pattern.exec(head);
		const name = found?.slice(1).find(part => part !== undefined);
		return name === undefined
			? undefined
			: { kind, name: `${prefix}${name.replaceAll(/\s+/g, " ").trim()}`, ...more };
	};
}

const variable = { isVariable: true };
const member = { isMember: true };

const keyworded: Reader = (head, code) => {
	const bare = bareOf(code);
	const [whole, kindWord = "", name = ""] = keyword.exec(bare) ?? [];
	if (whole === undefined || /^\s*[=.(]/.test(bare.slice(kindWord.length))) {
		return undefined;
	}
	const isVariable = /^(?:const|let|var|val|static)$/.test(kindWord);
	if (groupWords.test(kindWord)) {
		return { kind: "group", name: kindWord.startsWith("extension") ? head : name };
	}
	if (/^(?:interface|type|enum|struct|trait|union|protocol|annotation)/.test(kindWord)) {
		return { kind: "data", name };
	}
	const isFunction = isVariable && /=>|=\s*(?:async\s*)?function\b/.test(code);
	return { kind: "value", name, isVariable: isVariable && !isFunction };
};

/** `name(parameters) {`, preceded by a type in some languages. */
const called: Reader = (_, code, isInGroup) => {
	const bare = bareOf(code);
	const found = new RegExp(
		String.raw`^((?:[\w:<>,\[\]?.]+[\s*&]+)*?)((?:get\s+|set\s+|\*\s*)?(?:\w+(?:<[^>]*>)?::)*(?:${word}|operator\s*\S+?|\[[^\]]*\]))\s*(?:<[^>]*>)?\s*\((.*)$`,
		"u",
	).exec(bare);
	if (
		!found ||
		(isInGroup ? /^(?:if|for|while|switch)\b/ : control).test(bare) ||
		/^[^(]*[^=!<>]=(?!=)/.test(bare)
	) {
		return undefined;
	}
	const [, type = "", name = "", rest = ""] = found;
	const tail = rest.slice(rest.lastIndexOf(")") + 1);
	const isBody = /\{/.test(tail) || /\)\s*(?:[:\w\s.,]*)?=>/.test(bare);
	if (!isBody && !(type.trim() !== "" && /^\s*[\w\s:=]*;/.test(tail))) {
		return undefined;
	}
	if (
		control.test(type.trim()) ||
		(!isInGroup && type === "" && !/^\s*(?::[^={]*|\w[\w\s:,.]*)?\{/.test(tail))
	) {
		return undefined;
	}
	return {
		kind: "value",
		name: name.replaceAll(/\s+/g, " ").replace(/^\* ?/, ""),
		...(type.trim() === "" ? member : {}),
	};
};

/** `type name = value;`, `type name;` and `name: type = value`. */
const field: Reader = (_, code, isInGroup) => {
	const bare = bareOf(code);
	const name =
		/^(?!return\b|throw\b|await\b|delete\b|else\b|new\b|go\b|using\b|case\b|goto\b)[\w<>[\],.?*&:\s]+[\s*&](\w+)\s*(?:\[\w*\]\s*)?(?:=(?!=).*)?;$/s.exec(
			bare,
		)?.[1] ??
		/^[\w<>[\],.?*&:\s]+\s([A-Z]\w*)\s*(?:\{|=>)/.exec(bare)?.[1] ??
		(isInGroup
			? /^(#?[\w$]+)[?!]?\s*(?::[^=]+)?(?:=(?!=|>).*)?[;,]?$/s.exec(bare)?.[1]
			: undefined) ??
		/^([\w$.]+)\s*(?:=(?!=|>)|:=)/.exec(bare)?.[1] ??
		/^(\$\w+)\s*=(?!=)/.exec(bare)?.[1];
	return name === undefined || control.test(bare)
		? undefined
		: { kind: "value", name, ...variable };
};

/** `it("adds", () => {`, `app.get("/users", …)`, `describe "cart" do`. */
const named: Reader = (head, code) => {
	const hook = hooks.exec(code);
	if (hook && hasFunction.test(code)) {
		return { kind: "titled", name: hook[1] ?? "" };
	}
	const [, callee = "", , title = ""] = titled.exec(head) ?? [];
	if (callee === "" || control.test(callee) || !(hasFunction.test(code) || routes.test(callee))) {
		return undefined;
	}
	return { kind: suite.test(callee) ? "group" : "titled", name: `${callee} ${title}` };
};

const common: readonly Reader[] = [keyworded, named, called, field];

const special: Partial<Record<LanguageId, readonly Reader[]>> = {
	c: [
		reader(/^#\s*define\s+(\w+)/, "value", "#", variable),
		reader(/^(?:typedef\s+)?(?:struct|enum|union)\s+(\w+)\s*\{/, "data"),
	],
	cpp: [
		reader(/^#\s*define\s+(\w+)/, "value", "#", variable),
		reader(/^(TEST(?:_\w+)?\s*\([^)]*\))/, "titled"),
		reader(/^(?:template\s*<.*?>\s*)?(?:class|struct)\s+(\w+)[^;]*\{/, "group"),
	],
	cs: [
		reader(/^(?:[\w\s]*?)\b(?:class|struct|record|interface)\s+(\w+)/, "group"),
		reader(/^(?:file-scoped )?namespace\s+([\w.]+)\s*;/, "value", "namespace "),
	],
	css: [
		reader(/^(@(?:media|supports|layer|container|scope)\b[^{;]*)\{/, "group"),
		reader(/^(@[\w-]+[^{;:]*)\{/, "data"),
		reader(/^([$@][\w-]+|--[\w-]+)\s*:/, "value", "", variable),
		(head, _, isInGroup) =>
			isInGroup
				? reader(/^([\w-]+)\s*:[^{]*;?$/, "value", "", variable)(head, head, isInGroup)
				: undefined,
		reader(/^([^{;]+)\{/, "data"),
	],
	docker: [
		reader(/^(FROM\b.*)/i, "key"),
		reader(/^((?:ENV|ARG|LABEL)\s+[\w.-]+)/i, "key"),
		reader(/^(CMD|ENTRYPOINT|WORKDIR|USER|EXPOSE|HEALTHCHECK|STOPSIGNAL)\b/i, "key"),
	],
	go: [
		reader(/^func\s*\(\s*\w*\s*(\*?\s*\w+(?:\[[^\]]*\])?\s*\)\s*\w+)/, "value"),
		reader(/^type\s+(\w+)/, "data"),
		reader(/^(?:[\w.]+\s+)?("[^"]+")$/, "key"),
	],
	html: [
		reader(/^<(script(?=[^>]*\ssrc=)[^>]*)>/, "titled"),
		reader(/^<(html|head|script|style)\b/, "group", "<"),
		reader(/^<[\w-]+[^>]*\sid=["']([^"']+)["']/, "titled", "#"),
		reader(/^<(body|header|main|footer|nav|title|aside|template)\b/, "titled", "<"),
	],
	java: [
		reader(/^(?:[\w\s@]*?)\b(?:class|record|interface|@interface)\s+(\w+)/, "group"),
		reader(/^(?:[\w\s]*?)\bpackage\s+([\w.]+)/, "value", "package "),
	],
	js: [
		reader(/^(?:export\s+)?(?:declare\s+)?(?:abstract\s+)?class\s+(\w+)/, "group"),
		reader(/^(export\s+default)\s+(?!function|class|async|abstract|interface)/, "value"),
		reader(/^(module\.exports(?:\.\w+)?)\s*=/, "value"),
	],
	json: [reader(/^"((?:[^"\\]|\\.)*)"\s*:/, "key"), reader(/^(\{)\s*$/, "group")],
	kotlin: [
		reader(/^(?:[\w\s]*?)\b(?:class|object|interface)\s+(\w+)/, "group"),
		reader(/^(?:[\w\s]*?)\bfun\s+(?:<[^>]*>\s*)?((?:\w+\.)?(?:\w+|`[^`]+`))/, "value"),
	],
	make: [
		reader(/^(?:export\s+|override\s+)*([\w.-]+)\s*(?:[:?+!]?=)/, "key", "", variable),
		reader(/^(\.PHONY\s*:.*)/, "titled"),
		reader(/^([^:=#\s][^:=#]*?)\s*::?(?!=)/, "key"),
		reader(/^(define\s+\w+)/, "key"),
	],
	php: [
		reader(/^(?:[\w\s]*?)\b(?:class|interface|trait)\s+(\w+)/, "group"),
		reader(/^(?:[\w\s]*?)\bfunction\s+&?(\w+)/, "value"),
		reader(
			/^(?:public|private|protected|static|readonly|var|\s|\??[\w\\|]+)*?(\$\w+)\s*(?:=.*)?;/s,
			"value",
			"",
			variable,
		),
		reader(/^(?:[\w\s]*?)\bconst\s+(?:\w+\s+)?(\w+)\s*=/, "value", "", variable),
		reader(/^(Route::\w+\(\s*["'][^"']*["'])/, "titled"),
		reader(/^namespace\s+([\w\\]+)/, "value", "namespace "),
	],
	python: [
		reader(/^(if\s+__name__\b.*):/, "titled"),
		reader(/^(?:async\s+)?def\s+(\w+)\s*\(\s*(?:self|cls)\b/, "value", "", member),
		reader(/^(?:async\s+)?def\s+(\w+)/, "value"),
		reader(/^class\s+(\w+)/, "group"),
		reader(/^([A-Za-z_][\w.]*)\s*(?::[^=]+)?=(?!=)/, "value", "", variable),
	],
	ruby: [
		reader(/^((?:RSpec\.)?(?:describe|context)\s+[A-Z][\w:]*)/, "group"),
		reader(/^(?:class|module)\s+([\w:<\s]+?)\s*(?:<.*)?$/, "group"),
		reader(/^(?:private\s+)?def\s+((?:self\.)?[\w?!=]+|[^\w\s]+)/, "value"),
		reader(/^([A-Z]\w*|@+\w+)\s*=(?!=)/, "value", "", variable),
		reader(
			/^((?:has_many|has_one|belongs_to|scope|validates|attr_\w+)\s+:\w+)/,
			"value",
			"",
			variable,
		),
		reader(/^(task\s+:?\w+)/, "titled"),
	],
	rust: [
		reader(/^((?:unsafe\s+)?impl\b[^{]*)\{/, "group"),
		reader(/^(?:pub(?:\([^)]*\))?\s+)?mod\s+(\w+)\s*\{/, "group"),
		reader(/^(?:pub(?:\([^)]*\))?\s+)?(?:unsafe\s+)?trait\s+(\w+)/, "group"),
		reader(
			/^(?:pub(?:\([^)]*\))?\s+)?(?:const|static)\s+(?:mut\s+)?(?!fn\b)(\w+)/,
			"value",
			"",
			variable,
		),
	],
	shell: [
		reader(/^function\s+([\w:.-]+)|^([\w:.-]+)\s*\(\)/, "value"),
		reader(
			/^(?:export\s+|readonly\s+|local\s+|declare\s+(?:-\w+\s+)?)*(\w+)\+?=/,
			"value",
			"",
			variable,
		),
		reader(/^alias\s+([\w.-]+)=/, "value", "alias "),
	],
	sql: [
		(head, _, isInGroup) =>
			isInGroup
				? reader(
						/^(?!(?:constraint|primary|foreign|unique|check|select|from|where)\b)["`[]?(\w+)["`\]]?\s+\w/i,
						"key",
					)(head, head, isInGroup)
				: undefined,
		reader(
			/^create\s+(?:or\s+replace\s+)?(?:(?:temp\w*|unique|materialized|unlogged|clustered)\s+)*(?:table|view|function|procedure|index|trigger|type|schema|sequence|policy)\s+(?:if\s+not\s+exists\s+)?(?:concurrently\s+)?([\w."`[\]]+)/i,
			"data",
		),
	],
	swift: [
		reader(/^(?:[\w\s]*?)\b(?:class|struct|protocol|actor)\s+(?!func\b|var\b)(\w+)/, "group"),
		reader(/^(?:[\w\s]*?)\bfunc\s+(\w+)/, "value"),
	],
	toml: [
		reader(/^\[\[?\s*([^\]]+?)\s*\]\]?\s*(?:#.*)?$/, "group", "["),
		reader(/^("[^"]+"|[\w.-]+)\s*[=:]/, "key"),
	],
	yaml: [
		reader(/^-\s+(?:name|id|uses|key|alias|run|image)\s*:\s*([^@\s]+)/, "titled", "- "),
		reader(/^("[^"]+"|'[^']+'|[\w.$/*-][^:#]*?)\s*:(?:\s|$)/, "key"),
	],
};

/** Returns the parameter types in order, without names, defaults and annotations. */
export function parameterTypes(head: string, language: LanguageId): string {
	const open = head.indexOf("(");
	let depth = 0;
	const parts = [""];
	for (const character of open === -1 ? "" : head.slice(open + 1)) {
		if (character === ")" && depth === 0) {
			break;
		}
		depth += "([{<".includes(character) ? 1 : ")]}>".includes(character) ? -1 : 0;
		if (character === "," && depth === 0) {
			parts.push("");
		} else if (depth >= 0) {
			parts.push((parts.pop() ?? "") + character);
		}
	}
	const isNameFirst = language === "kotlin" || language === "swift";
	return parts
		.map(part =>
			part
				.replace(/=.*/s, "")
				.replaceAll(/@\w+(?:\([^)]*\))?|\b(?:final|const|this|ref|out|in)\b/g, " ")
				.trim(),
		)
		.filter(part => part !== "")
		.map(part =>
			isNameFirst ? part.replace(/^[^:]*:/, "") : part.replace(/(?<=[\s*&>\]])\w+$/, ""),
		)
		.map(part => part.replaceAll(/\s+/g, ""))
		.join(",");
}
