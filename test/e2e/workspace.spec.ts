import { answered, answers, ask } from "./chatView.ts";
import { expect, test } from "./fixtures.ts";

test.describe("in Restricted Mode", () => {
	test.use({ isRestricted: true });

	test(
		"T31: the chat works and opening the folder alone starts nothing",
		{ tag: "@core" },
		async ({ workbench }) => {
			const chat = await workbench.openChat();
			await expect(chat.getByText("The workspace is in Restricted Mode.")).toBeVisible();
			await workbench.screenshot("restricted-empty");
			await ask(chat, "Show the selection");
			await answered(chat);
			await expect(answers(chat)).toHaveCount(1);
			await expect(chat.getByRole("group", { name: /^Tool:/ })).toHaveCount(0);
			await workbench.screenshot("restricted");
		},
	);
});

test.describe("with all that the editor brings", () => {
	test.use({ isWhole: true });

	test("the chat has its place beside VS Code's own in the same side bar", async ({
		workbench,
	}) => {
		const chat = await workbench.openChat();
		await workbench.setSideBarWidth(400);
		await ask(chat, "/code typescript");
		await answered(chat);
		await workbench.openFile("src/pricing.ts");
		await workbench.screenshot("beside-cutaway");
		await workbench.runCommand("Chat: Open Chat");
		await workbench.page.waitForTimeout(1500);
		await workbench.screenshot("beside-vscode");
	});
});
