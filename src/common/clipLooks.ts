/** Shapes of the clips that the local renderer draws, as width to height. */
export const clipShapes = ["16:9", "1:1", "9:16"] as const;
export type FrameShape = (typeof clipShapes)[number];

/** The kinds of pieces of code, as far as their color goes; `storage` is `const`, `class` and their like. */
export const codeTokenKinds = [
	"plain",
	"keyword",
	"storage",
	"string",
	"number",
	"comment",
	"call",
	"type",
	"punctuation",
] as const;
export type CodeTokenKind = (typeof codeTokenKinds)[number];

/** Colors of an editor's theme, all of them opaque and as `#rrggbb`. */
export interface ClipTheme {
	readonly background: string;
	readonly foreground: string;
	/** The color of links, buttons or the cursor. */
	readonly accent: string;
	readonly lineNumber: string;
	/** What was added and what was removed. */
	readonly added: string;
	readonly removed: string;
	readonly tokens: Readonly<Record<CodeTokenKind, string>>;
}

/** The editor's font, as its settings name it. */
export interface ClipFont {
	/** Names of families, the one that is wanted most first; at most 16. */
	readonly families: readonly string[];
	/** Features of OpenType by their tags, such as `liga`, and whether each is wanted; at most 32. */
	readonly features: Readonly<Record<string, boolean>>;
}

/** What is behind a clip's window or text. */
export const clipGrounds = ["gradient", "solid"] as const;
export type ClipGround = (typeof clipGrounds)[number];

/** How much of the ground is seen around the window. */
export const clipPaddings = ["narrow", "usual", "wide"] as const;

/** Whether a few words in a clip's corner say what made it. */
export const clipSignatures = ["off", "small"] as const;

/** How the clips of the local renderer look, as far as the editor and its user say so. No other service gets it. */
export interface ClipLooks {
	readonly shape: FrameShape;
	/** Columns from one tab stop to the next, 1 to 16. */
	readonly tabSize: number;
	/** Absent: colors by the clip's text. */
	readonly theme?: ClipTheme | undefined;
	/** Absent: the font that Cutaway brings. */
	readonly font?: ClipFont | undefined;
	/** A gradient where it is left out. */
	readonly ground?: ClipGround | undefined;
	/** Whether the window has a bar with its title; true where it is left out. */
	readonly bar?: boolean | undefined;
	/** Whether lines have their numbers, where these are known; true where it is left out. */
	readonly numbers?: boolean | undefined;
	/** Usual where it is left out. */
	readonly padding?: (typeof clipPaddings)[number] | undefined;
	/** Off where it is left out. */
	readonly signature?: (typeof clipSignatures)[number] | undefined;
}

/** The looks of a clip for which none are known. */
export const plainLooks: ClipLooks = { shape: "16:9", tabSize: 4 };
