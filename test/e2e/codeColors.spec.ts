import { cp, mkdir, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, type Page } from "@playwright/test";
import { build } from "esbuild";
import { ensureEditorBuild } from "../host/editorBuild.ts";
import { remoteUri, startEditorServer, workbenchAddress } from "../host/editorServer.ts";
import { serverUserFolder } from "../host/editorSettings.ts";
import { projectRoot } from "../../scripts/project.ts";
import { clipLetters, compareLetters, readAnswer, shownLetters } from "./codeColors/letters.ts";
import type { Wanted } from "./codeColors/reader.ts";
import { test } from "./fixtures.ts";
import { openWorkbench, type Workbench } from "./workbench.ts";

const own = join(projectRoot, "test", "e2e", "codeColors");

/** The editor's own colors alone: nothing that the mouse, a language server or a setting adds to a line. */
const settings = {
	"chat.disableAIFeatures": true,
	"editor.colorDecorators": false,
	"editor.links": false,
	"editor.matchBrackets": "never",
	"editor.occurrencesHighlight": "off",
	"editor.selectionHighlight": false,
	"editor.minimap.enabled": false,
	"editor.stickyScroll.enabled": false,
	"editor.renderWhitespace": "none",
	"editor.showUnused": false,
	"editor.showDeprecated": false,
	"editor.fontSize": 10,
	"editor.unicodeHighlight.ambiguousCharacters": false,
	"editor.wordWrap": "off",
	"editor.inlayHints.enabled": "off",
	"editor.codeLens": false,
	"editor.lightbulb.enabled": "off",
	"editor.detectIndentation": false,
	"workbench.secondarySideBar.defaultVisibility": "hidden",
	"security.workspace.trust.startupPrompt": "never",
	"security.workspace.trust.banner": "never",
};

const themes = ["Dark Modern", "Light Modern", "Monokai", "Default High Contrast"] as const;

/** Customizations of a user, for all themes and for one. */
const customizations = {
	"workbench.colorCustomizations": {
		"editor.background": "#101820",
		"editorBracketHighlight.foreground2": "#ff8800",
		"[Orchard]": { "editorBracketHighlight.foreground4": "#44ff44aa" },
	},
	"editor.tokenColorCustomizations": {
		comments: { foreground: "#77aa77", fontStyle: "italic underline" },
		strings: "#ffcc66",
		"[Orchard]": {
			textMateRules: [
				{ scope: "constant.numeric", settings: { foreground: "#ff00ffcc", fontStyle: "bold" } },
				{ scope: ["entity.name.function"], settings: { fontStyle: "italic" } },
			],
		},
	},
	"editor.semanticTokenColorCustomizations": {
		rules: { "*.readonly": "#00ddff", parameter: { bold: true } },
		"[Monokai]": { enabled: false },
	},
};
const none = {
	"workbench.colorCustomizations": undefined,
	"editor.tokenColorCustomizations": undefined,
	"editor.semanticTokenColorCustomizations": undefined,
};

/** Makes a folder of all built-in extensions but Copilot's, with the one that writes colors, and one with a theme and two languages. */
async function builtInWithReader(serverMain: string, folder: string): Promise<void> {
	const all = join(dirname(dirname(serverMain)), "extensions");
	await mkdir(join(folder, "color-reader"), { recursive: true });
	const names = (await readdir(all)).filter(name => !/^(?:copilot|git|npm|debug|ms-)/.test(name));
	await Promise.all(names.map(name => symlink(join(all, name), join(folder, name), "junction")));
	await symlink(join(own, "extension"), join(folder, "own-colors"), "junction");
	await build({
		entryPoints: [join(own, "reader.ts")],
		outfile: join(folder, "color-reader", "main.cjs"),
		bundle: true,
		format: "cjs",
		platform: "node",
		external: ["vscode"],
	});
	const manifest = {
		name: "color-reader",
		publisher: "cutaway-test",
		version: "1.0.0",
		main: "./main.cjs",
		engines: { vscode: "^1.100.0" },
		activationEvents: ["onStartupFinished", "onFileSystem:shop"],
		capabilities: {
			untrustedWorkspaces: { supported: true },
			virtualWorkspaces: true,
		},
	};
	await writeFile(join(folder, "color-reader", "package.json"), JSON.stringify(manifest));
}

/** Compares clips of files with the editor's lines. */
class ColorCheck {
	private readonly page: Page;
	private readonly folder: string;
	private number = 0;

	/** `folder` holds the user's settings. */
	constructor(page: Page, folder: string) {
		this.page = page;
		this.folder = folder;
	}

	/** Prints what differs, and expects that this share of the letters agrees. */
	async expectShare(
		label: string,
		uris: readonly string[],
		changed: Wanted["settings"],
		share: number,
		isTrusted = true,
	): Promise<void> {
		let [wrong, all] = [0, 0];
		for (const uri of uris) {
			this.number += 1;
			const wanted: Wanted = { number: this.number, uri, settings: changed };
			await writeFile(join(this.folder, "wanted.json"), JSON.stringify(wanted));
			const found = await this.compare(isTrusted);
			wrong += found.wrong;
			all += found.all;
			if (found.wrong > 0) {
				console.log(
					[`${label}, ${uri.slice(uri.lastIndexOf("/") + 1)}:`, ...found.differences].join("\n  "),
				);
			}
		}
		const found = all === 0 ? 0 : ((all - wrong) / all) * 100;
		console.log(`${label}: ${found.toFixed(2)} % of ${all} letters`);
		expect.soft(found, label).toBeGreaterThanOrEqual(share);
	}

	/** Returns the last comparison, at the latest when the editor had time to show its colors. */
	private async compare(isTrusted: boolean): Promise<ReturnType<typeof compareLetters>> {
		let found = { differences: ["nothing was read"], wrong: 1, all: 1 };
		await expect(async () => {
			const answer = readAnswer(await readFile(join(this.folder, "colors.json"), "utf8"));
			expect([answer.number, answer.isTrusted]).toEqual([this.number, isTrusted]);
			const { differences, ...counts } = compareLetters(
				await shownLetters(this.page),
				clipLetters(answer),
			);
			found = { ...counts, differences: [...differences.slice(0, 12), ...answer.notes] };
			expect(found.wrong).toBe(0);
			expect(found.all).toBeGreaterThan(0);
		})
			.toPass({ timeout: 60_000, intervals: [50, 50, 50, 100, 100, 200] })
			.catch(() => undefined);
		return found;
	}
}

/** Trusts the open folder as a user does. */
async function trustFolder({ page, runCommand }: Workbench): Promise<void> {
	await runCommand("Workspaces: Manage Workspace Trust");
	await page
		.locator(".workspace-trust-editor")
		.getByRole("button", { name: "Trust" })
		.first()
		.click();
	await expect(page.locator(".workspace-trust-editor.trusted")).toBeVisible();
}

test("every letter of a clip has the color and the style that the editor gives it, in 28 languages and five themes, in Restricted Mode and in a virtual folder", async ({
	page,
	testFolder,
}) => {
	// It ends what hangs; alone on a machine the test takes about two minutes.
	test.setTimeout(1_800_000);
	const folder = join(testFolder, "colors");
	const [workspace, builtIn] = [join(folder, "workspace"), join(folder, "built-in")];
	const dataFolder = join(folder, "data");
	const userFolder = serverUserFolder(dataFolder);
	const virtualFolder = join(userFolder, "virtualFolder");
	await mkdir(workspace, { recursive: true });
	await mkdir(virtualFolder, { recursive: true });
	// The endings keep other tools from taking the samples for code of the project.
	const samples = await readdir(join(own, "samples"));
	const names = samples.map(name => name.replace(/\.txt$/, ""));
	for (const name of names) {
		await cp(join(own, "samples", `${name}.txt`), join(workspace, name));
		await cp(join(own, "samples", `${name}.txt`), join(virtualFolder, name));
	}
	const editorBuild = await ensureEditorBuild();
	await builtInWithReader(editorBuild.serverMain, builtIn);
	const server = await startEditorServer({
		build: editorBuild,
		dataFolder,
		builtInExtensionsFolder: builtIn,
		graceSeconds: 20,
		settings,
		extensionsFolder: process.env["CUTAWAY_E2E_EXTENSIONS"] ?? "",
		asksForTrust: true,
	});
	try {
		const address = workbenchAddress(server, workspace);
		const workbench = await openWorkbench(page, { address, folder: workspace, theme: "dark" });
		const check = new ColorCheck(page, userFolder);
		const inTheme = (theme: string, isSemantic: boolean): Wanted["settings"] => ({
			"workbench.colorTheme": theme,
			"editor.semanticHighlighting.enabled": isSemantic,
			...none,
		});
		const files = names.map(name => remoteUri(server, join(workspace, name)));
		const few = files.filter(uri => /\.(?:py|tsx|vue|md)$/.test(uri));
		await check.expectShare("Restricted Mode", few, inTheme("Dark Modern", false), 100, false);
		await trustFolder(workbench);
		for (const theme of themes) {
			await check.expectShare(theme, files, inTheme(theme, false), 100);
		}
		// Of the built-in extensions, that of TypeScript has such tokens.
		const scripts = files.filter(uri => /\.(?:js|ts)$/.test(uri));
		for (const theme of themes) {
			const all = theme === "Dark Modern" ? files : scripts;
			await check.expectShare(`${theme}, semantic tokens`, all, inTheme(theme, true), 99.5);
		}
		const orchard = {
			...inTheme("Orchard", false),
			"editor.semanticHighlighting.enabled": "configuredByTheme",
		};
		const changed = { ...orchard, ...customizations };
		const several = [...few, ...scripts];
		await check.expectShare("The theme of an extension", several, orchard, 100);
		await check.expectShare("The same, customized", several, changed, 100);
		await page.goto(`${server.address}/?folder=shop:/`);
		await page.locator(".part.statusbar .statusbar-item").first().waitFor();
		const virtual = few.map(uri => `shop:/${uri.slice(uri.lastIndexOf("/") + 1)}`);
		await check.expectShare("A virtual folder", virtual, inTheme("Monokai", false), 100);
	} finally {
		await server.stop();
		await rm(folder, { recursive: true, force: true });
	}
});
