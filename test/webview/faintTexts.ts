import type { Page } from "@playwright/test";

/** What text needs against what is behind it. WCAG 2.2, 1.4.3. */
const leastContrast = 4.5;

/** What nobody sees, or what is off and needs no contrast. */
const unseen = "script, style, option, :disabled, [aria-disabled=true], .screen-reader-only";

/**
 * Every visible text of a page that stands out too little against its background as the page itself computes them, one line
 * each. Also where axe decides nothing, such as on gradients; controls that are off need no contrast.
 */
export function faintTexts(page: Page): Promise<string[]> {
	return page.evaluate(
		([least, hidden]) => {
			type Color = readonly [red: number, green: number, blue: number, alpha: number];
			const context = document
				.createElement("canvas")
				.getContext("2d", { willReadFrequently: true });
			const parse = (color: string): Color => {
				if (!context) {
					throw new Error("There is no canvas.");
				}
				context.clearRect(0, 0, 1, 1);
				context.fillStyle = color;
				context.fillRect(0, 0, 1, 1);
				const [red = 0, green = 0, blue = 0, alpha = 0] = context.getImageData(0, 0, 1, 1).data;
				return [red, green, blue, alpha / 255];
			};
			const over = (top: Color, below: Color): Color => {
				const mix = (at: 0 | 1 | 2): number => top[at] * top[3] + below[at] * (1 - top[3]);
				return [mix(0), mix(1), mix(2), 1];
			};
			const luminance = (color: Color): number => {
				const linear = (at: 0 | 1 | 2): number => {
					const part = color[at] / 255;
					return part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
				};
				return 0.2126 * linear(0) + 0.7152 * linear(1) + 0.0722 * linear(2);
			};
			const chainOf = (element: Element | null): Element[] =>
				element ? [element, ...chainOf(element.parentElement)] : [];
			const contrastOf = (element: Element): number => {
				const chain = chainOf(element);
				const behind = chain
					.map(part => parse(getComputedStyle(part).backgroundColor))
					.reduceRight<Color>((below, color) => over(color, below), [255, 255, 255, 1]);
				const opacity = chain.reduce(
					(all, part) => all * Number(getComputedStyle(part).opacity),
					1,
				);
				const [red, green, blue, alpha] = parse(getComputedStyle(element).color);
				const text = over([red, green, blue, alpha * opacity], behind);
				const [dark = 0, light = 0] = [luminance(text), luminance(behind)].toSorted(
					(a, b) => a - b,
				);
				return opacity === 0 ? Infinity : (light + 0.05) / (dark + 0.05);
			};
			const faint = new Set<string>();
			const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
			while (walker.nextNode()) {
				const { parentElement: element, textContent: text } = walker.currentNode;
				if (
					element?.checkVisibility({ visibilityProperty: true }) === true &&
					!element.closest(hidden) &&
					text?.trim()
				) {
					const contrast = contrastOf(element);
					if (contrast < least) {
						faint.add(`${contrast.toFixed(2)} <${element.className}> ${text.trim().slice(0, 60)}`);
					}
				}
			}
			return [...faint];
		},
		[leastContrast, unseen] as const,
	);
}
