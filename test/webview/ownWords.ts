import type { Page } from "@playwright/test";

/** Words that are shown or read out, apart from what a model or a user wrote and from names of models. */
export async function ownWords(page: Page): Promise<string[]> {
	return page.evaluate(() => {
		const words: string[] = [];
		const foreign = ".markdown, .prompt, pre, code, option";
		const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_ALL);
		for (let node = walker.nextNode(); node; node = walker.nextNode()) {
			const element = node instanceof Element ? node : node.parentElement;
			if (!element || element.closest("script, style, [hidden]")) {
				continue;
			}
			if (node instanceof Text) {
				const isOurs = element.closest("button") !== null || !element.closest(foreign);
				words.push(isOurs ? node.data : "");
			} else {
				const names = ["aria-label", "title", "placeholder", "alt", "aria-description"];
				words.push(...names.map(name => element.getAttribute(name) ?? ""));
			}
		}
		return [
			...new Set(
				words
					.map(text => text.replace(/^[.,:]\s/, "").trim())
					.filter(text => /\p{L}{2}/u.test(text) && !/^LLM [\d.]+ Turbo$/.test(text)),
			),
		];
	});
}

/** Every string in a state, however deep. */
export function stringsIn(value: unknown): string[] {
	if (typeof value === "string") {
		return [value];
	}
	return typeof value === "object" && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}
