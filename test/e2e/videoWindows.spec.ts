import { workbenchAddress } from "../host/editorServer.ts";
import { type ClipService, startClipService } from "./clipService.ts";
import { expect, test as base } from "./fixtures.ts";
import { generateFromPrompt, statusItem, untilReady, videoTile } from "./videoSteps.ts";
import { openWorkbench } from "./workbench.ts";

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
	await other.runCommand("Cutaway: Show Videos");
	await expect(
		(await other.frameWith(".gallery")).getByRole("button", {
			name: "Make Clip from Selection",
		}),
	).toBeVisible();
	await workbench.page.bringToFront();
	await generateFromPrompt(workbench, "Seen twice");
	const windows = [workbench, other];
	for (const window of windows) {
		await expect(statusItem(window)).toContainText("1 video");
	}
	for (const window of windows) {
		await untilReady(window);
	}
	// One of the windows plays it.
	const told = async (): Promise<number> => {
		const counts = windows.map(({ page }) =>
			page.getByRole("tab", { name: /^Seen twice/ }).count(),
		);
		return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
	};
	await expect.poll(told).toBe(1);
	expect(service.prompts).toEqual(["Seen twice"]);
	expect(service.downloads).toBe(1);
	const pauses = service.lookups
		.slice(1)
		.map(({ at }, index) => at - (service.lookups[index]?.at ?? 0));
	expect(Math.min(...pauses)).toBeGreaterThan(shortestPause);
	for (const window of windows) {
		await expect(await videoTile(window, "Seen twice")).toHaveCount(1);
	}
	expect(await told()).toBe(1);
});
