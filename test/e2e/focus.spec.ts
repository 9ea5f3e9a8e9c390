import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "./fixtures.ts";
import { quickInput } from "./workbench.ts";

test("what is typed after a list that the chat opened, chosen or left, is in the message and never in the source file", async ({
	workbench,
}) => {
	const { page, folder } = workbench;
	const source = await readFile(join(folder, "src/pricing.ts"), "utf8");
	await workbench.openFile("src/pricing.ts");
	const chat = await workbench.openChat();
	const message = chat.getByRole("textbox", { name: "Message" });
	const paperclip = (): Promise<void> => chat.getByRole("button", { name: "Attach files" }).click();
	const history = (): Promise<void> => workbench.titleButton("History").click();
	const model = async (): Promise<void> => {
		await chat.getByRole("combobox", { name: "Model" }).selectOption("");
	};
	const leave = (): Promise<void> => page.keyboard.press("Escape");
	const attach = (): Promise<void> => workbench.answerQuickInput("orders.csv");
	let written = "";
	for (const [open, close] of [
		[paperclip, leave],
		[paperclip, attach],
		[history, leave],
		[model, leave],
		[model, () => workbench.answerQuickInput("Demo")],
	] as const) {
		await open();
		await quickInput(page).waitFor();
		await close();
		await expect(quickInput(page)).toBeHidden();
		await expect(message).toBeFocused();
		await page.keyboard.type("words ");
		written += "words ";
		await expect(message).toHaveValue(written);
	}
	await message.fill("/video a wave");
	await page.keyboard.press("Enter");
	await quickInput(page).waitFor();
	await leave();
	await expect(quickInput(page)).toBeHidden();
	await expect(message).toBeFocused();
	await page.keyboard.type("words ");
	await expect(message).toHaveValue(/words $/u);
	await expect(page.locator(".monaco-editor .view-lines").first()).not.toContainText("words");
	expect(await readFile(join(folder, "src/pricing.ts"), "utf8")).toBe(source);
});
