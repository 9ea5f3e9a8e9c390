import { violations } from "./axe.ts";
import { answered, answers, ask, conversation } from "./chatView.ts";
import { expect, serviceTest as test } from "./fixtures.ts";
import { setTheme } from "./pictures.ts";
import { themeNames } from "./themes.ts";
import { richAnswer } from "../webview/states.ts";

const cut = { text: "This answer breaks off", ending: "cut" } as const;

test("axe finds no violation in the chat view in any of the four kinds of theme", async ({
	workbench,
	editorServer,
	settings,
	model,
}) => {
	model.script({ text: richAnswer }, { status: 401 }, cut);
	const chat = await workbench.openChat();
	const found: string[] = [];
	const look = async (what: string): Promise<void> => {
		for (const theme of themeNames) {
			await setTheme(workbench, editorServer, theme, settings);
			found.push(...(await violations(chat)).map(line => `${what}, ${theme}: ${line}`));
		}
	};
	await look("empty");
	await ask(chat, "Everything you can");
	await answered(chat);
	await ask(chat, "With the wrong key?");
	await answered(chat);
	await ask(chat, "And then?");
	await answered(chat);
	await look("answers and errors");
	expect(found).toEqual([]);
});

test("everything can be done from the keyboard, with the focus always visible", async ({
	workbench,
	model,
}) => {
	model.script(cut);
	const { page } = workbench;
	const chat = await workbench.openChat();
	const focused = (): Promise<string> =>
		chat.evaluate(() => {
			let element = document.activeElement;
			while (element?.shadowRoot?.activeElement) {
				element = element.shadowRoot.activeElement;
			}
			const owner = document.activeElement;
			return (
				owner?.getAttribute("aria-label") ||
				element?.getAttribute("aria-label") ||
				owner?.textContent?.trim() ||
				owner?.getAttribute("title") ||
				""
			);
		});
	await expect.poll(focused).toBe("Message");
	await page.keyboard.type("And then?");
	await page.keyboard.press("Enter");
	await answered(chat);
	await expect(conversation(chat).getByText(/Interrupted/)).toBeVisible();
	await expect.poll(focused).toBe("Message");

	const reached = new Set<string>();
	for (let presses = 0; presses < 40; presses++) {
		await page.keyboard.press("Shift+Tab");
		reached.add(await focused());
	}
	for (const name of ["Copy", "Retry", "Show the error"]) {
		expect(
			[...reached].some(label => label.startsWith(name)),
			`${name} is reached by Tab`,
		).toBe(true);
	}

	await chat.getByRole("button", { name: "Continue", exact: true }).focus();
	await page.keyboard.press("Enter");
	await answered(chat);
	await expect(answers(chat).last()).toContainText("Done.");

	await chat.getByRole("textbox", { name: "Message" }).focus();
	await page.keyboard.type("first line");
	await page.keyboard.press("Shift+Enter");
	await page.keyboard.type("second line");
	await expect(chat.getByRole("textbox", { name: "Message" })).toHaveValue(
		"first line\nsecond line",
	);
});
