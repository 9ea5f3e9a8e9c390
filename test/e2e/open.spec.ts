import { expect, test } from "./fixtures.ts";

test("the packaged extension shows its chat in the secondary side bar", async ({ workbench }) => {
	const chat = await workbench.openChat();
	await expect(chat.getByRole("textbox", { name: "Message" })).toBeVisible();
	await expect(chat.getByRole("log", { name: "Conversation" })).toBeAttached();
	await workbench.screenshot("open");
});

test("the chat view can be made as narrow and as wide as people have it", async ({ workbench }) => {
	await workbench.openChat();
	await workbench.setSideBarWidth(300);
	await workbench.screenshot("open");
	await workbench.setSideBarWidth(600);
	await workbench.screenshot("open");
});
