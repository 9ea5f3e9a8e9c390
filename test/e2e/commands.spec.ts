import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Locator } from "@playwright/test";
import { answered, answers } from "./chatView.ts";
import { clickEntry, closeMenus, contextMenu, openEditorMenu } from "./contextMenu.ts";
import { expect, modelTest as test } from "./fixtures.ts";
import { untilDone } from "./patience.ts";
import { takeOpenedPictures, takePictures } from "./pictures.ts";
import { selectLines } from "./videoSteps.ts";
import type { Workbench } from "./workbench.ts";

const review = "---\ndescription: Reviews a file of this project\n---\nReview $file. $input";

test("commands and a prompt of the workspace are written, listed and run by keyboard", async ({
	workbench,
	editorServer,
	settings,
}) => {
	const prompts = join(workbench.folder, ".cutaway", "prompts");
	await mkdir(prompts, { recursive: true });
	await writeFile(join(prompts, "review.md"), review);
	await workbench.openFile("src/pricing.ts");
	const chat = await workbench.openChat();
	const message = chat.getByRole("textbox", { name: "Message" });
	const options = chat.getByRole("listbox", { name: "Commands" }).getByRole("option");

	// An editor that has just opened a file takes the focus once that file is there, and with it the key.
	await untilDone(async timeout => {
		await message.fill("");
		await message.pressSequentially("/");
		await expect(options.filter({ hasText: "/review" })).toHaveCount(1, { timeout });
	});
	await takePictures(workbench, editorServer, "slash-list", settings);
	await untilDone(async timeout => {
		await message.fill("");
		await message.pressSequentially("/revi");
		await expect(options).toHaveCount(1, { timeout });
	});
	await message.press("Enter");
	await expect(message).toHaveValue("/review ");
	await message.pressSequentially("Be kind.");
	await message.press("Enter");
	await expect(message).toHaveValue("Review src/pricing.ts. Be kind.");
	await expect(chat.getByRole("article")).toHaveCount(0);
	await expect(chat.getByRole("list", { name: "Attachments" })).toContainText("pricing.ts");
	await takePictures(workbench, editorServer, "slash-prompt", settings);
	await message.press("Enter");
	await expect(chat.getByRole("article", { name: "You" })).toContainText("Review src/pricing.ts.");
	await answered(chat);

	await message.fill("/nothing");
	await message.press("Enter");
	await expect(chat.getByText("There is no command /nothing.")).toBeVisible();
	await takePictures(workbench, editorServer, "slash-unknown", settings);
	await message.fill("//nothing");
	await message.press("Enter");
	await expect(chat.getByRole("article", { name: "You" }).last()).toContainText("/nothing");
	await answered(chat);
	await expect(answers(chat).last()).toBeVisible();

	await message.fill("/clear");
	await message.press("Enter");
	await expect(chat.getByRole("article")).toHaveCount(0);
	await expect(chat.getByText("The previous one is in the history.")).toBeVisible();
});

/** Selects the first lines of the open file and opens Cutaway's part of the context menu on them. */
async function openActions(workbench: Workbench, lines: number): Promise<Locator> {
	const { page } = workbench;
	const action = contextMenu(page).getByRole("menuitem", {
		name: "Explain Selection",
		exact: true,
	});
	// The entries of an extension come to the menu once the extension is known.
	await untilDone(async timeout => {
		await closeMenus(page);
		await selectLines(workbench, lines);
		await clickEntry(await openEditorMenu(page), "Cutaway", timeout);
		await expect(action).toBeVisible({ timeout });
	});
	return contextMenu(page);
}

test("a selection is explained with one click of the editor's menu, and the light bulb offers the same", async ({
	workbench,
	editorServer,
	settings,
}) => {
	const { page } = workbench;
	await workbench.openChat();
	await workbench.openFile("src/pricing.ts");
	await takeOpenedPictures(workbench, editorServer, "quick-actions-menu", settings, {
		open: async () => {
			await openActions(workbench, 12);
		},
		close: () => closeMenus(page),
	});
	const menu = await openActions(workbench, 12);
	await expect(menu.getByRole("menuitem", { name: "Fix Selection", exact: true })).toBeVisible();
	await clickEntry(menu, "Explain Selection");

	const chat = await workbench.chatFrame();
	const question = chat.getByRole("article", { name: "You" });
	await expect(question).toHaveCount(1);
	await expect(question).toContainText("Explain the selected code.");
	await expect(question).toContainText("pricing.ts:1-");
	await answered(chat);
	await expect(answers(chat).first()).toBeVisible();
	await takePictures(workbench, editorServer, "quick-action-answer", settings);

	const list = page.locator(".action-widget");
	// VS Code drops the list where the selection that it has just been told of arrives after the keys: most rounds select nothing.
	const openBulb = async (): Promise<void> => {
		let round = 0;
		await untilDone(async timeout => {
			if (round % 3 === 0) {
				await page.keyboard.press("Escape");
				await selectLines(workbench, 3);
			}
			round += 1;
			await page.keyboard.press("ControlOrMeta+.");
			await expect(list.getByText("Explain selection with Cutaway")).toBeVisible({ timeout });
		});
	};
	await takeOpenedPictures(workbench, editorServer, "quick-actions-light-bulb", settings, {
		open: openBulb,
		close: () => page.keyboard.press("Escape"),
	});
	await openBulb();
	await list.getByText("Explain selection with Cutaway").click();
	await expect(question).toHaveCount(2);
	await expect(question.nth(1)).toContainText("pricing.ts:1-");
});
