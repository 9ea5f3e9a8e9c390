import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { projectRoot } from "../../scripts/project.ts";
import { pageStrings } from "../../src/ui/webview/pageContents.ts";

/** A font the tests bring, so that what fits does not depend on the fonts of the machine, and the language to write in it. */
interface BroughtFont {
	/** As a package names it. */
	readonly file: string;
	/** The tag of a translation; English without it. */
	readonly language?: string;
}

/** Font families of very different widths. */
export const broughtFonts: Readonly<Record<string, BroughtFont>> = {
	narrow: { file: "dejavu-fonts-ttf/ttf/DejaVuSansCondensed.ttf" },
	plain: { file: "dejavu-fonts-ttf/ttf/DejaVuSans.ttf" },
	wide: { file: "dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf", language: "de" },
	Japanese: {
		file: "@fontsource/dotgothic16/files/dotgothic16-japanese-400-normal.woff2",
		language: "ja",
	},
};

const { resolve } = createRequire(import.meta.url);

/** Opens the page's documents in a font from now on, as VS Code names it to a webview, under the same policy. */
export async function useFont(page: Page, { file, language }: BroughtFont): Promise<void> {
	const strings = language === undefined ? "" : await stringsOf(language);
	await page.route(/\/media\/brought-font$/, route => route.fulfill({ path: resolve(file) }));
	await page.route(/\/(?:dark|light|high-contrast|high-contrast-light)\?/, async route => {
		const response = await route.fetch();
		const style = `<style nonce="harness">
			@font-face { font-family: "Brought"; src: url("/media/brought-font"); }
			html { --vscode-font-family: "Brought" !important; }
		</style>`;
		const body = (await response.text()).replace("</head>", () => `${style}</head>`);
		await route.fulfill({
			response,
			body: body.replace('<div id="app">', () => `${strings}<div id="app">`),
		});
	});
}

async function stringsOf(language: string): Promise<string> {
	const bundle = await readFile(join(projectRoot, "l10n", `bundle.l10n.${language}.json`), "utf8");
	const keys = join(
		process.env["CUTAWAY_MEDIA"] ?? join(projectRoot, "dist", "media"),
		"strings.json",
	);
	return pageStrings(JSON.parse(bundle) as Readonly<Record<string, unknown>>, keys);
}
