import type { Frame } from "@playwright/test";
import type { ScriptedService } from "../integration/service.ts";
import { sheetScenes } from "../pictures/sheetScenes.ts";
import { previewScenes } from "../webview/scenes.ts";
import { violations } from "./axe.ts";
import { answered, ask } from "./chatView.ts";
import { faintTexts } from "./contrast.ts";
import { expect, test as base } from "./fixtures.ts";
import { type ModelAnswer, startModelService } from "./modelService.ts";
import { untilDone } from "./patience.ts";
import { setTheme, takePictures } from "./pictures.ts";
import { themeNames } from "./themes.ts";
import { generateFromPrompt, openReady } from "./videoSteps.ts";

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

/** Gives a page an event as its host would. */
function push(frame: Frame, event: string, data: unknown): Promise<void> {
	return frame.evaluate(message => window.postMessage(message, window.origin), {
		type: "push",
		event,
		data,
	});
}

/** Two frames, after which everything that is in sight is drawn. */
function drawn(frame: Frame): Promise<void> {
	return frame.evaluate(
		() =>
			new Promise(resolve => {
				requestAnimationFrame(() => requestAnimationFrame(() => resolve()));
			}),
	);
}

/** Shows the next part of what scrolls; false at its end. */
function scrollOn(frame: Frame): Promise<boolean> {
	return frame.evaluate(() => {
		const scroller = document.querySelector(".scroller") ?? document.documentElement;
		const before = scroller.scrollTop;
		scroller.scrollTop += scroller.clientHeight * 0.8;
		return scroller.scrollTop > before;
	});
}

/** Faint texts of a page from its top to its end, with everything unfolded. */
async function faintTextsOfAll(frame: Frame): Promise<string[]> {
	const found = new Set<string>();
	await frame.evaluate(() => {
		(document.querySelector(".scroller") ?? document.documentElement).scrollTop = 0;
	});
	do {
		await frame.evaluate(() => {
			document.querySelectorAll("details").forEach(fold => (fold.open = true));
		});
		await drawn(frame);
		(await faintTexts(frame)).forEach(line => found.add(line));
	} while (await scrollOn(frame));
	return [...found];
}

/** What the search marks has no element of its own; two that look like its marks are measured in their place. */
function showMarks(frame: Frame): Promise<void> {
	return frame.evaluate(() => {
		for (const [background, color] of [
			["--find-match", "--find-match-text"],
			["--find-current", "--find-current-text"],
		]) {
			const mark = document.createElement("span");
			mark.className = "mark";
			mark.style.cssText = `background: var(${background}); color: var(${color})`;
			mark.textContent = `A match in ${background}`;
			document.querySelector(".header")?.append(mark);
		}
	});
}

base(
	"every state of the contact sheet can be read in the real editor, in all four kinds of theme",
	async ({ workbench, editorServer }) => {
		base.slow();
		await workbench.page.setViewportSize({ width: 1400, height: 1800 });
		const chat = await workbench.openChat();
		const settings = chat.getByRole("dialog", { name: "Chat settings" });
		// The cursor that comes with the chat may take the key.
		await untilDone(async timeout => {
			if (!(await settings.isVisible())) {
				const button = chat.getByRole("button", { name: "Chat settings", exact: true });
				await button.press("Enter", { timeout });
			}
			await settings.waitFor({ timeout });
		});
		await showMarks(chat);
		const found: string[] = [];
		let seq = 1_000_000;
		for (const theme of themeNames) {
			await setTheme(workbench, editorServer, theme);
			for (const [name, state] of Object.entries(sheetScenes)) {
				seq += 1;
				await push(chat, "changes", {
					seq,
					changes: [{ type: "reset", state: { ...state, seq } }],
				});
				await expect(chat.locator(".chat-title")).toHaveText(state.title || "New chat");
				await expect(chat.getByRole("article", { name: "You" }).first()).toBeVisible({
					visible: state.turns.length > 0,
				});
				const faint = await faintTextsOfAll(chat);
				found.push(...faint.map(line => `${theme}, ${name}: ${line}`));
			}
		}
		expect(found).toEqual([]);
	},
);

base(
	"every state of a video's preview can be read in the real editor, in all four kinds of theme",
	async ({ workbench, editorServer }) => {
		await generateFromPrompt(workbench, "A lighthouse at dusk");
		const preview = await openReady(workbench);
		const found: string[] = [];
		for (const theme of themeNames) {
			await setTheme(workbench, editorServer, theme, {}, ".preview");
			found.push(...(await faintTextsOfAll(preview)).map(line => `${theme}: ${line}`));
			for (const [name, state] of Object.entries(previewScenes)) {
				await push(preview, "state", state);
				const faint = await faintTextsOfAll(preview);
				found.push(...faint.map(line => `${theme}, ${name}: ${line}`));
			}
		}
		expect(found).toEqual([]);
	},
);
