import type { ChangeLine } from "../../../../../src/clip/changeLines.ts";
import { versionOf } from "../../../../../src/clip/codeTexts.ts";
import type { ChangeTokens } from "../../../../../src/localService/video/layout/changeLayout.ts";
import {
	type CodeLayoutOptions,
	layOutTokens,
} from "../../../../../src/localService/video/layout/codeLayout.ts";
import { highlightCode } from "../../../../../src/localService/video/layout/highlightCode.ts";

/** The lines of a change with the tokens of highlight.js, each version as a whole. */
export function tokensOfChange(change: readonly ChangeLine[], language: string): ChangeTokens[] {
	const tokens = new Map(
		(["added", "removed"] as const).flatMap(gone => {
			const lines = versionOf(change, gone);
			const found = highlightCode(
				lines.map(({ text }) => text),
				language,
			);
			return lines.map((line, index) => [line, found[index] ?? []] as const);
		}),
	);
	return change.map(line => ({ ...line, tokens: tokens.get(line) ?? [] }));
}

/** Lays out code with the tokens of highlight.js. */
export function layOutCode(code: string, language: string, options: CodeLayoutOptions) {
	return layOutTokens(highlightCode(code.split("\n"), language), options);
}
