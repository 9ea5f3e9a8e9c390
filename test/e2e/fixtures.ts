import { test as base } from "@playwright/test";
import type { EditorServer } from "../host/editorServer.ts";
import {
	asService,
	type ScriptedModel,
	startScriptedModel,
	throughLocalService,
} from "../helpers/scriptedModel.ts";
import { EditorHolder, type SharedEditor } from "./sharedEditor.ts";
import type { Workbench } from "./workbench.ts";

/** What a test, a group or a file may choose with `test.use`. Tests that differ in settings alone share one window. */
export interface WorkbenchOptions {
	/** User settings on top of a dark theme and of those that keep the workbench quiet. */
	readonly settings: Readonly<Record<string, unknown>>;
	/** Opens the folder in Restricted Mode. */
	readonly isRestricted: boolean;
	/** The editor's display language; the workbench's own words stay English, as no language pack is installed. */
	readonly language: string;
	/** Gives each test a server and a window that no other has: for what a reset between tests cannot put back. */
	readonly isAlone: boolean;
}

/** What a test is given. */
export interface WorkbenchFixtures {
	/** Folder for user data and the open workspace. */
	readonly testFolder: string;
	/** An editor server with the packaged extension installed. */
	readonly editorServer: EditorServer;
	/** The window, open on a copy of the sample workspace, as a new one is. */
	readonly workbench: Workbench;
	/** The model that answers as the test says; settings name it in `modelTest` and `serviceTest`. */
	readonly model: ScriptedModel;
}

interface Shared {
	readonly editor: SharedEditor;
}

interface OfWorker {
	readonly holder: EditorHolder;
	readonly modelOfWorker: ScriptedModel;
}

/** Playwright's `test` with a VS Code for each choice of options, which its tests have one after the other. */
export const test = base.extend<WorkbenchOptions & WorkbenchFixtures & Shared, OfWorker>({
	settings: [{}, { option: true }],
	isRestricted: [false, { option: true }],
	language: ["en", { option: true }],
	isAlone: [false, { option: true }],
	viewport: { width: 1400, height: 900 },
	// Lets a window use the clipboard while another of the same browser is in front.
	permissions: ["clipboard-read", "clipboard-write"],

	holder: [
		// oxlint-disable-next-line no-empty-pattern -- Playwright reads the pattern to learn what a fixture needs.
		async ({}, use) => {
			const holder = new EditorHolder();
			await use(holder);
			await holder.stop();
		},
		{ scope: "worker" },
	],

	modelOfWorker: [
		// oxlint-disable-next-line no-empty-pattern -- Playwright reads the pattern to learn what a fixture needs.
		async ({}, use) => {
			const model = await startScriptedModel();
			await use(model);
			await model.stop();
		},
		{ scope: "worker" },
	],

	model: async ({ modelOfWorker }, use) => {
		modelOfWorker.reset();
		await use(modelOfWorker);
	},

	editor: async (
		{ holder, isRestricted, language, isAlone, viewport, permissions },
		use,
		testInfo,
	) => {
		const editor = await holder.take({
			...(isAlone ? { test: testInfo.testId } : {}),
			isRestricted,
			language,
			context: {
				viewport,
				...(permissions ? { permissions } : {}),
			},
		});
		await use(editor);
		if (testInfo.status !== testInfo.expectedStatus) {
			const output = editor.server.output();
			await testInfo.attach("editor server", { body: output, contentType: "text/plain" });
		}
	},

	testFolder: ({ editor }, use) => use(editor.folder),
	editorServer: ({ editor }, use) => use(editor.server),
	workbench: async ({ editor, browser, settings }, use) =>
		use(await editor.window(browser, settings)),
});

/** The same with the scripted model behind the local service, which draws clips and runs Python. */
export const modelTest = test.extend({
	settings: ({ model }, use) => use(throughLocalService(model)),
});

/** The same with the scripted model as a service of the interface. */
export const serviceTest = test.extend({
	settings: ({ model }, use) => use(asService(model)),
});

export { expect } from "@playwright/test";
