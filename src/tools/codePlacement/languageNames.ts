import { isLanguageId, languageById, type Language, type LanguageId } from "./language.ts";

/** Endings of names, and names without one. */
const endings: Partial<Record<LanguageId, readonly string[]>> = {
	asciidoc: ["adoc", "asc", "asciidoc"],
	batch: ["bat", "cmd"],
	cmake: ["cmake"],
	csv: ["csv", "tsv"],
	elixir: ["ex", "exs"],
	erlang: ["erl", "hrl"],
	fortran: ["f", "f03", "f08", "f90", "f95", "for"],
	fsharp: ["fs", "fsi", "fsx", "ml", "mli"],
	groovy: ["gradle", "groovy", "jenkinsfile", "sbt", "scala"],
	haskell: ["elm", "hs", "purs"],
	hcl: ["hcl", "tf", "tfvars"],
	http: ["http", "rest"],
	ignore: [
		"dockerignore",
		"eslintignore",
		"gitignore",
		"helmignore",
		"npmignore",
		"prettierignore",
		"vscodeignore",
	],
	julia: ["jl"],
	latex: ["ltx", "sty", "tex"],
	lisp: ["clj", "cljc", "cljs", "edn", "el", "lisp", "lsp", "rkt", "scm", "ss"],
	lua: ["lua"],
	matlab: ["matlab"],
	org: ["org"],
	pascal: ["dpr", "inc", "lpr", "pas"],
	perl: ["pl", "pm", "t"],
	powershell: ["ps1", "psd1", "psm1"],
	r: ["r"],
	rst: ["rst"],
	text: ["authors", "license", "log", "notice", "rtf", "text", "txt"],
	vb: ["bas", "cls", "frm", "vb", "vba", "vbs"],
	c: ["c", "h", "m"],
	cpp: ["cc", "cpp", "cxx", "hh", "hpp", "hxx", "mm", "ino"],
	cs: ["cs"],
	css: ["css", "less", "pcss", "scss"],
	docker: ["containerfile", "dockerfile"],
	go: ["go"],
	html: [
		"astro",
		"csproj",
		"fsproj",
		"htm",
		"html",
		"props",
		"svelte",
		"svg",
		"targets",
		"vbproj",
		"vue",
		"xaml",
		"xhtml",
		"xml",
		"xsd",
		"xsl",
	],
	java: ["apex", "dart", "java"],
	js: ["cjs", "cts", "js", "jsx", "mjs", "mts", "ts", "tsx"],
	json: ["json", "json5", "jsonc", "webmanifest"],
	kotlin: ["kt", "kts"],
	make: ["make", "makefile", "mk"],
	markdown: ["markdown", "md", "mdx"],
	php: ["php", "phtml"],
	python: ["gd", "nim", "py", "pyi", "pyw", "pyx"],
	ruby: [
		"brewfile",
		"cr",
		"fastfile",
		"gemfile",
		"gemspec",
		"podfile",
		"podspec",
		"rake",
		"rakefile",
		"rb",
		"ru",
		"vagrantfile",
	],
	rust: ["rs"],
	shell: ["bash", "bashrc", "ksh", "sh", "zsh", "zshrc"],
	sql: ["sql"],
	swift: ["swift"],
	toml: [
		"cfg",
		"conf",
		"desktop",
		"editorconfig",
		"env",
		"gitconfig",
		"ini",
		"npmrc",
		"properties",
		"service",
		"timer",
		"toml",
	],
	yaml: ["yaml", "yml"],
};

const byEnding = new Map(
	Object.keys(endings).flatMap(id =>
		isLanguageId(id) ? (endings[id] ?? []).map(ending => [ending, id] as const) : [],
	),
);

const requirements = /^(?:[\w.-]*requirements[\w.-]*|constraints[\w.-]*)\.(?:txt|in)$/;

/** Languages that share an ending with another, by what only they have. */
const shared: Readonly<Record<string, readonly [pattern: RegExp, id: LanguageId]>> = {
	cls: [/^\\(?:Needs|Provides|Load)/m, "latex"],
	h: [/^\s*(?:class|namespace|template|public:|using\s+namespace)\b/m, "cpp"],
	inc: [/^<\?php/m, "php"],
	m: [/^\s*(?:function\b|classdef\b|%)/m, "matlab"],
};

/**
 * Returns a file's language by its name, and by its text where several languages share the name's ending. Unknown languages get the most common rules.
 */
export function languageOf(path: string, text = ""): Language {
	const name = path
		.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1)
		.toLowerCase();
	if (requirements.test(name)) {
		return languageById("requirements");
	}
	if (name === "cmakelists.txt") {
		return languageById("cmake");
	}
	const [first = "", ...rest] = name.split(".");
	const [pattern, other] = shared[rest.at(-1) ?? ""] ?? [];
	if (pattern?.test(text) === true && other) {
		return languageById(other);
	}
	const ending = rest.findLast(part => !templateEnding.test(part)) ?? first;
	return languageById(byEnding.get(ending) ?? byEnding.get(first) ?? "other");
}

/** What follows the ending of a template or of the file for one environment. */
const templateEnding =
	/^(?:bak|default|dev|development|dist|ejs|erb|example|j2|local|orig|prod|production|sample|staging|template|test|tmpl|tpl)$/;

const usualEndings: ReadonlySet<string> = new Set([
	"graphql",
	"ipynb",
	"lock",
	"nix",
	"prisma",
	"proto",
	"sol",
	"zig",
]);

/** Whether a file's name has the ending of a language or of a usual text. */
export function isKnownEnding(name: string): boolean {
	const ending = name.slice(name.lastIndexOf(".") + 1).toLowerCase();
	return byEnding.has(ending) || name.startsWith(".") || usualEndings.has(ending);
}
