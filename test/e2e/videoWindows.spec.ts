import type { Locator } from "@playwright/test";
import { workbenchAddress } from "../host/editorServer.ts";
import { type ClipService, startClipService } from "./clipService.ts";
import { untilDone } from "./patience.ts";
import { expect, test as base } from "./fixtures.ts";
import { generateFromPrompt, renderTimeout, statusItem } from "./videoSteps.ts";
import { openWorkbench, type Workbench } from "./workbench.ts";

/** The shortest pause between two lookups of one poller, in milliseconds: 2 s less the jitter of row J5, and a busy machine. */
const shortestPause = 1_400;

const test = base.extend<{ service: ClipService }>({
	// oxlint-disable-next-line no-empty-pattern -- Playwright reads the pattern to learn what a fixture needs.
	service: async ({}, use) => {
		const service = await startClipService({ lookupsInProgress: 2 });
		await use(service);
		await service.stop();
	},
	settings: async ({ service }, use) => {
		await use({ "cutaway.endpoint": service.url });
	},
});

/** The heading of the list of videos while it is open. */
function videosHeading({ page }: Workbench): Locator {
	return page.locator(".quick-input-widget:visible").getByText("Videos", { exact: true });
}

/** Closes the list of videos, which is open. */
async function closeVideos(window: Workbench): Promise<void> {
	await window.page.locator(".quick-input-widget:visible input").press("Escape");
	await expect(videosHeading(window)).toHaveCount(0);
}

test("J20: two windows on one storage send one request, ask with one voice, fetch one clip, tell it once, and both show it", async ({
	workbench,
	editorServer,
	service,
}) => {
	const other = await openWorkbench(await workbench.page.context().newPage(), {
		address: workbenchAddress(editorServer, workbench.folder),
		folder: workbench.folder,
		theme: "dark",
	});
	// So that the other window follows the videos before there is one: it has none to take up at its start.
	await untilDone(async timeout => {
		await other.runCommand("Cutaway: Show Videos");
		await expect(videosHeading(other)).toBeVisible({ timeout });
	});
	await closeVideos(other);
	await workbench.page.bringToFront();
	await generateFromPrompt(workbench, "Seen twice");
	const windows = [workbench, other];
	for (const window of windows) {
		await expect(statusItem(window)).toContainText("1 video");
	}
	for (const window of windows) {
		await expect(statusItem(window)).toContainText("1 video ready", { timeout: renderTimeout });
	}
	// VS Code takes a notification off the screen after ten seconds; its list of notifications keeps it.
	const center = ({ page }: Workbench): Locator => page.locator(".notifications-center.visible");
	const openCenters = async (): Promise<void> => {
		for (const window of windows) {
			await window.runCommand("Notifications: Show Notifications");
			await expect(center(window)).toBeVisible();
		}
	};
	const told = async (): Promise<number> => {
		const notices = windows.map(window =>
			center(window).locator(".notification-list-item", { hasText: "Your video is ready" }),
		);
		const counts = await Promise.all(notices.map(notice => notice.count()));
		return counts.reduce((sum, count) => sum + count, 0);
	};
	await openCenters();
	await expect.poll(told).toBe(1);
	expect(service.prompts).toEqual(["Seen twice"]);
	expect(service.downloads).toBe(1);
	const pauses = service.lookups
		.slice(1)
		.map(({ at }, index) => at - (service.lookups[index]?.at ?? 0));
	expect(Math.min(...pauses)).toBeGreaterThan(shortestPause);
	for (const window of windows) {
		// While the notifications show, Escape closes them in place of the list.
		await window.runCommand("Notifications: Hide Notifications");
		await window.runCommand("Cutaway: Show Videos");
		await expect(videosHeading(window)).toBeVisible();
		await expect(window.page.locator(".quick-input-list .monaco-list-row")).toHaveCount(1);
		await closeVideos(window);
	}
	await openCenters();
	expect(await told()).toBe(1);
});
