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
}

export type LanguageId =
	| "c"
	| "cpp"
	| "cs"
	| "css"
	| "docker"
	| "go"
	| "html"
	| "java"
	| "js"
	| "json"
	| "kotlin"
	| "make"
	| "markdown"
	| "other"
	| "php"
	| "python"
	| "ruby"
	| "rust"
	| "shell"
	| "sql"
	| "swift"
	| "toml"
	| "yaml";

const never = /(?!)/;
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
};

const hash: Omit<Language, "id"> = {
	...braces,
	lineComment: /(?<=^|\s)#/y,
	blockComments: [],
	longStrings: [],
	goesOn: new RegExp(`^${closer}`),
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
	css: {
		...braces,
		longStrings: [],
		lineComment: /(?<=^|\s)\/\//y,
		hasTerminators: true,
		goesOn: /^(?:[)}]|\{\s*$)/,
		...lines(/^@(?:import|use|forward|charset)\b/),
	},
	docker: { ...hash, quotes: `"` },
	go: { ...braces, longStrings: ["`"], ...lines(/^import\b/) },
	html: {
		...hash,
		lineComment: never,
		blockComments: [["<!--", "-->"]],
		quotes: "",
		brackets: "",
		goesOn: /^<\/|^\/?>/,
	},
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
	kotlin: { ...braces, hasOverloads: true, decorator: annotation, ...lines(/^import\b/) },
	make: { ...hash, quotes: "", brackets: "", ...lines(/^-?include\b/) },
	markdown: { ...hash, lineComment: never, quotes: "", brackets: "", goesOn: never },
	other: { ...braces, lineComment: /\/\/|(?<=^|\s)#/y },
	php: {
		...braces,
		longStrings: [],
		lineComment: /\/\/|#(?!\[)/y,
		hasTerminators: true,
		decorator: /^#\[.*\]$/,
		...lines(/^(?:use\s+(?!\()[\w\\{}, ]+;|require|include)/),
	},
	python: {
		...hash,
		longStrings: ['"""', "'''"],
		decorator: annotation,
		goesOn: new RegExp(String.raw`^(?:${closer}|(?:elif|else|except|finally)\b)`),
		...lines(/^(?:import|from)\b/),
	},
	ruby: {
		...hash,
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
	toml: { ...hash, lineComment: /(?<=^|\s)[#;]/y, longStrings: ['"""', "'''"] },
	yaml: { ...hash, brackets: "[]{}", quotes: "" },
};

const endings: Partial<Record<LanguageId, readonly string[]>> = {
	c: ["c", "h", "m"],
	cpp: ["cc", "cpp", "cxx", "hh", "hpp", "hxx", "mm", "ino"],
	cs: ["cs"],
	css: ["css", "less", "pcss", "scss"],
	docker: ["dockerfile"],
	go: ["go"],
	html: ["astro", "htm", "html", "svelte", "svg", "vue", "xml"],
	java: ["dart", "groovy", "java", "scala"],
	js: ["cjs", "cts", "js", "jsx", "mjs", "mts", "ts", "tsx"],
	json: ["json", "json5", "jsonc", "webmanifest"],
	kotlin: ["kt", "kts"],
	make: ["make", "makefile", "mk"],
	markdown: ["markdown", "md", "mdx"],
	php: ["php", "phtml"],
	python: ["py", "pyi", "pyw"],
	ruby: ["gemfile", "rakefile", "rb", "ru"],
	rust: ["rs"],
	shell: ["bash", "bashrc", "ksh", "sh", "zsh", "zshrc"],
	sql: ["sql"],
	swift: ["swift"],
	toml: ["cfg", "conf", "env", "ini", "properties", "toml"],
	yaml: ["yaml", "yml"],
};

const byEnding = new Map(
	Object.keys(languages).flatMap(id =>
		isLanguageId(id) ? (endings[id] ?? []).map(ending => [ending, id] as const) : [],
	),
);

/** Returns a file's language by its name. Unknown languages get the most common rules. */
export function languageOf(path: string): Language {
	const name = path
		.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1)
		.toLowerCase();
	const [first = "", ...rest] = name.split(".");
	return languageById(byEnding.get(rest.at(-1) ?? first) ?? byEnding.get(first) ?? "other");
}

export function languageById(id: LanguageId): Language {
	return { id, ...languages[id] };
}

function isLanguageId(id: string): id is LanguageId {
	return Object.hasOwn(languages, id);
}
