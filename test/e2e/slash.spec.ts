import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { answered, answers } from "./chatView.ts";
import { expect, modelTest as test } from "./fixtures.ts";
import { untilDone } from "./patience.ts";
import { takePictures } from "./pictures.ts";

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
