import type { LanguageId } from "./language.ts";
import { languageReaders } from "./languageReaders.ts";
import { type Declaration, member, type Reader, variable } from "./reader.ts";

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
	const readers = languageReaders[language] ?? [];
	for (const read of [...readers, ...(ownReaders.has(language) ? [] : common)]) {
		const found = read(head.slice(0, maxHead), code, isInGroup);
		// In an unknown language, a name before a brace may be anything.
		const isVague = language === "other" && found?.isVariable === true && /\{\s*$/.test(code);
		if (found && !isVague) {
			return /^(?:js|python|java|cs)$/.test(language) ? found : { ...found, isMember: false };
		}
	}
	return undefined;
}

/** Languages with readers of their own alone. */
const ownReaders: ReadonlySet<LanguageId> = new Set([
	"asciidoc",
	"batch",
	"cmake",
	"css",
	"csv",
	"docker",
	"erlang",
	"fortran",
	"fsharp",
	"haskell",
	"hcl",
	"html",
	"http",
	"ignore",
	"json",
	"julia",
	"latex",
	"lisp",
	"lua",
	"make",
	"markdown",
	"matlab",
	"org",
	"pascal",
	"perl",
	"powershell",
	"r",
	"requirements",
	"rst",
	"shell",
	"sql",
	"text",
	"toml",
	"vb",
	"yaml",
]);

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
	const isBody = /\{/.test(tail) || /\)[:\w\s.,]{0,200}=>/.test(bare);
	if (!isBody && !(type.trim() !== "" && /^[\w\s:=]*;/.test(tail))) {
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
	const isNameFirst = language === "kotlin" || language === "swift" || language === "julia";
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
