import type { Browser, Page } from "@playwright/test";
import type { ChatViewState } from "../../src/shared/chat.ts";
import type { VideoViewState } from "../../src/shared/video.ts";
import { type Harness, readTheme, type ThemeName, themeNames } from "../webview/harness.ts";
import { escaped } from "./escaped.ts";

/** The widths every state is looked at in: as narrow as VS Code lets a side bar be, as it opens, and wide. */
export const sheetWidths: readonly number[] = [150, 300, 600];

/** Tallest picture, in pixels; browsers draw none above 16,384. */
const maxHeight = 16_000;

/** A state as a page shows it. */
export interface SheetScene {
	readonly name: string;
	readonly page: "chat" | "video";
	readonly state: ChatViewState | VideoViewState;
	/** What makes of the page what is to be seen, once it shows the state. */
	readonly prepare?: (page: Page) => Promise<void>;
}

/** What a contact sheet is drawn with. */
export interface SheetParts {
	readonly browser: Browser;
	readonly harness: Pick<Harness, "urlOf">;
	readonly scenes: readonly SheetScene[];
	/** All themes and widths by default. */
	readonly themes?: readonly ThemeName[];
	readonly widths?: readonly number[];
	/** Called with the name of the scene to be drawn next. */
	readonly onScene?: (name: string) => void;
}

/** Draws every scene in four themes and three widths, and resolves to one HTML page with all the pictures in it. */
export async function drawContactSheet(parts: SheetParts): Promise<string> {
	const sections: string[] = [];
	for (const scene of parts.scenes) {
		parts.onScene?.(scene.name);
		sections.push(await drawScene(parts, scene));
	}
	return `<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<title>Contact sheet</title>
<style>
body { margin: 16px; background: #777; font: 14px system-ui, sans-serif; }
h1, h2 { color: #fff; }
div { display: flex; align-items: flex-start; gap: 8px; margin-bottom: 8px; }
figure { margin: 0; } figcaption { color: #fff; } img { display: block; }
</style>
<h1>Contact sheet</h1>
<nav>${parts.scenes.map(({ name }, index) => `<a href="#s${index}">${escaped(name)}</a>`).join(" · ")}</nav>
${sections.map((section, index) => `<section id="s${index}">${section}</section>`).join("\n")}
</html>
`;
}

async function drawScene(
	{ browser, harness, themes = themeNames, widths = sheetWidths }: SheetParts,
	scene: SheetScene,
): Promise<string> {
	const rows: string[] = [];
	for (const width of widths) {
		const page = await browser.newPage({ reducedMotion: "reduce" });
		try {
			await openScene(page, harness, scene);
			const figures: string[] = [];
			for (const theme of themes) {
				const picture = await takePicture(page, theme, width);
				const name = escaped(`${scene.name}, ${theme}, ${width} px`);
				figures.push(
					`<figure><img width="${width}" alt="${name}" src="data:image/png;base64,${picture.toString("base64")}"><figcaption>${theme}, ${width} px</figcaption></figure>`,
				);
			}
			rows.push(`<div>${figures.join("")}</div>`);
		} finally {
			await page.close();
		}
	}
	return `<h2>${escaped(scene.name)}</h2>${rows.join("")}`;
}

/** Opens a scene in a wide window, where every button can be reached. */
async function openScene(
	page: Page,
	harness: Pick<Harness, "urlOf">,
	scene: SheetScene,
): Promise<void> {
	await page.setViewportSize({ width: Math.max(...sheetWidths), height: 600 });
	await page.goto(harness.urlOf("dark", scene.page));
	await page.evaluate(state => {
		Object.assign(window.harness, { state });
	}, scene.state);
	await page
		.locator(scene.page === "chat" ? "textarea" : ".details")
		.first()
		.waitFor();
	await scene.prepare?.(page);
}

/** Takes a picture of an open scene, which loads nothing again for another theme. */
async function takePicture(page: Page, theme: ThemeName, width: number): Promise<Buffer> {
	const { bodyClass, style } = await readTheme(theme);
	await page.evaluate(
		next => {
			const sheet = document.querySelector("#theme");
			if (sheet) {
				sheet.textContent = next.style;
			}
			document.body.className = next.bodyClass;
			document.body.dataset["vscodeThemeKind"] = next.bodyClass.split(" ")[0] ?? "";
		},
		{ bodyClass, style },
	);
	await page.setViewportSize({ width, height: 600 });
	await growToContent(page);
	return page.screenshot();
}

/** Makes the window as tall as what is in it. What comes to be drawn only then may be taller than was thought. */
async function growToContent(page: Page): Promise<void> {
	for (let round = 0; round < 3; round += 1) {
		const height = await page.evaluate(() => {
			const hidden = [...document.querySelectorAll(".scroller, html")].map(
				element => element.scrollHeight - element.clientHeight,
			);
			return window.innerHeight + Math.max(...hidden);
		});
		const width = page.viewportSize()?.width ?? 300;
		await page.setViewportSize({ width, height: Math.min(height, maxHeight) });
		await page.evaluate(
			() =>
				new Promise(resolve => {
					requestAnimationFrame(() => requestAnimationFrame(() => resolve(undefined)));
				}),
		);
	}
}
