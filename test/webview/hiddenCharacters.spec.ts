import { expect, test } from "./fixtures.ts";
import { complete, emptyChat, messageOf, streaming, turnOf } from "./states.ts";

const code = 'if (role !== "user\u202E\u2066// only admins\u2069\u2066") {}';
const answer = `Use this\u{E0049}\u{E0047}\u{E004E}, می\u200Cخواهم 👩🏽\u200D💻:\n\n\`\`\`js\n${code}\n\`\`\`\n`;
const note = /^7 hidden characters are shown by their codes, such as ␣U\+200B\./;
const place = { turnId: "turn", index: 0 };

for (const way of ["arrives", "is opened again"]) {
	test(`T30: hidden characters of an answer that ${way} are counted, marked and left out of code that is taken @core`, async ({
		chat,
	}) => {
		const { page } = chat;
		if (way === "arrives") {
			const turn = turnOf("Go", [messageOf("", { isFinished: false })], { status: streaming });
			await chat.open({ ...emptyChat, turns: [turn] });
			for (const letter of answer.match(/[^]{1,5}/gu) ?? []) {
				await chat.push({ type: "text", ...place, text: letter });
			}
			await chat.push(
				{ type: "message-finished", ...place, toolNames: [] },
				{ type: "status", turnId: "turn", status: complete },
			);
		} else {
			await chat.open({ ...emptyChat, turns: [turnOf("Go", [messageOf(answer)])] });
		}
		await expect(page.locator(".hidden-note")).toHaveText(note);
		await expect(page.getByText("Use this␣U+E0049…×3, می\u200Cخواهم 👩🏽\u200D💻:")).toBeVisible();
		await expect(page.locator("pre")).toContainText('"user␣U+202E…×2// only admins␣U+2069…×2"');
		await page.getByRole("button", { name: "Copy code" }).click();
		await page.getByRole("button", { name: "Apply" }).click();
		await page.locator(".more-code").click();
		await page.getByRole("menuitem", { name: "Insert at cursor" }).click();
		const plain = 'if (role !== "user// only admins") {}\n';
		for (const method of ["copyCode", "applyCode", "insertCode"]) {
			await expect
				.poll(() => chat.requests(method))
				.toEqual([expect.objectContaining({ text: plain })]);
		}
	});
}

test("T30: code that writes of the marks is taken as it is", async ({ chat }) => {
	const text = 'const mark = "␣U+200B";';
	await chat.open({
		...emptyChat,
		turns: [turnOf("Go", [messageOf(`\`\`\`js\n${text}\n\`\`\``)])],
	});
	await chat.page.getByRole("button", { name: "Copy code" }).click();
	await expect.poll(() => chat.requests("copyCode")).toEqual([{ text: `${text}\n` }]);
	await expect(chat.page.locator(".hidden-note")).toHaveCount(0);
});

test("T30: hidden characters of a thought are marked", async ({ chat }) => {
	const thought = { after: 0, text: "a\u202Ecba", label: "Thought for 3 s", isOver: true };
	await chat.open({
		...emptyChat,
		turns: [turnOf("Go", [messageOf("b")], { thoughts: [thought] })],
	});
	await chat.page.getByText("Thought for 3 s").click();
	await expect(chat.page.locator(".thought-text")).toHaveText("a␣U+202Ecba");
});
