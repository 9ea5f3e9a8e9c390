import { execFileSync } from "node:child_process";
import { appendFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Locator, Page } from "@playwright/test";
import { answered, answers } from "./chatView.ts";
import { expect, serviceTest as test } from "./fixtures.ts";
import { takePictures } from "./pictures.ts";
import { quickInput, type Workbench } from "./workbench.ts";

// What Git knows of a folder outlives the files in it.
test.use({ isAlone: true });

const file = "src/pricing.ts";

/** Makes a folder a repository with a commit of all its files. */
function commit(folder: string, message: string): void {
	const git = (...args: readonly string[]): void => {
		const user = ["-c", "user.name=A", "-c", "user.email=a@example.com"];
		execFileSync("git", [...user, ...args], { cwd: folder, stdio: "pipe" });
	};
	git("init", "--quiet");
	git("add", "--all");
	git("commit", "--quiet", "--message", message);
}

async function showSourceControl(page: Page): Promise<void> {
	await page.locator('.activitybar a[aria-label^="Source Control"]').click();
}

/** Makes the folder a repository with one commit, changes a file, and shows the source control. */
async function change({ folder, page }: Workbench): Promise<void> {
	commit(folder, "pricing: add the first rates");
	await appendFile(join(folder, file), "\nexport const discount = 0.2;\n");
	await writeFile(join(folder, "src/new.ts"), "export const isNew = true;\n");
	await showSourceControl(page);
}

/** A button of Git's title bar, which shows its buttons while the pointer is over the view. */
async function button(page: Page, name: string): Promise<Locator> {
	const header = page.locator(".part.sidebar .pane-header").filter({ hasText: "Changes" });
	await header.hover();
	return header.getByRole("button", { name, exact: true });
}

function box(page: Page): Locator {
	return page.locator(".scm-editor .view-lines");
}

test("the sparkle writes the commit message into the box, and Stop brings back what was there", async ({
	workbench,
	model,
	editorServer,
	settings,
}) => {
	const { page } = workbench;
	const { promise, resolve } = Promise.withResolvers<void>();
	const text = "pricing: add a discount\n\nOf a fifth";
	model.script({ text, until: promise }, { text, until: Promise.resolve(), rest: "." });
	await workbench.openChat();
	await change(workbench);
	await (await button(page, "Generate Commit Message")).click();
	await expect(box(page)).toContainText("pricing: add a discount");
	await takePictures(workbench, editorServer, "commit-message-running", settings);
	await (await button(page, "Stop Writing the Commit Message")).click();
	await expect(box(page)).toHaveText("");
	resolve();
	await (await button(page, "Generate Commit Message")).click();
	await expect(box(page)).toContainText("Of a fifth.");
	await expect(await button(page, "Generate Commit Message")).toBeVisible();
	await takePictures(workbench, editorServer, "commit-message", settings);
	expect(model.questions).toHaveLength(2);
	expect(model.questions[1]).toContain("export const discount");
	await box(page).click();
	await page.keyboard.press("Control+Z");
	await expect(box(page)).toHaveText("");
});

test("Review Changes asks about the change in sight, and a finding leads to its line", async ({
	workbench,
	model,
	editorServer,
	settings,
}) => {
	const { page } = workbench;
	model.script({
		text: `- \`${file}:2\`: the discount has no unit. Say per cent or share.\n- \`src/new.ts:1\`: nothing uses it. Remove it.\n`,
	});
	await change(workbench);
	await (await button(page, "Review Changes")).click();
	const chat = await workbench.chatFrame();
	await answered(chat);
	await expect(chat.getByRole("article", { name: "You" })).toContainText(
		/Review: \d+ changed lines/,
	);
	await expect(chat.getByRole("article", { name: "You" })).toContainText("changes.diff");
	const finding = answers(chat).getByRole("link", { name: `${file}:2` });
	await takePictures(workbench, editorServer, "review", settings);
	await finding.click();
	await expect(page.locator(".tab.active")).toContainText("pricing.ts");
	await expect(page.locator(".statusbar")).toContainText("Ln 2");
	expect(model.questions).toHaveLength(1);
	expect(model.questions[0]).toContain("isNew");
});

test("findings become comments in the editor, whose code is applied on a card and undone, or that are dismissed", async ({
	workbench,
	model,
	editorServer,
	settings,
}) => {
	const { page, folder } = workbench;
	await change(workbench);
	const path = join(folder, file);
	const changed = await readFile(path, "utf8");
	const line = changed.trimEnd().split("\n").length;
	const code = "/** A share of the sum. */\nexport const discount = 0.2;\n";
	model.script({
		text: `1. \`${file}:${line}\` — **the discount has no unit.** Say that it is a share.\n\n   \`\`\`ts\n${code.replaceAll(/^(?=.)/gm, "   ")}   \`\`\`\n2. \`${file}:22\` — \`TAX_RATE\` is an option of one country, see [the rates](https://a.example/?q=1) or https://a.example.\n3. \`gone.ts:1\` — nothing.\n`,
	});
	await (await button(page, "Review Changes")).click();
	const chat = await workbench.chatFrame();
	await answered(chat);
	await answers(chat).getByRole("button", { name: "Show findings in the editor" }).click();
	const comments = page.locator(".review-widget");
	await expect(comments.filter({ hasText: "Finding 1 of 2" })).toContainText("has no unit");
	await expect(comments.getByRole("button", { name: "Apply the Code" })).toBeInViewport();
	await expect(comments.filter({ hasText: "Finding 2 of 2" })).toContainText(
		"see [the rates](https://a.example/?q=1) or https://a.example.",
	);
	await expect(comments.locator("a[data-href], a[href^=http], img")).toHaveCount(0);
	await expect(page.locator(".notification-toast")).toContainText("2 of 3 findings are shown");
	await takePictures(workbench, editorServer, "review-comments", settings);
	await comments.getByRole("button", { name: "Apply the Code" }).click();
	const card = chat.getByRole("group", { name: "Tool: Apply the code" });
	await expect(card).toContainText(file);
	expect(await readFile(path, "utf8")).toBe(changed);
	await card.getByRole("button", { name: "Allow", exact: true }).click();
	await expect(card).toContainText("Done");
	await expect(comments.filter({ hasText: "Finding 1 of 2" })).toHaveCount(0);
	expect(await readFile(path, "utf8")).toBe(
		changed.replace("export const discount = 0.2;\n", code),
	);
	await card.getByRole("button", { name: "Undo" }).click();
	await expect(card).toContainText("Undone");
	expect(await readFile(path, "utf8")).toBe(changed);
	await page.locator(".comments-panel .monaco-list-row", { hasText: "TAX_RATE" }).click();
	const second = comments.filter({ hasText: "Finding 2 of 2" });
	await expect(second.getByRole("button", { name: "Apply the Code" })).toHaveCount(0);
	await second.getByRole("button", { name: "Dismiss", exact: true }).press("Enter");
	await expect(comments).toHaveCount(0);
	expect(model.questions).toHaveLength(1);
});

test("of two repositories, the one whose sparkle was clicked has its changes described, and several of its commits are reviewed", async ({
	workbench,
	model,
}) => {
	const { page, folder } = workbench;
	model.script({ text: "two: count to three" }, { text: "Nothing is wrong." });
	for (const name of ["one", "two"]) {
		const root = join(folder, name);
		await mkdir(root);
		await writeFile(join(root, "count.txt"), "1\n");
		for (const text of ["1", "2", "3", "4"]) {
			await writeFile(join(root, "count.txt"), `${text} in ${name}\n`);
			commit(root, `${name}: count to ${text}`);
		}
		await appendFile(join(root, "count.txt"), `changed in ${name}\n`);
	}
	await showSourceControl(page);
	const row = page.locator(".scm-view .monaco-list-row:has(.scm-provider)", { hasText: "two" });
	await row.hover();
	await row.getByRole("button", { name: "Generate Commit Message", exact: true }).click();
	await expect(box(page)).toHaveText(["", "two: count to three"]);
	expect(model.questions).toHaveLength(1);
	expect(model.questions[0]).toContain("changed in two");
	expect(model.questions[0]).not.toContain("changed in one");
	await workbench.runCommand("Cutaway: Review Changes");
	await workbench.pickQuickInput("two");
	await expect(quickInput(page)).toHaveAttribute("placeholder", /what the model reviews/);
	await workbench.screenshot("review-choices");
	await workbench.pickQuickInput("Several commits");
	await expect(quickInput(page)).toHaveAttribute("placeholder", /main\.\.HEAD/);
	await workbench.screenshot("review-range");
	await workbench.answerQuickInput("HEAD~2..");
	const chat = await workbench.chatFrame();
	await expect(answers(chat)).toContainText("Nothing is wrong.");
	await expect(chat.getByRole("article", { name: "You" })).toContainText("commits.diff");
	expect(model.questions[1]).toContain("-2 in two");
	expect(model.questions[1]).toContain("+1: 4 in two");
	expect(model.questions[1]).not.toContain("3 in two");
});
