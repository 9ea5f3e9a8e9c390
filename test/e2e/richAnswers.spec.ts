import type { Frame } from "@playwright/test";
import { answered, answers, ask } from "./chatView.ts";
import { expect, serviceTest as test } from "./fixtures.ts";
import { untilKept } from "./keptState.ts";
import { untilDone } from "./patience.ts";
import { takePictures } from "./pictures.ts";

const longCode = [
	"// The first line is so long that it runs far beyond the edge of any side bar, and is broken only on request; so are its words.",
	...Array.from({ length: 89 }, (_, index) => `const value${index + 1} = ${index + 1};`),
];
const answer = `The mean is $\\bar{x} = \\frac{1}{n}\\sum_{i=1}^n x_i$, so:

$$
\\sigma^2 = \\frac{1}{n}\\sum_{i=1}^{n} (x_i - \\bar{x})^2
$$

- [x] read the orders
- [ ] draw them

All of it is in [the handbook](https://example.com/orders/handbook).

| Product | Revenue | Share |
|:--------|--------:|:-----:|
| Beans   | 1,234.50 | 45 % |
| Filter  | -12.00 | 1 % |

\`\`\`mermaid
graph TD
  A[Orders] --> B{Paid?}
  B -->|yes| C[Ship]
  B -->|no| D[Remind]
\`\`\`

\`\`\`ts
${longCode.join("\n")}
\`\`\`
`;

/** Names of the page's files that it has loaded so far. */
function loadedFiles(chat: Frame): Promise<readonly string[]> {
	return chat.evaluate(() => performance.getEntriesByType("resource").map(({ name }) => name));
}

test("formulas, a diagram, tasks, a table and long code in the real editor, by mouse and by keyboard", async ({
	workbench,
	editorServer,
	settings,
	testFolder,
	model,
}) => {
	model.script({ text: answer });
	const chat = await workbench.openChat();
	await expect(chat.getByRole("textbox", { name: "Message", exact: true })).toBeVisible();
	expect((await loadedFiles(chat)).filter(name => /katex|math/i.test(name))).toEqual([]);
	await ask(chat, "How do the orders spread?");
	await answered(chat);
	await expect(chat.locator(".math .katex-html")).toHaveCount(2);
	expect((await loadedFiles(chat)).filter(name => /katex|math/i.test(name))).not.toEqual([]);
	await expect(chat.getByRole("checkbox", { name: "read the orders", exact: true })).toBeChecked();
	await expect(chat.getByRole("checkbox", { name: "draw them", exact: true })).not.toBeChecked();

	await chat.getByRole("button", { name: "Copy as CSV", exact: true }).click();
	await expect
		// It can't be read while the focus moves between frames.
		.poll(() => workbench.page.evaluate(() => navigator.clipboard.readText().catch(() => "")))
		.toBe('Product,Revenue,Share\r\nBeans,"1,234.50",45 %\r\nFilter,-12.00,1 %\r\n');

	const link = answers(chat).getByRole("link", { name: "the handbook", exact: true });
	await expect(link).toHaveAttribute("title", /example\.com\/orders/);

	expect((await loadedFiles(chat)).filter(name => name.includes("frameSource"))).toEqual([]);
	await chat.getByRole("button", { name: "Draw diagram", exact: true }).click();
	const diagram = chat.frameLocator("iframe.diagram");
	await expect(diagram.getByText("Remind", { exact: true })).toBeVisible();

	const blocks = chat.locator(".code-block");
	const keys = workbench.page.keyboard;
	// The key is the chat's once VS Code knows of the focus, and goes by what is in sight, which a drawing may still move.
	await untilDone(async timeout => {
		await chat.getByRole("textbox", { name: "Message", exact: true }).focus({ timeout });
		await blocks.last().scrollIntoViewIfNeeded({ timeout });
		await keys.press("Control+Alt+PageUp");
		await expect(blocks.last().locator("pre")).toBeFocused({ timeout });
	});
	await keys.press("Control+Alt+PageUp");
	await expect(chat.getByRole("button", { name: "Show source", exact: true })).toBeFocused();
	await keys.press("Control+Alt+PageDown");
	await expect(blocks.last().locator("pre")).toBeFocused();
	await takePictures(workbench, editorServer, "rich-answers", settings);
	await chat.locator(".math").first().scrollIntoViewIfNeeded();
	await takePictures(workbench, editorServer, "rich-answers-top", settings);

	await blocks.last().getByRole("button", { name: "Show all 90 lines", exact: true }).click();
	await expect(blocks.last().getByText("value89")).toBeVisible();
	await blocks.last().getByRole("button", { name: "Wrap lines" }).click();
	await expect(blocks.last()).toHaveClass(/wrapped/);
	await takePictures(workbench, editorServer, "rich-answers-wrapped", settings);

	await chat.getByRole("button", { name: "Collapse", exact: true }).click();
	const more = chat.getByRole("button", { name: "Show more", exact: true });
	await expect(more).toBeFocused();
	await takePictures(workbench, editorServer, "rich-answers-collapsed", settings);
	// An empty list would have no quotation mark.
	await untilKept(testFolder, 'collapsed":["');
	await workbench.reload();
	const later = await workbench.chatFrame();
	await later.getByRole("button", { name: "Show more", exact: true }).click();
	await expect(later.getByRole("button", { name: "Collapse", exact: true })).toBeVisible();
	await expect(later.locator(".math .katex-html")).toHaveCount(2);
});
