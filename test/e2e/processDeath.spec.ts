import { browserFlags } from "../host/browser.ts";
import { diesAndIsMadeGood, slowAnswers } from "./chatDeath.ts";
import { ownProcessFlag, processOf, test } from "./ownProcess.ts";

test.use({
	settings: slowAnswers,
	launchOptions: {
		executablePath: process.env["CUTAWAY_BROWSER"] ?? "",
		args: [...browserFlags, ownProcessFlag],
	},
});

test("L4: a page whose process the system kills is made good in mid-stream, and the draft and the cursor are there", async ({
	browser,
	workbench,
}) => {
	const { page } = workbench;
	const renderer = await processOf(browser, page, await workbench.openChat());
	await diesAndIsMadeGood(workbench, "a killed process", () => process.kill(renderer, "SIGKILL"));
});

test("L4: a page that hangs for good is made good in another process, in mid-stream", async ({
	workbench,
}) => {
	await diesAndIsMadeGood(workbench, "an endless loop", async chat => {
		// What is written is with the host a quarter of a second later at most.
		await workbench.page.waitForTimeout(300);
		await chat.evaluate(() => {
			setTimeout(() => {
				for (;;) {
					// Hangs, and with it its process.
				}
			}, 0);
		});
	});
	await workbench.screenshot("revival-other-view");
});
