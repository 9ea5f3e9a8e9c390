import { join } from "node:path";
import { type Frame, type Locator, type Page, expect } from "@playwright/test";
import { projectRoot } from "../../scripts/project.ts";
import type { ThemeName } from "./themes.ts";
import { hostTimeout, untilDone } from "./patience.ts";

/** A VS Code window as a user uses it: by keyboard, mouse and what it shows. */
export interface Workbench {
	readonly page: Page;
	/** Absolute path of the open folder, a copy of the sample workspace that the test may change. */
	readonly folder: string;
	/** Runs a command by its full title in the palette, such as `Cutaway: New Chat`. */
	runCommand(title: string): Promise<void>;
	/** Types into the quick input that is open and presses Enter. */
	answerQuickInput(text: string): Promise<void>;
	/** Gives the dialog for files this path, once it shows a path that this expression finds, until it closes. */
	answerFileDialog(suggested: RegExp, path: string): Promise<void>;
	/** Picks the entry of the quick input whose label contains this text; waits `timeout` milliseconds for each step, or as long as a test may. */
	pickQuickInput(label: string, timeout?: number): Promise<void>;
	/** Opens Cutaway's chat, through the palette where the cursor is not in its message yet; resolves with the frame that holds it, once the cursor is in its message. */
	openChat(): Promise<Frame>;
	/** The frame that holds Cutaway's chat, once it shows; a reload or a hidden view makes another. */
	chatFrame(): Promise<Frame>;
	/** A button of the title bar of Cutaway's chat or of its videos, by its whole name. */
	titleButton(name: string): Locator;
	/** The frame of any webview, once it holds an element that this selector finds. */
	frameWith(selector: string): Promise<Frame>;
	/** Opens a text file of the folder by its relative path; resolves once the cursor is in it. */
	openFile(path: string): Promise<void>;
	/** Reloads the window and waits until it is up again. */
	reload(): Promise<void>;
	/** Drags the secondary side bar to this width in CSS pixels, within 8; VS Code sets lower and upper bounds. */
	setSideBarWidth(width: number): Promise<void>;
	/** Notifications that show now. */
	notifications(): Locator;
	/** Saves `test-results/screenshots/NAME-THEME-WIDTH.png` of the window, WIDTH being the side bar's, when pictures are asked for. */
	screenshot(name: string): Promise<void>;
}

/** `CUTAWAY_PICTURES` takes the pictures of a run. Nobody looks at those of a run that only tests, which takes none. */
export const isLookedAt = process.env["CUTAWAY_PICTURES"] !== undefined;

/** Longer than VS Code waits before it writes its state, in ms. */
const stateDelay = 500;

/** Resolves once the window shows its parts and its status bar. */
async function waitUntilUp(page: Page): Promise<void> {
	await page.locator(".monaco-workbench").waitFor({ timeout: hostTimeout });
	await page.locator(".part.statusbar .statusbar-item").first().waitFor({ timeout: hostTimeout });
}

/** The box of the quick input that is open: keys pressed at it reach nothing else. */
export function quickInput(page: Page): Locator {
	return page.locator(".quick-input-widget:visible input");
}

/** Follows whether an entry of a list is clicked, also one that goes away or is drawn once more meanwhile. */
async function watchRowClicks(page: Page): Promise<() => Promise<boolean>> {
	const clicks = await page.evaluateHandle(() => {
		const seen = { any: false };
		const note = ({ target }: MouseEvent): void => {
			seen.any ||= target instanceof Element && target.closest(".monaco-list-row") !== null;
		};
		document.addEventListener("click", note, { capture: true });
		return seen;
	});
	return () => clicks.evaluate(({ any }) => any);
}

async function runCommand(page: Page, title: string): Promise<void> {
	const input = quickInput(page);
	const row = page
		.locator(".quick-input-list .monaco-list-row")
		.filter({ has: page.locator(".quick-input-list-label", { hasText: title }) })
		.first();
	// A key pressed while the window still wires itself up is lost, and a view that takes the focus as it comes up closes
	// the palette: so it is asked for until the command was clicked.
	await untilDone(async timeout => {
		await page.keyboard.press("F1");
		await expect(input).toBeVisible({ timeout });
		// Commands of extensions come late, and the list is made again only when the text changes.
		await input.fill(">", { timeout });
		await input.fill(`>${title}`, { timeout });
		await expect(row).toBeVisible({ timeout });
		const wasClicked = await watchRowClicks(page);
		await row.click({ timeout }).catch(async (error: unknown) => {
			// A click that came late by the clock has run the command, whose dialog then keeps the palette from opening again.
			if (!(await wasClicked())) {
				throw error;
			}
		});
	});
}

async function answerQuickInput(page: Page, text: string): Promise<void> {
	const input = quickInput(page);
	await input.fill(text);
	await input.press("Enter");
}

async function answerFileDialog(page: Page, suggested: RegExp, path: string): Promise<void> {
	const input = quickInput(page);
	// The dialog of a remote window is a quick input with a path; the one before it has none.
	await expect(input).toHaveValue(suggested);
	// While it still reads the folder, it takes no Enter.
	await untilDone(async timeout => {
		await input.fill(path, { timeout });
		await input.press("Enter", { timeout });
		await expect(input).toBeHidden({ timeout });
	});
}

async function pickQuickInput(page: Page, label: string, timeout?: number): Promise<void> {
	const limit = timeout === undefined ? {} : { timeout };
	await quickInput(page).waitFor(limit);
	const row = page.locator(".quick-input-list .monaco-list-row").filter({ hasText: label }).first();
	if (timeout !== undefined) {
		await row.click(limit);
		return;
	}
	// A long list draws the rows in sight alone.
	await untilDone(async step => {
		if ((await row.count()) === 0) {
			await quickInput(page).press("PageDown", { timeout: step });
		}
		await row.click({ timeout: step });
	});
}

async function holds(frame: Frame, selector: string): Promise<boolean> {
	try {
		return (await frame.locator(selector).count()) > 0;
	} catch {
		// A frame that went away while it was asked holds nothing.
		return false;
	}
}

async function findFrame(page: Page, selector: string): Promise<Frame | undefined> {
	const children = page.frames().filter(frame => frame !== page.mainFrame());
	const found = await Promise.all(children.map(frame => holds(frame, selector)));
	return children.find((_, index) => found[index]);
}

async function frameWith(page: Page, selector: string): Promise<Frame> {
	const found: { frame?: Frame } = {};
	await expect(async () => {
		const frame = await findFrame(page, selector);
		expect(frame, `a webview holds ${selector}`).toBeDefined();
		if (frame) {
			found.frame = frame;
		}
	}).toPass({ timeout: hostTimeout });
	if (!found.frame) {
		throw new Error(`No webview holds ${selector}.`);
	}
	return found.frame;
}

function sideBar(page: Page): Locator {
	return page.locator(".part.auxiliarybar");
}

async function sideBarBox(page: Page): Promise<{ x: number; y: number; width: number }> {
	const box = await sideBar(page).boundingBox();
	if (!box) {
		throw new Error("The secondary side bar does not show.");
	}
	return { x: box.x, y: box.y + box.height / 2, width: box.width };
}

/** Where the sash is that moves the side bar's left edge: it sits in the gap between parts, which styles differ in. */
async function sashPosition(page: Page, edge: number): Promise<number> {
	const centres = await page.locator(".monaco-sash.vertical:visible").evaluateAll(sashes =>
		sashes.map(sash => {
			const { x, width } = sash.getBoundingClientRect();
			return x + width / 2;
		}),
	);
	const nearest = centres.toSorted((a, b) => Math.abs(a - edge) - Math.abs(b - edge))[0];
	return nearest ?? edge;
}

async function setSideBarWidth(page: Page, width: number): Promise<void> {
	await expect(async () => {
		const { x, y, width: current } = await sideBarBox(page);
		if (Math.abs(current - width) > 8) {
			const start = await sashPosition(page, x);
			await page.mouse.move(start, y);
			await page.mouse.down();
			// In few steps: the whole window is laid out again for each, which takes seconds on a busy machine.
			await page.mouse.move(start + (current - width), y, { steps: 3 });
			await page.mouse.up();
			// Away from the sash, which would go on showing its hover color.
			await page.mouse.move(700, 400);
		}
		expect(Math.abs((await sideBarBox(page)).width - width)).toBeLessThanOrEqual(8);
	}).toPass({ timeout: hostTimeout });
}

async function openFile(page: Page, path: string): Promise<void> {
	const name = path.slice(path.lastIndexOf("/") + 1);
	// The list shows the files opened last until it is filtered; Enter opens the focused one.
	const row = page.locator(".quick-input-list .monaco-list-row.focused").filter({ hasText: name });
	const tab = page.locator(".tabs-container .tab.active", { hasText: name });
	const focused = page.locator(".editor-instance .monaco-editor.focused").first();
	// A view that takes the focus as it comes up closes the list.
	await untilDone(async timeout => {
		await page.keyboard.press("ControlOrMeta+P");
		await expect(quickInput(page)).toBeVisible({ timeout });
		await quickInput(page).fill(path, { timeout });
		await expect(row).toBeVisible({ timeout });
		await quickInput(page).press("Enter", { timeout });
		await tab.waitFor({ timeout });
		await focused.waitFor({ timeout });
	});
}

async function screenshot(page: Page, name: string, theme: ThemeName): Promise<void> {
	if (!isLookedAt) {
		return;
	}
	const isShown = await sideBar(page).isVisible();
	const width = isShown ? Math.round((await sideBarBox(page)).width) : 0;
	// The width asked for names the file; a drag lands within a few pixels of it.
	const rounded = Math.round(width / 20) * 20;
	const file = `${name}-${theme}-${rounded}.png`;
	await page.screenshot({ path: join(projectRoot, "test-results", "screenshots", file) });
}

/** Opens a workbench address in a page and resolves once the window is up. */
export async function openWorkbench(
	page: Page,
	options: { readonly address: string; readonly folder: string; readonly theme: ThemeName },
): Promise<Workbench> {
	await page.goto(options.address);
	await waitUntilUp(page);
	const chatFrame = (): Promise<Frame> => frameWith(page, ".composer-text");
	return {
		page,
		folder: options.folder,
		runCommand: title => runCommand(page, title),
		answerQuickInput: text => answerQuickInput(page, text),
		answerFileDialog: (suggested, path) => answerFileDialog(page, suggested, path),
		pickQuickInput: (label, timeout) => pickQuickInput(page, label, timeout),
		openChat: async () => {
			const shown = await findFrame(page, ".composer-text:focus");
			if (shown) {
				return shown;
			}
			await runCommand(page, "Cutaway: Open Chat");
			const chat = await chatFrame();
			// The cursor comes after the chat: it would take a key from, and close a list of, what comes next.
			await expect(chat.locator(".composer-text")).toBeFocused();
			return chat;
		},
		chatFrame,
		titleButton: name => sideBar(page).getByRole("button", { name, exact: true }),
		frameWith: selector => frameWith(page, selector),
		openFile: path => openFile(page, path),
		reload: async () => {
			// In a browser, VS Code writes its state a moment after each change, and cannot as the page goes.
			await page.waitForTimeout(stateDelay);
			await page.reload();
			await waitUntilUp(page);
		},
		setSideBarWidth: width => setSideBarWidth(page, width),
		notifications: () => page.locator(".notifications-toasts .notification-list-item"),
		screenshot: name => screenshot(page, name, options.theme),
	};
}
