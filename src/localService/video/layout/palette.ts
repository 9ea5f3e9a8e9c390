import type { ClipTheme, CodeTokenKind } from "../../../common/clipLooks.ts";
import { contrast, luminance, mixed, readableOn } from "../../../common/color.ts";
import { clamp } from "./easing.ts";

/** Colors of one clip, as `#rrggbb`; they fit each other and are the same for the same text every time. */
export interface Palette {
	/** Ends of the background's gradient, on which text can be read. */
	readonly deep: string;
	readonly deeper: string;
	/** Lights that move behind the text. */
	readonly lights: readonly string[];
	readonly accent: string;
	readonly text: string;
	/** Colors of code by kind of token. */
	readonly code: Readonly<Record<CodeTokenKind, string>>;
	/** What a change adds and removes. */
	readonly added: string;
	readonly removed: string;
	readonly lineNumber: string;
	/** Code that is not what matters: can be read, and recedes. */
	readonly dim: string;
	/** The drawn editor window, and its title. */
	readonly pane: { readonly fill: string; readonly opacity: number; readonly title: string };
	/** The window's outline, of which little is seen. */
	readonly edge: string;
	/** Behind letters that are over anything. */
	readonly shade: string;
	/** The dots of the window's title bar. */
	readonly dots: readonly string[];
	/** 0 up to 1, from the same text: where the lights begin. */
	readonly phase: number;
}

/** How much of the accent is in the band behind a row, and of the colors of a change in theirs. */
export const bandOpacity = { accent: 0.11, change: 0.1 } as const;

/** The least contrast of text, a little above 4.5 as colors are rounded. @see https://www.w3.org/TR/WCAG22/#contrast-minimum */
const leastContrast = 4.6;

/** The colors of a clip: those of the editor's theme, or else chosen by the text. */
export function paletteFor(text: string, theme: ClipTheme | undefined): Palette {
	return theme ? themePalette(text, theme) : paletteOf(text);
}

/** Shares of a token's color in the lights behind a card, from the first to the last that are tried. */
const lightShares = { most: 0.5, least: 0.08, step: 0.06 } as const;
/** Contrast of a card's text with the brightest of its lights: enough for what is drawn a little transparent, too. */
const cardContrast = 6.2;

/** A theme's colors, those of text moved towards black or white as far as reading them takes. */
function themePalette(text: string, theme: ClipTheme): Palette {
	const { background: ground, foreground, tokens } = theme;
	const isDark = luminance(ground) < 0.18;
	const [end, start] = isDark ? ["#ffffff", "#000000"] : ["#000000", "#ffffff"];
	const deeper = isDark ? mixed(ground, start, 0.35) : mixed(ground, end, 0.05);
	const colors = [theme.accent, tokens.keyword, tokens.string, tokens.call];
	const cardText = readableOn(foreground, [ground, deeper], cardContrast);
	const lights = colors.map(color => lightOf(color, ground, cardText));
	const card = [ground, deeper, ...lights];
	const [added, removed] = [theme.added, theme.removed].map(color =>
		readableOn(
			color,
			[ground, ...[color, end].map(band => mixed(ground, band, bandOpacity.change))],
			leastContrast,
		),
	);
	const accent = readableOn(theme.accent, card, leastContrast);
	const changed = { added: added ?? foreground, removed: removed ?? foreground };
	const rows = [
		ground,
		mixed(ground, accent, bandOpacity.accent),
		...Object.values(changed).map(color => mixed(ground, color, bandOpacity.change)),
	];
	const readable = (color: string): string => readableOn(color, rows, leastContrast);
	return {
		deep: ground,
		deeper,
		lights,
		accent,
		text: readableOn(foreground, card, cardContrast),
		code: {
			plain: readable(tokens.plain),
			keyword: readable(tokens.keyword),
			storage: readable(tokens.storage),
			string: readable(tokens.string),
			number: readable(tokens.number),
			comment: readable(tokens.comment),
			call: readable(tokens.call),
			type: readable(tokens.type),
			punctuation: readable(tokens.punctuation),
		},
		...changed,
		lineNumber: readable(theme.lineNumber),
		dim: readable(mixed(ground, foreground, 0.45)),
		pane: { fill: ground, opacity: 1, title: readable(foreground) },
		edge: isDark ? "#ffffff" : "#000000",
		shade: isDark ? "#000000" : "#ffffff",
		dots: [tokens.keyword, tokens.string, tokens.call],
		phase: phaseOf(hashOf(text)),
	};
}

/** As much of a color as a card's text can be read on. */
function lightOf(color: string, ground: string, text: string): string {
	const { most, least, step } = lightShares;
	for (let share: number = most; share > least; share -= step) {
		const light = mixed(ground, color, share);
		if (contrast(text, light) >= cardContrast) {
			return light;
		}
	}
	return mixed(ground, color, least);
}

function phaseOf(hash: number): number {
	return ((hash >>> 9) % 1000) / 1000;
}

/** Chooses colors by the text's hash, equal in lightness whatever the hue: OKLCH keeps contrast. */
export function paletteOf(text: string): Palette {
	const hash = hashOf(text);
	const hue = hash % 360;
	const spread = 35 + ((hash >>> 19) % 30);
	const accentHue = hue + 150 + ((hash >>> 24) % 50);
	return {
		deep: oklch(0.27, 0.07, hue),
		deeper: oklch(0.17, 0.045, hue + spread),
		lights: [
			oklch(0.5, 0.14, hue + 10),
			oklch(0.46, 0.14, hue + spread),
			oklch(0.48, 0.13, hue - spread),
			oklch(0.47, 0.12, accentHue),
		],
		accent: oklch(0.82, 0.14, accentHue),
		text: oklch(0.975, 0.008, hue),
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
		},
		added: "#56d364",
		removed: "#ff7b72",
		lineNumber: oklch(0.66, 0.03, hue),
		dim: oklch(0.64, 0.02, hue),
		pane: { fill: "#0c0e13", opacity: 0.88, title: oklch(0.9, 0.008, hue) },
		edge: "#ffffff",
		shade: "#000000",
		dots: [
			oklch(0.82, 0.14, accentHue),
			oklch(0.5, 0.14, hue + 10),
			oklch(0.46, 0.14, hue + spread),
		],
		phase: phaseOf(hash),
	};
}

/** FNV-1a over UTF-16 units. @see https://datatracker.ietf.org/doc/html/draft-eastlake-fnv */
export function hashOf(text: string): number {
	let hash = 0x81_1c_9d_c5;
	for (let index = 0; index < text.length; index += 1) {
		hash = Math.imul(hash ^ text.charCodeAt(index), 0x01_00_01_93);
	}
	// The last steps of MurmurHash3: without them, texts that differ in their last letter get nearly the same hue.
	hash = Math.imul(hash ^ (hash >>> 16), 0x85_eb_ca_6b);
	hash = Math.imul(hash ^ (hash >>> 13), 0xc2_b2_ae_35);
	return (hash ^ (hash >>> 16)) >>> 0;
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
