import { workbenchAddress } from "../host/editorServer.ts";
import type { Frame } from "@playwright/test";
import { answered, answers, ask } from "./chatView.ts";
import { expect, modelTest as test } from "./fixtures.ts";
import { untilDone } from "./patience.ts";
import { takePictures } from "./pictures.ts";
import { openWorkbench } from "./workbench.ts";

test("L5: a second window shows what was saved of a chat, takes it on a click, and the first one can't write from then on", async ({
	workbench,
	editorServer,
	settings,
	model,
}) => {
	model.script(
		{ text: "The first answer." },
		{ text: "It runs until it is stopped.", until: new Promise(() => undefined) },
		{ text: "The last answer." },
	);
	const first = await workbench.openChat();
	await ask(first, "Started in the first window");
	await answered(first);
	const other = await openWorkbench(await workbench.page.context().newPage(), {
		address: workbenchAddress(editorServer, workbench.folder),
		folder: workbench.folder,
		theme: "dark",
	});
	const second = await other.openChat();
	const useHere = (chat: Frame) => chat.getByRole("button", { name: "Use Here", exact: true });
	if ((await second.getByRole("article", { name: "You" }).count()) === 0) {
		// The cursor that comes with the chat closes a list that is open by then.
		await untilDone(async timeout => {
			await other.titleButton("History").click({ timeout });
			await other.pickQuickInput("Started in the first window", timeout);
			await expect(second.getByRole("article", { name: "You" })).toHaveCount(1, { timeout });
		});
	}
	await expect(second.getByText("This chat is open in another window")).toBeVisible();
	await takePictures(other, editorServer, "two-windows-reading", settings);
	await ask(first, "Take your time");
	await expect(answers(first).last().locator(".markdown")).toContainText(/\w{3}/);
	await useHere(second).click();
	await expect(second.getByRole("textbox", { name: "Message" })).toBeEditable();
	await expect(second.getByText("Take your time")).toBeVisible();
	await expect(useHere(second)).toHaveCount(0);
	await expect(useHere(first)).toBeVisible();
	await expect(first.getByText("Take your time")).toBeVisible();
	await ask(second, "Asked in the second window");
	await answered(second);
	await workbench.page.bringToFront();
	await workbench.screenshot("two-windows-first-reads");
	// A chat that is deleted in one window says so in the other, which gives it back.
	await workbench.runCommand("Cutaway: Delete Chat");
	await expect(first.getByRole("article", { name: "You" })).toHaveCount(0);
	await other.page.bringToFront();
	await expect(second.getByText("This chat was deleted.")).toBeVisible();
	await takePictures(other, editorServer, "two-windows-deleted", settings);
	await second.getByRole("button", { name: "Restore", exact: true }).click();
	await expect(second.getByText("This chat was deleted.")).toHaveCount(0);
	await expect(second.getByText("Asked in the second window")).toBeVisible();
});
