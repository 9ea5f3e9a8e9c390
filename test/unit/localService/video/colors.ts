/** Red, green and blue of `#rrggbb`, 0 to 255. */
export function rgbOf(color: string): readonly number[] {
	return [1, 3, 5].map(at => Number.parseInt(color.slice(at, at + 2), 16));
}

/** A color of this opacity over another. */
export function blended(
	above: readonly number[],
	below: readonly number[],
	opacity: number,
): readonly number[] {
	return above.map((value, index) => value * opacity + (below[index] ?? 0) * (1 - opacity));
}

/** Contrast of two colors, 1 to 21. @see https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio */
export function contrastOf(left: readonly number[], right: readonly number[]): number {
	const [dark = 0, light = 0] = [left, right].map(luminance).toSorted((a, b) => a - b);
	return (light + 0.05) / (dark + 0.05);
}

function luminance(color: readonly number[]): number {
	const [red = 0, green = 0, blue = 0] = color.map(channel => {
		const value = channel / 255;
		return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
	});
	return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
