/** The brackets of a language: pairs, and those of them that have colors. */
export interface LanguageBrackets {
	readonly brackets: readonly (readonly [open: string, close: string])[];
	readonly colored?: readonly (readonly [open: string, close: string])[] | undefined;
}

/** A part of a line in one language, which isn't in a text or a comment. */
export interface BracketSpan {
	readonly from: number;
	readonly to: number;
	readonly language: string;
}

interface BracketSet {
	readonly pattern: RegExp;
	/** Closing brackets by opening one. */
	readonly closers: ReadonlyMap<string, ReadonlySet<string>>;
	/** Opening brackets by closing one. */
	readonly openers: ReadonlyMap<string, ReadonlySet<string>>;
	readonly colored: ReadonlySet<string>;
}

interface OpenBracket {
	readonly key: string;
	/** Its depth among those of its kind. */
	readonly own: number;
}

/** A bracket with a color. `depth` is undefined for one without a partner. */
export interface FoundBracket {
	readonly from: number;
	readonly to: number;
	readonly depth: number | undefined;
}

/** Finds the brackets of a text and how deep each is, line by line, by the rules of the editor. */
export class BracketDepths {
	private readonly sets = new Map<string, BracketSet | undefined>();
	private readonly open: OpenBracket[] = [];
	private readonly bracketsOf: (language: string) => LanguageBrackets | undefined;
	private readonly isDepthPerBracket: boolean;

	constructor(
		bracketsOf: (language: string) => LanguageBrackets | undefined,
		isDepthPerBracket: boolean,
	) {
		this.bracketsOf = bracketsOf;
		this.isDepthPerBracket = isDepthPerBracket;
	}

	/** Returns the colored brackets of the next line. */
	next(line: string, spans: readonly BracketSpan[]): readonly FoundBracket[] {
		return spans.flatMap(({ from, to, language }) => {
			const set = this.setOf(language);
			return set
				? [...line.slice(from, to).matchAll(set.pattern)].flatMap(match => {
						const text = match[0].toLowerCase();
						const start = from + match.index;
						const depth = this.depthOf(set, text, language);
						return set.colored.has(text)
							? [{ from: start, to: start + match[0].length, depth }]
							: [];
					})
				: [];
		});
	}

	/** Opens or closes a bracket and returns its depth. */
	private depthOf(set: BracketSet, text: string, language: string): number | undefined {
		const { open } = this;
		const closed = set.openers.get(text);
		const keys = new Set([...(closed ?? [])].map(opener => `${language} ${opener}`));
		const at = open.findLastIndex(({ key }) => keys.has(key));
		if (at !== -1) {
			// Those opened after it are never closed.
			const [bracket] = open.splice(at);
			return this.isDepthPerBracket ? bracket?.own : at;
		}
		if (!set.closers.has(text)) {
			return undefined;
		}
		const key = `${language} ${text}`;
		const own = open.filter(bracket => bracket.key === key).length;
		open.push({ key, own });
		return this.isDepthPerBracket ? own : open.length - 1;
	}

	private setOf(language: string): BracketSet | undefined {
		if (!this.sets.has(language)) {
			const brackets = this.bracketsOf(language);
			this.sets.set(language, brackets && createSet(brackets));
		}
		return this.sets.get(language);
	}
}

function createSet({ brackets, colored }: LanguageBrackets): BracketSet | undefined {
	const lower = (pairs: LanguageBrackets["brackets"]) =>
		pairs
			.map(([open, close]) => [open.toLowerCase(), close.toLowerCase()] as const)
			.filter(([open, close]) => open !== "" && close !== "" && open !== close);
	const all = lower(brackets);
	// Languages name `<` a bracket that is also an operator.
	const shown = colored
		? lower(colored)
		: all.filter(([open, close]) => open !== "<" || close !== ">");
	const closers = new Map<string, Set<string>>();
	const openers = new Map<string, Set<string>>();
	for (const [open, close] of [...all, ...shown]) {
		closers.set(open, (closers.get(open) ?? new Set()).add(close));
		openers.set(close, (openers.get(close) ?? new Set()).add(open));
	}
	const texts = [...new Set([...closers.keys(), ...openers.keys()])].toSorted(
		(left, right) => right.length - left.length,
	);
	return texts.length === 0
		? undefined
		: {
				...{ closers, openers },
				pattern: new RegExp(texts.map(bracketPattern).join("|"), "gi"),
				colored: new Set(shown.flat()),
			};
}

function bracketPattern(text: string): string {
	const escaped = text.replaceAll(/[-\\{}*+?|^$.,[\]()#]/g, String.raw`\$&`);
	return `${/^\w/.test(text) ? String.raw`\b` : ""}${escaped}${/\w$/.test(text) ? String.raw`\b` : ""}`;
}
