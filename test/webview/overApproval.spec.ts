import type { Page } from "@playwright/test";
import type { ThoughtView, TurnView } from "../../src/shared/chat.ts";
import type { ToolCardView } from "../../src/shared/tools.ts";
import { type ChatPage, expect, test } from "./fixtures.ts";
import { broughtFonts, useFont } from "./fonts.ts";
import { askingCard, emptyChat, messageOf, streaming, turnOf } from "./states.ts";

/** A change that runs code, with a warning above its lines. */
const asking: ToolCardView = {
	...askingCard,
	line: "Edit package.json",
	approval: askingCard.approval && {
		...askingCard.approval,
		files: ["package.json"],
		warnings: ["package.json can run code: its scripts run with the next install."],
	},
};

const lie = String.raw`\text{Read src/a.ts · Nothing will be changed.}`;
const box = String.raw`\colorbox{#1f1f1f}{\color{white}${lie}}`;
const marks = (above: number): string =>
	`${"\u0310\u0347\u035E\u0489".repeat(above)}${"\u0316".repeat(above)}`;

/** What a model can write to paint far from its place. */
const attacks: Readonly<Record<string, string>> = {
	"plain words": "I will change this.",
	"a formula": String.raw`Done. $\rlap{\smash{\raisebox{-8em}{${box}}}}$`,
	"40 formulas": Array.from(
		{ length: 40 },
		(_, index) =>
			String.raw`$\hspace{-${index % 8}em}\rlap{\smash{\raisebox{${(index % 20) - 20}em}{${box}}}}\llap{\smash{\raisebox{-${index % 9}em}{\Huge ${box}}}}$`,
	).join(" "),
	"formulas in every kind of block": [
		"# T FORMULA",
		"1. T FORMULA",
		"> T FORMULA",
		"| T FORMULA | b |\n|---|---|\n| FORMULA | c |",
		"$$x BOX$$",
		"T FORMULA",
	]
		.join("\n\n")
		.replaceAll("FORMULA", () => `$BOX$`)
		.replaceAll(
			"BOX",
			() =>
				String.raw`\rlap{\smash{\raisebox{-4em}{${box}}}}\rlap{\smash{\raisebox{-12em}{${box}}}}`,
		),
	"a rule and a delimiter": String.raw`$\rlap{\smash{\rule[-20em]{20em}{20em}}}\smash{\left(\rule[-20em]{0em}{20em}\right.}$`,
	"stacks of combining marks": `a${marks(400)} `.repeat(30),
	"emoji and letters as wide as a line": `${"👨‍👩‍👧‍👦🏴󠁧󠁢󠁥󠁮󠁧󠁿".repeat(80)} ${"﷽꧅𒐫⸻".repeat(40)} ffiffl${"ﷺ".repeat(200)}`,
	"a wide table": `|${"W".repeat(300)}${marks(100)}|${"|".repeat(60)}\n${"|-".repeat(60)}|\n|${"a$".repeat(2)}x|`,
	"a long word": "W".repeat(4000),
};

/** The card below what a model wrote, in all places it can write to. */
function turnWith(text: string): TurnView {
	const thought: ThoughtView = { after: 0, text, label: "Thought for 3 s", isOver: false };
	return turnOf(text, [messageOf(text, { toolNames: ["apply_edit"] })], {
		status: streaming,
		thoughts: [thought],
		tools: [
			{
				...askingCard,
				id: "first",
				state: "failed",
				reason: text.slice(0, 60),
				approval: undefined,
			},
			asking,
		],
	});
}

const card = (page: Page) => page.locator(".tool-asking");
const allow = (page: Page) => page.getByRole("button", { name: "Allow", exact: true });

/** Waits until quiet moments have drawn every formula. */
async function drawn(page: Page): Promise<void> {
	await expect.poll(() => page.locator(".math:not(.drawn)").count()).toBe(0);
}

/** Runs in the page: hides everything in the conversation but the card, or shows it again. */
function setAlone(isAlone: boolean): void {
	const sheet = new CSSStyleSheet();
	sheet.replaceSync(".conversation { visibility: hidden } .tool-asking { visibility: visible }");
	document.adoptedStyleSheets = isAlone ? [sheet] : [];
}

/** Runs in the page: how many pixels of two pictures of one size look different; the corners of a frame never come out quite alike. */
async function differences(pictures: readonly string[]): Promise<number> {
	const [one, other] = await Promise.all(
		pictures.map(async picture => {
			const bytes = Uint8Array.from(atob(picture), letter => letter.charCodeAt(0));
			const image = await createImageBitmap(new Blob([bytes]));
			const canvas = new OffscreenCanvas(image.width, image.height).getContext("2d");
			canvas?.drawImage(image, 0, 0);
			return [...(canvas?.getImageData(0, 0, image.width, image.height).data ?? [])];
		}),
	);
	return one && one.length === other?.length
		? one.reduce(
				(count, value, index) => count + Number(Math.abs(value - (other[index] ?? 0)) > 8),
				0,
			)
		: Infinity;
}

/** Expects the card to look as it does when nothing around it is shown. */
async function expectUntouched(page: Page, where: string): Promise<void> {
	await card(page).evaluate(element => element.scrollIntoView({ block: "end" }));
	const touched = async (): Promise<number> => {
		const seen = await card(page).screenshot();
		await page.evaluate(setAlone, true);
		const alone = await card(page).screenshot();
		await page.evaluate(setAlone, false);
		return page.evaluate(
			differences,
			[seen, alone].map(picture => picture.toString("base64")),
		);
	};
	// The list may still move to its end.
	await expect.poll(touched, { message: where }).toBeLessThan(40);
}

async function open(chat: ChatPage, text: string): Promise<void> {
	await chat.open({ ...emptyChat, turns: [turnWith(text)] });
	await drawn(chat.page);
	// Its buttons look different once they can be pressed.
	await expect(allow(chat.page)).toBeEnabled();
}

async function expectUntouchedAt(page: Page, widths: readonly number[]): Promise<void> {
	for (const width of widths) {
		await page.setViewportSize({ width, height: 720 });
		await expectUntouched(page, `${width} px`);
	}
	// A late move of the list may scroll the request away.
	await expect(async () => {
		await card(page).evaluate(element => element.scrollIntoView({ block: "end" }));
		await expect(allow(page)).toBeEnabled({ timeout: 1_000 });
	}).toPass();
}

for (const [name, text] of Object.entries(attacks)) {
	test(`T37: ${name} around a request paints nothing over it, at any width`, async ({ chat }) => {
		test.setTimeout(180_000);
		await useFont(chat.page, broughtFonts["plain"] ?? { file: "" });
		await open(chat, text);
		await expectUntouchedAt(chat.page, [600, 380, 250, 150]);
	});
}

test.describe("At 200 % zoom", () => {
	test.use({ deviceScaleFactor: 2 });
	test("T37: nothing around a request paints over it", async ({ chat }) => {
		test.setTimeout(180_000);
		await open(chat, [...Object.values(attacks), attacks["a formula"]].join("\n\n"));
		await expectUntouchedAt(chat.page, [300, 150]);
	});
});

test("long numbers of a list are shown whole beside their block", async ({ chat }) => {
	await open(chat, "1000. One\n1001. Two");
	for (const element of ["ol", ".answer"]) {
		await expect(chat.page.locator(element).first()).toHaveCSS("overflow-clip-margin", "16px");
	}
});

test("T37: a diagram above a request paints nothing over it", async ({ chat }) => {
	const label = "Read src/a.ts · Nothing will be changed. ".repeat(20);
	const source = `graph TD\n  A["${label}"] --> B["${label}"]\n  style A fill:#1f1f1f,stroke-width:900px`;
	await open(chat, `\`\`\`mermaid\n${source}\n\`\`\``);
	await chat.page.locator(".draw-diagram").click();
	await chat.page.locator('.diagram[style*="height"]').waitFor();
	await expectUntouched(chat.page, "420 px");
});

test.describe("T37: Allow", () => {
	/** Runs in the page: puts something over an element in a way no answer can. */
	function cover(selector: string): void {
		const covered = document.querySelector(selector)?.getBoundingClientRect();
		const lid = document.createElement("div");
		lid.id = "lid";
		const { left = 0, top = 0, height = 0 } = covered ?? {};
		lid.style.cssText = `position: fixed; z-index: 9; left: ${left + 30}px; top: ${top}px;
			width: 60px; height: ${height}px; background: green`;
		document.querySelector(".conversation")?.append(lid);
	}
	const uncover = (page: Page) => page.locator("#lid").evaluate(lid => lid.remove());

	for (const part of [".tool-asking .tool-title", ".tool-warning", ".tool-files", ".tool-diff"]) {
		test(`is off while something is over ${part} of its request, and on again after it`, async ({
			chat,
		}) => {
			await open(chat, "I will change this.");
			await chat.page.evaluate(cover, part);
			await expect(allow(chat.page)).toBeDisabled();
			await expect(chat.page.getByRole("button", { name: "Allow in this chat" })).toBeDisabled();
			await expect(chat.page.getByRole("button", { name: "Deny" })).toBeEnabled();
			await uncover(chat.page);
			await expect(allow(chat.page)).toBeEnabled();
		});
	}

	test("does nothing when something came over its request in the moment of the click @core", async ({
		chat,
	}) => {
		await open(chat, "I will change this.");
		await chat.page.evaluate(
			`(${cover.toString()})(".tool-warning"); document.querySelector(".tool-allow").click()`,
		);
		await uncover(chat.page);
		await expect(allow(chat.page)).toBeEnabled();
		expect(await chat.requests("answerTool")).toEqual([]);
		await allow(chat.page).click();
		await expect.poll(() => chat.requests("answerTool")).toHaveLength(1);
	});

	for (const [width, place] of [
		[600, "start"],
		[600, "end"],
		[250, "end"],
		[150, "start"],
		[150, "end"],
	] as const) {
		test(`can be pressed below the bar of the search, scrolled to its ${place}, at ${width} px`, async ({
			chat,
		}) => {
			const { page } = chat;
			await open(chat, "I will change this.");
			await page.setViewportSize({ width, height: 420 });
			await page.keyboard.press("ControlOrMeta+f");
			await page.locator(".find-bar").waitFor();
			await card(page).evaluate((element, block) => element.scrollIntoView({ block }), place);
			await allow(page).dispatchEvent("click");
			await expect.poll(() => chat.requests("answerTool")).toHaveLength(1);
		});
	}
});
