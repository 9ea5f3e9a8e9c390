import type { CodeTokenKind } from "../common/clipLooks.ts";

/** Terminal colors, except black and white, which depend on the background. */
export const terminalColors = ["red", "green", "yellow", "blue", "magenta", "cyan", "dim"] as const;
export type TerminalColor = (typeof terminalColors)[number];

/** A color as `#rrggbb`, or one of a terminal. */
export type TokenColor = TerminalColor | `#${string}`;

export interface TokenStyle {
	readonly kind: CodeTokenKind;
	/** Replaces the color of its kind. */
	readonly color?: TokenColor;
	readonly isBold?: true;
	readonly isItalic?: true;
	readonly isUnderlined?: true;
	readonly isStruck?: true;
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
		left.isBold === right.isBold &&
		left.isItalic === right.isItalic &&
		left.isUnderlined === right.isUnderlined &&
		left.isStruck === right.isStruck
	);
}
