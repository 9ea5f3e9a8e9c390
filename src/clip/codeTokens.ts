import type { CodeTokenKind } from "../common/clipLooks.ts";

/** Terminal colors, except black and white, which depend on the background. */
export const terminalColors = ["red", "green", "yellow", "blue", "magenta", "cyan", "dim"] as const;
export type TerminalColor = (typeof terminalColors)[number];

/** A piece of a code line in one color. */
export interface CodeToken {
	readonly kind: CodeTokenKind;
	readonly text: string;
	/** Replaces the color of its kind. */
	readonly color?: TerminalColor;
}

/** Keywords that describe what something is. Editors color them differently from control flow. */
const storageWords = new Set(
	(
		"abstract bool boolean byte char class const constexpr def double enum extends extern false False final float fn func " +
		"function impl implements int interface internal lambda let long mod module mut namespace nil None null object override " +
		"package private protected pub public readonly record self short signed static string struct super template this trait " +
		"true True type typedef typename undefined union unsigned val var virtual void volatile"
	).split(" "),
);

const keywords = new Set([
	...storageWords,
	...(
		"and as assert async await base begin break case catch continue debugger default defer del delete do done echo elif else " +
		"elsif end esac except export fi finally for foreach from global go goto if import in include inline instanceof is loop " +
		"match new nonlocal not of operator or pass raise ref require return satisfies sealed select sizeof switch then throw " +
		"throws try typeof unless unsafe until use using when where while with yield " +
		"SELECT FROM WHERE JOIN ON GROUP ORDER BY INSERT INTO VALUES UPDATE SET CREATE TABLE AND OR NOT NULL AS LIMIT"
	).split(" "),
]);

/** JavaScript and TypeScript, whose many contextual keywords are common names. */
const scriptLanguage = /^(?:(?:java|type)script(?:react)?|[cm]?[jt]sx?|vue|svelte)$/;
const scriptKeywords = new Set(
	(
		"await break case catch class const continue debugger default delete do else enum export extends false finally for function " +
		"if import in instanceof let new null return super switch this throw true try typeof undefined var void while with yield"
	).split(" "),
);
/** Keywords of scripts only where a word, a bracket or a text follows. */
const scriptModifiers = new Set(
	(
		"abstract as async declare implements infer interface is keyof module namespace override private protected public readonly " +
		"satisfies static type using"
	).split(" "),
);
const scriptTypes = new Set(
	"any bigint boolean never number object string symbol unknown".split(" "),
);
const isBeforeType =
	/(?:[:|&]|=>|[\w$]<|<[^()]*,|\b(?:as|is|keyof|readonly|extends|satisfies)|\btype\s[^=]*=)\s*$/;

/** Languages in which `#` or `--` starts a comment. */
const hashComments = new Set(
	(
		"python py bash sh shell shellscript zsh fish powershell yaml yml ruby rb r perl toml make makefile dockerfile elixir julia " +
		"coffeescript nim"
	).split(" "),
);
const dashComments = new Set(["sql", "lua", "haskell"]);

/** Languages in which an apostrophe may start a name instead of a string. */
const lifetimeLanguages = new Set(["rust", "rs"]);

const pieces =
	/(?<comment>\/\/.*|\/\*.*?(?:\*\/|$)|<!--.*?(?:-->|$)|#.*|--.*)|(?<string>"(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])*'?|`(?:\\.|[^`\\])*`?)|(?<number>\b(?:0[xX][\da-fA-F_]+|\d[\d_]*(?:\.\d+)?(?:[eE][+-]?\d+)?)\w*)|(?<word>[\p{L}_$@][\p{L}\p{M}\p{N}_$]*)|(?<space>\s+)|(?<other>.)/gu;

/** Splits code into lines of tokens by rules common to most languages, including multiline comments. A line's tokens joined are the line. */
export function tokenizeCode(
	lines: readonly string[],
	language: string | undefined,
): readonly (readonly CodeToken[])[] {
	let isInComment = false;
	return lines.map(line => {
		const end = isInComment ? line.indexOf("*/") : -1;
		if (isInComment && end === -1) {
			return [{ kind: "comment", text: line }];
		}
		const start = isInComment ? end + 2 : 0;
		const tokens = tokenizeLine(line.slice(start), language);
		const last = tokens.at(-1);
		isInComment =
			last?.kind === "comment" && last.text.startsWith("/*") && !/^\/\*.*\*\/$/.test(last.text);
		return start === 0 ? tokens : [{ kind: "comment", text: line.slice(0, start) }, ...tokens];
	});
}

function tokenizeLine(line: string, language: string | undefined): readonly CodeToken[] {
	const tokens: CodeToken[] = [];
	let position = 0;
	pieces.lastIndex = 0;
	while (position < line.length) {
		pieces.lastIndex = position;
		const match = pieces.exec(line);
		const token = match ? tokenOf(match, line, language) : plainRest(line, position);
		tokens.push(token);
		position += Math.max(1, token.text.length);
	}
	return tokens;
}

function plainRest(line: string, position: number): CodeToken {
	return { kind: "plain", text: line.slice(position) };
}

function tokenOf(match: RegExpExecArray, line: string, language: string | undefined): CodeToken {
	const [text] = match;
	const groups = match.groups ?? {};
	if (groups["comment"] !== undefined) {
		return commentToken(text, language);
	}
	if (groups["string"] !== undefined) {
		const lifetime =
			lifetimeLanguages.has(language ?? "") && /^'[a-z_]\w*(?![\w'])/.exec(text)?.[0];
		return lifetime ? { kind: "type", text: lifetime } : { kind: "string", text };
	}
	if (groups["number"] !== undefined) {
		return { kind: "number", text };
	}
	if (groups["word"] !== undefined) {
		const [before, after] = [line.slice(0, match.index), line.slice(match.index + text.length)];
		return { kind: wordKind(text, before, after, language), text };
	}
	return { kind: groups["space"] === undefined ? "punctuation" : "plain", text };
}

/** `#` and `--` start comments only in some languages. In those, `//` is division. */
function commentToken(text: string, language = ""): CodeToken {
	const mark = /^(?:#|--|\/\/)/.exec(text)?.[0];
	const isOther =
		(mark === "#" && !hashComments.has(language)) ||
		(mark === "--" && !dashComments.has(language)) ||
		(mark === "//" && (hashComments.has(language) || dashComments.has(language)));
	return mark && isOther ? { kind: "punctuation", text: mark } : { kind: "comment", text };
}

function wordKind(
	word: string,
	before: string,
	after: string,
	language: string | undefined,
): CodeTokenKind {
	const isScript = scriptLanguage.test(language ?? "");
	if (isScript && scriptTypes.has(word) && isBeforeType.test(before)) {
		return "type";
	}
	const isKeyword = isScript ? isScriptKeyword(word, before, after) : keywords.has(word);
	// Rust's `await` follows a dot like a member.
	if (isKeyword && (word === "await" || !/[\w$)\]?!]\.$/.test(before))) {
		return storageWords.has(word) ? "storage" : "keyword";
	}
	if (/^\s*\(/.test(after)) {
		return "call";
	}
	return /^\p{Lu}/u.test(word) ? "type" : "plain";
}

function isScriptKeyword(word: string, before: string, after: string): boolean {
	switch (word) {
		case "from":
			return /[}*\w]\s+$/.test(before) && /^\s*["']/.test(after);
		case "of":
			return /\bfor\s*(?:await\s*)?\(\s*(?:const|let|var)\s.*\s$/.test(before);
		default: {
			const isKey =
				/^\??\s*:/.test(after) &&
				(word === "default" ? /[{,]\s*$/ : /(?:^|[{,(])\s*$/).test(before);
			return (
				!isKey &&
				(scriptKeywords.has(word) ||
					(scriptModifiers.has(word) && /^\s+[\p{L}_$"'`{[*(]/u.test(after)))
			);
		}
	}
}
