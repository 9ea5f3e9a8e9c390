import { violations } from "./axe.ts";
import { expect, inEveryTheme, test } from "./fixtures.ts";
import { chatScenes } from "./scenes.ts";
import { emptyChat, messageOf, streaming, threeMessages, turnOf } from "./states.ts";

for (const [name, state] of Object.entries(chatScenes)) {
	test(`axe finds nothing in ${name}, in every theme @core`, async ({ chat }) => {
		await chat.open(state);
		await expect(
			chat.page
				.locator(".hljs-keyword, .ending, .suggestion, .progress, .tool-run, .video-card")
				.filter({ visible: true })
				.first(),
		).toBeVisible();
		await inEveryTheme(chat.page, async () => expect(await violations(chat.page)).toEqual([]));
	});
}

test("axe finds nothing while text is written and a hint is shown", async ({ chat }) => {
	await chat.open({ ...emptyChat, turns: [turnOf("Go", [], { status: streaming })] });
	await chat.fail("queueMessage", "The disk is full.");
	const message = chat.page.getByRole("textbox", { name: "Message" });
	await message.fill("And then?");
	await message.press("Enter");
	await expect(chat.page.getByText("The disk is full.")).toBeVisible();
	expect(await violations(chat.page)).toEqual([]);
});

test("axe finds nothing in a question that is being changed, in every theme", async ({ chat }) => {
	await chat.open({ ...emptyChat, turns: [threeMessages] });
	await chat.page.getByRole("button", { name: "Edit", exact: true }).click();
	await expect(chat.page.getByRole("textbox", { name: "Edit message" })).toBeFocused();
	await inEveryTheme(chat.page, async () => expect(await violations(chat.page)).toEqual([]));
});

test("Everything has its role and name @core", async ({ chat }) => {
	await chat.open({ ...emptyChat, turns: [threeMessages] });
	const { page } = chat;
	await page.getByText("Ran Python").click();
	await expect(page.getByRole("log", { name: "Conversation" })).toBeVisible();
	await expect(page.getByRole("article", { name: "You" })).toHaveCount(1);
	await expect(page.getByRole("article", { name: "Assistant" })).toHaveCount(3);
	await expect(page.getByRole("combobox", { name: "Model" })).toHaveValue("llm-4-turbo-tools");
	for (const name of ["Attach files", "Send", "Copy code", "Retry"]) {
		await expect(page.getByRole("button", { name, exact: true })).toHaveCount(1);
	}
	await expect(page.getByRole("button", { name: "Copy", exact: true })).toHaveCount(4);
	await expect(page.getByRole("switch", { name: "Code interpreter" })).toBeChecked();
	await expect(page.getByRole("switch", { name: "Browsing" })).not.toBeChecked();
});

test("A finished message is announced once, fragments are not @core", async ({ chat }) => {
	await chat.open({ ...emptyChat, turns: [turnOf("Go", [], { status: streaming })] });
	const announcer = chat.page.getByRole("status").last();
	await chat.push({
		type: "message-started",
		turnId: "turn",
		message: messageOf("", { isFinished: false }),
	});
	await chat.push({ type: "text", turnId: "turn", index: 0, text: "Forty-two." });
	await expect(announcer).toHaveText("");
	await chat.push(
		{ type: "message-finished", turnId: "turn", index: 0, toolNames: [] },
		{ type: "status", turnId: "turn", status: { state: "complete", actions: [] } },
	);
	await expect(announcer).toHaveText("Assistant: Forty-two.");
	await expect(chat.page.getByRole("log")).toHaveAttribute("aria-live", "off");
});

test("Of a streamed answer of three messages exactly three things are announced, and none of its fragments", async ({
	chat,
}) => {
	await chat.open({ ...emptyChat, turns: [turnOf("Go", [], { status: streaming })] });
	await chat.page.evaluate(() => {
		const announced: string[] = [];
		Object.assign(window, { announced });
		new MutationObserver(records => {
			for (const { target, addedNodes } of records) {
				const element = target instanceof Element ? target : target.parentElement;
				const region = element?.closest("[role=status], [role=alert], [role=log], [aria-live]");
				const isLive = region && region.ariaLive !== "off";
				const words = [...addedNodes].map(node => node.textContent).join("") || target.textContent;
				if (isLive && words?.trim()) {
					announced.push(words);
				}
			}
		}).observe(document.body, { childList: true, characterData: true, subtree: true });
	});
	for (const index of [0, 1, 2]) {
		await chat.push({
			type: "message-started",
			turnId: "turn",
			message: messageOf("", { index, isFinished: false }),
		});
		await chat.page.evaluate(async at => {
			for (let count = 0; count < 40; count++) {
				window.harness.push([{ type: "text", turnId: "turn", index: at, text: "word **b** " }]);
				await new Promise(resolve => setTimeout(resolve));
			}
		}, index);
		await chat.push({ type: "message-finished", turnId: "turn", index, toolNames: [] });
	}
	await chat.push({ type: "status", turnId: "turn", status: { state: "complete", actions: [] } });
	await expect(chat.page.getByRole("button", { name: "Retry", exact: true })).toBeVisible();
	const announced = (): Promise<string[]> =>
		chat.page.evaluate(() => (window as unknown as { announced: string[] }).announced);
	const three = Array.from({ length: 3 }, () => `Assistant: ${"word b ".repeat(40).trimEnd()}`);
	await expect.poll(announced).toEqual(three);
	await chat.page.evaluate(() => new Promise(resolve => requestAnimationFrame(resolve)));
	expect(await announced()).toEqual(three);
});

test("Everything can be reached with the keyboard @core", async ({ chat }) => {
	await chat.open({
		...emptyChat,
		turns: [turnOf("Go", [messageOf("See [it](https://example.com/).\n\n```ts\nlet a;\n```\n")])],
	});
	const { page } = chat;
	const reached = new Set<string>();
	for (let presses = 0; presses < 30; presses++) {
		await page.keyboard.press("Tab");
		reached.add(
			await page.evaluate(() => {
				const active = document.activeElement;
				return active?.ariaLabel ?? active?.textContent?.trim() ?? "";
			}),
		);
	}
	for (const name of ["it", "Copy code", "Copy", "Retry", "Message", "Model"]) {
		expect([...reached]).toContain(name);
	}
	expect([...reached]).toContain("Code interpreter");
});
