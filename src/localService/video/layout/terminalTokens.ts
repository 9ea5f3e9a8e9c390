import type { CodeToken } from "../../../clip/codeToken.ts";
import { promptPieces } from "../../../clip/terminalWords.ts";
import type { TerminalLine } from "../../../clip/terminalLines.ts";
import { highlightCode } from "./highlightCode.ts";

/** Returns the tokens of a terminal line in their colors. */
export function terminalTokens({ kind, prompt, text, pieces }: TerminalLine): readonly CodeToken[] {
	if (kind === "output") {
		return (pieces ?? [{ text }]).map(piece => ({ kind: "punctuation", ...piece }));
	}
	const [words = []] = highlightCode([text], "bash");
	const [first, ...rest] = words;
	const name = /^\s*\S+/.exec(first?.kind === "plain" ? first.text : "")?.[0] ?? "";
	const before = pieces ?? promptPieces(prompt);
	return [
		...before.map((piece): CodeToken => ({ kind: "punctuation", ...piece })),
		...(name === "" ? [] : [{ kind: "call" as const, text: name }]),
		...(first && first.text !== name
			? withOptions({ ...first, text: first.text.slice(name.length) })
			: []),
		...rest.flatMap(withOptions),
	];
}

/** Gives the options of a command a color. */
function withOptions(token: CodeToken): readonly CodeToken[] {
	if (token.kind !== "plain") {
		return [token];
	}
	const parts = token.text.split(/((?<=^|\s)--?[a-zA-Z][\w-]*)/).filter(part => part !== "");
	return parts.map(text =>
		/^--?[a-zA-Z]/.test(text) ? { ...token, text, color: "cyan" } : { ...token, text },
	);
}
