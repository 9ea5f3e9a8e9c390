import { answered, ask } from "./chatView.ts";
import { expect, test } from "./fixtures.ts";
import type { Workbench } from "./workbench.ts";
import { untilDone } from "./patience.ts";
import { renderTimeout } from "./videoSteps.ts";

/** Accepts the last step with the options as they are. */
async function acceptLastStep({ page }: Workbench): Promise<void> {
	await expect(page.locator(".quick-input-list")).toContainText("s, motion");
	await page.locator(".quick-input-widget:visible input").press("Enter");
}

test("a video started from a code block has a card below its question, over a reload and until it is deleted", async ({
	workbench,
}) => {
	const { page } = workbench;
	const chat = await workbench.openChat();
	await ask(chat, "/code typescript");
	await answered(chat);
	await chat.getByRole("button", { name: "More actions" }).first().click();
	await chat.getByRole("menuitem", { name: "Generate video from code" }).click();
	const card = chat.locator(".turn .video-card");
	// Looked for from before the key on: it goes by as fast as the clip is drawn.
	await Promise.all([expect(card).toContainText(/Generating \d:\d\d/), acceptLastStep(workbench)]);
	await workbench.screenshot("video-card-working");
	await expect(card).toContainText("Ready", { timeout: renderTimeout });

	await card.getByRole("button", { name: "Open", exact: true }).click();
	const preview = await workbench.frameWith(".preview");
	await expect(preview.locator("video")).toBeVisible();
	await expect(card.locator("img")).toBeVisible();
	// The list closes again when the preview receives the focus after it opened.
	await untilDone(async timeout => {
		await card.getByRole("button", { name: "More actions" }).click({ timeout });
		await expect(page.locator(".quick-input-list:visible")).toContainText(
			"Generate with Changes…",
			{ timeout },
		);
	});
	await page.keyboard.press("Escape");

	await workbench.reload();
	const again = (await workbench.chatFrame()).locator(".turn .video-card");
	await expect(again.locator("img")).toBeVisible();
	await workbench.screenshot("video-card-ready");
	await workbench.runCommand("Focus on Videos View");
	const row = page.locator(".part.auxiliarybar .monaco-list-row").filter({ hasText: "interface" });
	await expect(row).toBeVisible();
	// A click at the moment the tree is drawn again is lost.
	await untilDone(async timeout => {
		if ((await row.count()) > 0) {
			await row.hover({ timeout });
			await row.getByRole("button", { name: "Delete Video" }).click({ timeout });
		}
		await expect(row).toHaveCount(0, { timeout });
	}, 15_000);
	const later = await workbench.openChat();
	await expect(later.getByRole("article", { name: "You" })).toHaveCount(1);
	await expect(later.locator(".turn .video-card")).toHaveCount(0);
});

test("a prompt that is too long is edited in a document that says its length and leads on", async ({
	workbench,
}) => {
	const { page } = workbench;
	await workbench.openFile("data/orders.csv");
	await page.locator(".editor-instance .view-lines").first().click();
	await page.keyboard.press("ControlOrMeta+A");
	await workbench.runCommand("Cutaway: Generate Video from Selection");
	const dialog = page.getByRole("dialog").filter({ hasText: "The prompt has" });
	await dialog.getByRole("button", { name: "Edit", exact: true }).click();
	const lenses = page.locator(".codelens-decoration");
	await expect(lenses).toContainText(/[\d,]+ characters too many/);
	await page.locator(".editor-instance .view-lines").first().click();
	await page.keyboard.press("ControlOrMeta+A");
	await page.keyboard.type("A paper boat");
	await expect(lenses).toContainText("12 of 4,000 characters");
	await workbench.screenshot("video-prompt-document");
	const lastStep = page.locator(".quick-input-widget:visible").filter({ hasText: "A paper boat" });
	const generate = (): Promise<void> =>
		// The editor lays the lens out again after every key, and a click that falls into that reaches no lens. One that was
		// taken removes it.
		untilDone(async timeout => {
			if ((await lenses.count()) > 0) {
				await lenses.getByText("Generate Video").click({ timeout });
			}
			await expect(lastStep).toBeVisible({ timeout });
		}, 5_000);
	await generate();
	await lastStep.locator("input").first().press("Escape");
	await expect(lastStep).toHaveCount(0);
	// The document of who leaves at the last step keeps its way on; once the video is started it is closed.
	await generate();
	await lastStep.locator("input").first().press("Enter");
	await expect(page.getByRole("tab", { name: /Untitled/ })).toHaveCount(0);
	await expect(page.locator(".monaco-dialog-box")).toHaveCount(0);
});
