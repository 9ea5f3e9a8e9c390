import { rm } from "node:fs/promises";
import { expect, test, vi } from "vitest";
import { makeAttachmentBench, preparedOf } from "../../../helpers/attachmentBench.ts";
import { createFakeSettings } from "../../../helpers/fakeSettings.ts";

vi.mock("vscode", () => ({}));
const { reachableFiles, renewAttachments } =
	await import("../../../../src/ui/attachments/renewAttachments.ts");

test("a question is not asked again without a file of its own that is gone", async () => {
	const { tray, write, add } = await makeAttachmentBench();
	const path = await write("data.csv", "a\n");
	await add(path);
	const attachments = await preparedOf(tray);
	expect(await renewAttachments(tray, attachments, {})).toBe(attachments);
	await rm(path);
	await expect(renewAttachments(tray, attachments, { areForgotten: true })).rejects.toThrow(
		"data.csv was removed or changed",
	);
});

test("a question goes on without a file of an earlier one that is gone", async () => {
	const { tray, write, add } = await makeAttachmentBench();
	const path = await write("data.csv", "a\n");
	await add(path);
	const earlier = await preparedOf(tray);
	await rm(path);
	expect(await renewAttachments(tray, [], { earlier, areForgotten: true })).toMatchObject([
		{ kind: "lostFile", name: "data.csv" },
	]);
});

test("files of earlier questions are looked after only where the code interpreter can open them", async () => {
	const { tray, write, add } = await makeAttachmentBench();
	await add(await write("data.csv", "a\n"));
	const earlier = await preparedOf(tray);
	const settings = (model: string, serverTools: ("code_interpreter" | "browsing")[]) =>
		createFakeSettings({ "chat.model": model, "chat.serverTools": serverTools });
	const tools = "llm-4-turbo-tools";
	expect(reachableFiles(earlier, settings(tools, ["code_interpreter"]), false)).toBe(earlier);
	expect(reachableFiles(earlier, settings(tools, []), true)).toBe(earlier);
	expect(reachableFiles(earlier, settings(tools, ["browsing"]), false)).toEqual([]);
	expect(reachableFiles(earlier, settings("llm-4-turbo", ["code_interpreter"]), true)).toEqual([]);
});
