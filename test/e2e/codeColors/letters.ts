import type { Page } from "@playwright/test";
import * as z from "zod/mini";

/** A letter with its color as `#rrggbb` and the letters of its style. */
export interface ShownLetter {
	readonly letter: string;
	readonly style: string;
}

export type ShownLines = readonly (readonly ShownLetter[])[];

/** Returns the letters of the editor's lines with their styles, without white space. */
export async function shownLetters(page: Page): Promise<ShownLines> {
	return page.evaluate(() => {
		const numbers = (color: string): readonly number[] =>
			(color.match(/[\d.]+/g) ?? []).map(Number);
		const ground = document.querySelector(".editor-instance .monaco-editor-background");
		const below = ground ? numbers(getComputedStyle(ground).backgroundColor) : [];
		const hex = (color: string): string => {
			const [r = 0, g = 0, b = 0, opacity = 1] = numbers(color);
			const opaque = [r, g, b].map(
				(value, index) => value * opacity + (below[index] ?? 0) * (1 - opacity),
			);
			return `#${opaque.map(value => Math.round(value).toString(16).padStart(2, "0")).join("")}`;
		};
		const lines = [...document.querySelectorAll<HTMLElement>(".editor-instance .view-line")];
		lines.sort((left, right) => Number.parseInt(left.style.top) - Number.parseInt(right.style.top));
		return lines.map(line =>
			[...line.querySelectorAll<HTMLElement>("span > span")].flatMap(span => {
				const style = getComputedStyle(span);
				const letters = [
					Number(style.fontWeight) >= 600 && "b",
					style.fontStyle === "italic" && "i",
					style.textDecorationLine.includes("underline") && "u",
					style.textDecorationLine.includes("line-through") && "s",
				].filter(Boolean);
				const all = `${hex(style.color)}${letters.length > 0 ? ` ${letters.join("")}` : ""}`;
				return [...(span.textContent ?? "")]
					.filter(letter => letter.trim() !== "")
					.map(letter => ({ letter, style: all }));
			}),
		);
	});
}

const answerSchema = z.object({
	number: z.number(),
	isTrusted: z.boolean(),
	notes: z.array(z.string()),
	lines: z.optional(z.array(z.string())),
	colors: z.optional(
		z.object({ styles: z.array(z.string()), lines: z.array(z.array(z.number())) }),
	),
});

/** What the extension in `reader.ts` writes. */
export type ReaderAnswer = z.infer<typeof answerSchema>;

/** Reads an answer. Throws if it isn't one. */
export function readAnswer(text: string): ReaderAnswer {
	return answerSchema.parse(JSON.parse(text));
}

/** Returns the letters of a clip with their styles, without white space. */
export function clipLetters({ lines = [], colors }: ReaderAnswer): ShownLines {
	return lines.map((line, index) => {
		const runs = colors?.lines[index] ?? [];
		const styles = runs.flatMap((length, at) =>
			at % 2 === 0 ? Array.from({ length }, () => colors?.styles[runs[at + 1] ?? 0] ?? "none") : [],
		);
		return [...line.matchAll(/\S/gu)].map(match => ({
			letter: match[0],
			style: styles[match.index] ?? "none",
		}));
	});
}

/** Returns what differs, word by word, and how many letters differ and there are. */
export function compareLetters(
	shown: ShownLines,
	drawn: ShownLines,
): { readonly differences: readonly string[]; readonly wrong: number; readonly all: number } {
	const differences = new Map<string, string>();
	let [wrong, all] = [0, 0];
	for (const [index, line] of drawn.entries()) {
		for (const [at, { letter, style }] of line.entries()) {
			const other = shown[index]?.[at];
			all += 1;
			if (other?.letter !== letter || other.style !== style) {
				const key = `line ${index + 1}: editor ${other?.style}, clip ${style}:`;
				differences.set(key, `${differences.get(key) ?? ""}${letter}`);
				wrong += 1;
			}
		}
	}
	return { differences: [...differences].map(([key, text]) => `${key} ${text}`), wrong, all };
}
