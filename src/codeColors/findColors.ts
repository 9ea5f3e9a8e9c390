import type { ITokenizeLineResult2, StateStack } from "vscode-textmate";
import type { CodeColors } from "../common/clipLooks.ts";
import { opaqueColor } from "../common/color.ts";
import { alignStyles } from "./alignStyles.ts";
import { BracketDepths, type BracketSpan, type FoundBracket } from "./bracketColors.ts";
import type { ColorOrder, ColorText, EditorTheme, FoundColors } from "./colorOrder.ts";
import { EditorGrammars, type LanguageGrammar } from "./editorGrammars.ts";
import { SemanticStyles } from "./semanticStyles.ts";

/** Time for a line, before it is read once more, and for all texts, in milliseconds. A text that exceeds the latter has no colors from here. */
const lineMs = 200;
const allMs = 3_000;
/** A longer line stays plain. */
const maxLineLength = 2_000;

interface LetterStyle {
	readonly color: string;
	readonly isBold: boolean;
	readonly isItalic: boolean;
	readonly isUnderlined: boolean;
	readonly isStruck: boolean;
}

/**
 * Finds the colors of texts with the editor's grammars, semantic tokens and bracket colors. Texts of languages without a grammar have none, and those
 * for which the time did not suffice, so that no text is half colored. `spentMs` returns the time spent since any moment.
 */
export async function findColors(order: ColorOrder, spentMs: () => number): Promise<FoundColors> {
	const grammars = await EditorGrammars.open(order);
	const notes: string[] = [];
	const colors: [string, CodeColors][] = [];
	let left = allMs;
	for (const text of order.texts) {
		const grammar = await grammars.grammarOf(text.language);
		if (grammar) {
			const startedAt = spentMs();
			const painter = new TextPainter(order.theme, grammars, grammar);
			const painted = painter.paint(text, () => spentMs() - startedAt > left);
			left -= spentMs() - startedAt;
			if (painted === undefined) {
				notes.push(`${text.language}: the time was over`);
			} else {
				colors.push([text.key, painted.colors]);
				notes.push(...painted.notes);
			}
		}
	}
	return { colors: Object.fromEntries(colors), notes: [...grammars.notes, ...notes] };
}

/** Colors one text. */
class TextPainter {
	private readonly theme: EditorTheme;
	private readonly language: LanguageGrammar;
	private readonly colors: readonly string[];
	private readonly depths: BracketDepths;
	private readonly semantic: SemanticStyles;
	private readonly styles: string[] = [];

	constructor(theme: EditorTheme, grammars: EditorGrammars, language: LanguageGrammar) {
		this.theme = theme;
		this.language = language;
		this.colors = grammars.colors;
		this.depths = new BracketDepths(id => grammars.bracketsOf(id));
		this.semantic = new SemanticStyles(theme);
	}

	/** Returns undefined if the time is over before the last line. */
	paint(
		text: ColorText,
		isOver: () => boolean,
	): { readonly colors: CodeColors; readonly notes: readonly string[] } | undefined {
		const wanted = new Set(text.shown.map(({ at }) => at));
		const tokens = Map.groupBy(text.tokens, ({ line }) => line);
		const letters = new Map<number, LetterStyle[]>();
		const notes: string[] = [];
		let state: StateStack | null = null;
		for (const [index, line] of text.lines.entries()) {
			const isLong = line.length > maxLineLength;
			const read: ITokenizeLineResult2 | undefined = isLong
				? undefined
				: this.read(line, state, isOver);
			if (read?.stoppedEarly || isOver()) {
				return undefined;
			}
			if (isLong) {
				notes.push(`${text.language}: line ${index + 1} of the text is too long`);
			}
			state = read ? read.ruleStack : state;
			const encoded = read?.tokens ?? new Uint32Array();
			this.depths.read(index, line, this.spansOf(encoded, line.length));
			if (wanted.has(index) && read) {
				letters.set(index, this.lettersOf(line, encoded));
				for (const token of tokens.get(index) ?? []) {
					this.overlay(letters.get(index) ?? [], token, text.language);
				}
			}
		}
		const brackets = this.depths.found(text.isWhole, this.theme.isDepthPerBracket);
		const lines = text.shown.map(({ at, text: shown }) => {
			const own = letters.get(at);
			if (!own) {
				return this.plainRun(shown.length);
			}
			brackets.get(at)?.forEach(bracket => this.colorBracket(own, bracket));
			return this.runsOf(alignStyles(text.lines[at] ?? "", own, shown));
		});
		return { colors: { styles: this.styles, lines }, notes };
	}

	/** Reads a line, again until the time is over if its limit was spent on preparing the grammar's patterns. */
	private read(
		line: string,
		state: StateStack | null,
		isOver: () => boolean,
	): ITokenizeLineResult2 {
		for (;;) {
			const read = this.language.grammar.tokenizeLine2(line, state, lineMs);
			if (!read.stoppedEarly || isOver()) {
				return read;
			}
		}
	}

	private get plain(): LetterStyle {
		return this.styleOf(0, 0);
	}

	private styleOf(color: number, font: number): LetterStyle {
		return {
			color: this.opaque(this.colors[color] ?? this.theme.foreground),
			isItalic: (font & 1) !== 0,
			isBold: (font & 2) !== 0,
			isUnderlined: (font & 4) !== 0,
			isStruck: (font & 8) !== 0,
		};
	}

	private opaque(color: string): string {
		return opaqueColor(color, this.theme.background) ?? this.theme.foreground;
	}

	/** Returns the style of each letter. A token is a start and its bits: @see `StackElementMetadata` of vscode-textmate. */
	private lettersOf(line: string, encoded: Uint32Array): LetterStyle[] {
		const letters: LetterStyle[] = Array.from({ length: line.length });
		for (let token = 0; token < encoded.length; token += 2) {
			const bits = encoded[token + 1] ?? 0;
			const style = this.styleOf((bits >>> 15) & 0x1_ff, (bits >>> 11) & 0xf);
			for (let at = encoded[token] ?? 0; at < (encoded[token + 2] ?? line.length); at += 1) {
				letters[at] = style;
			}
		}
		return letters;
	}

	/** Returns the parts of a line in which brackets count. */
	private spansOf(encoded: Uint32Array, length: number): readonly BracketSpan[] {
		const spans: BracketSpan[] = [];
		let before: number | undefined;
		for (let token = 0; token < encoded.length; token += 2) {
			const bits = encoded[token + 1] ?? 0;
			const isCode = ((bits >>> 8) & 3) === 0 && ((bits >>> 10) & 1) === 1;
			const language = this.language.languages[bits & 0xff] ?? "";
			const last = spans.at(-1);
			const [from = 0, to = length] = [encoded[token], encoded[token + 2]];
			// A bracket of several letters can be in several tokens, if these are alike.
			if (isCode && last && bits === before) {
				spans.splice(-1, 1, { ...last, to });
			} else if (isCode) {
				spans.push({ from, to, language });
			}
			before = bits;
		}
		return this.theme.brackets.length === 0 ? [] : spans;
	}

	private colorBracket(letters: LetterStyle[], { from, to, depth }: FoundBracket): void {
		const { brackets, unexpectedBracket } = this.theme;
		const color =
			(depth === undefined ? undefined : brackets[depth % brackets.length]) ?? unexpectedBracket;
		for (let at = from; at < to; at += 1) {
			letters[at] = { ...(letters[at] ?? this.plain), color };
		}
	}

	private overlay(
		letters: LetterStyle[],
		{ start, length, type, modifiers }: ColorText["tokens"][number],
		language: string,
	): void {
		const style = this.semantic.styleOf(type, modifiers, language);
		for (let at = start; at < Math.min(letters.length, start + length); at += 1) {
			const letter = letters[at] ?? this.plain;
			letters[at] = {
				color: style.foreground === undefined ? letter.color : this.opaque(style.foreground),
				isBold: style.bold ?? letter.isBold,
				isItalic: style.italic ?? letter.isItalic,
				isUnderlined: style.underline ?? letter.isUnderlined,
				isStruck: style.strikethrough ?? letter.isStruck,
			};
		}
	}

	private runsOf(letters: readonly (LetterStyle | undefined)[]): readonly number[] {
		const runs: number[] = [];
		for (const letter of letters) {
			const style = this.indexOf(letter ?? this.plain);
			if (runs.at(-1) === style) {
				runs.splice(-2, 1, (runs.at(-2) ?? 0) + 1);
			} else {
				runs.push(1, style);
			}
		}
		return runs;
	}

	private plainRun(length: number): readonly number[] {
		return length === 0 ? [] : [length, this.indexOf(this.plain)];
	}

	private indexOf(style: LetterStyle): number {
		const { color, isBold, isItalic, isUnderlined, isStruck } = style;
		const letters = [isBold && "b", isItalic && "i", isUnderlined && "u", isStruck && "s"]
			.filter(Boolean)
			.join("");
		const text = letters === "" ? color : `${color} ${letters}`;
		const at = this.styles.indexOf(text);
		return at === -1 ? this.styles.push(text) - 1 : at;
	}
}
