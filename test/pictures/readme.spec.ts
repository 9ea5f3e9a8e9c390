import { join } from "node:path";
import { projectRoot } from "../../scripts/project.ts";
import { answered, ask } from "../e2e/chatView.ts";
import { expect, test } from "../e2e/fixtures.ts";
import { greeting, throughRealName } from "./sampleAnswer.ts";
import { lastStep, openReady, selectLines } from "../e2e/videoSteps.ts";
import type { Workbench } from "../e2e/workbench.ts";

const settings = { "editor.minimap.enabled": false, "workbench.tips.enabled": false };

// Its side bars are moved, which nothing puts back.
test.use({ viewport: { width: 1280, height: 800 }, settings, isAlone: true });
test.setTimeout(180_000);

/** Saves the window as `media/pictures/NAME.png`, without what the mouse is on. */
async function picture({ page }: Workbench, name: string): Promise<void> {
	await page.mouse.move(640, 2);
	await expect(page.locator(".monaco-hover:visible, .notification-toast:visible")).toHaveCount(0);
	await page.screenshot({ path: join(projectRoot, "media", "pictures", `${name}.png`) });
}

/** Gives the editor and the chat the room they have on a user's own screen. */
async function openWide(workbench: Workbench): ReturnType<Workbench["openChat"]> {
	const chat = await workbench.openChat();
	await workbench.runCommand("View: Toggle Primary Side Bar Visibility");
	await workbench.setSideBarWidth(480);
	return chat;
}

test.describe("with a model", () => {
	test.use({ settings: ({ model }, use) => use({ ...settings, ...throughRealName(model) }) });

	test("an answer with code, beside the file it is about", async ({ workbench, model }) => {
		model.script({ text: greeting });
		await workbench.openFile("src/pricing.ts");
		const chat = await openWide(workbench);
		await ask(chat, "How do I greet a customer by name?");
		await answered(chat);
		// The colors come once their rules are loaded.
		await expect(chat.locator(".code-block .hljs-keyword").first()).toBeVisible();
		await picture(workbench, "chat");
	});

	test("a change that waits for a yes, as a diff and on its card", async ({ workbench, model }) => {
		const text =
			"/** One line of an order: a product, and how many bags of it. */\nexport interface OrderLine {\n\treadonly sku: string;\n\treadonly name: string;\n";
		model.script({ calls: [["replace_selection", { text }]] });
		await workbench.openFile("src/pricing.ts");
		const chat = await openWide(workbench);
		await selectLines(workbench, 4);
		await ask(chat, "Make the first fields readonly");
		await expect(chat.getByRole("button", { name: "Allow", exact: true })).toBeEnabled();
		await expect(workbench.page.locator(".monaco-diff-editor").first()).toBeVisible();
		await picture(workbench, "change");
	});
});

test("figures of a table that Python worked out", async ({ workbench }) => {
	const chat = await openWide(workbench);
	await chat.getByRole("textbox", { name: "Message" }).click();
	await workbench.page.keyboard.type("Summarize @orders");
	await expect(chat.getByRole("option", { name: /orders\.csv/, selected: true })).toBeVisible();
	await workbench.page.keyboard.press("Enter");
	await expect(chat.getByRole("list", { name: "Attachments" })).toContainText("orders.csv");
	await workbench.openFile("data/orders.csv");
	await ask(chat, "Summarize orders.csv");
	await answered(chat);
	await picture(workbench, "files");
});

test("a clip in its preview", async ({ workbench }) => {
	await workbench.openFile("src/pricing.ts");
	await openWide(workbench);
	await selectLines(workbench, 12);
	await workbench.runCommand("Cutaway: Make Clip from Selection");
	await (await lastStep(workbench)).press("Enter");
	const preview = await openReady(workbench);
	await expect(preview.locator("video")).toBeVisible();
	await workbench.runCommand("Notifications: Clear All Notifications");
	await workbench.page.mouse.move(640, 2);
	// The player's own controls fade some seconds after the mouse has left.
	await workbench.page.waitForTimeout(4_000);
	await picture(workbench, "video");
});
