import { expect, test } from "vitest";
import {
	describeGroup,
	describeState,
	groupAttachments,
} from "../../../../../media/chat/composer/attachmentChips.ts";
import { formatBytes } from "../../../../../media/chat/widgets/byteSize.ts";
import { addressesIn } from "../../../../../media/chat/composer/dropTarget.ts";
import { attachmentOf } from "../../../../webview/states.ts";

test("A folder's files stand together, where the first of them was", () => {
	const groups = groupAttachments([
		attachmentOf("a"),
		attachmentOf("b", { folder: "data" }),
		attachmentOf("c"),
		attachmentOf("d", { folder: "data" }),
	]);
	expect(groups.map(({ name, items }) => [name, items.map(item => item.name)])).toEqual([
		[undefined, ["a"]],
		["data", ["b", "d"]],
		[undefined, ["c"]],
	]);
});

test("A folder says how many files it has and how they stand", () => {
	const failed = {
		type: "failed",
		sentence: "Gone",
		serviceMessage: null,
		canRetry: true,
		mayBeCharged: false,
	} as const;
	expect(
		describeGroup([
			attachmentOf("a", { size: 10, state: { type: "uploaded", isReused: false } }),
			attachmentOf("b", { size: 20, state: { type: "waiting" } }),
			attachmentOf("c", { size: 30, state: failed }),
		]),
	).toEqual({ size: 60, sentence: "3 files, 1 uploaded, 1 failed" });
	expect(describeGroup([attachmentOf("a", { size: 1 })]).sentence).toBe("1 file");
});

test("An upload says whole percents of the bytes that went out", () => {
	const uploading = (sentBytes: number): string =>
		describeState(
			attachmentOf("a", { size: 3, state: { type: "uploading", sentBytes, isDelayed: false } }),
		);
	expect([0, 1, 2, 3].map(uploading)).toEqual([
		"Uploading 0%",
		"Uploading 33%",
		"Uploading 66%",
		"Uploading 100%",
	]);
});

test("Sizes are read at a glance", () => {
	expect([0, 1, 1023, 1024, 10_240, 1_048_576, 5_242_880, 2 ** 30].map(formatBytes)).toEqual([
		"0 bytes",
		"1 byte",
		"1023 bytes",
		"1.0 KB",
		"10.0 KB",
		"1.0 MB",
		"5.0 MB",
		"1.0 GB",
	]);
});

test("Addresses are read from every form a drag carries them in", () => {
	expect(addressesIn("# comment\r\nfile:///a.csv\r\n\r\nvscode-remote://host/b.csv")).toEqual([
		"file:///a.csv",
		"vscode-remote://host/b.csv",
	]);
	expect(addressesIn('["file:///a.csv",7,"no address"]')).toEqual(["file:///a.csv"]);
	expect(addressesIn("[broken")).toEqual([]);
	expect(addressesIn("")).toEqual([]);
});
