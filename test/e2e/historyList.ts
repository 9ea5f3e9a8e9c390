import { expect, type Locator } from "@playwright/test";
import { untilDone } from "./patience.ts";
import { quickInput, type Workbench } from "./workbench.ts";

/** Rows of the list that shows. */
export function rows({ page }: Workbench): Locator {
	return page.locator(".quick-input-list .monaco-list-row:visible");
}

/** Opens the history of chats by its button. */
export async function openHistory(workbench: Workbench): Promise<void> {
	await workbench.chatFrame();
	await workbench.titleButton("History").click();
	await expect(rows(workbench).first()).toBeVisible();
}

/** Closes the list with a key that reaches nothing else: in the chat, Escape ends an answer, elsewhere it hides notices. */
export async function closeHistory(workbench: Workbench): Promise<void> {
	const input = quickInput(workbench.page);
	await untilDone(async timeout => {
		if (await input.isVisible()) {
			await input.press("Escape", { timeout });
		}
		await expect(rows(workbench)).toHaveCount(0, { timeout });
	});
}

/**
 * Presses a button of a row by its name, which shows while the pointer is on the row, until `isDone`: a click at the moment the
 * list is drawn again is lost.
 */
export async function pressRowButton(
	workbench: Workbench,
	label: string,
	button: string,
	isDone: (timeout: number) => Promise<void>,
): Promise<void> {
	const row = rows(workbench).filter({ hasText: label }).first();
	const action = row.locator(`[aria-label="${button}"]`);
	await untilDone(async timeout => {
		if (await row.isVisible()) {
			await row.hover({ timeout });
		}
		if (await action.isVisible()) {
			await action.click({ timeout });
		}
		await isDone(timeout);
		// Not again before a slow extension has had its time: a chat would be deleted twice.
	}, 15_000);
}
