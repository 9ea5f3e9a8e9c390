import type { Page } from "@playwright/test";

/** What reaches beyond the page's sides, unless it is in a frame of its own that scrolls. */
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

/** The names of controls that a pointer cannot get at: they have no room, or something else is over them. */
export async function unreachable(page: Page): Promise<string[]> {
	return page.evaluate(() => {
		const controls = [...document.querySelectorAll("button, select, textarea, summary, a, input")];
		return controls
			.filter(control => control.checkVisibility() && !control.closest("[inert]"))
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

/** Pairs of smallest visible parts inside `selector` that are over each other: icons, words and controls. */
export async function overlapping(page: Page, selector: string): Promise<string[]> {
	return page.evaluate(parent => {
		const parts = [...document.querySelectorAll(`${parent} *`)].filter(
			part =>
				part.checkVisibility({ opacityProperty: true }) &&
				!part.matches("option, option *, .own-choices") &&
				part.firstElementChild === null,
		);
		const nameOf = (part: Element): string =>
			part.textContent || part.ariaLabel || part.className || part.localName;
		return parts.flatMap((part, index) => {
			const box = part.getBoundingClientRect();
			return parts
				.slice(index + 1)
				.filter(other => {
					const { left, right, top, bottom } = other.getBoundingClientRect();
					return (
						Math.min(box.right, right) - Math.max(box.left, left) > 0.5 &&
						Math.min(box.bottom, bottom) - Math.max(box.top, top) > 0.5
					);
				})
				.map(other => `${nameOf(part)} and ${nameOf(other)}`);
		});
	}, selector);
}

/** Words inside `selector` that leave the control they are in, or are cut without an ellipsis. */
export async function wordsOutside(page: Page, selector: string): Promise<string[]> {
	return page.evaluate(parent => {
		const root = document.querySelector(parent) ?? document.body;
		const pen = document.createElement("canvas").getContext("2d");
		const cutChoices = [...root.querySelectorAll("select")].filter(select => {
			const { font, paddingInlineStart } = getComputedStyle(select);
			const room = select.clientWidth - Number.parseFloat(paddingInlineStart);
			pen?.reset();
			Object.assign(pen ?? {}, { font });
			const words = select.selectedOptions[0]?.text ?? "";
			return !font.includes(" 0px") && (pen?.measureText(words).width ?? 0) > room + 1;
		});
		const outside = cutChoices.map(select => `choice of ${select.ariaLabel}`);
		const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
		for (let text = texts.nextNode(); text; text = texts.nextNode()) {
			const element = text.parentElement;
			const control = element?.closest("button, .model-picker");
			if (!element || !control || element.closest("option") || !element.checkVisibility()) {
				continue;
			}
			const range = document.createRange();
			range.selectNodeContents(text);
			const words = range.getBoundingClientRect();
			const { overflowX, textOverflow } = getComputedStyle(element);
			const isCut = overflowX === "hidden" && textOverflow === "ellipsis";
			const box = control.getBoundingClientRect();
			const { right } = isCut ? element.getBoundingClientRect() : words;
			if (words.width > 0 && (words.left < box.left - 0.5 || right > box.right + 0.5)) {
				outside.push(text.textContent ?? "");
			}
		}
		return outside;
	}, selector);
}
