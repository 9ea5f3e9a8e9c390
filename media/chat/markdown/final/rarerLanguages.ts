import type { HLJSApi, Language, LanguageFn } from "highlight.js";

/** Languages that are loaded on first use, by name. */
const loaders: Readonly<Record<string, () => Promise<{ readonly default: LanguageFn }>>> = {
	csharp: () => import("highlight.js/lib/languages/csharp"),
	dart: () => import("highlight.js/lib/languages/dart"),
	dockerfile: () => import("highlight.js/lib/languages/dockerfile"),
	elixir: () => import("highlight.js/lib/languages/elixir"),
	graphql: () => import("highlight.js/lib/languages/graphql"),
	hcl: () => Promise.resolve({ default: hcl }),
	ini: () => import("highlight.js/lib/languages/ini"),
	kotlin: () => import("highlight.js/lib/languages/kotlin"),
	lua: () => import("highlight.js/lib/languages/lua"),
	makefile: () => import("highlight.js/lib/languages/makefile"),
	perl: () => import("highlight.js/lib/languages/perl"),
	php: () => import("highlight.js/lib/languages/php"),
	powershell: () => import("highlight.js/lib/languages/powershell"),
	protobuf: () => import("highlight.js/lib/languages/protobuf"),
	r: () => import("highlight.js/lib/languages/r"),
	ruby: () => import("highlight.js/lib/languages/ruby"),
	scala: () => import("highlight.js/lib/languages/scala"),
	scss: () => import("highlight.js/lib/languages/scss"),
	swift: () => import("highlight.js/lib/languages/swift"),
};

/** Further names that models use. The library's own aliases are available only once a language is loaded. */
const aliases: Readonly<Record<string, readonly string[]>> = {
	csharp: ["cs", "c#", "dotnet"],
	dockerfile: ["docker", "containerfile"],
	elixir: ["ex", "exs"],
	graphql: ["gql"],
	hcl: ["terraform", "tf", "tfvars", "opentofu"],
	ini: ["toml", "properties", "dotenv", "env", "conf", "cfg", "editorconfig"],
	kotlin: ["kt", "kts"],
	makefile: ["make", "mk"],
	perl: ["pl", "pm"],
	php: ["php3", "phtml"],
	powershell: ["ps1", "ps", "pwsh"],
	protobuf: ["proto"],
	ruby: ["rb", "gemspec", "rake"],
	scss: ["sass"],
};

const names = new Map(
	Object.keys(loaders).flatMap(name =>
		[name, ...(aliases[name] ?? [])].map(alias => [alias, name] as const),
	),
);

/** A language that is loaded on first use. */
interface RarerLanguage {
	readonly name: string;
	readonly aliases: readonly string[];
	readonly load: () => Promise<{ readonly default: LanguageFn }>;
}

/** Returns the language with a name in any case, or undefined if it is always loaded or unknown. */
export function rarerLanguage(alias: string): RarerLanguage | undefined {
	const name = names.get(alias.toLowerCase());
	const load = name === undefined ? undefined : loaders[name];
	return name === undefined || !load ? undefined : { name, aliases: aliases[name] ?? [], load };
}

/** The language of Terraform and Packer, which the library lacks. */
function hcl(library: HLJSApi): Language {
	const interpolation = { scope: "subst", begin: /[$%]\{/, end: /\}/ };
	return {
		name: "HCL",
		keywords: { keyword: "for in if else endif endfor each", literal: "true false null" },
		contains: [
			library.HASH_COMMENT_MODE,
			library.C_LINE_COMMENT_MODE,
			library.C_BLOCK_COMMENT_MODE,
			{ scope: "keyword", begin: /^[ \t]*[a-z][\w-]*(?=(?:\s+"[^"\n]*")*\s*\{)/im },
			{ scope: "attr", begin: /\b[a-z][\w-]*(?=\s*=[^=>])/i },
			{ scope: "title.function", begin: /\b[a-z]\w*(?=\()/i },
			{
				scope: "string",
				begin: /"/,
				end: /"/,
				contains: [library.BACKSLASH_ESCAPE, interpolation],
			},
			{ scope: "string", begin: /<<-?(\w+)$/m, end: /^[ \t]*\w+$/m, contains: [interpolation] },
			library.C_NUMBER_MODE,
		],
	};
}
