type Channels = readonly [red: number, green: number, blue: number];

/** Converts `#rgb`, `#rgba`, `#rrggbb` or `#rrggbbaa` to an opaque `#rrggbb`, blended over `below` with an opacity of two decimals, as VS Code's. Returns undefined for other text. */
export function opaqueColor(color: string, below: string): string | undefined {
	const digits = /^#([\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})$/i.exec(color.trim())?.[1];
	if (digits === undefined) {
		return undefined;
	}
	const full = digits.length < 6 ? digits.replaceAll(/./g, "$&$&") : digits;
	const alpha = full.length === 8 ? Number.parseInt(full.slice(6), 16) / 255 : 1;
	return mixed(below, `#${full.slice(0, 6).toLowerCase()}`, Math.round(alpha * 100) / 100);
}

/** Interpolates between two `#rrggbb` colors. `share` ranges from 0 (`from`) to 1 (`to`). */
export function mixed(from: string, to: string, share: number): string {
	const [start, end] = [channelsOf(from), channelsOf(to)];
	const hex = start.map((value, index) =>
		Math.round(value + ((end[index] ?? 0) - value) * share)
			.toString(16)
			.padStart(2, "0"),
	);
	return `#${hex.join("")}`;
}

/** Returns the contrast ratio of two `#rrggbb` colors, 1 to 21. @see https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio */
export function contrast(left: string, right: string): number {
	const [first, second] = [luminance(left), luminance(right)];
	return (Math.max(first, second) + 0.05) / (Math.min(first, second) + 0.05);
}

/** Returns the relative luminance, 0 to 1. @see https://www.w3.org/TR/WCAG22/#dfn-relative-luminance */
export function luminance(color: string): number {
	const [red = 0, green = 0, blue = 0] = channelsOf(color).map(channel => {
		const value = channel / 255;
		return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
	});
	return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Number of tints or shades to try. */
const readableSteps = 40;

/** Returns the color if its contrast with all `grounds` is at least `least`, or else its nearest tint or shade that has it, or black or white. */
export function readableOn(color: string, grounds: readonly string[], least: number): string {
	const worst = (candidate: string): number =>
		Math.min(...grounds.map(ground => contrast(candidate, ground)));
	const end = worst("#ffffff") >= worst("#000000") ? "#ffffff" : "#000000";
	for (let step = 0; step < readableSteps; step += 1) {
		const candidate = mixed(color, end, step / readableSteps);
		if (worst(candidate) >= least) {
			return candidate;
		}
	}
	return end;
}

export function channelsOf(color: string): Channels {
	const value = Number.parseInt(color.slice(1), 16);
	return [value >> 16, (value >> 8) & 0xff, value & 0xff];
}
