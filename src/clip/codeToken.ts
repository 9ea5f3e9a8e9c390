import type { CodeTokenKind } from "../common/clipLooks.ts";

/** Terminal colors, except black and white, which depend on the background. */
export const terminalColors = ["red", "green", "yellow", "blue", "magenta", "cyan", "dim"] as const;
export type TerminalColor = (typeof terminalColors)[number];

/** A color as `#rrggbb`, or one of a terminal. */
export type TokenColor = TerminalColor | `#${string}`;

export interface TokenStyle {
	readonly kind: CodeTokenKind;
	/** Replaces the color of its kind. */
	readonly color?: TokenColor | undefined;
	/** The color behind the letters; `text` is that of plain output. */
	readonly ground?: TokenColor | "text" | undefined;
	readonly isBold?: true | undefined;
	/** Whether the letters are paler than their color. */
	readonly isDim?: true | undefined;
	readonly isItalic?: true | undefined;
	readonly isUnderlined?: true | undefined;
	readonly isStruck?: true | undefined;
}

/** A piece of a code line in one style. */
export interface CodeToken extends TokenStyle {
	readonly text: string;
}

/** Returns a token's style without its text. */
export function styleOf({ text: _, ...style }: CodeToken): TokenStyle {
	return style;
}

export function isSameStyle(left: TokenStyle, right: TokenStyle): boolean {
	return (
		left.kind === right.kind &&
		left.color === right.color &&
		left.ground === right.ground &&
		left.isBold === right.isBold &&
		left.isDim === right.isDim &&
		left.isItalic === right.isItalic &&
		left.isUnderlined === right.isUnderlined &&
		left.isStruck === right.isStruck
	);
}
