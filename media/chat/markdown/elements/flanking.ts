const whitespace = /\s/u;
const punctuation = /[\p{P}\p{S}]/u;

/** Letters and punctuation of Chinese, Japanese and Korean, which have no spaces between words. */
const cjk =
	/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}\u3000-\u303f\u30fb\u30fc\uff01-\uff65]/u;

export interface Flanking {
	readonly canOpen: boolean;
	readonly canClose: boolean;
}

/**
 * Whether a delimiter run can open or close emphasis between two characters (CommonMark 0.31.2 §6.2), with an amendment for CJK: `**「重点」**内容` is bold
 * although there is no space.
 */
export function flanking(marker: string, previous: string, next: string): Flanking {
	const [beforeSpace, afterSpace] = [whitespace.test(previous), whitespace.test(next)];
	const [beforeCjk, afterCjk] = [cjk.test(previous), cjk.test(next)];
	const [beforeMark, afterMark] = [punctuation.test(previous), punctuation.test(next)];
	const isLeft = !afterSpace && (!afterMark || afterCjk || beforeSpace || beforeMark || beforeCjk);
	const isRight = !beforeSpace && (!beforeMark || beforeCjk || afterSpace || afterMark || afterCjk);
	return marker === "_"
		? { canOpen: isLeft && (!isRight || beforeMark), canClose: isRight && (!isLeft || afterMark) }
		: { canOpen: isLeft, canClose: isRight };
}
