import type { CodeToken } from "../../../clip/codeToken.ts";
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
	return [
		...(prompt === "" ? [] : [{ kind: "string" as const, text: prompt, color: "dim" as const }]),
		...(name === "" ? [] : [{ kind: "call" as const, text: name }]),
		...(first && first.text !== name ? [{ ...first, text: first.text.slice(name.length) }] : []),
		...rest,
	];
}
