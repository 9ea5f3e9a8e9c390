import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { projectRoot } from "../../scripts/project.ts";
import { answered } from "../e2e/chatView.ts";
import { expect, test } from "../e2e/fixtures.ts";
import { greeting, throughRealName } from "./sampleAnswer.ts";
import { lastStep, openReady, selectLines } from "../e2e/videoSteps.ts";
import { record } from "./animation.ts";

test.use({
	viewport: { width: 1280, height: 720 },
	settings: ({ model }, use) =>
		use({
			...throughRealName(model),
			"editor.minimap.enabled": false,
			"workbench.tips.enabled": false,
		}),
});
test.setTimeout(240_000);

test("the tour: a video of the selection, then an answer in the chat", async ({
	workbench,
	browser,
	model,
}) => {
	model.script({ text: greeting });
	const { page } = workbench;
	await workbench.openFile("src/pricing.ts");
	const chat = await workbench.openChat();
	await workbench.runCommand("View: Toggle Primary Side Bar Visibility");
	await workbench.setSideBarWidth(420);
	const recording = await record(page);
	await selectLines(workbench, 12);
	await page.waitForTimeout(800);
	await workbench.runCommand("Cutaway: Make Clip from Selection");
	await (await lastStep(workbench)).press("Enter");
	await page.waitForTimeout(1_500);
	await recording.without(async () => {
		const preview = await openReady(workbench);
		await expect(preview.locator("video")).toBeVisible();
		await workbench.runCommand("Notifications: Clear All Notifications");
	});
	await page.mouse.move(640, 2);
	await page.waitForTimeout(2_500);
	const box = chat.getByRole("textbox", { name: "Message" });
	await box.click();
	await page.keyboard.type("How do I greet a customer by name?", { delay: 60 });
	await page.waitForTimeout(300);
	await page.keyboard.press("Enter");
	await answered(chat);
	await page.waitForTimeout(1_500);
	const bytes = await recording.finish(browser, 1000);
	expect(bytes.length).toBeLessThan(2_000_000);
	await writeFile(join(projectRoot, "media", "pictures", "tour.webp"), bytes);
});
