import { clamp } from "./easing.ts";

/** Colours of one clip, as `#rrggbb`; they fit each other and are the same for the same text every time. */
export interface Palette {
	/** Ends of the background's gradient, dark enough for light text. */
	readonly deep: string;
	readonly deeper: string;
	/** Lights that move behind the text. */
	readonly lights: readonly string[];
	readonly accent: string;
	readonly text: string;
	/** Colours of code by kind of token. */
	readonly code: Readonly<Record<CodeTokenKind, string>>;
	/** Code that is not what matters: can be read, and recedes. */
	readonly dim: string;
	/** 0 up to 1, from the same text: where the lights begin. */
	readonly phase: number;
}

/** The kind of a piece of code, as far as its color goes. */
export type CodeTokenKind =
	"plain" | "keyword" | "string" | "number" | "comment" | "call" | "type" | "punctuation";

/** Chooses colours by the text's hash, equal in lightness whatever the hue: OKLCH keeps contrast. */
export function paletteOf(text: string): Palette {
	const hash = hashOf(text);
	const hue = hash % 360;
	const phase = ((hash >>> 9) % 1000) / 1000;
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
			string: oklch(0.84, 0.12, hue + 130),
			number: oklch(0.82, 0.12, hue + 60),
			comment: oklch(0.66, 0.03, hue),
			call: oklch(0.83, 0.1, hue + 230),
			type: oklch(0.85, 0.11, hue + 180),
			punctuation: oklch(0.78, 0.02, hue),
		},
		dim: oklch(0.53, 0.02, hue),
		phase,
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
