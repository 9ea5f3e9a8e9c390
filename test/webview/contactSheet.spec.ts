import { allScenes } from "../pictures/allScenes.ts";
import { drawContactSheet, sheetWidths } from "../pictures/contactSheet.ts";
import { sheetScenes } from "../pictures/sheetScenes.ts";
import { expect, test } from "./fixtures.ts";
import { themeNames } from "./harness.ts";

test("a contact sheet has a whole picture of a state in every theme and width", async ({
	browser,
	harness,
	page,
}) => {
	test.slow();
	const name = "a call in every state";
	const state = sheetScenes[name];
	expect(state).toBeDefined();
	const scenes = state ? [{ name, page: "chat" as const, state }] : [];
	await page.setContent(await drawContactSheet({ browser, harness, scenes }));
	for (const width of sheetWidths) {
		for (const theme of themeNames) {
			const picture = page.getByRole("img", { name: `${name}, ${theme}, ${width} px` });
			await expect(picture).toHaveJSProperty("naturalWidth", width);
			// All eleven calls are on it, more than a window shows.
			const height = await picture.evaluate(image => (image as HTMLImageElement).naturalHeight);
			expect(height).toBeGreaterThan(700);
		}
	}
});

test("every state of the contact sheet can be reached and drawn, in a narrow view as well", async ({
	browser,
	harness,
	page,
}) => {
	test.slow();
	const drawn: string[] = [];
	const [narrow = 0] = sheetWidths;
	const html = await drawContactSheet({
		browser,
		harness,
		scenes: allScenes,
		themes: ["dark"],
		widths: [narrow],
		onScene: name => void drawn.push(name),
	});
	await page.setContent(html);
	await expect(page.getByRole("img")).toHaveCount(drawn.length);
	expect(drawn).toEqual(allScenes.map(({ name }) => name));
});
