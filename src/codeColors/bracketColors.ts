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
	/** Opening brackets by closing one. */
	readonly closers: ReadonlyMap<string, ReadonlySet<string>>;
	/** Those that have a color together with the closing one. */
	readonly coloredClosers: ReadonlyMap<string, ReadonlySet<string>>;
}

/** A bracket of the text. */
interface Bracket {
	readonly line: number;
	readonly from: number;
	readonly to: number;
	/** Its text, in lower case. */
	readonly text: string;
	/** For an opening one, whether it and the bracket that closes it have a color. One that nothing closes has one, too. */
	isColored: boolean;
	kind: "open" | "lost" | "closed" | "closing" | "stray";
	/** Of a closing bracket. */
	readonly opener?: Bracket;
}

/** A bracket with a color. `depth` is undefined for one without a partner. */
export interface FoundBracket {
	readonly from: number;
	readonly to: number;
	readonly depth: number | undefined;
}

/** VS Code colors no brackets below this depth. */
const maxDepth = 200;

/** Finds the brackets of a text and how deep each is, by the rules of the editor. */
export class BracketDepths {
	private readonly sets = new Map<string, BracketSet | undefined>();
	private readonly all: Bracket[] = [];
	private readonly open: { readonly bracket: Bracket; readonly language: string }[] = [];
	/** How many of each are open, by language and text. */
	private readonly counts = new Counts();
	private readonly bracketsOf: (language: string) => LanguageBrackets | undefined;

	constructor(bracketsOf: (language: string) => LanguageBrackets | undefined) {
		this.bracketsOf = bracketsOf;
	}

	/** Reads a line of the text, the next one. */
	read(line: number, text: string, spans: readonly BracketSpan[]): void {
		for (const { from, to, language } of spans) {
			const set = this.setOf(language);
			for (const match of set ? text.slice(from, to).matchAll(set.pattern) : []) {
				const start = from + match.index;
				const place = { line, from: start, to: start + match[0].length };
				this.add(place, match[0].toLowerCase(), language);
			}
		}
	}

	/**
	 * Returns the brackets with a color by line. What is open at the end has no partner if the text `isWhole`; what follows another text may close it.
	 */
	found(isWhole: boolean, isDepthPerBracket: boolean): ReadonlyMap<number, FoundBracket[]> {
		const found = new Map<number, FoundBracket[]>();
		const above: Bracket[] = [];
		const counts = new Counts();
		for (const bracket of this.all) {
			const { line, from, to, kind, opener = bracket } = bracket;
			// Those opened after the one that is closed end with it.
			for (let top = kind === "closing" ? above.pop() : undefined; top;) {
				counts.add(top.isColored ? top.text : "", -1);
				top = top === opener ? undefined : above.pop();
			}
			const depth = isDepthPerBracket ? counts.of(opener.text) : counts.sum;
			const isLost = kind === "stray" || kind === "lost" || (kind === "open" && isWhole);
			if (opener.isColored && counts.sum <= maxDepth) {
				const own = { from, to, depth: isLost ? undefined : depth };
				const others = found.get(line) ?? [];
				others.push(own);
				found.set(line, others);
			}
			if (kind !== "stray" && kind !== "closing") {
				counts.add(bracket.isColored ? bracket.text : "", 1);
				above.push(bracket);
			}
		}
		return found;
	}

	private add(place: Pick<Bracket, "line" | "from" | "to">, text: string, language: string): void {
		const { open } = this;
		const set = this.setOf(language);
		const closed = set?.closers.get(text);
		const isOpen = [...(closed ?? [])].some(opener => this.counts.of(`${language} ${opener}`) > 0);
		const at = isOpen
			? open.findLastIndex(
					({ bracket, language: own }) => own === language && closed?.has(bracket.text) === true,
				)
			: -1;
		if (at !== -1) {
			// Those opened after it are never closed.
			for (const [index, { bracket: opener, language: own }] of open.splice(at).entries()) {
				this.counts.add(`${own} ${opener.text}`, -1);
				opener.kind = index === 0 ? "closed" : "lost";
				if (index === 0) {
					opener.isColored = set?.coloredClosers.get(text)?.has(opener.text) === true;
					this.all.push({ ...place, text, isColored: true, kind: "closing", opener });
				}
			}
			return;
		}
		const kind = closed ? "stray" : "open";
		const bracket: Bracket = { ...place, text, isColored: true, kind };
		this.all.push(bracket);
		if (kind === "open") {
			this.counts.add(`${language} ${text}`, 1);
			open.push({ bracket, language });
		}
	}

	private setOf(language: string): BracketSet | undefined {
		if (!this.sets.has(language)) {
			const brackets = this.bracketsOf(language);
			this.sets.set(language, brackets && createSet(brackets));
		}
		return this.sets.get(language);
	}
}

/** Counts of texts; that of the empty text is not among their sum. */
class Counts {
	sum = 0;
	private readonly byText = new Map<string, number>();

	of(text: string): number {
		return this.byText.get(text) ?? 0;
	}

	add(text: string, count: number): void {
		if (text !== "") {
			this.byText.set(text, this.of(text) + count);
			this.sum += count;
		}
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
	const pairs = [...all, ...shown];
	const texts = [...new Set(pairs.flat())].toSorted((left, right) => right.length - left.length);
	return texts.length === 0
		? undefined
		: {
				pattern: new RegExp(texts.map(bracketPattern).join("|"), "gi"),
				closers: openersOf(pairs),
				coloredClosers: openersOf(shown),
			};
}

/** Returns the opening brackets of each closing one. */
function openersOf(
	pairs: readonly (readonly [open: string, close: string])[],
): ReadonlyMap<string, ReadonlySet<string>> {
	const byCloser = Map.groupBy(pairs, ([, close]) => close);
	return new Map(
		[...byCloser].map(([close, own]) => [close, new Set(own.map(([open]) => open))] as const),
	);
}

function bracketPattern(text: string): string {
	const escaped = text.replaceAll(/[-\\{}*+?|^$.,[\]()#]/g, String.raw`\$&`);
	return `${/^\w/.test(text) ? String.raw`\b` : ""}${escaped}${/\w$/.test(text) ? String.raw`\b` : ""}`;
}
