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
type MainTokenKind = (typeof codeTokenKinds)[number];

/** Further kinds, each with the kind whose color it has where a theme's own isn't known. */
export const furtherTokenKinds = {
	tag: "storage",
	attribute: "plain",
	property: "plain",
	parameter: "plain",
	escape: "number",
	regexp: "string",
	constant: "storage",
	builtIn: "call",
	link: "string",
} as const satisfies Readonly<Record<string, MainTokenKind>>;
type FurtherTokenKind = keyof typeof furtherTokenKinds;

export type CodeTokenKind = MainTokenKind | FurtherTokenKind;

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
	readonly tokens: Readonly<
		Record<MainTokenKind, string> & Partial<Record<FurtherTokenKind, string | undefined>>
	>;
}

/** Colors of Python's figures, from the editor's theme. */
export type FigureColors = Pick<ClipTheme, "background" | "foreground">;

/** How the editor shows a text of code. */
export interface CodeColors {
	/** Colors as `#rrggbb`, followed by the letters of a style: `b` bold, `i` italic, `u` underlined, `s` struck through. */
	readonly styles: readonly string[];
	/** For each line the lengths of its pieces, each followed by the index of its style. */
	readonly lines: readonly (readonly number[])[];
}

/** The colors of a clip's texts by the key of each, see `codeTexts.ts`. */
export type ClipColors = Readonly<Record<string, CodeColors>>;

export interface ClipFont {
	/** Font families in order of preference, at most 16. */
	readonly families: readonly string[];
	/** OpenType features by tag, such as `liga`, and whether each is on; at most 32. */
	readonly features: Readonly<Record<string, boolean>>;
}

/** Sources of a clip's colors: the editor's theme, or a theme of VS Code by its name, which isn't translated. */
export const clipThemeNames = [
	"editor",
	"Dark Modern",
	"Light Modern",
	"Monokai",
	"Abyss",
	"Solarized Dark",
	"Solarized Light",
] as const;
/** One of these, or the name of a theme that an extension brings. */
export type ClipThemeName = string;
export const maxThemeName = 100;

/** The background behind a clip's window or text: of the theme's colors, a gradient of its own, one color that the user chooses, or none, without a window. */
export const clipGrounds = [
	"gradient",
	"solid",
	"sunset",
	"sand",
	"forest",
	"mint",
	"ocean",
	"plum",
	"graphite",
	"silver",
	"color",
	"none",
] as const;
export type ClipGround = (typeof clipGrounds)[number];

/** How much background shows around the window. */
export const clipPaddings = ["narrow", "usual", "wide"] as const;
export type ClipPadding = (typeof clipPaddings)[number];

/** The size of code: as its lines need, or the same for all clips. */
export const clipTypeSizes = ["auto", "small", "medium", "large"] as const;
export type ClipTypeSize = (typeof clipTypeSizes)[number];

/** The background of a clip for which no color was chosen. */
export const usualGroundColor = "#6c5ce7";

/** Whether a short note in the corner names the app that made the clip. */
export const clipSignatures = ["off", "small"] as const;

/** Appearance of the local renderer's clips. Not sent to any other service. */
export interface ClipLooks {
	readonly shape: FrameShape;
	/** Columns per tab stop, 1 to 16. */
	readonly tabSize: number;
	/** If absent, the colors depend on the clip's text. */
	readonly theme?: ClipTheme | undefined;
	/** Where `theme` is from; absent if unknown. */
	readonly themeName?: ClipThemeName | undefined;
	/** Colors of the code as in the editor. Other code has those of `theme`. */
	readonly colors?: ClipColors | undefined;
	/** If absent, the bundled font is used. */
	readonly font?: ClipFont | undefined;
	/** Defaults to `gradient`. */
	readonly ground?: ClipGround | undefined;
	/** The color of the ground `color`, as `#rrggbb`. */
	readonly groundColor?: string | undefined;
	/** Defaults to `auto`. */
	readonly typeSize?: ClipTypeSize | undefined;
	/** Whether the window has a title bar. Defaults to true. */
	readonly bar?: boolean | undefined;
	/** Whether to show line numbers, if they are known. Defaults to true. */
	readonly numbers?: boolean | undefined;
	/** Defaults to `usual`. */
	readonly padding?: ClipPadding | undefined;
	/** Defaults to `off`. */
	readonly signature?: (typeof clipSignatures)[number] | undefined;
}

/** Tag of a clip's file that holds its appearance as JSON, by which its frames can be drawn again. */
export const clipLooksTag = "CUTAWAY_LOOKS";

export const plainLooks: ClipLooks = { shape: "16:9", tabSize: 4 };

/** What a user chooses of the appearance, each by a setting. */
export interface ChosenLook {
	readonly shape: FrameShape;
	readonly theme: ClipThemeName;
	readonly ground: ClipGround;
	readonly groundColor: string;
	readonly typeSize: ClipTypeSize;
	readonly bar: boolean;
	readonly numbers: boolean;
	readonly padding: ClipPadding;
}

/** What the local renderer is to draw again, without encoding it. */
export interface FramesOrder {
	/** Texts of the clip's scenes in order, with the options of their requests. */
	readonly scenes: readonly {
		readonly prompt: string;
		readonly duration?: number | undefined;
		readonly motionStrength?: number | undefined;
	}[];
	/** The appearance: as stored in a clip's file, or the editor's with this choice. */
	readonly looks: string | ChosenLook;
	/** Frames per second. Only the last frame is drawn if absent. */
	readonly rate?: number | undefined;
	/** Whether the last frame is as high as its text needs, up to 60 rows, instead of showing the end of what scrolls. */
	readonly isWhole?: boolean | undefined;
	/** Whether to draw the background. It is transparent otherwise. */
	readonly hasGround: boolean;
}

/** The frames of a clip have too many bytes. */
export class FramesTooLarge extends Error {
	override readonly name = "FramesTooLarge";
}

/** A changed part of a drawn frame. */
export interface DrawnFrame {
	/** Start time in milliseconds. */
	readonly atMs: number;
	/** Place of the changed part, in pixels. */
	readonly left: number;
	readonly top: number;
	readonly width: number;
	readonly height: number;
	/** Length in the data, in bytes. */
	readonly size: number;
}

/** Head of a file of frames: its length in four little-endian bytes, it as JSON, then each frame's RGBA, deflated. */
export interface FramesHeader {
	readonly width: number;
	readonly height: number;
	readonly durationMs: number;
	readonly frames: readonly DrawnFrame[];
}
