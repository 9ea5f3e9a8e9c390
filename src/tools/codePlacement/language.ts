/** Rules for splitting a language's text into code, strings, comments and items. */
export interface Language {
	readonly id: LanguageId;
	readonly lineComment: RegExp;
	readonly blockComments: readonly (readonly [open: string, close: string])[];
	readonly longStrings: readonly string[];
	readonly quotes: string;
	readonly brackets: string;
	/** Whether a line continues in the next unless it ends in a semicolon, a brace or a colon. */
	readonly hasTerminators: boolean;
	readonly hasOverloads: boolean;
	/** A line that belongs to the declaration below. */
	readonly decorator: RegExp | undefined;
	/** Starts of lines that continue the item above at the same depth. */
	readonly goesOn: RegExp;
	readonly importLine: RegExp | undefined;
	/** The last line of an item with a body that has no closing bracket. */
	readonly ending: RegExp | undefined;
	/** Finds the last line of an item by its first, where bodies may be without indentation. */
	readonly endingOf: ((head: string) => RegExp | undefined) | undefined;
	/** Whether a function may consist of several declarations in a row. */
	readonly hasClauses: boolean;
	/** How items follow from the text: by structure, by headings, or as one of each line. */
	readonly form: "code" | "sections" | "lines";
}

export type LanguageId =
	| "asciidoc"
	| "batch"
	| "c"
	| "cmake"
	| "cpp"
	| "cs"
	| "css"
	| "csv"
	| "docker"
	| "elixir"
	| "erlang"
	| "fortran"
	| "fsharp"
	| "go"
	| "groovy"
	| "haskell"
	| "hcl"
	| "html"
	| "http"
	| "ignore"
	| "java"
	| "js"
	| "json"
	| "julia"
	| "kotlin"
	| "latex"
	| "lisp"
	| "lua"
	| "make"
	| "markdown"
	| "matlab"
	| "org"
	| "other"
	| "pascal"
	| "perl"
	| "php"
	| "powershell"
	| "python"
	| "r"
	| "requirements"
	| "rst"
	| "ruby"
	| "rust"
	| "shell"
	| "sql"
	| "swift"
	| "text"
	| "toml"
	| "vb"
	| "yaml";

const never = /(?!)/y;
const closer = String.raw`[)\]}]`;
const braceGoesOn = new RegExp(
	String.raw`^(?:${closer}|\{\s*$|(?:else|catch|finally|while\s*\(.*\)\s*;|where)\b|\?\.|\.\w|&&|\|\||[?+]\s|=>|->|<\/)`,
);

const braces: Omit<Language, "id"> = {
	lineComment: /\/\//y,
	blockComments: [["/*", "*/"]],
	longStrings: ['"""'],
	quotes: `"'`,
	brackets: "()[]{}",
	hasTerminators: false,
	hasOverloads: false,
	decorator: undefined,
	goesOn: braceGoesOn,
	importLine: undefined,
	ending: undefined,
	endingOf: undefined,
	hasClauses: false,
	form: "code",
};

const hash: Omit<Language, "id"> = {
	...braces,
	lineComment: /(?<=^|\s)#/y,
	blockComments: [],
	longStrings: [],
	goesOn: new RegExp(`^${closer}`),
};

const plain: Omit<Language, "id"> = {
	...hash,
	lineComment: never,
	quotes: "",
	brackets: "",
	goesOn: never,
};

/** Languages whose bodies end with a word. */
const ends: Omit<Language, "id"> = {
	...hash,
	goesOn: new RegExp(String.raw`^(?:${closer}|(?:else|elseif|end|until)\b)`),
	ending: /^end\b/,
};

const annotation = /^@(?!interface\b)[\w.:]+/;
const lines = (importLine: RegExp) => ({ importLine });

const languages: Record<LanguageId, Omit<Language, "id">> = {
	c: { ...braces, hasTerminators: true, ...lines(/^#\s*include\b/) },
	cpp: {
		...braces,
		hasTerminators: true,
		hasOverloads: true,
		decorator: /^\[\[.*\]\]$/,
		...lines(/^(?:#\s*include|using\s+namespace)\b/),
	},
	cs: {
		...braces,
		longStrings: ['"""', '@"'],
		hasTerminators: true,
		hasOverloads: true,
		decorator: /^\[[A-Za-z].*\]$/,
		...lines(/^(?:global\s+)?using\s+(?!var\b|\()[\w.= ]+;/),
	},
	cmake: { ...hash, endingOf: head => wordEnding(/^(function|macro)\b/i, head, "end") },
	css: {
		...braces,
		longStrings: [],
		lineComment: /(?<=^|\s)\/\//y,
		hasTerminators: true,
		goesOn: /^(?:[)}]|\{\s*$)/,
		...lines(/^@(?:import|use|forward|charset)\b/),
	},
	csv: { ...plain, longStrings: [`"`], form: "lines" },
	docker: { ...hash, quotes: `"` },
	elixir: {
		...ends,
		longStrings: [`"""`, "'''"],
		decorator: /^@(?:doc|spec|impl|deprecated|since|tag|dialyzer)\b/,
		goesOn: new RegExp(String.raw`^(?:${closer}|(?:else|rescue|catch|after|end)\b|\|>|\.\w)`),
		hasClauses: true,
		...lines(/^(?:alias|import|require|use)\b/),
	},
	erlang: {
		...hash,
		lineComment: /%/y,
		quotes: `"'`,
		decorator: /^-spec\b/,
		goesOn: new RegExp(String.raw`^(?:${closer}|end\b)`),
		hasClauses: true,
		...lines(/^-(?:include|include_lib|import)\b/),
	},
	fortran: {
		...ends,
		lineComment: /!/y,
		goesOn: /^(?:[)\]]|(?:else|end|contains)\b)/i,
		ending: /^end\s*(?:subroutine|function|program|module|type|interface)?\b/i,
		endingOf: head => wordEnding(/^(?:[\w() ]*\s)?(subroutine|function)\b/i, head, "end\\s*"),
		...lines(/^use\b/i),
	},
	fsharp: {
		...hash,
		lineComment: /\/\//y,
		blockComments: [["(*", "*)"]],
		longStrings: [`"""`],
		quotes: `"`,
		decorator: /^\[<.*>\]$/,
		goesOn: new RegExp(String.raw`^(?:${closer}|(?:and|with|then|else|in)\b|\|>?|->|;;)`),
		...lines(/^open\b/),
	},
	go: { ...braces, longStrings: ["`"], ...lines(/^import\b/) },
	groovy: { ...braces, hasOverloads: true, decorator: annotation, ...lines(/^import\b/) },
	haskell: {
		...hash,
		lineComment: /--(?=[\s-]|$)/y,
		blockComments: [["{-", "-}"]],
		quotes: `"`,
		decorator: /^[a-z_][\w']*\s*::?\s/,
		goesOn: new RegExp(String.raw`^(?:${closer}|(?:where|then|else|deriving)\b|\|)`),
		hasClauses: true,
		...lines(/^import\b/),
	},
	hcl: { ...braces, lineComment: /\/\/|#/y, quotes: `"`, longStrings: [] },
	html: {
		...hash,
		lineComment: never,
		blockComments: [["<!--", "-->"]],
		quotes: "",
		brackets: "",
		goesOn: /^<\/|^\/?>/,
	},
	http: { ...plain, form: "sections" },
	ignore: { ...plain, lineComment: /(?<=^\s*)#/y, form: "lines" },
	java: {
		...braces,
		hasTerminators: true,
		hasOverloads: true,
		decorator: annotation,
		...lines(/^import\b/),
	},
	js: {
		...braces,
		longStrings: ["`"],
		decorator: annotation,
		...lines(
			/^import\b(?!\s*[.(])|^(?:const|let|var)\s+[^=]+=\s*require\(\s*["'][^"']+["']\s*\);?$/,
		),
	},
	json: { ...braces, longStrings: [], quotes: `"` },
	julia: {
		...ends,
		blockComments: [["#=", "=#"]],
		longStrings: [`"""`],
		quotes: `"`,
		hasOverloads: true,
		goesOn: new RegExp(String.raw`^(?:${closer}|(?:else|elseif|catch|finally|end)\b)`),
		...lines(/^(?:using|import)\b/),
	},
	kotlin: { ...braces, hasOverloads: true, decorator: annotation, ...lines(/^import\b/) },
	latex: { ...plain, lineComment: /(?<!\\)%/y, form: "sections" },
	lisp: {
		...hash,
		lineComment: /;/y,
		blockComments: [["#|", "|#"]],
		longStrings: [`"`],
		quotes: "",
		goesOn: new RegExp(`^${closer}`),
	},
	lua: {
		...ends,
		lineComment: /--(?!\[\[)/y,
		blockComments: [["--[[", "]]"]],
		...lines(/^local\s+[\w, ]+=\s*require\b/),
	},
	make: { ...hash, quotes: "", brackets: "", ...lines(/^-?include\b/) },
	markdown: { ...plain, form: "sections" },
	matlab: {
		...ends,
		lineComment: /%/y,
		blockComments: [["%{", "%}"]],
		quotes: `"'`,
		endingOf: head => (/^function\b/.test(head) ? /^(?:end\b|function\b)/ : undefined),
	},
	org: { ...plain, form: "sections" },
	other: { ...braces, lineComment: /\/\/|(?<=^|\s)#/y, ending: /^(?:end|done|fi|esac)\b/ },
	pascal: {
		...braces,
		blockComments: [
			["(*", "*)"],
			["{", "}"],
		],
		longStrings: [],
		quotes: "'",
		brackets: "()[]",
		hasTerminators: true,
		goesOn: /^(?:[)\]]|(?:begin|end|else|until|var|const)\b)/i,
		ending: /^end\s*;/i,
		endingOf: head =>
			/^(?:class\s+)?(?:procedure|function|constructor|destructor)\b/i.test(head)
				? /^(?:end\s*;|(?:procedure|function|constructor|destructor|implementation|initialization|type|uses)\b|end\.)/i
				: undefined,
	},
	perl: {
		...hash,
		blockComments: [
			["=pod", "=cut"],
			["=head", "=cut"],
		],
		quotes: `"'`,
		hasTerminators: true,
		goesOn: braceGoesOn,
		...lines(/^(?:use|require)\b/),
	},
	php: {
		...braces,
		longStrings: [],
		lineComment: /\/\/|#(?!\[)/y,
		hasTerminators: true,
		decorator: /^#\[.*\]$/,
		...lines(/^(?:use\s+(?!\()[\w\\{}, ]+;|require|include)/),
	},
	powershell: {
		...hash,
		blockComments: [["<#", "#>"]],
		longStrings: [`@"`, "@'"],
		goesOn: new RegExp(String.raw`^(?:${closer}|\{\s*$|(?:else|elseif|catch|finally)\b)`, "i"),
		...lines(/^(?:using|Import-Module)\b/i),
	},
	python: {
		...hash,
		longStrings: ['"""', "'''"],
		decorator: annotation,
		goesOn: new RegExp(String.raw`^(?:${closer}|(?:elif|else|except|finally)\b)`),
		...lines(/^(?:import|from)\b/),
	},
	r: { ...hash, goesOn: new RegExp(String.raw`^(?:${closer}|else\b)`), ...lines(/^library\(/) },
	requirements: { ...plain, lineComment: /(?<=^|\s)#/y, form: "lines" },
	rst: { ...plain, form: "sections" },
	ruby: {
		...hash,
		ending: /^end\b/,
		blockComments: [["=begin", "=end"]],
		goesOn: new RegExp(
			String.raw`^(?:${closer}|(?:else|elsif|when|in|rescue|ensure|end)\b|&?\.\w)`,
		),
		...lines(/^require(?:_relative)?\b/),
	},
	rust: { ...braces, quotes: `"`, decorator: /^#\[/, ...lines(/^(?:pub(?:\([^)]*\))?\s+)?use\b/) },
	shell: {
		...hash,
		longStrings: [`"`, "'"],
		quotes: "",
		brackets: "{}",
		ending: /^(?:done|fi|esac)\b/,
		goesOn: /^(?:\}|\{\s*$|(?:then|else|elif|fi|do|done|esac)\b)/,
		...lines(/^(?:source|\.)\s/),
	},
	sql: {
		...braces,
		longStrings: ["$$"],
		lineComment: /--/y,
		brackets: "()",
		hasTerminators: true,
		goesOn: /^(?:\)|end\b)/i,
	},
	swift: { ...braces, hasOverloads: true, decorator: annotation, ...lines(/^import\b/) },
	text: { ...plain, form: "lines" },
	toml: { ...hash, lineComment: /(?<=^|\s)[#;]/y, longStrings: ['"""', "'''"] },
	vb: {
		...ends,
		lineComment: /'|(?<=^\s*)rem\s/iy,
		quotes: `"`,
		decorator: /^<.*>(?:\s*_)?$/,
		goesOn: /^(?:[)}]|(?:end|else|elseif|case|catch|finally|next|loop|wend)\b)/i,
		ending:
			/^end\s+(?:sub|function|class|module|namespace|property|structure|interface|enum|type)\b/i,
		endingOf: head =>
			wordEnding(
				/^(?:[\w ]*\s)?(sub|function|property|class|module|namespace|structure|interface|enum|type)\s+\w/i,
				head,
				"end\\s+",
			),
		...lines(/^imports\b/i),
	},
	yaml: { ...hash, brackets: "[]{}", quotes: "" },
	asciidoc: { ...plain, form: "sections" },
	batch: { ...plain, lineComment: /(?<=^\s*)(?:::|@?rem\s)/iy },
};

/** Returns the line that ends an item which begins with a word: `end` and that word. */
function wordEnding(pattern: RegExp, head: string, end: string): RegExp | undefined {
	const word = pattern.exec(head)?.[1];
	return word === undefined ? undefined : new RegExp(`^${end}${word}\\b`, "i");
}

export function languageById(id: LanguageId): Language {
	return { id, ...languages[id] };
}

export function isLanguageId(id: string): id is LanguageId {
	return Object.hasOwn(languages, id);
}
