import { ClipRenderer } from "../../src/localService/video/render/clipRenderer.ts";
import { renderClip } from "../../src/localService/video/render/renderClip.ts";
import { packageAssets } from "../unit/localService/video/videoFixtures.ts";
import { expect, test } from "./fixtures.ts";
import { cardOf, emptyChat, messageOf, turnOf } from "./states.ts";

const code = "```ts\nconst boat = 1;\n```\n";

/** A chat of two questions, the first with the cards given. */
const chatWith = (...videos: ReturnType<typeof cardOf>[]) => ({
	...emptyChat,
	turns: [
		turnOf("First", [messageOf(code)], { id: "turn", videos }),
		turnOf("Second", [messageOf(code)], { id: "second" }),
	],
});

test("a video is below its own question, and says how long it has been under way @core", async ({
	chat,
}) => {
	await chat.open(chatWith(cardOf({ startedAt: Date.now() - 65_000 })));
	const card = chat.page.getByRole("group", { name: "Video: A paper boat" });
	await expect(card).toContainText(/Making 1:0\d/);
	const first = await card.locator(".video-elapsed").textContent();
	await expect(card.locator(".video-elapsed")).not.toHaveText(first ?? "");
	await expect(chat.page.locator('[data-turn="turn"] .video-card')).toHaveCount(1);
	await expect(chat.page.locator('[data-turn="second"] .video-card')).toHaveCount(0);
});

test("a card follows what is pushed: it comes, becomes ready with its picture, and goes", async ({
	chat,
}) => {
	await chat.open(chatWith());
	const card = chat.page.locator(".video-card");
	await chat.push({ type: "video", video: cardOf() });
	await expect(card).toContainText("Making");
	const picture = "data:image/webp;base64,UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==";
	const ready = cardOf({ tone: "ready", label: "Ready", isUnfinished: false, picture });
	await chat.push({ type: "video", video: ready });
	await expect(card).toContainText("Ready");
	await expect(card.locator(".video-elapsed")).toHaveCount(0);
	await expect(card.locator("img")).toHaveJSProperty("naturalWidth", 1);
	await chat.push({ type: "video-removed", turnId: "turn", jobId: "job" });
	await expect(card).toHaveCount(0);
	expect(await chat.requests("ready")).toHaveLength(1);
});

test("a card with its picture stays within a narrow view, however long its title is", async ({
	chat,
}) => {
	await chat.page.setViewportSize({ width: 300, height: 600 });
	const picture = "data:image/webp;base64,UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==";
	const title = "A paper boat on a quiet river at dawn, and two more behind it";
	await chat.open(chatWith(cardOf({ tone: "ready", label: "Ready", title, picture })));
	const card = await chat.page.locator(".video-card").boundingBox();
	for (const part of [".video-cover", ".video-title"]) {
		const box = await chat.page.locator(part).boundingBox();
		const [end, limit] = [(box?.x ?? 0) + (box?.width ?? 0), (card?.x ?? 0) + (card?.width ?? 0)];
		expect(end, part).toBeLessThan(limit);
	}
});

test("the buttons of a card ask the host, by the video's id alone", async ({ chat }) => {
	await chat.open(chatWith(cardOf({ jobId: "job-7" })));
	const card = chat.page.locator(".video-card");
	await card.getByRole("button", { name: "Open", exact: true }).click();
	await card.getByRole("button", { name: "Stop Tracking" }).click();
	await card.getByRole("button", { name: "More actions" }).click();
	expect(await chat.requests("openVideo")).toEqual([{ jobId: "job-7" }]);
	expect(await chat.requests("runVideoAction")).toEqual([
		{ jobId: "job-7", action: "stopWatching" },
	]);
	expect(await chat.requests("chooseVideoAction")).toEqual([{ jobId: "job-7" }]);
});

test("a clip is in its card, plays without sound while the pointer or the focus is on it, and opens on a click", async ({
	chat,
}) => {
	const { page } = chat;
	const ready = { tone: "ready", label: "Ready", isUnfinished: false, hasClip: true } as const;
	await chat.open(chatWith());
	const renderer = await ClipRenderer.open(packageAssets);
	const clip = { type: "text", prompt: "A paper boat", duration: 1, motionStrength: 3 } as const;
	const base64 = Buffer.from(await renderClip(clip, renderer)).toString("base64");
	await page.evaluate(bytes => {
		Object.assign(window.harness, { results: { videoClip: { base64: bytes } } });
	}, base64);
	await page.emulateMedia({ reducedMotion: "no-preference" });
	await chat.push({ type: "video", video: cardOf(ready) });
	const cover = page.getByRole("button", { name: "Open A paper boat on a quiet river at dawn" });
	const video = cover.locator("video");
	const stateOf = () =>
		video.evaluate(element => {
			const { paused, muted, readyState } = element as HTMLVideoElement;
			return { paused, muted, isLoaded: readyState > 1 };
		});
	await expect.poll(stateOf).toMatchObject({ paused: true, isLoaded: true });
	await cover.hover();
	await expect.poll(stateOf).toEqual({ paused: false, muted: true, isLoaded: true });
	await page.mouse.move(0, 0);
	await expect.poll(stateOf).toMatchObject({ paused: true });
	await cover.focus();
	await expect.poll(stateOf).toMatchObject({ paused: false });
	await page.keyboard.press("Enter");
	expect(await chat.requests("openVideo")).toEqual([{ jobId: "job" }]);
	const { width = 0, height = 1 } = (await cover.boundingBox()) ?? {};
	expect(width / height).toBeCloseTo(16 / 9, 1);
});

test("the page says which cards can be seen, and announces what the host says of them", async ({
	chat,
}) => {
	const sight = async () => (await chat.requests("videosInSight")).at(-1);
	const long = messageOf(`${code}\n`.repeat(60));
	await chat.open({
		...emptyChat,
		turns: [
			turnOf("First", [messageOf(code)], { id: "turn", videos: [cardOf()] }),
			turnOf("Second", [long], { id: "second" }),
		],
	});
	await chat.fail("videosInSight", "The host did not answer.");
	const card = chat.page.locator(".video-card");
	await card.scrollIntoViewIfNeeded();
	await expect.poll(sight).toEqual({ jobIds: ["job"] });
	await chat.page.locator('[data-turn="second"] .code-block').last().scrollIntoViewIfNeeded();
	await expect.poll(sight).toEqual({ jobIds: [] });
	await expect(chat.page.getByText("The host did not answer.")).toHaveCount(0);
	await chat.page.evaluate(() =>
		window.harness.event("announce", { text: "Your video is ready." }),
	);
	await expect(
		chat.page.getByRole("status").filter({ hasText: "Your video is ready." }),
	).toHaveCount(1);
});

test("an action that fails says so below the composer", async ({ chat }) => {
	await chat.open(chatWith(cardOf()));
	await chat.fail("openVideo", "This video is no longer in the list.");
	await chat.page.locator(".video-card").getByRole("button", { name: "Open", exact: true }).click();
	await expect(chat.page.getByText("This video is no longer in the list.")).toBeVisible();
});

test("a video started from a message or a code block says which question it belongs to", async ({
	chat,
}) => {
	await chat.open(chatWith());
	const second = chat.page.locator('[data-turn="second"]');
	await second.getByRole("button", { name: "Make clip", exact: true }).click();
	await second.getByRole("button", { name: "More actions" }).click();
	await chat.page.getByRole("menuitem", { name: "Make clip from code" }).click();
	expect(await chat.requests("generateVideo")).toEqual([
		{ turnId: "second", text: code },
		{ turnId: "second", text: "const boat = 1;\n" },
	]);
});

test("a long title, in whatever script, never widens the view", async ({ chat }) => {
	await chat.page.setViewportSize({ width: 260, height: 700 });
	const titles = [
		"word".repeat(200),
		"سفينة ورقية على نهر هادئ عند الفجر تتبعها النوارس",
		"🎬".repeat(90),
	];
	await chat.open(
		chatWith(
			...titles.map((title, index) =>
				cardOf({ jobId: `job-${index}`, title, sentence: title, startedAt: Date.now() }),
			),
		),
	);
	await expect(chat.page.locator(".video-card")).toHaveCount(3);
	const overflow = await chat.page.evaluate(
		() => document.documentElement.scrollWidth - document.documentElement.clientWidth,
	);
	expect(overflow).toBe(0);
	for (const card of await chat.page.locator(".video-card").all()) {
		expect((await card.boundingBox())?.width).toBeLessThanOrEqual(260);
	}
});
