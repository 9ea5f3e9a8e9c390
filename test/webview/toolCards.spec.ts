import type { ToolCardView } from "../../src/protocol/tools.ts";
import { violations } from "./axe.ts";
import { expect, test } from "./fixtures.ts";
import { broughtFonts, useFont } from "./fonts.ts";
import { themeNames } from "./harness.ts";
import { emptyChat, messageOf, streaming, turnOf } from "./states.ts";

const invalid: ToolCardView = {
	id: "invalid",
	after: 1,
	title: "Read a file",
	name: "read_file",
	argumentsText: "",
	state: "invalid",
};
const asking: ToolCardView = {
	...invalid,
	id: "asking",
	title: "Edit files",
	state: "asking",
	approval: {
		requestId: "request",
		files: ["src/orders.ts"],
		warnings: [],
		canRemember: true,
		hunks: [
			{
				number: 0,
				title: "src/orders.ts, line 2",
				before: "export interface Order {",
				after: "export interface OrderLine {\n\tline: number;",
				firstLines: { before: 9, after: 9 },
			},
		],
	},
};
const waiting = {
	...emptyChat,
	turns: [
		turnOf("Go", [messageOf("", { toolNames: ["apply_edit"] })], {
			status: streaming,
			tools: [invalid, asking],
		}),
	],
};

for (const [fontName, font] of Object.entries(broughtFonts)) {
	test(`the state of a call is beside its title or below it on the same edge, in a font that is ${fontName}`, async ({
		chat,
	}) => {
		await useFont(chat.page, font);
		await chat.open(waiting);
		for (const width of [600, 300, 210, 150]) {
			await chat.page.setViewportSize({ width, height: 600 });
			const heads = await chat.page.locator(".tool-head").evaluateAll(all =>
				all.map(head => {
					const [title, state] = [".tool-title", ".tool-state"].map(part =>
						head.querySelector(part)?.getBoundingClientRect(),
					);
					return state && title
						? {
								below: state.top >= title.bottom - 2,
								fromLeft: state.left - title.left,
								gap: state.left - title.right,
							}
						: undefined;
				}),
			);
			expect(heads).toHaveLength(2);
			for (const head of heads) {
				expect(head?.below ? head.fromLeft : head?.gap, `${width} px`).toBeCloseTo(
					head?.below ? 0 : 8,
					0,
				);
			}
		}
	});
}

for (const theme of themeNames) {
	test(`neither Allow nor Deny is drawn as what is recommended (${theme})`, async ({ chat }) => {
		await chat.open(waiting, theme);
		await expect(chat.page.getByRole("button", { name: "Allow", exact: true })).toBeEnabled();
		const looks = await chat.page.locator(".tool-approval .tool-buttons button").evaluateAll(all =>
			all.map(button => {
				const { backgroundColor, color, borderColor, fontWeight } = getComputedStyle(button);
				return [backgroundColor, color, borderColor, fontWeight].join(" ");
			}),
		);
		expect(looks).toHaveLength(3);
		expect(new Set(looks).size).toBe(1);
		expect(await violations(chat.page)).toEqual([]);
	});
}

test("a change is shown line by line, each with its number and whether it goes or comes", async ({
	chat,
}) => {
	await chat.open(waiting);
	const marks = (part: string): Promise<string[]> =>
		chat.page
			.locator(`.${part} .tool-line`)
			.evaluateAll(all =>
				all.map(
					line =>
						`${(line as HTMLElement).dataset["line"]}${getComputedStyle(line, "::before").content.slice(-2, -1)}${line.textContent}`,
				),
			);
	expect(await marks("tool-before")).toEqual(["9−export interface Order {\n"]);
	expect(await marks("tool-after")).toEqual([
		"9+export interface OrderLine {\n",
		"10+\tline: number;\n",
	]);
	// The numbers are no part of the text: who copies a line copies the line.
	await expect(chat.page.locator(".tool-before")).toHaveText("export interface Order {");
});
