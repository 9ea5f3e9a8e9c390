import { join } from "node:path";
import type { EditorServer } from "../host/editorServer.ts";
import { projectRoot } from "../../scripts/project.ts";
import { type ThemeName, themeNames, themes } from "./themes.ts";
import { isLookedAt, type Workbench } from "./workbench.ts";

/** The side bar widths every journey is looked at in. */
const pictureWidths: readonly number[] = [300, 600];

/** Body class of a webview under each theme. */
const themeClasses: Readonly<Record<ThemeName, string>> = {
	dark: "vscode-dark",
	light: "vscode-light",
	"high-contrast": "vscode-high-contrast",
	"high-contrast-light": "vscode-high-contrast-light",
};

/** What the frame of a chat holds that works. */
const composer = ".composer-text";

/** Changes the color theme of an open window and resolves once the webview that holds `selector` shows it. */
export async function setTheme(
	workbench: Workbench,
	server: EditorServer,
	theme: ThemeName,
	settings: Readonly<Record<string, unknown>> = {},
	selector = composer,
): Promise<void> {
	await server.writeSettings({ "workbench.colorTheme": themes[theme], ...settings });
	const chat = await workbench.frameWith(selector);
	await chat.locator(`body.${themeClasses[theme]}`).waitFor();
}

/** Saves what the window shows now in every theme and width, as `test-results/screenshots/NAME-THEME-WIDTH.png`. */
export async function takePictures(
	workbench: Workbench,
	server: EditorServer,
	name: string,
	settings: Readonly<Record<string, unknown>> = {},
	selector = composer,
): Promise<void> {
	if (!isLookedAt) {
		return;
	}
	for (const width of pictureWidths) {
		await workbench.setSideBarWidth(width);
		await takeThemePictures(workbench, server, name, settings, width, selector);
	}
}

/** The same of what goes away when the width changes, such as a menu or a list: it is opened and closed for each width. */
export async function takeOpenedPictures(
	workbench: Workbench,
	server: EditorServer,
	name: string,
	settings: Readonly<Record<string, unknown>>,
	shown: { readonly open: () => Promise<void>; readonly close?: () => Promise<void> },
): Promise<void> {
	if (!isLookedAt) {
		await shown.open();
		return shown.close?.();
	}
	for (const width of pictureWidths) {
		await workbench.setSideBarWidth(width);
		await shown.open();
		await takeThemePictures(workbench, server, name, settings, width);
		await shown.close?.();
	}
}

/** The same at the width the side bar has. */
export async function takeThemePictures(
	workbench: Workbench,
	server: EditorServer,
	name: string,
	settings: Readonly<Record<string, unknown>> = {},
	width = 300,
	selector = composer,
): Promise<void> {
	if (!isLookedAt) {
		return;
	}
	for (const theme of themeNames) {
		await setTheme(workbench, server, theme, settings, selector);
		await workbench.page.screenshot({
			path: join(projectRoot, "test-results", "screenshots", `${name}-${theme}-${width}.png`),
		});
	}
}
