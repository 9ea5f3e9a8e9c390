import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { silentLog } from "../../../../src/common/log.ts";
import { endingOf, NoticeClaims, tellerOf } from "../../../../src/ui/video/videoNotices.ts";
import { createFakeClock } from "../../../helpers/fakeClock.ts";
import { makeTempFolder } from "../../../helpers/tempFolder.ts";

const clock = createFakeClock();

function claimsIn(folder: string, isFocused = true) {
	return new NoticeClaims({ folder, isFocused: () => isFocused, clock, log: silentLog });
}

const ending = endingOf({
	id: "job",
	submissions: 1,
	watch: { round: 0 },
	state: { name: "ready" },
});

test("J20: of many windows that see an ending, one tells it", async () => {
	const folder = join(await makeTempFolder(), "notices");
	const windows = Array.from({ length: 20 }, () => claimsIn(folder));
	const told = await Promise.all(windows.map(window => window.claim(ending)));
	expect(told.filter(Boolean)).toHaveLength(1);
});

test("J20: a window without the focus lets the focused one go first", async () => {
	const folder = join(await makeTempFolder(), "notices");
	const behind = claimsIn(folder, false).claim(ending);
	expect(await claimsIn(folder).claim(ending)).toBe(true);
	await clock.advance(2000);
	expect(await behind).toBe(false);
});

test("another period of watching may end again, and is told again", async () => {
	const claims = claimsIn(await makeTempFolder());
	const again = endingOf({
		id: "job",
		submissions: 1,
		watch: { round: 1 },
		state: { name: "ready" },
	});
	expect(await claims.claim(ending)).toBe(true);
	expect(await claims.claim(again)).toBe(true);
});

test("endings of jobs that are gone are forgotten, the others are kept", async () => {
	const folder = await makeTempFolder();
	const claims = claimsIn(folder);
	await claims.claim(ending);
	await claims.claim(ending.replace("job", "other"));
	await claims.tidy(new Set(["job"]));
	expect(await readdir(folder)).toEqual([ending]);
});

test("a folder that cannot be written does not silence the ending", async () => {
	const file = join(await makeTempFolder(), "a file");
	await writeFile(file, "");
	expect(await claimsIn(join(file, "notices")).claim(ending)).toBe(true);
});

test.each([
	["a notification, when neither preview nor card is in sight", {}, "notification", false],
	["its preview, which opens, when a clip is there", { isReady: true }, "opening", false],
	["the status bar while others are made", { isReady: true, hasOthers: true }, "statusBar", false],
	[
		"a notification, when the window is not in front",
		{ isReady: true, isFocused: false },
		"notification",
		false,
	],
	["the preview", { isPreviewInSight: true }, "preview", true],
	["the card", { isCardInSight: true }, "card", true],
	[
		"the preview alone, beside its card",
		{ isPreviewInSight: true, isCardInSight: true },
		"preview",
		true,
	],
	[
		"no window behind another application",
		{ isCardInSight: true, isFocused: false },
		"nobody",
		false,
	],
	["nothing, when the user stopped it", { isOwnDoing: true, isCardInSight: true }, "nobody", true],
] as const)("an ending is told by %s", (_, place, teller, isSeen) => {
	const nowhere = {
		isOwnDoing: false,
		isReady: false,
		hasOthers: false,
		isPreviewInSight: false,
		isCardInSight: false,
	};
	expect(tellerOf({ ...nowhere, isFocused: true, ...place })).toEqual({ teller, isSeen });
});
