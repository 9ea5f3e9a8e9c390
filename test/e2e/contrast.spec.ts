import type { ScriptedService } from "../integration/service.ts";
import { violations } from "./axe.ts";
import { answered, ask } from "./chatView.ts";
import { faintTexts } from "./contrast.ts";
import { expect, test as base } from "./fixtures.ts";
import { type ModelAnswer, startModelService } from "./modelService.ts";
import { setTheme, takePictures } from "./pictures.ts";
import { themeNames } from "./themes.ts";

const everyKindOfText = `See [the docs](https://example.com/docs), \`roundToCents\` and **this**:

> A quotation with \`code\`.

| Date | Sum |
|---|--:|
| 2025-01-15 | \`12.00\` |

\`\`\`ts src/pricing.ts
/** Rounds. */
export const round = (sum: number): string => "€" + Math.round(sum * 100) / 100;
\`\`\`
`;
const path = "src/pricing.ts";
const edits = [{ path, edits: [{ find: "OrderLine {", replace: "Line {" }] }];

const script: readonly ModelAnswer[] = [
	{
		calls: [
			["read_file", { path, startLine: 1, endLine: 2 }],
			["read_file", { path: "src/nothing.ts" }],
		],
	},
	{ calls: [["apply_edit", { files: edits }]] },
	{ text: everyKindOfText },
	{ status: 400 },
	{ calls: [["apply_edit", { files: edits }]] },
];

const test = base.extend<{ model: ScriptedService }>({
	// oxlint-disable-next-line no-empty-pattern -- Playwright reads the pattern to learn what a fixture needs.
	model: async ({}, use) => {
		const model = await startModelService(script);
		await use(model);
		await model.stop();
	},
	settings: async ({ model }, use) => {
		await use({ "cutaway.endpoint": model.baseUrl });
	},
});

test("cards, a request, code, a table and an error can be read in all four kinds of theme", async ({
	workbench,
	editorServer,
	settings,
}) => {
	const chat = await workbench.openChat();
	const edit = chat.getByRole("group", { name: "Tool: Edit files" });
	await ask(chat, "Tidy the prices");
	await edit.getByRole("button", { name: "Deny" }).click();
	await answered(chat);
	await ask(chat, "And now?");
	await answered(chat);
	await expect(chat.locator(".ending")).toContainText("Out of order for now.");
	await ask(chat, "Tidy them after all");
	await expect(edit.last().getByRole("button", { name: "Allow", exact: true })).toBeEnabled();
	await chat.evaluate(() => {
		for (const fold of document.querySelectorAll("details")) {
			fold.open = true;
		}
	});
	await takePictures(workbench, editorServer, "contrast", settings);
	const found: string[] = [];
	for (const theme of themeNames) {
		await setTheme(workbench, editorServer, theme, settings);
		const byAxe = (await violations(chat)).filter(line => line.startsWith("color-contrast"));
		const faint = [...(await faintTexts(chat)), ...byAxe];
		found.push(...faint.map(line => `${theme}: ${line}`));
	}
	expect(found).toEqual([]);
});
