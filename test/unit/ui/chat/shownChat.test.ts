import { expect, onTestFinished, test } from "vitest";
import { ChatLibrary } from "../../../../src/chat/library/chatLibrary.ts";
import { startTurn } from "../../../../src/chat/contract/turn.ts";
import { systemClock } from "../../../../src/common/async.ts";
import { silentLog } from "../../../../src/common/log.ts";
import { ChatMetadataWatcher, hasJustBegun } from "../../../../src/ui/chat/shownChat.ts";
import { plainOptions } from "../../../helpers/chatBench.ts";
import { eventually } from "../../../helpers/eventually.ts";
import { makeChat } from "../../../helpers/keptChats.ts";

/** A chat shown in this window, and the library of another window on the same folder. */
async function setUp() {
	const { folder, id } = await makeChat(systemClock, 1);
	const [here, elsewhere] = [1, 2].map(() => new ChatLibrary({ folder, clock: systemClock }));
	if (!here || !elsewhere) {
		throw new Error("There are two windows.");
	}
	const metadata = new ChatMetadataWatcher({ library: here, log: silentLog }, () => ({
		id,
		title: "Question 1",
	}));
	const told: string[] = [];
	metadata.onDidChange(change => told.push(change.type === "title" ? change.title : change.type));
	onTestFinished(() => [metadata, here, elsewhere].forEach(one => one.dispose()));
	return { metadata, told, id, elsewhere };
}

test("a chat that is deleted in another window says so where it is shown, and can be restored there", async () => {
	const { metadata, told, id, elsewhere } = await setUp();
	await metadata.refresh();
	expect([metadata.banner, told]).toEqual([undefined, []]);

	await elsewhere.delete(id);
	await eventually(() => told).toEqual(["banner"]);
	expect(metadata.banner).toMatchObject({ kind: "warning", action: "restore" });
	expect(metadata.banner?.text).toContain("This chat was deleted.");
	expect(metadata.banner?.readOnly).toBe("Read-only: this chat was deleted");

	await metadata.restore();
	expect(metadata.banner).toBeUndefined();
	expect(told).toEqual(["banner", "banner"]);
	expect((await elsewhere.get(id))?.deletedAt).toBeUndefined();
});

test("a name that another window gives a chat is told once, and stays", async () => {
	const { metadata, told, id, elsewhere } = await setUp();
	await elsewhere.rename(id, "Monads");
	await eventually(() => told).toEqual(["Monads"]);
	await metadata.refresh();
	expect([metadata.title, metadata.banner, told]).toEqual(["Monads", undefined, ["Monads"]]);
});

test("a chat has just begun while its only question is asked and younger than a second", () => {
	const [first, second] = ["1", "2"].map(id =>
		startTurn({ id, prompt: "Why?", createdAt: 5_000, options: plainOptions }),
	);
	if (!first || !second) {
		throw new Error("There are two questions.");
	}
	expect(hasJustBegun({ isBusy: true, turns: [] }, 5_000)).toBe(true);
	expect(hasJustBegun({ isBusy: true, turns: [first] }, 5_999)).toBe(true);
	expect(hasJustBegun({ isBusy: true, turns: [first] }, 6_000)).toBe(false);
	expect(hasJustBegun({ isBusy: false, turns: [first] }, 5_001)).toBe(false);
	expect(hasJustBegun({ isBusy: true, turns: [first, second] }, 5_001)).toBe(false);
	expect(hasJustBegun({ isBusy: false, turns: [] }, 5_000)).toBe(false);
});
