import { expect, type Locator, type Page } from "@playwright/test";
import { untilDone } from "./patience.ts";

/** How long VS Code's menus ignore the mouse after they open, in ms, and half as much again for a busy machine. */
const deafMs = 150;

/** The context menu that shows, with the submenus that are open. */
export function contextMenu(page: Page): Locator {
	return page.locator(".context-view .monaco-menu");
}

/** Clicks an entry of the menu slowly enough for a menu that opened a moment ago. */
export async function clickEntry(menu: Locator, name: string, timeout = 60_000): Promise<void> {
	await menu.getByRole("menuitem", { name, exact: true }).click({ delay: deafMs, timeout });
}

/** Closes whatever menus are open: each Escape closes one, a submenu or the menu it belongs to. Without one, nothing is pressed. */
export async function closeMenus(page: Page): Promise<void> {
	const menu = contextMenu(page);
	await untilDone(async timeout => {
		if ((await menu.count()) > 0) {
			await page.keyboard.press("Escape");
		}
		await expect(menu).toHaveCount(0, { timeout });
	}, 500);
}

/**
 * Opens the editor's context menu at the beginning of its first line, which keeps what is selected there. One that shows too late
 * is closed again: a click beside an open menu only closes it.
 */
export async function openEditorMenu(page: Page): Promise<Locator> {
	const menu = contextMenu(page);
	const line = page.locator(".editor-instance .view-line").first();
	await untilDone(async timeout => {
		await closeMenus(page);
		await line.click({ button: "right", position: { x: 4, y: 8 }, timeout });
		await expect(menu.getByRole("menuitem", { name: "Command Palette" })).toBeVisible({ timeout });
	});
	return menu;
}
