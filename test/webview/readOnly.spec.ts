import type { ChatViewState } from "../../src/shared/chat.ts";
import { violations } from "./axe.ts";
import { expect, test } from "./fixtures.ts";
import { emptyChat, messageOf, turnOf } from "./states.ts";

const banner = {
	kind: "info" as const,
	text: "This chat is open in another window, and what was saved is shown here.",
	action: "useHere" as const,
	readOnly: "Read-only: in use in another window",
};
const asked: ChatViewState = {
	...emptyChat,
	title: "Group an array",
	turns: [turnOf("Group an array", [messageOf("Like **this**.")])],
};

test("L5: the message box of a chat that another window writes says why it takes nothing, and keeps its words @core", async ({
	chat,
}) => {
	await chat.open(asked);
	const box = chat.page.getByRole("textbox", { name: "Message" });
	await box.fill("Half a thought");
	await chat.push({ type: "banner", banner });
	await expect(box).toHaveAttribute("readonly");
	await expect(box).toHaveValue("Half a thought");
	await expect(chat.page.getByRole("button", { name: "Send" })).toBeDisabled();

	await box.press("End");
	await box.press("x");
	await box.press("Enter");
	await box.press("Home");
	await box.press("ArrowUp");
	await expect(box).toHaveValue("Half a thought");
	expect(await chat.requests("sendPrompt")).toEqual([]);

	await chat.push({ type: "banner", banner: null });
	await expect(box).toBeEditable();
	await box.fill("");
	await chat.push({ type: "banner", banner });
	await expect(box).toHaveAttribute("placeholder", "Read-only: in use in another window");
	expect(await violations(chat.page)).toEqual([]);
});

test("a screen reader hears once why nothing can be written, and again on Enter", async ({
	chat,
}) => {
	await chat.page.emulateMedia({ reducedMotion: "no-preference" });
	await chat.open(asked);
	const announced = chat.page.locator(".announced", { hasText: banner.readOnly });
	const reset = { type: "reset", state: { ...asked, banner } } as const;
	await chat.push(reset);
	await expect(announced).toHaveCount(1);
	await chat.push(reset);
	await expect(announced).toHaveCount(1);
	const text = "Parts of this chat couldn't be read.";
	await chat.push({ type: "banner", banner: { ...banner, text } });
	await expect(chat.page.locator(".announced", { hasText: text })).toHaveCount(1);
	await expect(announced).toHaveCount(1);
	await chat.page.getByRole("textbox", { name: "Message" }).press("Enter");
	await expect(announced).toHaveCount(2);
});
