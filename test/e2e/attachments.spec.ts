import { readFile, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Frame, Locator } from "@playwright/test";
import { Document, HeadingLevel, Packer, Paragraph } from "docx";
import { makePdf } from "../helpers/pdfFiles.ts";
import { answered, answers, ask } from "./chatView.ts";
import { clickEntry, closeMenus, contextMenu } from "./contextMenu.ts";
import { expect, modelTest, test } from "./fixtures.ts";
import { keptByBrowser } from "./keptState.ts";
import { untilDone } from "./patience.ts";
import { salesTable, type TableFigures } from "./salesTable.ts";
import { takePictures } from "./pictures.ts";
import type { Workbench } from "./workbench.ts";

/** The chips of the composer. */
function chips(chat: Frame): Locator {
	return chat.getByRole("list", { name: "Attachments", exact: true }).locator(":scope > li");
}

/** A row of the explorer. */
function explorerRow(workbench: Workbench, name: string): Locator {
	return workbench.page.locator(".explorer-folders-view .monaco-list-row", { hasText: name });
}

/** Opens the context menu of a row of the explorer and takes an entry of it. */
async function takeFromMenu(workbench: Workbench, name: string, entry: string): Promise<void> {
	const { page } = workbench;
	const menu = contextMenu(page);
	// A menu closes when the chat, just opened, takes the focus.
	await untilDone(async timeout => {
		await closeMenus(page);
		await explorerRow(workbench, name).first().click({ button: "right", timeout });
		await clickEntry(menu, entry, timeout);
		await expect(menu).toHaveCount(0, { timeout });
	});
}

/** Drags a file from the explorer onto the chat, with Shift held as VS Code wants it. */
async function dragFromExplorer(workbench: Workbench, name: string, chat: Frame): Promise<void> {
	const { page } = workbench;
	const row = explorerRow(workbench, name).first();
	await row.scrollIntoViewIfNeeded();
	const [from, to] = [
		await row.boundingBox(),
		await chat.getByRole("textbox", { name: "Message" }).boundingBox(),
	];
	if (!from || !to) {
		throw new Error("There is nothing to drag, or nowhere to.");
	}
	await page.mouse.move(from.x + 40, from.y + from.height / 2);
	await page.mouse.down();
	await page.mouse.move(from.x + 60, from.y + 60, { steps: 4 });
	await page.keyboard.down("Shift");
	// A view hears of a drag only when the mouse moves after VS Code has let it through.
	await untilDone(async timeout => {
		await page.mouse.move(to.x + to.width / 2 - 20, to.y + 10, { steps: 10 });
		await page.mouse.move(to.x + to.width / 2, to.y + 10, { steps: 2 });
		await expect(chat.getByText("Drop to attach")).toBeVisible({ timeout });
	});
	await page.mouse.up();
	await page.keyboard.up("Shift");
}

/** Begins a new chat; resolves once the cursor is in its message, as keys are lost and lists close while it comes. */
async function beginChat(workbench: Workbench, chat: Frame): Promise<void> {
	await workbench.titleButton("New chat").click();
	await expect(chat.getByRole("article")).toHaveCount(0);
	await expect(chat.getByRole("textbox", { name: "Message" })).toBeFocused();
}

/** Fails unless the answer's figures are those that were computed from the same rows here. */
async function expectFigures(chat: Frame, { rows, columns }: TableFigures): Promise<void> {
	const output = answers(chat)
		.filter({ has: chat.getByText("Output", { exact: true }) })
		.last();
	await output.locator("summary").first().click();
	await expect(output).toContainText(`${rows.toLocaleString("en")} rows`);
	for (const { name, min, max, mean, missing } of columns) {
		const row = output.getByRole("row").filter({ hasText: name });
		// A long table is drawn in quiet moments.
		await untilDone(async timeout => {
			await expect(row.first()).toBeVisible({ timeout });
			const cells = await row.getByRole("cell").allTextContents();
			const numbers = cells.map(cell => Number(cell.replaceAll(",", ""))).filter(Number.isFinite);
			for (const figure of [min, max, mean, missing]) {
				const nearest = Math.min(...numbers.map(number => Math.abs(number - figure)));
				expect(nearest, `${name}: ${figure} is among ${cells.join(" | ")}`).toBeLessThanOrEqual(
					Math.abs(figure) * 1e-6,
				);
			}
		});
	}
}

test("a CSV of 5 MB is summed up in figures that are right @core", async ({
	workbench,
	editorServer,
}) => {
	const { csv, figures } = salesTable(5 * 1024 * 1024);
	await writeFile(join(workbench.folder, "sales.csv"), csv);
	const chat = await workbench.openChat();
	await takeFromMenu(workbench, "sales.csv", "Attach Files…");
	await expect(chips(chat)).toHaveCount(1);
	await expect(chips(chat)).toContainText("sales.csv");
	await expect(chat.getByRole("switch", { name: "Code interpreter" })).toBeChecked();
	await ask(chat, "Summarize sales.csv");
	await answered(chat);
	await expect(chips(chat)).toHaveCount(0);
	await expect(chat.getByRole("article", { name: "You" })).toContainText("sales.csv");
	await expectFigures(chat, figures);
	await takePictures(workbench, editorServer, "table-figures");
});

test("a CSV that is attached by @ and by a drag is summed up in figures that are right", async ({
	workbench,
}) => {
	const { csv, figures } = salesTable(5 * 1024 * 1024);
	await writeFile(join(workbench.folder, "sales.csv"), csv);
	const chat = await workbench.openChat();
	const message = chat.getByRole("textbox", { name: "Message" });
	await untilDone(async timeout => {
		await message.fill("", { timeout });
		await message.click({ timeout });
		await message.pressSequentially("Summarize @sales.c", { timeout });
		await expect(chat.getByRole("option", { name: /sales\.csv/ })).toHaveAttribute(
			"aria-selected",
			"true",
			{ timeout },
		);
	});
	await message.press("Enter");
	await expect(message).toHaveValue("Summarize sales.csv ");
	await expect(chips(chat)).toHaveCount(1);
	await message.press("Enter");
	await expect(chat.getByRole("article", { name: "You" })).toHaveCount(1);
	await answered(chat);
	await expectFigures(chat, figures);

	await beginChat(workbench, chat);
	await dragFromExplorer(workbench, "sales.csv", chat);
	await expect(chips(chat)).toHaveCount(1);
	await ask(chat, "Summarize sales.csv");
	await answered(chat);
	await expectFigures(chat, figures);
});

test("a draft keeps its files when the window is reloaded, and those that are gone are gone", async ({
	workbench,
}) => {
	await writeFile(join(workbench.folder, "passing.txt"), "not for long");
	const before = await workbench.openChat();
	// It comes above README.md, whose row then moves away from a click.
	await expect(explorerRow(workbench, "passing.txt")).toBeVisible();
	await takeFromMenu(workbench, "README.md", "Attach Files…");
	await expect(chips(before)).toHaveCount(1);
	// The cursor goes to the message with the file, and would close the next menu.
	await expect(before.getByRole("textbox", { name: "Message" })).toBeFocused();
	await takeFromMenu(workbench, "passing.txt", "Attach Files…");
	await expect(chips(before)).toHaveCount(2);
	await before.getByRole("switch", { name: "For Python: README.md" }).click();
	await rm(join(workbench.folder, "passing.txt"));
	await expect(before.getByRole("switch", { name: "For Python: README.md" })).toBeChecked();
	// The draft is kept a moment after the change, by the editor and then by the browser.
	await expect.poll(() => keptByBrowser(workbench)).toContain('"codeInterpreter"');
	await workbench.reload();
	const chat = await workbench.openChat();
	await expect(chips(chat)).toHaveCount(1);
	await expect(chat.getByRole("switch", { name: "For Python: README.md" })).toBeChecked();
	await chat.getByRole("button", { name: "Remove README.md" }).click();
	await expect(chips(chat)).toHaveCount(0);
});

test("T34: what is outside the workspace or may hold secrets is attached only after a question with its real path", async ({
	workbench,
	testFolder,
}) => {
	const outside = join(await realpath(testFolder), "outside.txt");
	await writeFile(outside, "elsewhere");
	await symlink(outside, join(workbench.folder, "harmless.txt"));
	await writeFile(join(workbench.folder, ".env"), "TOKEN=abc");
	const chat = await workbench.openChat();
	const dialog = workbench.page.locator(".monaco-dialog-box");

	// The last one that comes above the others.
	await expect(explorerRow(workbench, ".env")).toBeVisible();
	await takeFromMenu(workbench, "harmless.txt", "Attach Files…");
	await expect(dialog).toContainText(outside);
	await expect(dialog).toContainText("outside the workspace");
	await workbench.screenshot("attach-consent");
	await dialog.getByRole("button", { name: "Cancel" }).click();
	await expect(chips(chat)).toHaveCount(0);

	await takeFromMenu(workbench, ".env", "Attach Files…");
	await expect(dialog).toContainText("may contain secrets");
	await dialog.getByRole("button", { name: "Attach", exact: true }).click();
	await expect(chips(chat)).toHaveCount(1);

	await dropAddress(chat, `file://${outside}`);
	await expect(dialog).toContainText(outside);
	await dialog.getByRole("button", { name: "Cancel" }).click();
	await expect(chips(chat)).toHaveCount(1);
});

test("an image is pasted, a file dropped from outside, and Python reads both", async ({
	workbench,
	editorServer,
}) => {
	const chat = await workbench.openChat();
	const image = await readFile(join(workbench.folder, "images", "beans.png"));
	await giveFiles(chat, "paste", [{ name: "image.png", type: "image/png", bytes: image }]);
	await expect(chips(chat)).toContainText("The model can't see images.");
	const csv = Buffer.from("name,count\nbeans,3\nleaves,4\n");
	await giveFiles(chat, "drop", [{ name: "dropped.csv", type: "text/csv", bytes: csv }]);
	await expect(chips(chat)).toHaveCount(2);
	await takePictures(workbench, editorServer, "pasted-and-dropped");
	await ask(chat, "What is in these files?");
	await answered(chat);
	await expect(answers(chat).last()).toContainText("2 rows");
});

/** Drops an address on the chat, as a drag from anywhere could. */
async function dropAddress(chat: Frame, address: string): Promise<void> {
	await chat.locator("#app").evaluate((app, uri) => {
		const dataTransfer = new DataTransfer();
		dataTransfer.setData("text/uri-list", uri);
		const options = { dataTransfer, bubbles: true, cancelable: true };
		app.firstElementChild?.dispatchEvent(new DragEvent("dragenter", options));
		app.firstElementChild?.dispatchEvent(new DragEvent("drop", options));
	}, address);
}

/** Pastes or drops files that the page alone has, as from the clipboard or the operating system. */
async function giveFiles(
	chat: Frame,
	way: "paste" | "drop",
	files: readonly { readonly name: string; readonly type: string; readonly bytes: Buffer }[],
): Promise<void> {
	const given = files.map(({ name, type, bytes }) => ({ name, type, bytes: [...bytes] }));
	await chat.getByRole("textbox", { name: "Message" }).evaluate(
		(element, [event, contents]) => {
			const data = new DataTransfer();
			for (const { name, type, bytes } of contents) {
				data.items.add(new File([new Uint8Array(bytes)], name, { type }));
			}
			const options = { bubbles: true, cancelable: true };
			element.dispatchEvent(
				event === "paste"
					? new ClipboardEvent("paste", { ...options, clipboardData: data })
					: new DragEvent("drop", { ...options, dataTransfer: data }),
			);
		},
		[way, given] as const,
	);
}

modelTest(
	"a PDF and a Word file are read as text, and the model gets their pages and headings",
	async ({ workbench, editorServer, settings, model }) => {
		const pdf = await makePdf(document => {
			document.text("Rent is due on the first.").addPage().text("Dogs are welcome.");
		});
		await writeFile(join(workbench.folder, "lease.pdf"), pdf);
		const report = new Document({
			sections: [
				{
					children: [
						new Paragraph({ text: "Quarterly report", heading: HeadingLevel.HEADING_1 }),
						new Paragraph("Sales rose by 12 percent."),
					],
				},
			],
		});
		await writeFile(join(workbench.folder, "report.docx"), await Packer.toBuffer(report));
		model.script({ text: "Rent on the first, and sales rose." });
		const chat = await workbench.openChat();
		await takeFromMenu(workbench, "lease.pdf", "Attach Files…");
		await takeFromMenu(workbench, "report.docx", "Attach Files…");
		await expect(chips(chat)).toHaveCount(2);
		await expect(chips(chat).first()).toContainText("lease.pdf");
		await takePictures(workbench, editorServer, "documents-attached", settings);
		await ask(chat, "What do they say?");
		await answered(chat);
		const question = model.questions.join();
		for (const part of [
			"[page 1]",
			"Rent is due on the first.",
			"[page 2]",
			"Dogs are welcome.",
			"# Quarterly report",
			"Sales rose by 12 percent.",
		]) {
			expect(question).toContain(part);
		}
		await expect(chat.getByRole("article", { name: "You" })).toContainText("lease.pdf");
	},
);
