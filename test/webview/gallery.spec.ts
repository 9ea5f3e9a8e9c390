import type { Page } from "@playwright/test";
import type { GalleryState, GalleryVideo } from "../../src/shared/gallery.ts";
import { violations } from "./axe.ts";
import { expect, inEveryTheme, test } from "./fixtures.ts";
import { expectFirstFrame, recordClip } from "./scenes.ts";
import type { Harness } from "./harness.ts";

const boat: GalleryVideo = {
	jobId: "boat",
	name: "volumeDiscount",
	tooltip: "export function volumeDiscount",
	tone: "ready",
	state: "Ready",
	length: "4 s",
	date: "12:05",
	picture: null,
	clip: null,
	isDeletable: true,
	hasScenes: false,
};

/** One video of every look, the last with a name longer than its tile. */
const every: readonly GalleryVideo[] = [
	boat,
	{ ...boat, jobId: "working", tone: "working", state: "Making", isDeletable: false },
	{ ...boat, jobId: "attention", tone: "attention", state: "May be charged", length: null },
	{ ...boat, jobId: "failed", tone: "failed", state: "Not submitted", date: "Nov 3, 2025" },
	{ ...boat, jobId: "scenes", tone: "stopped", state: "2 of 3 scenes ready", hasScenes: true },
	{
		...boat,
		jobId: "long",
		name: "A paper boat on a quiet river at dawn, and gulls that follow it",
	},
];

/** Opens the gallery with these videos. */
async function open(
	page: Page,
	harness: Harness,
	videos: readonly GalleryVideo[],
	filter: string | null = null,
): Promise<void> {
	const state: GalleryState = { videos: [...videos], filter };
	await page.goto(harness.urlOf("dark", "gallery"));
	await page.evaluate(next => {
		(window.harness as unknown as { state: unknown }).state = next;
	}, state);
	await page.locator(".gallery > *").first().waitFor();
}

function push(page: Page, videos: readonly GalleryVideo[]): Promise<void> {
	return page.evaluate(next => window.harness.event("state", next), { videos, filter: null });
}

const requests = (page: Page, method: string): Promise<unknown[]> =>
	page.evaluate(
		name =>
			window.harness.requests
				.filter(request => request.method === name)
				.map(request => request.params),
		method,
	);

test("A tile is one button with the video's name, state, length and date; a click opens it @core", async ({
	page,
	harness,
}) => {
	await open(page, harness, every);
	const tile = page.getByRole("listitem").first();
	await expect(page.getByRole("list", { name: "Videos" }).getByRole("listitem")).toHaveCount(6);
	await tile.getByRole("button", { name: "volumeDiscount Ready 12:05 4 s" }).click();
	await tile.getByRole("button", { name: "More actions" }).click();
	await page.getByRole("button", { name: "Show Scenes…" }).click();
	expect(await requests(page, "open")).toEqual([{ jobId: "boat" }]);
	expect(await requests(page, "choose")).toEqual([{ jobId: "boat" }]);
	expect(await requests(page, "showScenes")).toEqual([{ jobId: "scenes" }]);
	await expect(
		page.getByRole("listitem").nth(1).getByRole("button", { name: "Delete Video" }),
	).toHaveCount(0);
});

test("Arrows, Home and End go from tile to tile, and Delete deletes the one with the focus, which goes to the next", async ({
	page,
	harness,
}) => {
	await page.setViewportSize({ width: 300, height: 600 });
	await open(page, harness, every);
	const focused = (): Promise<string | undefined> =>
		page.evaluate(() => (document.activeElement as HTMLElement | null)?.dataset["job"]);
	await page.evaluate(() => window.dispatchEvent(new Event("focus")));
	expect(await focused()).toBe("boat");
	await page.keyboard.press("ArrowDown");
	expect(await focused()).toBe("attention");
	await page.keyboard.press("ArrowRight");
	expect(await focused()).toBe("failed");
	await page.keyboard.press("End");
	expect(await focused()).toBe("long");
	await page.keyboard.press("Home");
	await page.keyboard.press("Delete");
	expect(await requests(page, "remove")).toEqual([{ jobId: "boat" }]);
	await push(page, every.slice(1));
	await expect.poll(focused).toBe("working");
	await page.keyboard.press("Delete");
	expect(await requests(page, "remove")).toHaveLength(1);
});

test("A clip without a picture gives that of its first frame, once", async ({ page, harness }) => {
	await open(page, harness, [boat]);
	const clip = await recordClip(page);
	await push(page, [{ ...boat, clip }]);
	await expect.poll(() => requests(page, "keepPicture")).toHaveLength(1);
	const [taken] = (await requests(page, "keepPicture")) as [{ address: string }];
	await expectFirstFrame(page, taken.address);
	await push(page, [
		{ ...boat, clip },
		{ ...boat, jobId: "other", picture: taken.address },
	]);
	await expect(page.locator("img")).toHaveCount(1);
	expect(await requests(page, "keepPicture")).toHaveLength(1);
});

test("A clip that comes while the page is hidden gives its picture when the page shows again", async ({
	page,
	harness,
}) => {
	await open(page, harness, [boat]);
	const setHidden = (isHidden: boolean): Promise<void> =>
		page.evaluate(hidden => {
			Object.defineProperty(document, "hidden", { configurable: true, value: hidden });
			document.dispatchEvent(new Event("visibilitychange"));
		}, isHidden);
	await setHidden(true);
	await push(page, [{ ...boat, clip: await recordClip(page) }]);
	await expect(page.locator("video")).toHaveCount(0);
	expect(await requests(page, "keepPicture")).toHaveLength(0);
	await setHidden(false);
	await expect.poll(() => requests(page, "keepPicture")).toHaveLength(1);
});

test("200 videos hold no video element and lay out no picture that is out of sight", async ({
	page,
	harness,
}) => {
	const picture =
		"data:image/svg+xml," + encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg"/>');
	const many = Array.from({ length: 200 }, (_, index) => ({
		...boat,
		jobId: `job-${index}`,
		picture,
	}));
	await page.setViewportSize({ width: 300, height: 600 });
	await open(page, harness, many);
	await expect(page.locator("img")).toHaveCount(200);
	await expect(page.locator("video")).toHaveCount(0);
	const last = page.locator("img").last();
	expect(await last.evaluate(image => image.checkVisibility({ contentVisibilityAuto: true }))).toBe(
		false,
	);
});

test("Without videos the view leads to the first one; a filter says what it lists and goes", async ({
	page,
	harness,
}) => {
	await open(page, harness, []);
	await page.getByRole("button", { name: "Make Clip from Selection" }).click();
	expect(await requests(page, "generate")).toEqual([{ from: "selection" }]);
	await open(page, harness, [], "0 videos failed");
	await expect(page.getByText("0 videos failed")).toBeVisible();
	await page.getByRole("button", { name: "Show All" }).click();
	expect(await requests(page, "showAll")).toHaveLength(1);
});

test("The gallery is accessible in every theme and never wider than the view", async ({
	page,
	harness,
}) => {
	await open(page, harness, every, "6 videos");
	await inEveryTheme(page, async theme => {
		for (const width of [150, 300, 600]) {
			await page.setViewportSize({ width, height: 700 });
			expect(await violations(page), `${theme}, ${width} px`).toEqual([]);
			const overflow = await page.evaluate(
				() => document.documentElement.scrollWidth - document.documentElement.clientWidth,
			);
			expect(overflow).toBe(0);
		}
	});
});

test("The sign of a state is in one line with its words, however narrow the tile", async ({
	page,
	harness,
}) => {
	const picture =
		"data:image/svg+xml," + encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg"/>');
	const stopped = { ...boat, tone: "stopped", state: "2 of 3 scenes ready", picture } as const;
	await page.setViewportSize({ width: 300, height: 600 });
	await open(page, harness, [stopped, boat]);
	const [sign, words] = await Promise.all(
		[page.locator(".facts .codicon"), page.getByText("2 of 3 scenes ready")].map(place =>
			place.first().boundingBox(),
		),
	);
	expect(sign?.y).toBeGreaterThanOrEqual(words?.y ?? Infinity);
	expect((sign?.y ?? Infinity) + 6).toBeLessThan((words?.y ?? 0) + 20);
});

test("A wide view has larger pictures, not more small ones", async ({ page, harness }) => {
	await open(page, harness, every);
	const widthAt = async (width: number): Promise<number> => {
		await page.setViewportSize({ width, height: 700 });
		return (await page.locator(".picture").first().boundingBox())?.width ?? 0;
	};
	expect(await widthAt(300)).toBeGreaterThan(115);
	expect(await widthAt(600)).toBeGreaterThan(250);
	expect(await widthAt(1000)).toBeGreaterThan(210);
});
