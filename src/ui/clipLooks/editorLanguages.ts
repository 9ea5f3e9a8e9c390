import * as vscode from "vscode";
import * as z from "zod/mini";
import type { EditorTheme, GrammarSource } from "../../codeColors/colorOrder.ts";

/** What isn't as it should be counts as absent, and the rest of its entry is read. */
const absent = z.pipe(
	z.unknown(),
	z.transform(() => undefined),
);
const texts = z.optional(z.union([z.array(z.string()), absent]));
const textRecord = z.optional(z.union([z.record(z.string(), z.string()), absent]));

const grammarSchema = z.object({
	scopeName: z.string(),
	path: z.string(),
	language: z.optional(z.string()),
	embeddedLanguages: textRecord,
	tokenTypes: textRecord,
	balancedBracketScopes: texts,
	unbalancedBracketScopes: texts,
	injectTo: texts,
});

const languageSchema = z.object({
	id: z.string(),
	aliases: texts,
	extensions: texts,
	filenames: texts,
	firstLine: z.optional(z.string()),
	configuration: z.optional(z.string()),
});

const superTypeSchema = z.object({ id: z.string(), superType: z.string() });

const semanticScopesSchema = z.object({
	language: z.optional(z.string()),
	scopes: z.record(z.string(), z.array(z.string())),
});

type ContributedLanguage = z.infer<typeof languageSchema>;

/** Names that people give languages in fences and that the editor doesn't know. */
const furtherNames: Readonly<Record<string, string>> = {
	golang: "go",
	shell: "shellscript",
	node: "javascript",
	objc: "objective-c",
	terraform: "hcl",
	viml: "vim",
};

/** What the editor's extensions bring for coloring code, as far as this side can see and read it. */
export class EditorLanguages {
	readonly grammars: readonly GrammarSource[];
	readonly configurations: Readonly<Record<string, string>>;
	readonly semanticScopes: EditorTheme["semanticScopes"];
	readonly superTypes: EditorTheme["superTypes"];
	private readonly languages: readonly ContributedLanguage[];

	/** Reads the manifests of all extensions. */
	constructor(
		extensions: readonly Pick<vscode.Extension<unknown>, "packageJSON" | "extensionUri">[],
	) {
		const all = <T>(
			point: string,
			schema: z.ZodMiniType<T>,
		): readonly { readonly value: T; readonly pathOf: (path: string) => string | undefined }[] =>
			extensions.flatMap(({ packageJSON, extensionUri }) => {
				const pathOf = (path: string): string | undefined =>
					extensionUri.scheme === "file"
						? vscode.Uri.joinPath(extensionUri, path).fsPath
						: undefined;
				return contributed(packageJSON, point).flatMap(entry => {
					const read = schema.safeParse(entry);
					return read.success ? [{ value: read.data, pathOf }] : [];
				});
			});
		this.grammars = all("grammars", grammarSchema).flatMap(({ value, pathOf }) => {
			const path = pathOf(value.path);
			return path === undefined ? [] : [{ ...value, path }];
		});
		const languages = all("languages", languageSchema);
		this.languages = languages.map(({ value }) => value);
		this.configurations = Object.fromEntries(
			languages.flatMap(({ value: { id, configuration }, pathOf }) => {
				const path = configuration === undefined ? undefined : pathOf(configuration);
				return path === undefined ? [] : [[id, path]];
			}),
		);
		this.superTypes = Object.fromEntries(
			all("semanticTokenTypes", superTypeSchema).map(({ value }) => [value.id, value.superType]),
		);
		this.semanticScopes = all("semanticTokenScopes", semanticScopesSchema).flatMap(
			({ value: { language, scopes } }) =>
				Object.entries(scopes).map(([selector, names]) => {
					const isOwn = language !== undefined && !selector.includes(":");
					return [isOwn ? `${selector}:${language}` : selector, names] as const;
				}),
		);
	}

	/** Returns the editor's id of the language with a name of a fence, of a file of this name, or of a text with this first line. */
	idOf(name: string | undefined, file: string, firstLine: string): string | undefined {
		const wanted = name?.toLowerCase() ?? "";
		const further = furtherNames[wanted];
		const tests: readonly ((language: ContributedLanguage) => boolean)[] = [
			...(wanted === ""
				? []
				: [
						({ id }: ContributedLanguage) => id.toLowerCase() === wanted || id === further,
						({ aliases }: ContributedLanguage) => has(aliases, wanted),
						({ extensions }: ContributedLanguage) => has(extensions, `.${wanted}`),
						({ filenames }: ContributedLanguage) => has(filenames, wanted),
					]),
			({ filenames }) => has(filenames, file.toLowerCase()),
			({ extensions }) =>
				/\.\w+$/.test(file) &&
				extensions?.some(ending => file.toLowerCase().endsWith(ending.toLowerCase())) === true,
			({ firstLine: pattern }) => pattern !== undefined && matches(pattern, firstLine),
		];
		for (const test of tests) {
			const found = this.languages.findLast(test);
			if (found) {
				return found.id;
			}
		}
		return undefined;
	}
}

function has(values: readonly string[] | undefined, wanted: string): boolean {
	return values?.some(value => value.toLowerCase() === wanted) === true;
}

function matches(pattern: string, text: string): boolean {
	try {
		return new RegExp(pattern).test(text);
	} catch {
		// An extension's pattern may be invalid.
		return false;
	}
}

function contributed(manifest: unknown, point: string): readonly unknown[] {
	const parsed = z.object({ contributes: z.record(z.string(), z.unknown()) }).safeParse(manifest);
	const entries = parsed.data?.contributes[point];
	return Array.isArray(entries) ? entries : [];
}
