import { browserFlags } from "../host/browser.ts";
import { diesAndIsReplaced, streamingChat } from "./chatDeath.ts";
import { expect } from "./fixtures.ts";
import { ownProcessFlag, processOf, test } from "./ownProcess.ts";
import { hostTimeout } from "./patience.ts";

test.use({
	// Its page is not one of the shared window's.
	isAlone: true,
	launchOptions: {
		// Of a headless shell that loses a process, Playwright fails by itself.
		executablePath: process.env["CUTAWAY_WHOLE_BROWSER"] ?? "",
		args: [...browserFlags, ownProcessFlag],
	},
});

test("L4: a page whose process the system kills is replaced in the middle of an answer, and the draft and the cursor are there", async ({
	browser,
	workbench,
	model,
}) => {
	const { page } = workbench;
	const renderer = await processOf(browser, page, await workbench.openChat());
	await diesAndIsReplaced(workbench, model, "a killed process", () =>
		process.kill(renderer, "SIGKILL"),
	);
});

test("L4: a page that hangs for good is reported, with Reload Chat View and Reload Window", async ({
	workbench,
	model,
}) => {
	const { chat } = await streamingChat(workbench, model);
	await chat.evaluate(() => {
		setTimeout(() => {
			for (;;) {
				// Hangs, and with it its process.
			}
		}, 0);
	});
	const notice = workbench.notifications().filter({ hasText: "stopped working" });
	await expect(notice.getByRole("button", { name: "Reload Chat View" })).toBeVisible();
	// What is asked of the window that goes away is lost with it.
	const reloaded = workbench.page.waitForEvent("domcontentloaded", { timeout: hostTimeout });
	await notice.getByRole("button", { name: "Reload Window" }).click();
	await reloaded;
	await expect(async () => {
		const back = await workbench.openChat();
		await expect(back.getByRole("article", { name: "Assistant" }).first()).toContainText(/\w{3}/);
	}).toPass({ timeout: hostTimeout });
});
