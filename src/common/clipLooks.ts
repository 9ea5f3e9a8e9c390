/** Aspect ratios of the local renderer's clips, as width to height. */
export const clipShapes = ["16:9", "1:1", "9:16"] as const;
export type FrameShape = (typeof clipShapes)[number];

/** Syntax token kinds that have a color. `storage` covers `const`, `class` and similar keywords. */
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

/** Theme colors, opaque and in the form `#rrggbb`. */
export interface ClipTheme {
	readonly background: string;
	readonly foreground: string;
	/** The color of links, buttons or the cursor. */
	readonly accent: string;
	readonly lineNumber: string;
	/** Colors of added and removed lines. */
	readonly added: string;
	readonly removed: string;
	readonly tokens: Readonly<Record<CodeTokenKind, string>>;
}

export interface ClipFont {
	/** Font families in order of preference, at most 16. */
	readonly families: readonly string[];
	/** OpenType features by tag, such as `liga`, and whether each is on; at most 32. */
	readonly features: Readonly<Record<string, boolean>>;
}

/** The background behind a clip's window or text. */
export const clipGrounds = ["gradient", "solid"] as const;
export type ClipGround = (typeof clipGrounds)[number];

/** How much background shows around the window. */
export const clipPaddings = ["narrow", "usual", "wide"] as const;

/** Whether a short note in the corner names the app that made the clip. */
export const clipSignatures = ["off", "small"] as const;

/** Appearance of the local renderer's clips. Not sent to any other service. */
export interface ClipLooks {
	readonly shape: FrameShape;
	/** Columns per tab stop, 1 to 16. */
	readonly tabSize: number;
	/** If absent, the colors depend on the clip's text. */
	readonly theme?: ClipTheme | undefined;
	/** If absent, the bundled font is used. */
	readonly font?: ClipFont | undefined;
	/** Defaults to `gradient`. */
	readonly ground?: ClipGround | undefined;
	/** Whether the window has a title bar. Defaults to true. */
	readonly bar?: boolean | undefined;
	/** Whether to show line numbers, if they are known. Defaults to true. */
	readonly numbers?: boolean | undefined;
	/** Defaults to `usual`. */
	readonly padding?: (typeof clipPaddings)[number] | undefined;
	/** Defaults to `off`. */
	readonly signature?: (typeof clipSignatures)[number] | undefined;
}

export const plainLooks: ClipLooks = { shape: "16:9", tabSize: 4 };
