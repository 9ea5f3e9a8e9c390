import { readFile, stat } from "node:fs/promises";
import * as z from "zod/mini";
import oniguruma from "vscode-oniguruma";
import textmate, { type IGrammar, type IRawTheme } from "vscode-textmate";
import { parseJsonc } from "../common/json.ts";
import { toError } from "../common/errors.ts";
import { readPackedFile } from "../common/packedFile.ts";
import type { LanguageBrackets } from "./bracketColors.ts";
import type { ColorOrder, EditorTheme, GrammarSource } from "./colorOrder.ts";

/** A grammar of more bytes isn't read. */
const maxGrammarBytes = 5_000_000;
const maxConfigurationBytes = 1_000_000;

/** Names of the kinds of tokens in a grammar's contribution, by TextMate's numbers. */
const tokenTypes: Readonly<Record<string, number>> = { other: 0, comment: 1, string: 2 };

const pairSchema = z.tuple([z.string(), z.string()]);
const configurationSchema = z.object({
	brackets: z.optional(z.array(z.unknown())),
	colorizedBracketPairs: z.optional(z.array(z.unknown())),
});

/** A language's grammar, and the names of the languages in it by the numbers in its tokens. */
export interface LanguageGrammar {
	readonly grammar: IGrammar;
	readonly languages: readonly string[];
}

let loading: Promise<void> | undefined;

/** The grammars of the last order, and the extensions' contributions that they are from. */
let known: { readonly key: string; readonly grammars: EditorGrammars } | undefined;

/** The grammars of the editor's extensions, each read when first needed. */
export class EditorGrammars {
	/** Grammars that could not be read for the last order, and why. */
	readonly notes: string[] = [];
	private readonly registry: InstanceType<typeof textmate.Registry>;
	private readonly order: Pick<ColorOrder, "grammars" | "configurations">;
	private readonly byScope: ReadonlyMap<string, GrammarSource>;
	private readonly brackets = new Map<string, LanguageBrackets | undefined>();

	/** Loads Oniguruma and takes an order's theme. Grammars that were read for the same extensions are kept. Rejects if Oniguruma can't be loaded. */
	static async open(order: ColorOrder): Promise<EditorGrammars> {
		// A thread can load it only once.
		loading ??= readPackedFile(order.oniguruma).then(async bytes => oniguruma.loadWASM(bytes));
		await loading;
		const key = JSON.stringify([order.grammars, order.configurations]);
		const grammars = known?.key === key ? known.grammars : new EditorGrammars(order);
		known = { key, grammars };
		grammars.notes.length = 0;
		grammars.registry.setTheme(themeOf(order.theme));
		return grammars;
	}

	private constructor({ grammars, configurations }: ColorOrder) {
		const order = { grammars, configurations };
		this.order = order;
		this.byScope = new Map(order.grammars.map(source => [source.scopeName, source]));
		this.registry = new textmate.Registry({
			onigLib: Promise.resolve({
				createOnigScanner: patterns => new oniguruma.OnigScanner(patterns),
				createOnigString: text => new oniguruma.OnigString(text),
			}),
			loadGrammar: async scope => {
				const source = this.byScope.get(scope);
				return source && (await this.read(source));
			},
			getInjections: scope => this.injectionsInto(scope),
		});
	}

	/** Colors by the numbers in tokens, as `#RRGGBB` in upper case. */
	get colors(): readonly string[] {
		return this.registry.getColorMap();
	}

	/** Returns a language's grammar; undefined if no extension brings one that can be read. */
	async grammarOf(language: string): Promise<LanguageGrammar | undefined> {
		const source = this.order.grammars.findLast(grammar => grammar.language === language);
		if (!source) {
			return undefined;
		}
		const languages = [
			...new Set(["", language, ...Object.values(source.embeddedLanguages ?? {})]),
		];
		const numberOf = (id: string): number => languages.indexOf(id);
		const grammar = await this.registry
			.loadGrammarWithConfiguration(source.scopeName, 1, {
				embeddedLanguages: mapValues(source.embeddedLanguages, numberOf),
				tokenTypes: mapValues(source.tokenTypes, type => tokenTypes[type] ?? 0),
				balancedBracketSelectors: [...(source.balancedBracketScopes ?? ["*"])],
				unbalancedBracketSelectors: [...(source.unbalancedBracketScopes ?? [])],
			})
			.catch((error: unknown) => {
				this.notes.push(toError(error).message);
				return null;
			});
		if (grammar) {
			await Promise.all(languages.map(id => this.readBrackets(id)));
		}
		return grammar ? { grammar, languages } : undefined;
	}

	/** Returns the brackets of a language of a grammar that was read. */
	bracketsOf(language: string): LanguageBrackets | undefined {
		return this.brackets.get(language);
	}

	private injectionsInto(scope: string): string[] {
		const parts = scope.split(".");
		const wholes = parts.map((_, index) => parts.slice(0, index + 1).join("."));
		return wholes.flatMap(whole =>
			this.order.grammars
				.filter(({ injectTo }) => injectTo?.includes(whole) === true)
				.map(({ scopeName }) => scopeName),
		);
	}

	private async read({ path, scopeName }: GrammarSource) {
		try {
			if ((await stat(path)).size > maxGrammarBytes) {
				this.notes.push(`${scopeName}: its file is over 5 MB`);
				return undefined;
			}
			return textmate.parseRawGrammar(await readFile(path, "utf8"), path);
		} catch (error) {
			this.notes.push(`${scopeName}: ${toError(error).message}`);
			return undefined;
		}
	}

	private async readBrackets(language: string): Promise<void> {
		const path = this.order.configurations[language];
		if (path === undefined || this.brackets.has(language)) {
			return;
		}
		this.brackets.set(language, await readLanguageBrackets(path));
	}
}

/** Reads the brackets of a language configuration. Returns undefined if the file can't be read. */
async function readLanguageBrackets(path: string): Promise<LanguageBrackets | undefined> {
	try {
		if ((await stat(path)).size > maxConfigurationBytes) {
			return undefined;
		}
		const read = configurationSchema.safeParse(parseJsonc(await readFile(path, "utf8")));
		const pairs = (values: readonly unknown[]) =>
			values.flatMap(value => {
				const { data } = pairSchema.safeParse(value);
				return data ? [data] : [];
			});
		const { brackets = [], colorizedBracketPairs: colored } = read.data ?? {};
		return { brackets: pairs(brackets), ...(colored && { colored: pairs(colored) }) };
	} catch {
		// A language without a configuration has no colored brackets.
		return undefined;
	}
}

function mapValues<T>(
	values: Readonly<Record<string, string>> = {},
	change: (value: string) => T,
): Record<string, T> {
	return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]));
}

/** Returns a theme's rules for TextMate: first the colors of everything, without those that rules for everything set. */
function themeOf({ foreground, background, rules }: EditorTheme): IRawTheme {
	return {
		settings: [
			{ settings: { foreground, background } },
			...rules.flatMap(({ scope, settings }) =>
				scope === undefined || scope.length === 0
					? []
					: [
							{
								scope: typeof scope === "string" ? scope : [...scope],
								settings: {
									...(settings.foreground !== undefined && { foreground: settings.foreground }),
									...(settings.fontStyle !== undefined && { fontStyle: settings.fontStyle }),
								},
							},
						],
			),
		],
	};
}
