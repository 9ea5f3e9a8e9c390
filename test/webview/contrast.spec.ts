import type { Page } from "@playwright/test";
import { sheetScenes } from "../pictures/sheetScenes.ts";
import { faintTexts } from "./faintTexts.ts";
import { expect, test } from "./fixtures.ts";
import { themeNames } from "./harness.ts";
import { previewScenes } from "./scenes.ts";
import { chatSettings, emptyChat } from "./states.ts";

/** Shows the next part of what scrolls; false at its end. */
function scrollOn(page: Page): Promise<boolean> {
	return page.evaluate(() => {
		const scroller = document.querySelector(".scroller") ?? document.documentElement;
		const before = scroller.scrollTop;
		scroller.scrollTop += scroller.clientHeight * 0.8;
		return scroller.scrollTop > before;
	});
}

/** Unfolds everything that is on the page; resolves once it is drawn. */
function unfold(page: Page): Promise<void> {
	return page.evaluate(() => {
		document.querySelectorAll("details").forEach(fold => (fold.open = true));
		return new Promise(resolve => {
			requestAnimationFrame(() => requestAnimationFrame(() => resolve()));
		});
	});
}

/** Faint texts of a page from its top to its end, with everything unfolded. */
async function faintTextsOfAll(page: Page): Promise<string[]> {
	const found = new Set<string>();
	await page.evaluate(() => {
		(document.querySelector(".scroller") ?? document.documentElement).scrollTop = 0;
	});
	do {
		await unfold(page);
		(await faintTexts(page)).forEach(line => found.add(line));
	} while (await scrollOn(page));
	return [...found];
}

/** What the search marks has no element of its own; two that look like its marks are measured in their place. */
function showMarks(page: Page): Promise<void> {
	return page.evaluate(() => {
		for (const [background, color] of [
			["--find-match", "--find-match-text"],
			["--find-current", "--find-current-text"],
		]) {
			const mark = document.createElement("span");
			mark.className = "mark";
			mark.style.cssText = `background: var(${background}); color: var(${color})`;
			mark.textContent = `A match in ${background}`;
			document.querySelector(".header")?.append(mark);
		}
	});
}

for (const theme of themeNames) {
	test(`every text of every state of the contact sheet can be read (${theme})`, async ({
		chat,
	}) => {
		const { page } = chat;
		await page.setViewportSize({ width: 600, height: 1800 });
		await chat.open(emptyChat, theme);
		await chat.answer("chatSettings", chatSettings);
		await page.getByRole("button", { name: "Chat settings", exact: true }).press("Enter");
		await expect(page.getByRole("dialog", { name: "Chat settings" })).toBeVisible();
		await showMarks(page);
		const found: string[] = [];
		for (const [name, state] of Object.entries(sheetScenes)) {
			await chat.push({ type: "reset", state });
			await expect(page.locator(".chat-title")).toHaveText(state.title || "New chat");
			await expect(page.getByRole("article", { name: "You" }).first()).toBeVisible({
				visible: state.turns.length > 0,
			});
			found.push(...(await faintTextsOfAll(page)).map(line => `${name}: ${line}`));
		}
		expect(found).toEqual([]);
	});

	test(`every text of every state of a video's preview can be read (${theme})`, async ({
		page,
		harness,
	}) => {
		const found: string[] = [];
		await page.goto(harness.urlOf(theme, "video"));
		await page.evaluate(state => {
			Object.assign(window.harness, { state });
		}, previewScenes.working);
		await page.locator(".details").first().waitFor();
		for (const [name, state] of Object.entries(previewScenes)) {
			await page.evaluate(next => window.harness.event("state", next), state);
			found.push(...(await faintTextsOfAll(page)).map(line => `${name}: ${line}`));
		}
		expect(found).toEqual([]);
	});
}
