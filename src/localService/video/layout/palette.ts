import type { CodeToken, TerminalColor, TokenColor } from "../../../clip/codeToken.ts";
import {
	type ClipGround,
	type ClipTheme,
	type CodeTokenKind,
	furtherTokenKinds,
	usualGroundColor,
} from "../../../common/clipLooks.ts";
import { hashOf } from "../../../clip/hash.ts";
import { contrast, luminance, mixed, readableOn } from "../../../common/color.ts";

/** Colors of a clip as `#rrggbb`. They are always the same for the same text. */
export interface Palette {
	/** The background as a single color. */
	readonly ground: string;
	/** Ends of the background gradient behind text. */
	readonly calm: readonly [string, string];
	/** Ends of the background gradient behind a window, without text on it. */
	readonly vivid: readonly [string, string];
	readonly accent: string;
	readonly text: string;
	readonly heading: string;
	readonly code: Readonly<Record<CodeTokenKind, string>>;
	readonly terminal: Readonly<Record<TerminalColor, string>>;
	readonly added: string;
	readonly removed: string;
	readonly lineNumber: string;
	/** Code that isn't emphasized: readable but subdued. */
	readonly dim: string;
	readonly pane: { readonly fill: string; readonly title: string };
	readonly edge: string;
	readonly dots: readonly string[];
}

/** Opacity of the accent color behind a row, and of the colors of changes. */
export const bandOpacity = { accent: 0.11, change: 0.1 } as const;

/** The least contrast of text, a little above 4.5 because colors are rounded. @see https://www.w3.org/TR/WCAG22/#contrast-minimum */
export const leastContrast = 4.6;

/** Ends of the gradients that are chosen by name. */
const gradients: Readonly<
	Record<Exclude<ClipGround, "gradient" | "solid" | "color" | "none">, readonly [string, string]>
> = {
	sunset: ["#ff8a4c", "#d6336c"],
	sand: ["#f6dcb4", "#e0a97a"],
	forest: ["#2f9e5b", "#0f4c3a"],
	mint: ["#a8edd2", "#5cb8a5"],
	ocean: ["#38a3e0", "#2743a6"],
	plum: ["#b05cd6", "#4a2380"],
	graphite: ["#5a5f66", "#24272b"],
	silver: ["#f2f3f5", "#c3c7cd"],
};

/** Luminance from which a gradient has dark text, and how much darker others are behind text. */
const lightGround = 0.35;
const textShade = 0.42;

/** Returns a clip's colors: those of the editor's theme, or chosen by the text; and a gradient by its name. */
export function paletteFor(
	text: string,
	theme: ClipTheme | undefined,
	ground: ClipGround = "gradient",
	color = usualGroundColor,
): Palette {
	const palette = theme ? themePalette(theme) : paletteOf(text);
	if (ground === "gradient" || ground === "solid") {
		return palette;
	}
	if (ground === "none") {
		const { fill, title } = palette.pane;
		const own = [fill, fill] as const;
		const [words, heading] = [title, palette.heading].map(text =>
			readableOn(text, own, cardContrast),
		);
		return {
			...palette,
			ground: fill,
			vivid: own,
			calm: own,
			text: words ?? title,
			heading: heading ?? title,
		};
	}
	const vivid = ground === "color" ? ([color, color] as const) : gradients[ground];
	const isLight = vivid.every(color => luminance(color) > lightGround);
	// A color that the user chose stays as it is, behind text as well.
	const [first, second] = vivid.map(color =>
		isLight || ground === "color" ? color : mixed(color, "#000000", textShade),
	);
	const calm = [first ?? vivid[0], second ?? vivid[1]] as const;
	return {
		...palette,
		vivid,
		calm,
		text: readableOn(isLight ? "#1c1c1e" : "#f7f7f8", calm, cardContrast),
		heading: readableOn(isLight ? "#3a2a20" : "#ffffff", calm, leastContrast),
	};
}

/** Colors of the window's buttons, as on macOS. */
const windowDots = ["#ff5f57", "#febc2e", "#28c840"] as const;

/** Shares of a theme color in a card's background, tried from `dark` or `light` down to `least`. */
const lightShares = { dark: 0.5, light: 0.3, least: 0.06, step: 0.04 } as const;
/** Contrast of a card's text with the brightest part of its background. */
const cardContrast = 6.2;
/** Shares of two theme colors behind a window. */
const vividShares = { dark: [0.62, 0.5], light: [0.42, 0.3] } as const;

/** The least contrast of an accent with the background. Below it, the color of calls is the accent. */
const leastAccentContrast = 3.2;

/** Returns a token's color. One of the editor is as in the editor, however little it differs from its ground. */
export function fillOf({ kind, color, ground }: Omit<CodeToken, "text">, palette: Palette): string {
	const behind = groundOf(ground, palette);
	if (color === undefined && behind !== undefined) {
		return luminance(behind) < 0.18 ? "#ffffff" : "#000000";
	}
	return color === undefined ? palette.code[kind] : namedColor(color, palette);
}

/** Returns the color behind a token's letters; undefined for that of the window. */
export function groundOf(ground: CodeToken["ground"], palette: Palette): string | undefined {
	if (ground === "text") {
		return palette.code.punctuation;
	}
	return ground === undefined ? undefined : namedColor(ground, palette);
}

const namedColor = (color: TokenColor, palette: Palette): string =>
	isTerminalColor(color) ? palette.terminal[color] : color;

const isTerminalColor = (color: TokenColor): color is TerminalColor => !color.startsWith("#");

/** Returns a theme's colors. Text colors are moved towards black or white until they are readable. */
function themePalette(theme: ClipTheme): Palette {
	const { background: ground, foreground, tokens } = theme;
	const isDark = luminance(ground) < 0.18;
	const end = isDark ? "#ffffff" : "#000000";
	const cardText = readableOn(mixed(foreground, end, 0.7), [ground], cardContrast);
	const [first, second] = [theme.accent, tokens.keyword];
	const calm = [lightOf(first, ground, cardText), lightOf(second, ground, cardText)] as const;
	const card = [ground, ...calm];
	const shares = isDark ? vividShares.dark : vividShares.light;
	const [added, removed] = [theme.added, theme.removed].map(color =>
		readableOn(
			color,
			[ground, ...[color, end].map(band => mixed(ground, band, bandOpacity.change))],
			leastContrast,
		),
	);
	const isPale = contrast(theme.accent, ground) < leastAccentContrast;
	const bright = isPale ? tokens.call : theme.accent;
	const accent = readableOn(bright, [ground], leastContrast);
	const changed = { added: added ?? foreground, removed: removed ?? foreground };
	const rows = [
		ground,
		mixed(ground, accent, bandOpacity.accent),
		...Object.values(changed).map(color => mixed(ground, color, bandOpacity.change)),
	];
	const readable = (color: string): string => readableOn(color, rows, leastContrast);
	return {
		ground,
		calm,
		vivid: [mixed(ground, first, shares[0]), mixed(ground, second, shares[1])],
		accent,
		text: readableOn(cardText, card, cardContrast),
		heading: readableOn(bright, card, leastContrast),
		code: codePalette(tokens, readable),
		...changed,
		terminal: terminalPalette({ ...changed, dim: mixed(ground, foreground, 0.55) }, readable),
		lineNumber: readable(theme.lineNumber),
		dim: readable(mixed(ground, foreground, 0.45)),
		pane: { fill: ground, title: readable(foreground) },
		edge: isDark ? "#ffffff" : "#000000",
		dots: windowDots,
	};
}

/** Returns the colors of code by kind, adjusted to be readable. */
function codePalette(
	tokens: ClipTheme["tokens"],
	readable: (color: string) => string,
): Palette["code"] {
	const further = (kind: keyof typeof furtherTokenKinds): string =>
		readable(tokens[kind] ?? tokens[furtherTokenKinds[kind]]);
	return {
		plain: readable(tokens.plain),
		keyword: readable(tokens.keyword),
		storage: readable(tokens.storage),
		string: readable(tokens.string),
		number: readable(tokens.number),
		comment: readable(tokens.comment),
		call: readable(tokens.call),
		type: readable(tokens.type),
		punctuation: readable(tokens.punctuation),
		tag: further("tag"),
		attribute: further("attribute"),
		property: further("property"),
		parameter: further("parameter"),
		escape: further("escape"),
		regexp: further("regexp"),
		constant: further("constant"),
		builtIn: further("builtIn"),
		link: further("link"),
	};
}

/** Returns the terminal colors, adjusted to be readable. */
function terminalPalette(
	{
		added,
		removed,
		dim,
	}: { readonly added: string; readonly removed: string; readonly dim: string },
	readable: (color: string) => string,
): Palette["terminal"] {
	return {
		red: readable(removed),
		green: readable(added),
		dim: readable(dim),
		yellow: readable("#e5c07b"),
		blue: readable("#61afef"),
		magenta: readable("#c678dd"),
		cyan: readable("#56b6c2"),
	};
}

/** Mixes as much of a color into the background as a card's text allows. */
function lightOf(color: string, ground: string, text: string): string {
	const { dark, light, least, step } = lightShares;
	for (let share: number = luminance(ground) < 0.18 ? dark : light; share > least; share -= step) {
		const light = mixed(ground, color, share);
		if (contrast(text, light) >= cardContrast) {
			return light;
		}
	}
	return mixed(ground, color, least);
}

/** Chooses colors by the text's hash. OKLCH keeps lightness and thus contrast equal for all hues. */
export function paletteOf(text: string): Palette {
	const hash = hashOf(text);
	const hue = hash % 360;
	const spread = 35 + ((hash >>> 19) % 30);
	const accentHue = hue + 150 + ((hash >>> 24) % 50);
	return {
		ground: oklch(0.27, 0.07, hue),
		calm: [oklch(0.42, 0.12, hue), oklch(0.32, 0.09, hue + spread)],
		vivid: [oklch(0.6, 0.13, hue), oklch(0.5, 0.13, hue + spread)],
		accent: oklch(0.82, 0.14, accentHue),
		text: oklch(0.975, 0.008, hue),
		heading: oklch(0.87, 0.11, accentHue),
		code: {
			plain: oklch(0.92, 0.012, hue),
			keyword: oklch(0.78, 0.14, hue + 330),
			storage: oklch(0.78, 0.14, hue + 330),
			string: oklch(0.84, 0.12, hue + 130),
			number: oklch(0.82, 0.12, hue + 60),
			comment: oklch(0.66, 0.03, hue),
			call: oklch(0.83, 0.1, hue + 230),
			type: oklch(0.85, 0.11, hue + 180),
			punctuation: oklch(0.78, 0.02, hue),
			tag: oklch(0.78, 0.14, hue + 330),
			attribute: oklch(0.85, 0.11, hue + 180),
			property: oklch(0.83, 0.1, hue + 230),
			parameter: oklch(0.92, 0.012, hue),
			escape: oklch(0.82, 0.12, hue + 60),
			regexp: oklch(0.84, 0.12, hue + 130),
			constant: oklch(0.82, 0.12, hue + 60),
			builtIn: oklch(0.83, 0.1, hue + 230),
			link: oklch(0.83, 0.1, hue + 230),
		},
		added: "#56d364",
		removed: "#ff7b72",
		terminal: terminalPalette(
			{ added: "#56d364", removed: "#ff7b72", dim: oklch(0.66, 0.03, hue) },
			color => color,
		),
		lineNumber: oklch(0.66, 0.03, hue),
		dim: oklch(0.64, 0.02, hue),
		pane: { fill: "#12141a", title: oklch(0.9, 0.008, hue) },
		edge: "#ffffff",
		dots: windowDots,
	};
}

/** @see https://bottosson.github.io/posts/oklab/ */
function oklch(lightness: number, chroma: number, hue: number): string {
	const angle = (hue * Math.PI) / 180;
	const a = chroma * Math.cos(angle);
	const b = chroma * Math.sin(angle);
	const long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
	const medium = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
	const short = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
	const channels = [
		4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short,
		-1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short,
		-0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short,
	];
	return `#${channels.map(hexChannel).join("")}`;
}

function hexChannel(linear: number): string {
	const encoded = linear <= 0.0031308 ? 12.92 * linear : 1.055 * linear ** (1 / 2.4) - 0.055;
	return Math.round(clamp(encoded, 0, 1) * 255)
		.toString(16)
		.padStart(2, "0");
}

export function clamp(value: number, min: number, max: number): number {
	return Math.min(Math.max(value, min), max);
}

/** Eases out: fast, then slow. For elements that come in. Maps 0–1 to 0–1. */
export function easeOut(progress: number): number {
	return 1 - (1 - clamp(progress, 0, 1)) ** 3;
}

/** Eases in and out: slow, fast, slow. For elements that move. Maps 0–1 to 0–1. */
export function easeInOut(progress: number): number {
	const held = clamp(progress, 0, 1);
	return held * held * (3 - 2 * held);
}

/** Returns the progress of `time` from `start` to `end`, 0 to 1. */
export function progressBetween(time: number, start: number, end: number): number {
	return end <= start ? Number(time >= end) : clamp((time - start) / (end - start), 0, 1);
}
