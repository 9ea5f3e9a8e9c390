import { cp, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { test as base } from "@playwright/test";
import { ensureEditorBuild } from "../host/editorBuild.ts";
import {
	type EditorServer,
	type EditorServerOptions,
	startEditorServer,
	workbenchAddress,
} from "../host/editorServer.ts";
import { makeCacheFolder, sampleWorkspace } from "../host/project.ts";
import { type ThemeName, themes } from "./themes.ts";
import { type Workbench, openWorkbench } from "./workbench.ts";

/** What a test, a group or a file may choose with `test.use`. */
export interface WorkbenchOptions {
	/** Kind of color theme; dark when not chosen. */
	readonly theme: ThemeName;
	/** User settings on top of the theme and of those that keep the workbench quiet. */
	readonly settings: Readonly<Record<string, unknown>>;
	/** Opens the editor with all that it brings, its own chat too; otherwise with what journeys meet, which opens faster. */
	readonly isWhole: boolean;
	/** Opens the folder in Restricted Mode. */
	readonly isRestricted: boolean;
	/** The editor's display language; the workbench's own words stay English, as no language pack is installed. */
	readonly language: string;
}

/** What a test is given. */
export interface WorkbenchFixtures {
	/** Folder of this test's own for user data and the open workspace; gone afterwards. */
	readonly testFolder: string;
	/** An editor server of this test's own, with the packaged extension installed and no user data. */
	readonly editorServer: EditorServer;
	/** The window, open on a copy of the sample workspace. */
	readonly workbench: Workbench;
}

function folderOfRun(variable: string): string {
	const folder = process.env[variable];
	if (!folder) {
		throw new Error("globalSetup.ts has not installed the extension.");
	}
	return folder;
}

/** What starts an editor without the parts that no journey meets. */
export function leanEditor(): Pick<EditorServerOptions, "builtInExtensionsFolder" | "settings"> {
	return {
		builtInExtensionsFolder: folderOfRun("CUTAWAY_E2E_BUILT_IN"),
		settings: { "chat.disableAIFeatures": true },
	};
}

/** Playwright's `test` with a fresh VS Code per test; a server starts in a fifth of a second. */
export const test = base.extend<WorkbenchOptions & WorkbenchFixtures>({
	theme: ["dark", { option: true }],
	settings: [{}, { option: true }],
	isWhole: [false, { option: true }],
	isRestricted: [false, { option: true }],
	language: ["en", { option: true }],
	viewport: { width: 1400, height: 900 },

	// oxlint-disable-next-line no-empty-pattern -- Playwright reads the pattern to learn what a fixture needs.
	testFolder: async ({}, use) => {
		const folder = await mkdtemp(join(await makeCacheFolder("runs"), "e2e-test-"));
		await use(folder);
		await rm(folder, { recursive: true, force: true, maxRetries: 3 });
	},

	editorServer: async ({ testFolder, theme, settings, isWhole, isRestricted }, use, testInfo) => {
		const lean = isWhole ? {} : leanEditor();
		const server = await startEditorServer({
			...lean,
			build: await ensureEditorBuild(),
			dataFolder: join(testFolder, "data"),
			extensionsFolder: folderOfRun("CUTAWAY_E2E_EXTENSIONS"),
			asksForTrust: isRestricted,
			settings: { ...lean.settings, "workbench.colorTheme": themes[theme], ...settings },
		});
		await use({
			...server,
			writeSettings: changed => server.writeSettings({ ...lean.settings, ...changed }),
		});
		await server.stop();
		if (testInfo.status !== testInfo.expectedStatus) {
			await testInfo.attach("editor server", { body: server.output(), contentType: "text/plain" });
		}
	},

	workbench: async ({ page, testFolder, editorServer, theme, language }, use) => {
		// Where a language pack would say so, the workbench looks; extensions are told what it finds.
		await page.addInitScript(name => {
			Object.assign(globalThis, { _VSCODE_NLS_LANGUAGE: name });
		}, language);
		const folder = join(testFolder, "workspace");
		await cp(sampleWorkspace, folder, { recursive: true });
		const address = workbenchAddress(editorServer, folder);
		await use(await openWorkbench(page, { address, folder, theme }));
	},
});

export { expect } from "@playwright/test";
