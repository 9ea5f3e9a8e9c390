import type { Locator } from "@playwright/test";
import { answered, answers, ask } from "./chatView.ts";
import { expect, test } from "./fixtures.ts";
import { takePictures } from "./pictures.ts";
import { lastStep, selectLines, untilReady } from "./videoSteps.ts";
import type { Workbench } from "./workbench.ts";
import { untilDone } from "./patience.ts";

async function openWalkthrough(workbench: Workbench): Promise<Locator> {
	const page = workbench.page.locator(".gettingStartedContainer");
	// The list of walkthroughs closes when something takes the focus, such as the chat that the step before has shown.
	await untilDone(async timeout => {
		await workbench.runCommand("Welcome: Open Walkthrough...");
		await workbench.pickQuickInput("Get Started with Cutaway", timeout);
		await expect(page.locator("h2", { hasText: "Get Started with Cutaway" })).toBeVisible({
			timeout,
		});
	}, 5_000);
	return page;
}

/** Opens a step of the walkthrough and presses its button. */
async function press(workbench: Workbench, title: string, button: string): Promise<void> {
	const page = await openWalkthrough(workbench);
	const step = page.locator(".getting-started-step", { hasText: title }).first();
	const expanded = page.locator(".getting-started-step.expanded", { hasText: title });
	// A walkthrough that was open already is drawn once more, which may open another step.
	await untilDone(async timeout => {
		await step.click({ timeout });
		await expanded.getByText(button, { exact: true }).click({ timeout });
	});
}

test.describe("a new user", () => {
	// The first answer of a model in the same window would complete the step that names one.
	test.use({ isAlone: true });

	test("finishes the walkthrough but for a model, of which there is none", async ({
		workbench,
		editorServer,
	}) => {
		// A clip that is older than the walkthrough completes its step when that is opened.
		await workbench.openFile("src/pricing.ts");
		await selectLines(workbench, 12);
		await workbench.runCommand("Cutaway: Make Clip from Selection");
		await (await lastStep(workbench)).press("Enter");
		await untilReady(workbench);
		await workbench.runCommand("View: Close All Editors");
		const done = workbench.page.locator(
			".getting-started-step .codicon-getting-started-step-checked",
		);
		await openWalkthrough(workbench);
		await expect(done).toHaveCount(1);

		await press(workbench, "Choose a model", "Choose Model…");
		await expect(workbench.page.getByPlaceholder("Which model should answer?")).toBeVisible();
		await workbench.page.keyboard.press("Escape");

		// A step is done once there is a result; its button alone ticks nothing.
		await press(workbench, "Ask about your code", "Ask About Selection");
		// Nothing went wrong, so no log is offered. At once, as the notification leaves by itself after ten seconds.
		await expect(
			workbench
				.notifications()
				.filter({ hasText: "Select some text in an editor first.", hasNotText: "Show Log" }),
		).toBeVisible();
		await expect(done).toHaveCount(1);
		const activeTab = workbench.page.locator(".tabs-container .tab.active");
		await press(workbench, "Ask about your code", "Open a sample");
		await expect(activeTab).toContainText("priceOf.ts");
		await workbench.runCommand("Cutaway: Ask About Selection");
		const chat = await workbench.chatFrame();
		await expect(chat.getByRole("list", { name: "Attachments" })).toContainText("priceOf.ts");
		await ask(chat, "What does this do?");
		await answered(chat);
		await expect(answers(chat).last()).toContainText("No model is set up");

		await press(workbench, "Turn a selection into a clip", "Open a sample");
		await expect(activeTab).toContainText("priceOf.ts");
		await openWalkthrough(workbench);
		await expect(done).toHaveCount(2);
		// Nothing is left to be saved.
		await expect(workbench.page.locator(".tabs-container .tab.dirty")).toHaveCount(0);
		await takePictures(workbench, editorServer, "walkthrough-done");
	});
});

test.describe("after a fresh installation", () => {
	test.use({
		isAlone: true,
		settings: { "workbench.welcomePage.walkthroughs.openOnInstall": true },
	});

	test("the walkthrough opens by itself, and the status bar opens the chat (ux 25)", async ({
		workbench,
	}) => {
		const { page } = workbench;
		await expect(
			page.locator(".gettingStartedContainer h2", { hasText: "Get Started with Cutaway" }),
		).toBeVisible();
		await page.locator(".statusbar-item", { hasText: "Cutaway: no model" }).click();
		const chat = await workbench.chatFrame();
		await expect(chat.getByRole("heading", { name: "Ask Cutaway" })).toBeVisible();
		await expect(chat.getByRole("button", { name: "Make a clip of a sample" })).toBeVisible();
	});
});
