import { expect, test } from "./fixtures.ts";
import { chatScenes } from "./scenes.ts";
import { emptyChat } from "./states.ts";

for (const [name, isAccepted] of [
	["Get and Run", true],
	["Run Without", false],
] as const) {
	test(`the question about Python's packages is answered with ${name}, by keyboard as well`, async ({
		chat,
	}) => {
		await chat.open(chatScenes["a question about Python's packages"] ?? emptyChat);
		const question = chat.page.getByRole("group", { name: /^This code uses pandas, matplotlib/ });
		await expect(question).toContainText("Get 12 packages from packages.mirror.example.com?");
		const button = question.getByRole("button", { name, exact: true });
		await button.focus();
		await button.press("Enter");
		expect(await chat.requests("answerPackages")).toEqual([{ id: "question-1", isAccepted }]);
	});
}

test("the question about Python's packages fits into the narrowest view", async ({ chat }) => {
	await chat.page.setViewportSize({ width: 300, height: 600 });
	await chat.open(chatScenes["a question about Python's packages"] ?? emptyChat);
	const page = await chat.page.evaluate(() => document.documentElement.scrollWidth);
	expect(page).toBeLessThanOrEqual(300);
	const buttons = chat.page.locator(".package-question button");
	await expect(buttons).toHaveText(["Get and Run", "Run Without"]);
	for (const button of await buttons.all()) {
		await expect(button).toBeInViewport({ ratio: 1 });
	}
});
