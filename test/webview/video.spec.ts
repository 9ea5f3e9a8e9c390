import type { Page } from "@playwright/test";
import type { ClipLookView, VideoViewState } from "../../src/shared/video.ts";
import { violations } from "./axe.ts";
import { expect, inEveryTheme, test } from "./fixtures.ts";
import { expectFirstFrame, previewScenes, recordClip } from "./scenes.ts";
import type { Harness } from "./harness.ts";
import { drawnFrames } from "./exportedClips.ts";

const { ready, unknown, working } = previewScenes;

/** Opens the preview with a state. */
async function open(page: Page, harness: Harness, state: VideoViewState): Promise<void> {
	await page.goto(harness.urlOf("dark", "video"));
	await page.evaluate(next => {
		(window.harness as unknown as { state: unknown }).state = next;
	}, state);
	await page.getByRole("region", { name: "Details" }).waitFor();
}

function push(page: Page, state: VideoViewState): Promise<void> {
	return page.evaluate(next => window.harness.event("state", next), state);
}

async function showClip(page: Page, change: Partial<VideoViewState["clip"]> = {}): Promise<void> {
	const url = await recordClip(page);
	const clip = { url, fileName: "boat.webm", size: "40 KB", hasAacSound: false, ...change };
	await push(page, { ...ready, clip });
}

const requests = (page: Page, method: string): Promise<unknown[]> =>
	page.evaluate(
		name =>
			window.harness.requests
				.filter(request => request.method === name)
				.map(request => request.params),
		method,
	);

test("A clip the host has no picture of gives it that of its first frame, once", async ({
	page,
	harness,
}) => {
	await open(page, harness, { ...working, wantsPicture: true });
	const url = await recordClip(page);
	const clip = { url, fileName: "boat.webm", size: "40 KB", hasAacSound: false };
	await push(page, { ...ready, clip, wantsPicture: true });
	await expect.poll(() => requests(page, "keepPicture")).toHaveLength(1);
	const [taken] = (await requests(page, "keepPicture")) as [{ address: string }];
	await expectFirstFrame(page, taken.address);
});

test.describe("for a user who likes motion", () => {
	test.use({ contextOptions: { reducedMotion: "no-preference" } });

	test("A finished clip plays by itself, loops, and its speed can be changed", async ({
		page,
		harness,
	}) => {
		await open(page, harness, working);
		await showClip(page);
		const video = page.locator("video");
		await expect
			.poll(() => video.evaluate(element => (element as HTMLVideoElement).currentTime))
			.toBeGreaterThan(0.1);
		expect(await video.evaluate(element => (element as HTMLVideoElement).loop)).toBe(true);
		await page.getByRole("switch", { name: "Loop" }).click();
		expect(await video.evaluate(element => (element as HTMLVideoElement).loop)).toBe(false);
		await page.getByRole("combobox", { name: "Speed" }).selectOption("0.5");
		expect(await video.evaluate(element => (element as HTMLVideoElement).playbackRate)).toBe(0.5);
		await page.reload();
		await page.evaluate(next => {
			(window.harness as unknown as { state: unknown }).state = next;
		}, ready);
		await showClip(page);
		await expect(page.getByRole("switch", { name: "Loop" })).not.toBeChecked();
		await expect(page.getByRole("combobox", { name: "Speed" })).toHaveValue("0.5");
	});
});

test("The clip's actions share one row where there is room, and are never apart from the rest of them", async ({
	page,
	harness,
}) => {
	await open(page, harness, { ...ready, insertInto: "README.md" });
	await push(page, {
		...ready,
		insertInto: "README.md",
		clip: { url: await recordClip(page), fileName: "boat.webm", size: "40 KB", hasAacSound: false },
	});
	const buttons = page.getByRole("group", { name: "Actions" }).getByRole("button");
	for (const width of [600, 900]) {
		await page.setViewportSize({ width, height: 720 });
		const rows = await buttons.evaluateAll(all =>
			all.map(one => {
				const { top, height } = one.getBoundingClientRect();
				return Math.round((top + height / 2) / 8);
			}),
		);
		expect(new Set(rows).size, `${width} px`).toBe(1);
		for (const name of ["Insert into README.md", "Copy", "Export…", "Change…", "More actions"]) {
			await expect(page.getByRole("button", { name, exact: true })).toBeVisible();
		}
	}
	const middleOf = async (name: string): Promise<number> => {
		const box = await page.getByRole("button", { name, exact: true }).boundingBox();
		return box ? Math.round((box.y + box.height / 2) / 8) : Number.NaN;
	};
	for (const width of [300, 330, 360, 372]) {
		await page.setViewportSize({ width, height: 720 });
		expect(await middleOf("More actions"), `${width} px`).toBe(await middleOf("Copy"));
	}
});

test("What could not be drawn is told beside the clip, and nothing where all was", async ({
	page,
	harness,
}) => {
	await open(page, harness, working);
	await showClip(page, { undrawn: 3 });
	const told = page.getByText("3 characters couldn't be drawn: no font here has them");
	await expect(told).toBeVisible();
	await showClip(page, { undrawn: 0 });
	await expect(told).toHaveCount(0);
});

/** What the player's text track holds and shows. */
const captionsOf = (page: Page) =>
	page.locator("video").evaluate(element => {
		const [track] = (element as HTMLVideoElement).textTracks;
		return {
			mode: track?.mode,
			kind: track?.kind,
			texts: [...(track?.cues ?? [])].map(cue => (cue as VTTCue).getCueAsHTML().textContent ?? ""),
			ends: [...(track?.cues ?? [])].map(({ endTime }) => endTime),
			length: (element as HTMLVideoElement).duration,
		};
	});

test("Captions are a text track of the prompt's words, off until they are switched on, which the host keeps", async ({
	page,
	harness,
}) => {
	await open(page, harness, ready);
	const url = await recordClip(page);
	const clip = { url, fileName: "boat.webm", size: "40 KB", hasAacSound: false };
	const captions = [
		{ words: "A <b>boat</b> & a Map<string, T>", seconds: 1 },
		{ words: "Gulls follow it.", seconds: 1 },
	];
	await push(page, { ...ready, clip, captions });
	const toggle = page.getByRole("switch", { name: "Captions" });
	await expect(toggle).not.toBeChecked();
	await page.locator("video").evaluate(async element => {
		// A recording states its length once its end has been looked for.
		(element as HTMLVideoElement).currentTime = 1e6;
		while (!Number.isFinite((element as HTMLVideoElement).duration)) {
			await new Promise(resolve => setTimeout(resolve, 20));
		}
	});
	await expect
		.poll(async () => (await captionsOf(page)).texts)
		.toEqual(["A <b>boat</b> & a Map<string, T>", "Gulls follow it."]);
	const { mode, kind, ends, length } = await captionsOf(page);
	expect([mode, kind]).toEqual(["hidden", "captions"]);
	expect(ends[0]).toBeCloseTo(length / 2);
	expect(ends[1]).toBeCloseTo(length);
	await toggle.click();
	await expect(toggle).toBeChecked();
	expect((await captionsOf(page)).mode).toBe("showing");
	await toggle.press("Space");
	await expect(toggle).not.toBeChecked();
	expect((await captionsOf(page)).mode).toBe("hidden");
	expect(await requests(page, "keepCaptions")).toEqual([{ isShown: true }, { isShown: false }]);
});

test("Captions that were on before are on in the next preview, and the player's own control switches them, too", async ({
	page,
	harness,
}) => {
	await open(page, harness, { ...ready, showsCaptions: true });
	await showClip(page);
	await expect(page.getByRole("switch", { name: "Captions" })).toBeChecked();
	expect((await captionsOf(page)).mode).toBe("showing");
	await page.locator("video").evaluate(element => {
		const [track] = (element as HTMLVideoElement).textTracks;
		if (track) {
			track.mode = "disabled";
		}
	});
	await expect(page.getByRole("switch", { name: "Captions" })).not.toBeChecked();
	expect(await requests(page, "keepCaptions")).toEqual([{ isShown: false }]);
});

test("A clip made of an image has no words, and no switch for them", async ({ page, harness }) => {
	await open(page, harness, { ...ready, kind: "image", captions: [] });
	const url = await recordClip(page);
	const clip = { url, fileName: "boat.webm", size: "40 KB", hasAacSound: false };
	await push(page, { ...ready, kind: "image", captions: [], clip });
	await expect(page.getByRole("switch", { name: "Loop" })).toBeVisible();
	await expect(page.getByRole("switch", { name: "Captions" })).toHaveCount(0);
});

test("captions can be read and their switch has room, at any width and in every theme", async ({
	page,
	harness,
}) => {
	const words =
		"A paper boat drifts on a quiet river at dawn, and gulls follow it down to the sea.";
	await open(page, harness, { ...ready, showsCaptions: true });
	const url = await recordClip(page, "#e8e8e8");
	const clip = { url, fileName: "boat.webm", size: "40 KB", hasAacSound: false };
	await push(page, { ...ready, clip, captions: [{ words, seconds: 2 }] });
	await page.locator("video").evaluate(async element => {
		const video = element as HTMLVideoElement;
		video.currentTime = 1e6;
		while (!Number.isFinite(video.duration)) {
			await new Promise(resolve => setTimeout(resolve, 20));
		}
		video.currentTime = 0.1;
		await new Promise(resolve => {
			video.requestVideoFrameCallback(resolve);
		});
	});
	const toggle = page.getByRole("switch", { name: "Captions" });
	for (const width of [300, 600]) {
		await page.setViewportSize({ width, height: 640 });
		await inEveryTheme(page, async () => {
			await expect(toggle, `${width} px`).toBeInViewport({ ratio: 1 });
			expect(await violations(page), `${width} px`).toEqual([]);
		});
	}
});

for (const [name, size, widest] of [
	["tall", { width: 180, height: 320 }, 0.64 * 640 * (180 / 320)],
	["square", { width: 180, height: 180 }, 0.64 * 640],
	["wide", { width: 320, height: 180 }, 0.64 * 640 * (320 / 180)],
] as const) {
	for (const width of [300, 900]) {
		test(`A ${name} clip has the place of its picture, without bars, ${width} px wide`, async ({
			page,
			harness,
		}) => {
			await page.setViewportSize({ width, height: 640 });
			const words = "A paper boat drifts on a quiet river at dawn, and gulls follow it.";
			await open(page, harness, { ...ready, showsCaptions: true });
			const url = await recordClip(page, "#6080a0", size);
			const clip = { url, fileName: "boat.webm", size: "40 KB", hasAacSound: false };
			await push(page, { ...ready, clip, captions: [{ words, seconds: 2 }] });
			const video = page.locator("video");
			await expect(video).toHaveJSProperty("videoHeight", size.height);
			const place = await video.evaluate(element => element.getBoundingClientRect().toJSON());
			expect(place.width / place.height).toBeCloseTo(size.width / size.height, 2);
			const margins = 2 * (width < 480 ? 12 : 24) + 2;
			expect(place.width).toBeCloseTo(Math.min(width - margins, widest - 2), -0.5);
		});
	}
}

test("A clip does not start by itself for a user who asked for less motion", async ({
	page,
	harness,
}) => {
	await open(page, harness, ready);
	await showClip(page);
	await expect
		.poll(() => page.locator("video").evaluate(element => (element as HTMLVideoElement).readyState))
		.toBe(4);
	expect(
		await page.locator("video").evaluate(element => (element as HTMLVideoElement).paused),
	).toBe(true);
});

test("A push that changes nothing of the clip does not restart it", async ({ page, harness }) => {
	await open(page, harness, ready);
	await showClip(page);
	const video = page.locator("video");
	await expect
		.poll(() => video.evaluate(element => (element as HTMLVideoElement).readyState))
		.toBe(4);
	await video.evaluate(element => {
		(element as HTMLVideoElement).currentTime = 0.2;
	});
	const url = await video.evaluate(element => (element as HTMLVideoElement).src);
	const clip = { url, fileName: "boat.webm", size: "40 KB", hasAacSound: false };
	await push(page, { ...ready, clip, sentence: "Something new." });
	expect(await video.evaluate(element => (element as HTMLVideoElement).currentTime)).toBeCloseTo(
		0.2,
	);
});

test("J18: a clip the editor cannot play is reported, with what to do @core", async ({
	page,
	harness,
}) => {
	await open(page, harness, ready);
	const url = await page.evaluate(() =>
		URL.createObjectURL(new Blob(["not a clip"], { type: "video/mp4" })),
	);
	const clip = { url, fileName: "boat.mp4", size: "1 KB", hasAacSound: false };
	await push(page, { ...ready, clip });
	await expect(page.getByText("The editor can't play this clip. It's saved")).toBeVisible();
	await expect(page.locator("video")).toBeHidden();
	await expect(page.getByRole("button", { name: "Open Externally" })).toHaveCount(1);
	await expect(page.getByRole("button", { name: "Save As…" })).toHaveCount(1);
	await page
		.getByRole("group", { name: "Actions" })
		.getByRole("button", { name: "Open Externally" })
		.click();
	expect(await requests(page, "runAction")).toEqual([{ action: "openExternally" }]);
	expect(await requests(page, "cannotPlay")).toHaveLength(1);
});

test("J18: sound the editor cannot play is reported, and the pictures play", async ({
	page,
	harness,
}) => {
	await page.addInitScript(() => {
		HTMLMediaElement.prototype.canPlayType = () => "";
	});
	await open(page, harness, ready);
	await showClip(page, { hasAacSound: true });
	await expect(page.getByText(/can't play this clip's sound \(AAC\)/)).toBeVisible();
	await expect(page.locator("video")).toBeVisible();
});

test("A job that is being made shows its elapsed time, counting, and no percentage", async ({
	page,
	harness,
}) => {
	await open(page, harness, { ...working, startedAt: Date.now() - 65_000 });
	await expect(page.locator(".elapsed")).toHaveText(/^1:0\d$/);
	const before = await page.locator(".elapsed").textContent();
	await expect(page.locator(".elapsed")).not.toHaveText(before ?? "");
	await expect(page.getByText("%")).toHaveCount(0);
	await expect(page.getByRole("progressbar")).toHaveCount(0);
});

test("J2: an ambiguous submit says it may be charged, on its button too, and shows the service's words as text", async ({
	page,
	harness,
}) => {
	await open(page, harness, unknown);
	await expect(page.getByRole("region", { name: "Status" })).toContainText("May be charged");
	await expect(page.locator(".service-message pre")).toHaveText("upstream timed out <b>now</b>");
	await page.getByRole("button", { name: "Submit Again (May Be Charged)" }).click();
	expect(await requests(page, "runAction")).toEqual([{ action: "submitAgain" }]);
});

test("Every button reports its action and nothing else @core", async ({ page, harness }) => {
	await open(page, harness, ready);
	await showClip(page);
	await page.getByText("Text", { exact: true }).click();
	for (const name of [
		"Insert into README.md",
		"Export…",
		"Change…",
		"README.md, line 3",
		"Copy Prompt",
	]) {
		await page.getByRole("button", { name, exact: true }).click();
	}
	for (const name of ["Copy GIF", "Copy Markdown"]) {
		await page.getByRole("button", { name: "Copy", exact: true }).click();
		await page.getByRole("menuitem", { name }).click();
	}
	const asked = ["insertImage", "exportAs", "generateWithChanges", "openSource", "copyPrompt"];
	expect(await requests(page, "runAction")).toEqual(
		[...asked, "copyGif", "copyMarkdown"].map(action => ({ action })),
	);
	expect(await requests(page, "chooseAction")).toHaveLength(0);
	await page.getByRole("button", { name: "More actions" }).click();
	const shown = await requests(page, "chooseAction");
	expect(shown).toEqual([{ shown: expect.arrayContaining(["copyPrompt", "insertImage"]) }]);
});

test("a video whose clip isn't shown offers what can be done with its file, and the rest in the list", async ({
	page,
	harness,
}) => {
	await open(page, harness, ready);
	expect(await buttonsOf(page, "What to do")).toEqual([
		"[Save As…]",
		"Open Externally",
		"More actions",
	]);
});

test("the buttons below a clip have their names from 360 px on", async ({ page, harness }) => {
	await open(page, harness, ready);
	await showClip(page);
	const name = page.getByRole("button", { name: "Export…" }).getByText("Export…");
	for (const [width, isShown] of [
		[300, false],
		[360, true],
		[600, true],
	] as const) {
		await page.setViewportSize({ width, height: 700 });
		const box = await name.boundingBox();
		expect((box?.width ?? 0) > 20).toBe(isShown);
		expect(
			await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth),
		).toBeLessThanOrEqual(0);
	}
});

/** The names of the buttons of a group, the primary one in brackets. */
const buttonsOf = (page: Page, group: string): Promise<string[]> =>
	page
		.getByRole("group", { name: group })
		.getByRole("button")
		.evaluateAll(buttons =>
			buttons.map(button => {
				const name = button.ariaLabel ?? button.textContent.trim();
				return button.classList.contains("primary") ? `[${name}]` : name;
			}),
		);

test("A preview has one primary action and a list of all others; to give up is never primary", async ({
	page,
	harness,
}) => {
	await open(page, harness, unknown);
	expect(await buttonsOf(page, "What to do")).toEqual([
		"[Submit Again (May Be Charged)]",
		"More actions",
	]);
	await push(page, working);
	expect(await buttonsOf(page, "What to do")).toEqual(["Stop Tracking", "More actions"]);
	await expect(page.locator(".codicon-eye-closed")).toHaveCount(0);
	await showClip(page);
	expect(await buttonsOf(page, "Actions")).toEqual([
		"[Insert into README.md]",
		"Copy",
		"Export…",
		"Change…",
		"More actions",
	]);
});

test("A picture of the clip's end is put on the clipboard unless a later copy stops it, or its file's path where the browser refuses", async ({
	page,
	harness,
}) => {
	await page.addInitScript(() => {
		const copied: string[] = [];
		const write = async ([item]: ClipboardItem[]): Promise<void> => {
			const blob = await item?.getType("image/png");
			copied.push(new TextDecoder().decode((await blob?.arrayBuffer())?.slice(1, 4)));
			if (copied.length > 1) {
				throw new DOMException("no", "NotAllowedError");
			}
		};
		Object.assign(window, { copied });
		Object.defineProperty(navigator, "clipboard", { value: { write } });
	});
	await open(page, harness, ready);
	await showClip(page);
	const answer = async (isStopped: boolean): Promise<void> => {
		await page.evaluate(stopped => {
			window.harness.results["drawPicture"] = { drawn: null, isStopped: stopped };
		}, isStopped);
	};
	const copy = async (): Promise<void> => {
		await page.getByRole("button", { name: "Copy", exact: true }).click();
		await page.getByRole("menuitem", { name: "Copy Image" }).click();
	};
	await answer(true);
	await copy();
	await expect.poll(() => requests(page, "drawPicture")).toHaveLength(1);
	await answer(false);
	await copy();
	await expect(page.getByText("The image is on the clipboard.")).toBeVisible();
	expect(await page.evaluate(() => Reflect.get(window, "copied"))).toEqual(["PNG"]);
	expect(await requests(page, "runAction")).toEqual([]);
	await copy();
	await expect.poll(() => requests(page, "runAction")).toEqual([{ action: "copyPicture" }]);
});

test("The text is folded below a clip, which says who made it", async ({ page, harness }) => {
	await open(page, harness, ready);
	await showClip(page);
	await expect(page.getByText("Drawn on this machine, no model")).toBeVisible();
	await expect(page.locator(".prompt")).toBeHidden();
});

test("A refused action says why", async ({ page, harness }) => {
	await open(page, harness, ready);
	await showClip(page);
	await page.evaluate(() => {
		window.harness.failing["runAction"] = "The document can't be changed.";
	});
	await page.getByRole("button", { name: "Insert into README.md" }).click();
	await expect(page.getByRole("alert")).toHaveText("The document can't be changed.");
});

test("A change of state is announced once", async ({ page, harness }) => {
	await open(page, harness, working);
	await push(page, unknown);
	await expect(page.locator("[role=status]")).toContainText("May be charged.");
});

for (const [name, state] of Object.entries({ unknown, working, ready })) {
	test(`axe finds nothing in a job that is ${name}, in every theme @core`, async ({
		page,
		harness,
	}) => {
		await open(page, harness, state);
		if (state === ready) {
			await showClip(page);
			await page.locator("video").waitFor();
		}
		await inEveryTheme(page, async () => {
			expect(await violations(page)).toEqual([]);
		});
	});
}

test.describe("A look", () => {
	const chosen: Omit<ClipLookView, "hasWindow" | "themes"> = {
		shape: "16:9",
		theme: "editor",
		ground: "gradient",
		groundColor: "#6c5ce7",
		bar: true,
		numbers: true,
		padding: "usual",
		typeSize: "auto",
	};
	const themes = ["editor", "Dark Modern", "Monokai", "Abyss", "Night Owl"];
	const own = { ...chosen, hasWindow: true, themes };

	/** Opens a clip that can be drawn again; the host draws every look as a tall frame. */
	async function openLook(
		page: Page,
		harness: Harness,
		look: VideoViewState["look"] = own,
	): Promise<void> {
		await open(page, harness, { ...ready, look });
		const url = await recordClip(page);
		const clip = { url, fileName: "boat.webm", size: "40 KB", hasAacSound: false };
		await push(page, { ...ready, look, clip });
		const frames = await drawnFrames("```ts\nexport const answer = 42;\n```", true, true);
		await page.evaluate(base64 => {
			const file = Uint8Array.from(atob(base64), character => character.charCodeAt(0));
			window.harness.results["drawLook"] = { drawn: { file, hasGround: true } };
		}, frames);
		await page.locator(".look summary").click();
	}

	const drawn = (page: Page) =>
		page.getByRole("img", { name: "The clip's last frame with this look" });

	test("that is chosen is seen at once in the clip's place, kept by a click, and left again", async ({
		page,
		harness,
	}) => {
		await openLook(page, harness);
		await expect(page.getByRole("button", { name: "Keep as Default" })).toHaveCount(0);
		await page.getByRole("combobox", { name: "Theme" }).selectOption("Monokai");
		await expect(drawn(page)).toBeVisible();
		await expect(page.locator("video")).toBeHidden();
		await page.getByRole("checkbox", { name: "Title bar" }).uncheck();
		const next = { ...chosen, theme: "Monokai", bar: false };
		await expect
			.poll(() => requests(page, "drawLook"))
			.toEqual([{ ...chosen, theme: "Monokai" }, next]);
		expect(await buttonsOf(page, "Actions")).toEqual(["[Apply]", "Keep as Default", "Reset"]);
		await page.getByRole("button", { name: "Keep as Default" }).click();
		await expect(page.getByText("Your changes apply to new clips.")).toBeVisible();
		expect(await requests(page, "keepLook")).toEqual([{ theme: "Monokai", bar: false }]);
		await page.getByRole("button", { name: "Reset" }).click();
		await expect(page.locator("video")).toBeVisible();
		await expect(drawn(page)).toHaveCount(0);
		await expect(page.locator(".look summary")).toBeFocused();
		await expect.poll(() => requests(page, "stopLook")).toHaveLength(1);
		await expect(page.getByRole("button", { name: "Export…" })).toBeVisible();
		await expect(page.getByRole("combobox", { name: "Theme" })).toHaveValue("Editor");
	});

	test("is what the clip is made again with, and changes no default before that", async ({
		page,
		harness,
	}) => {
		await openLook(page, harness);
		await page.getByRole("combobox", { name: "Margin" }).selectOption("Large");
		await page.getByRole("combobox", { name: "Background" }).selectOption("Solid color");
		await page.getByRole("button", { name: "Apply", exact: true }).click();
		const look = { ...chosen, ground: "solid", padding: "wide" };
		await expect
			.poll(() => requests(page, "runAction"))
			.toEqual([{ action: "generateAgain", look }]);
		expect(await requests(page, "keepLook")).toEqual([]);
		await push(page, { ...ready, look: own, hasNewLook: false });
		await expect(page.getByRole("button", { name: "Apply", exact: true })).toHaveCount(0);
	});

	test("may have a theme of an extension, a color of its own and a size of code", async ({
		page,
		harness,
	}) => {
		await openLook(page, harness);
		await page.getByRole("combobox", { name: "Theme" }).selectOption("Night Owl");
		await page.getByRole("combobox", { name: "Size of code" }).selectOption("Large");
		await expect(page.locator("input[type=color]")).toHaveCount(0);
		await page.getByRole("combobox", { name: "Background" }).selectOption("Own color");
		await page.locator("input[type=color]").fill("#12ab34");
		await page.getByRole("button", { name: "Keep as Default" }).click();
		const kept = { theme: "Night Owl", ground: "color", groundColor: "#12ab34", typeSize: "large" };
		await expect.poll(() => requests(page, "keepLook")).toEqual([kept]);
	});

	test("names no choice by the word beside it, which is read with it", async ({
		page,
		harness,
	}) => {
		await openLook(page, harness);
		for (const label of ["Theme", "Background", "Shape", "Margin", "Size of code"]) {
			const options = page.getByRole("combobox", { name: label }).locator("option");
			expect(await options.filter({ hasText: new RegExp(label, "i") }).count()).toBe(0);
			expect(await options.count()).toBeGreaterThan(1);
		}
	});

	test("of prose has no window's choices, and one that can't be drawn is no row", async ({
		page,
		harness,
	}) => {
		await openLook(page, harness, { ...own, hasWindow: false });
		await expect(page.getByRole("combobox", { name: "Shape" })).toBeVisible();
		await expect(page.getByRole("checkbox")).toHaveCount(0);
		await page.getByRole("combobox", { name: "Shape" }).selectOption("Tall");
		await page.getByRole("button", { name: "Apply", exact: true }).click();
		const look = { theme: "editor", ground: "gradient", groundColor: "#6c5ce7", shape: "9:16" };
		await expect
			.poll(() => requests(page, "runAction"))
			.toEqual([{ action: "generateAgain", look }]);
		await showClip(page);
		await expect(page.locator(".look")).toHaveCount(0);
	});

	test("that can't be drawn says why, and the clip stays", async ({ page, harness }) => {
		await openLook(page, harness);
		await page.getByRole("combobox", { name: "Theme" }).selectOption("Abyss");
		await expect(drawn(page)).toBeVisible();
		await page.evaluate(() => {
			window.harness.failing["drawLook"] = "The renderer ended.";
		});
		await page.getByRole("combobox", { name: "Theme" }).selectOption("Monokai");
		await expect(page.getByRole("alert")).toHaveText("The renderer ended.");
		await expect(page.locator("video")).toBeVisible();
		await expect(drawn(page)).toHaveCount(0);
		await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
	});

	test("has room for its choices at any width and in every theme", async ({ page, harness }) => {
		await openLook(page, harness);
		await page.getByRole("combobox", { name: "Theme" }).selectOption("Monokai");
		await expect(drawn(page)).toBeVisible();
		for (const width of [300, 600]) {
			await page.setViewportSize({ width, height: 900 });
			await inEveryTheme(page, async name => {
				expect(await violations(page), `${width} px`).toEqual([]);
				await page.screenshot({
					path: `test-results/screenshots/look-${name}-${width}.png`,
					fullPage: true,
				});
			});
		}
	});
});
