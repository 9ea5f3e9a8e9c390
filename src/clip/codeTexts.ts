import type { ClipColors } from "../common/clipLooks.ts";
import { hashOf } from "./hash.ts";
import type { ChangeLine } from "./changeLines.ts";
import type { CodeToken } from "./codeToken.ts";
import { readPrompt } from "./promptContent.ts";

/** A text of code in a prompt: all of it, or a version of a change. */
export interface CodeText {
	/** The lines as shown: with spaces for tabs and without their common indentation. */
	readonly lines: readonly string[];
	/** The same lines with their tabs. */
	readonly raw: readonly string[];
	/** The line numbers in the file, from 1; undefined where unknown. */
	readonly numbers: readonly (number | undefined)[];
	readonly language: string | undefined;
	/** The file's name, or other words. */
	readonly caption: string;
	/** For a version of a change, which one, and the change with its tabs. */
	readonly version?: { readonly isBefore: boolean; readonly change: readonly ChangeLine[] };
}

/** Returns the key of a text's colors. */
export function colorKey(lines: readonly string[]): string {
	return hashOf(lines.join("\n")).toString(36);
}

/** Returns the lines of a change before or after it. */
export function versionOf(
	change: readonly ChangeLine[],
	gone: "added" | "removed",
): readonly ChangeLine[] {
	return change.filter(({ kind }) => kind !== gone && kind !== "gap");
}

/** Returns the texts of code in a prompt, each version of a change as a whole. */
export function codeTextsOf(prompt: string, tabSize: number): readonly CodeText[] {
	const content = readPrompt(prompt, tabSize);
	const raw = readPrompt(prompt, 0);
	if (content.type === "code" && raw.type === "code") {
		const { language, caption, firstLine } = content;
		const lines = content.code.split("\n");
		const numbers = lines.map((_, index) =>
			firstLine === undefined ? undefined : firstLine + index,
		);
		return [{ lines, raw: raw.code.split("\n"), numbers, language, caption }];
	}
	if (content.type !== "change" || raw.type !== "change") {
		return [];
	}
	const { language, caption } = content;
	return content.steps.flatMap((step, index) =>
		(["added", "removed"] as const).map((gone): CodeText => {
			const lines = versionOf(step, gone);
			return {
				language,
				caption,
				version: {
					isBefore: gone === "added",
					change: raw.steps[index] ?? [],
				},
				lines: lines.map(({ text }) => text),
				raw: versionOf(raw.steps[index] ?? [], gone).map(({ text }) => text),
				numbers: lines.map(({ numbers }) => (gone === "added" ? numbers?.before : numbers?.after)),
			};
		}),
	);
}

/** Returns the tokens of lines from the colors of their text; undefined if there are none for it. */
export function coloredTokens(
	lines: readonly string[],
	colors: ClipColors | undefined,
): readonly (readonly CodeToken[])[] | undefined {
	const { styles, lines: runs } = colors?.[colorKey(lines)] ?? {};
	if (!styles || runs?.length !== lines.length) {
		return undefined;
	}
	const all = styles.map(readStyle);
	return lines.map((line, index) => {
		const tokens: CodeToken[] = [];
		const pairs = runs[index] ?? [];
		let at = 0;
		for (let pair = 0; pair < pairs.length && at < line.length; pair += 2) {
			const end = at + (pairs[pair] ?? 0);
			const style = all[pairs[pair + 1] ?? 0] ?? { kind: "plain" };
			tokens.push({ ...style, text: line.slice(at, end) });
			at = end;
		}
		return at < line.length ? [...tokens, { kind: "plain", text: line.slice(at) }] : tokens;
	});
}

function readStyle(style: string): Omit<CodeToken, "text"> {
	const [color = "", letters = ""] = style.split(" ");
	return {
		kind: "plain",
		color: `#${color.slice(1)}`,
		...(letters.includes("b") && { isBold: true }),
		...(letters.includes("i") && { isItalic: true }),
		...(letters.includes("u") && { isUnderlined: true }),
		...(letters.includes("s") && { isStruck: true }),
	};
}
