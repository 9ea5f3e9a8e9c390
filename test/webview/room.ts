import type { Page } from "@playwright/test";

/** What reaches beyond the page's sides, unless it stands in a frame of its own that scrolls. */
export function stickingOut(page: Page): Promise<string[]> {
	return page.evaluate(() => {
		const scrolls = (element: Element): boolean =>
			element.matches("pre, .table-frame, .screen-reader-only, select, textarea") ||
			(element.parentElement !== null && scrolls(element.parentElement));
		return [...document.querySelectorAll("main *")]
			.filter(element => !scrolls(element))
			.filter(element => {
				const { left, right, width } = element.getBoundingClientRect();
				return width > 0 && (left < -0.5 || right > document.documentElement.clientWidth + 0.5);
			})
			.map(
				element => `${element.localName}.${element.className}: ${element.outerHTML.slice(0, 90)}`,
			);
	});
}

/** The names of controls that a pointer cannot get at: they have no room, or something else lies over them. */
export async function unreachable(page: Page): Promise<string[]> {
	return page.evaluate(() => {
		const controls = [...document.querySelectorAll("button, select, textarea, summary, a, input")];
		return controls
			.filter(control => control.checkVisibility())
			.filter(control => {
				control.scrollIntoView({ block: "center" });
				const { left, top, width, height } = control.getBoundingClientRect();
				const hit = document.elementFromPoint(left + width / 2, top + height / 2);
				return (
					width < 16 || height < 12 || !(hit && (control.contains(hit) || hit.contains(control)))
				);
			})
			.map(control => control.ariaLabel ?? control.textContent.trim());
	});
}
