import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Frame, Locator } from "@playwright/test";
import { answered, answers, ask } from "./chatView.ts";
import { expect, serviceTest } from "./fixtures.ts";
import { chatsFolder, untilChatKept } from "./keptState.ts";
import { takePictures } from "./pictures.ts";
import type { ModelAnswer } from "../helpers/scriptedModel.ts";
import type { Workbench } from "./workbench.ts";

/** What the model of a test answers. */
interface ModelScript {
	readonly answers: readonly ModelAnswer[];
}

const test = serviceTest.extend<{ script: ModelScript }>({
	script: [{ answers: [] }, { option: true }],
	model: async ({ model, script }, use) => {
		model.script(...script.answers);
		await use(model);
	},
});

const pricing = "src/pricing.ts";
const twoEdits: ModelAnswer = {
	calls: [
		[
			"apply_edit",
			{
				files: [
					{
						path: pricing,
						edits: [
							{ find: "export interface OrderLine", replace: "export interface Line" },
							{ find: "Math.round(amount * 100) / 100", replace: "Number(amount.toFixed(2))" },
						],
					},
				],
			},
		],
	],
};

const shop = "data/shop.json";
const fix: readonly ModelAnswer[] = [
	{ calls: [["get_problems", { path: shop }]] },
	{
		calls: [
			[
				"apply_edit",
				{ files: [{ path: shop, edits: [{ find: '"Beans"', replace: '"Beans",' }] }] },
			],
		],
	},
];

function textOf({ folder }: Workbench): Promise<string> {
	return readFile(join(folder, pricing), "utf8");
}

/** The card of a tool, by its title. */
function card(chat: Frame, title: string): Locator {
	return chat.getByRole("group", { name: `Tool: ${title}` });
}

async function allow(request: Locator): Promise<void> {
	await request.getByRole("button", { name: "Allow", exact: true }).click();
	await expect(request.getByRole("button", { name: "Allow", exact: true })).toHaveCount(0);
}

/** Asks the scripted model, allows its edit and waits for the end of its answer. */
async function askAndAllow(workbench: Workbench): Promise<{ chat: Frame; edit: Locator }> {
	const chat = await workbench.openChat();
	await ask(chat, "Tidy the prices");
	const edit = card(chat, "Edit files");
	await allow(edit);
	await answered(chat);
	return { chat, edit };
}

test.describe("a problem of the open file", () => {
	test.use({ script: { answers: fix } });

	test("is told to the model, which fixes it", async ({ workbench, model }) => {
		const file = join(workbench.folder, shop);
		await writeFile(file, '{\n\t"name": "Beans"\n\t"open": true\n}\n');
		await workbench.openFile(shop);
		await expect(workbench.page.locator(".squiggly-error").first()).toBeVisible();
		const chat = await workbench.openChat();
		await ask(chat, "Fix the problems here");
		await allow(card(chat, "Edit files"));
		await answered(chat);
		expect(model.questions.at(-1)).toContain("data/shop.json:3:");
		await expect
			.poll(() => readFile(file, "utf8"))
			.toBe('{\n\t"name": "Beans",\n\t"open": true\n}\n');
	});
});

test.describe("an edit of two hunks", () => {
	test.use({ script: { answers: [twoEdits] } });

	test("is seen as a diff, one hunk is allowed, and Undo on the card takes it back @core", async ({
		workbench,
		editorServer,
		settings,
	}) => {
		const { page } = workbench;
		const before = await textOf(workbench);
		await workbench.openFile(pricing);
		const chat = await workbench.openChat();
		await ask(chat, "Tidy the prices");
		const edit = card(chat, "Edit files");
		await expect(edit.getByRole("checkbox")).toHaveCount(2);
		await expect(page.locator(".monaco-diff-editor").first()).toBeVisible();
		await edit.getByRole("checkbox").last().uncheck();
		expect(await textOf(workbench)).toBe(before);
		await takePictures(workbench, editorServer, "tools-hunks-asking", settings);
		await allow(edit);
		await answered(chat);
		await expect(edit).toContainText("Done");
		const expected = before.replace("interface OrderLine", "interface Line");
		await expect.poll(() => textOf(workbench)).toBe(expected);
		await takePictures(workbench, editorServer, "tools-hunks-done", settings);
		await edit.getByRole("button", { name: "Undo" }).click();
		await expect(edit).toContainText("Undone");
		await expect.poll(() => textOf(workbench)).toBe(before);
		await expect(chat.getByRole("button", { name: "Changed files" })).toHaveCount(0);
		await takePictures(workbench, editorServer, "tools-hunks-undone", settings);
	});

	test("is listed among the changed files, with its difference to the text before the chat", async ({
		workbench,
		editorServer,
		settings,
	}) => {
		const { page } = workbench;
		const { chat, edit } = await askAndAllow(workbench);
		await edit.getByRole("button", { name: "Changed files" }).click();
		const rows = page.locator(".quick-input-list .monaco-list-row");
		await expect(rows).toHaveCount(1);
		await expect(rows).toContainText("src/pricing.ts");
		await expect(rows).toContainText("edited, 1 change");
		await takePictures(workbench, editorServer, "tools-changed-files", settings);
		await page.locator(".quick-input-widget:visible input").press("Escape");
		// While it closes, it still offers what the next one will offer.
		await expect(page.locator(".quick-input-widget")).toBeHidden();
		await chat.locator(".header").getByRole("button", { name: "Changed files" }).click();
		await workbench.pickQuickInput("src/pricing.ts");
		await expect(page.locator(".tab.active")).toContainText("before this chat");
		const diff = page.locator(".monaco-diff-editor");
		await expect(diff.locator(".editor.original")).toContainText("OrderLine");
		await expect(diff.locator(".editor.modified")).toContainText("interface Line");
		await takePictures(workbench, editorServer, "tools-changed-files-diff", settings);
	});

	test("U18: whose result was lost says after a reload that it was interrupted, with Undo while the file shows the change", async ({
		workbench,
		editorServer,
		settings,
		testFolder,
	}) => {
		await askAndAllow(workbench);
		await loseAfter(testFolder, "tool-started");
		await workbench.reload();
		const applied = card(await workbench.chatFrame(), "Edit files");
		await expect(applied).toContainText("This call was interrupted");
		await expect(applied.getByRole("button", { name: "Undo" })).toBeVisible();
		await takePictures(workbench, editorServer, "tools-lost", settings);
	});
});

test.describe("an edit of two files", () => {
	const edits = [
		{ path: pricing, edits: [{ find: "OrderLine {", replace: "Line {" }] },
		{ path: "README.md", edits: [{ find: "# Corner Roastery", replace: "# The Corner Roastery" }] },
	];
	test.use({ script: { answers: [{ calls: [["apply_edit", { files: edits }]] }] } });

	test("is one undo step of the editor across both", async ({ workbench }) => {
		const { page, folder } = workbench;
		const readme = (): Promise<string> => readFile(join(folder, "README.md"), "utf8");
		const before = [await textOf(workbench), await readme()];
		await workbench.openFile("README.md");
		await workbench.openFile(pricing);
		await askAndAllow(workbench);
		await expect.poll(readme).toMatch(/^# The /);
		await expect.poll(() => textOf(workbench)).toContain("interface Line {");
		// The keys are for the file, and the diffs of the proposal are in front of it until they are closed.
		await expect(page.locator(".tab", { hasText: "proposed" })).toHaveCount(0);
		await page.locator(".editor-instance .view-lines").first().click();
		await page.keyboard.press("ControlOrMeta+Z");
		// The web workbench saves by itself after a second.
		await expect.poll(async () => [await textOf(workbench), await readme()]).toEqual(before);
	});
});

test.describe("an answer that changes two files", () => {
	const edit = (path: string, find: string, replace: string) =>
		["apply_edit", { files: [{ path, edits: [{ find, replace }] }] }] as const;
	const long = Array.from({ length: 80 }, (_, at) => `Reason ${at + 1}.`).join("\n\n");

	test("calls for attention while nobody looks, is undone and redone at its end, and is found again", async ({
		workbench,
		model,
		editorServer,
		settings,
	}) => {
		const { page, folder } = workbench;
		const readme = join(folder, "README.md");
		const texts = async () => [await textOf(workbench), await readFile(readme, "utf8")];
		const before = await texts();
		const hidden = Promise.withResolvers<void>();
		model.script(
			{ calls: [edit(pricing, "OrderLine {", "Line {")], until: hidden.promise },
			{ calls: [edit("README.md", "# Corner", "# The Corner")] },
			{ text: long },
		);
		await ask(await workbench.openChat(), "Tidy up and say why");
		await workbench.runCommand("Cutaway: Show Videos");
		// The extension knows that the chat is hidden once the other view has its page.
		await workbench.frameWith(".gallery");
		// Where the side bar is narrow, VS Code has no icon of a hidden view to put a number on.
		await workbench.setSideBarWidth(600);
		const badge = page.locator(".part.auxiliarybar .badge-content", { hasText: /^1$/ });
		hidden.resolve();
		const notice = workbench.notifications().filter({ hasText: "your approval is needed" });
		await expect(notice).toContainText("Edit pricing.ts");
		await expect(badge).toBeVisible();
		await workbench.screenshot("tools-attention");
		await notice.getByRole("button", { name: "Show", exact: true }).click();
		const chat = await workbench.chatFrame();
		const edits = card(chat, "Edit files");
		await allow(edits.first());
		await allow(edits.nth(1));
		await answered(chat);
		await expect(badge).toHaveCount(0);
		await expect(workbench.notifications().filter({ hasText: "Answer ready" })).toHaveCount(0);
		await expect.poll(texts).not.toContain(before[1]);
		const after = await texts();

		const question = chat.getByRole("article", { name: "You" }).first();
		await takePictures(workbench, editorServer, "tools-undo-answer", settings);
		await chat.getByRole("button", { name: "Go to your message: Tidy up and say why" }).click();
		await expect(question).toBeFocused();
		await expect(question).toBeInViewport();

		const undoing = card(chat, "Undo the answer's changes");
		await chat.getByRole("button", { name: "Undo 2 changes" }).click();
		await expect(page.locator(".tab", { hasText: "proposed" })).toHaveCount(2);
		expect(await texts()).toEqual(after);
		await takePictures(workbench, editorServer, "tools-undo-answer-asking", settings);
		await allow(undoing);
		await expect.poll(texts).toEqual(before);
		await expect(edits.first()).toContainText("Undone");
		await undoing.getByRole("button", { name: "Redo" }).click();
		await expect.poll(texts).toEqual(after);

		await writeFile(readme, "Mine.\n");
		await chat.getByRole("button", { name: "Undo 2 changes" }).click();
		const dialog = page.locator(".monaco-dialog-box");
		await expect(dialog).toContainText("Changed since: README.md");
		expect(await texts()).toEqual([after[0], "Mine.\n"]);
		await workbench.screenshot("tools-undo-others");
		await dialog.getByRole("button", { name: "Undo the Others" }).click();
		await allow(undoing.nth(1));
		await expect.poll(texts).toEqual([before[0], "Mine.\n"]);

		await ask(chat, "And now?");
		await answered(chat);
		await chat.getByRole("textbox", { name: "Message" }).press("ControlOrMeta+Shift+O");
		await workbench.pickQuickInput("Tidy up and say why");
		await expect(question).toBeInViewport();
	});
});

test.describe("a question of the model", () => {
	const link = "[Continue](command:workbench.action.openSettings)";
	test.use({
		script: {
			answers: [
				{ calls: [["ask_user", { question: `${link} $(shield) Which one?` }]] },
				{ calls: [["ask_user", { question: "Which one?", options: [`$(check) ${link}`, "b"] }]] },
			],
		},
	});

	test("T29: is asked on its card, never in the editor's own input, and its text makes no link, command or icon", async ({
		workbench,
		model,
	}) => {
		const { page } = workbench;
		const chat = await workbench.openChat();
		await ask(chat, "Ask me");
		const asking = chat.locator(".model-question");
		await expect(asking.locator("blockquote")).toHaveText(`${link} $(shield) Which one?`);
		await expect(page.locator(".quick-input-widget:visible")).toHaveCount(0);
		await expect(asking.locator("a, .codicon")).toHaveCount(0);
		await workbench.screenshot("tools-question");
		await expect(asking.getByRole("button", { name: "Answer", exact: true })).toBeEnabled();
		await asking.getByRole("textbox", { name: "Your answer" }).fill("the first");
		await page.keyboard.press("Enter");
		const first = asking.getByRole("button", { name: `$(check) ${link}`, exact: true });
		await expect(first).toBeEnabled();
		await expect(asking.locator("a, .codicon")).toHaveCount(0);
		await first.click();
		await answered(chat);
		expect(model.questions[1]).toContain("The user answered: the first");
		expect(model.questions[2]).toContain(`The user answered: $(check) ${link}`);
	});
});

test.describe("a call under way", () => {
	test.use({
		script: {
			answers: [{ calls: [["search_text", { query: "(a+)+$", isRegularExpression: true }]] }],
		},
	});

	test("is ended by Cancel, and the answer goes on", async ({
		workbench,
		editorServer,
		settings,
		model,
	}) => {
		await writeFile(join(workbench.folder, "endless.txt"), `${"a".repeat(60)}!\n`);
		const chat = await workbench.openChat();
		await ask(chat, "Search");
		const search = card(chat, "Search the files");
		await expect(search).toContainText("Running");
		await workbench.screenshot("tools-running");
		await search.getByRole("button", { name: "Cancel" }).click();
		await expect(search).toContainText("Canceled");
		await answered(chat);
		await expect(answers(chat).last()).toContainText("Done.");
		expect(model.questions.at(-1)).toContain("the user ended this call");
		await takePictures(workbench, editorServer, "tools-cancelled", settings);
	});
});

test.describe("a call that waits for its approval", () => {
	test.use({
		script: { answers: [{ calls: [["create_file", { path: "notes.md", text: "# Notes\n" }]] }] },
	});

	test("U17: is not run after a reload, and its card says so", async ({
		workbench,
		editorServer,
		settings,
		testFolder,
	}) => {
		const before = await workbench.openChat();
		await ask(before, "Write notes");
		await expect(card(before, "Create a file")).toContainText("Your approval is needed");
		await untilChatKept(workbench, testFolder);
		await workbench.reload();
		const create = card(await workbench.chatFrame(), "Create a file");
		await expect(create).toContainText("VS Code restarted before you approved this.");
		await expect(create.getByRole("button", { name: "Allow", exact: true })).toHaveCount(0);
		expect(await readdir(workbench.folder)).not.toContain("notes.md");
		await takePictures(workbench, editorServer, "tools-not-approved", settings);
	});
});

test.describe("a follow-up that fails", () => {
	test.use({
		script: {
			answers: [
				{ calls: [["read_file", { path: pricing, startLine: 1, endLine: 2 }]] },
				{ status: 400 },
				{ text: "The file begins with an interface." },
			],
		},
	});

	test("is tried again with the results that are there, and the tool does not run twice", async ({
		workbench,
		editorServer,
		settings,
		model,
	}) => {
		const chat = await workbench.openChat();
		await ask(chat, "What is in the file?");
		await answered(chat);
		await expect(card(chat, "Read a file")).toContainText("Done");
		await takePictures(workbench, editorServer, "tools-follow-up-failed", settings);
		await chat.getByRole("button", { name: "Try again" }).click();
		await expect(answers(chat).last()).toContainText("begins with an interface");
		await expect(card(chat, "Read a file")).toHaveCount(1);
		expect(model.questions).toHaveLength(3);
		expect(JSON.parse(model.questions[2] ?? "")).toMatchObject({
			messages: JSON.parse(model.questions[1] ?? "").messages,
		});
		await takePictures(workbench, editorServer, "tools-follow-up-again", settings);
	});
});

test.describe("a request without an id", () => {
	test.use({ script: { answers: [{ isUnusable: true }] } });

	test("U4: has a card that says it was not run, also after a reload", async ({
		workbench,
		editorServer,
		settings,
		testFolder,
	}) => {
		const before = await workbench.openChat();
		await ask(before, "Go");
		await answered(before);
		await expect(card(before, "Invalid tool request")).toContainText("not run");
		await untilChatKept(workbench, testFolder);
		await workbench.reload();
		const chat = await workbench.chatFrame();
		await expect(card(chat, "Invalid tool request")).toContainText("without an id");
		await takePictures(workbench, editorServer, "tools-unusable", settings);
	});
});

const block = `\`\`\`ts src/pricing.ts
function roundToCents(amount: number): number {
	return Math.round(amount * 1000) / 1000;
}
\`\`\``;

test.describe("a code block that was applied", () => {
	test.use({ script: { answers: [{ text: block }] } });

	test("keeps its card over a reload, and Undo there takes it back", async ({
		workbench,
		editorServer,
		settings,
	}) => {
		const original = await textOf(workbench);
		await workbench.openFile(pricing);
		const before = await workbench.openChat();
		await ask(before, "Round finer");
		await answered(before);
		await answers(before).last().getByRole("button", { name: "Apply" }).click();
		await allow(card(before, "Apply the code"));
		await expect(card(before, "Apply the code")).toContainText("Done");
		await expect.poll(() => textOf(workbench)).toContain("amount * 1000");
		await workbench.reload();
		const apply = card(await workbench.chatFrame(), "Apply the code");
		await expect(apply).toContainText("Done");
		await takePictures(workbench, editorServer, "tools-block-reloaded", settings);
		await apply.getByRole("button", { name: "Undo" }).click();
		await expect(apply).toContainText("Undone");
		await expect.poll(() => textOf(workbench)).toBe(original);
	});
});

/** Cuts the only chat's log behind the record of this type, as if the editor had died right then. */
async function loseAfter(testFolder: string, type: string): Promise<void> {
	const folder = chatsFolder(testFolder);
	const name = (await readdir(folder)).find(file => file.endsWith(".jsonl"));
	const path = join(folder, name ?? "");
	const read = async (): Promise<string[]> => (await readFile(path, "utf8")).split("\n");
	await expect.poll(async () => (await read()).join()).toContain('"turn-ended"');
	const lines = await read();
	const last = lines.findIndex(line => line.includes(`"type":"${type}"`));
	await writeFile(path, `${lines.slice(0, last + 1).join("\n")}\n`);
}
