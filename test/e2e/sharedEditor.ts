import { cp, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import {
	type Browser,
	type BrowserContextOptions,
	expect,
	type Frame,
	type Page,
} from "@playwright/test";
import { ensureEditorBuild } from "../host/editorBuild.ts";
import {
	type EditorServer,
	type EditorServerOptions,
	startEditorServer,
	workbenchAddress,
} from "../host/editorServer.ts";
import { type Settings, serverUserFolder } from "../host/editorSettings.ts";
import { makeCacheFolder, sampleWorkspace } from "../../scripts/project.ts";
import { hostTimeout, untilDone } from "./patience.ts";
import { themes } from "./themes.ts";
import { openWorkbench, type Workbench } from "./workbench.ts";

/** What tells one editor from another: tests that agree in all of it share one, each with its own settings. */
export interface EditorChoice {
	/** Left out for an editor that other tests may have, too. */
	readonly test?: string;
	readonly isRestricted: boolean;
	readonly language: string;
	readonly context: BrowserContextOptions;
}

function folderOfRun(variable: string): string {
	const folder = process.env[variable];
	if (!folder) {
		throw new Error("globalSetup.ts has not installed the extension.");
	}
	return folder;
}

/** What starts an editor without the parts that no journey meets. */
export function leanEditor(): Pick<
	EditorServerOptions,
	"builtInExtensionsFolder" | "graceSeconds" | "settings"
> {
	return {
		builtInExtensionsFolder: folderOfRun("CUTAWAY_E2E_BUILT_IN"),
		// A window that is reloaded on a busy machine may leave without notice, and its chats stay in use until its host ends.
		graceSeconds: 20,
		settings: { "chat.disableAIFeatures": true },
	};
}

/** Pressed between tests; nothing else has these keys. */
const resetKeys = "Control+Alt+Shift+F9";

const resetKeybinding = {
	key: "ctrl+alt+shift+f9",
	command: "runCommands",
	args: {
		commands: [
			"workbench.action.closeQuickOpen",
			"notifications.clearAll",
			"workbench.action.closePanel",
			"workbench.action.closeAllEditors",
			"cutaway.newChat",
		],
	},
};

/** An editor with a server, a folder and a window of its own, which tests have one after the other. */
export class SharedEditor {
	/** Folder for user data and the open workspace; gone when the editor is. */
	readonly folder: string;
	readonly server: EditorServer;
	private readonly choice: EditorChoice;
	private opened: { readonly page: Page; readonly workbench: Workbench } | undefined;
	/** How often the open window took up settings. */
	private written = 0;

	private constructor(choice: EditorChoice, folder: string, server: EditorServer) {
		this.choice = choice;
		this.folder = folder;
		this.server = {
			...server,
			writeSettings: changed => server.writeSettings({ ...leanEditor().settings, ...changed }),
		};
	}

	static async start(choice: EditorChoice): Promise<SharedEditor> {
		const folder = await mkdtemp(join(await makeCacheFolder("runs"), "e2e-editor-"));
		await cp(sampleWorkspace, join(folder, "workspace"), { recursive: true });
		const dataFolder = join(folder, "data");
		const server = await startEditorServer({
			...leanEditor(),
			build: await ensureEditorBuild(),
			dataFolder,
			extensionsFolder: folderOfRun("CUTAWAY_E2E_EXTENSIONS"),
			asksForTrust: choice.isRestricted,
		});
		await writeFile(
			join(serverUserFolder(dataFolder), "keybindings.json"),
			JSON.stringify([resetKeybinding]),
		);
		return new SharedEditor(choice, folder, server);
	}

	/** The window with these settings, open on a copy of the sample workspace; as a new one is, also when another test had it before. */
	async window(browser: Browser, settings: Settings): Promise<Workbench> {
		const all = { "workbench.colorTheme": themes.dark, ...settings };
		if (this.opened) {
			const { page, workbench } = this.opened;
			await this.changeSettings(all);
			await this.reset(page, workbench);
			return workbench;
		}
		await this.server.writeSettings(all);
		const context = await browser.newContext(this.choice.context);
		context.setDefaultTimeout(60_000);
		context.setDefaultNavigationTimeout(hostTimeout);
		// Where a language pack would say so, the workbench looks; extensions are told what it finds.
		await context.addInitScript(name => {
			Object.assign(globalThis, { _VSCODE_NLS_LANGUAGE: name });
		}, this.choice.language);
		const page = await context.newPage();
		const folder = join(this.folder, "workspace");
		const address = workbenchAddress(this.server, folder);
		const workbench = await openWorkbench(page, { address, folder, theme: "dark" });
		this.opened = { page, workbench };
		return workbench;
	}

	/** Ends the window and the server, and removes all that they wrote. */
	async stop(): Promise<void> {
		await this.opened?.page.context().close();
		await this.server.stop();
		await rm(this.folder, { recursive: true, force: true, maxRetries: 3 });
	}

	/** Makes the open window take up settings; `settingsReader` writes a file when it has. */
	private async changeSettings(settings: Settings): Promise<void> {
		this.written += 1;
		const counted = { "settingsReader.written": this.written, "settingsReader.read": this.written };
		await this.server.writeSettings({ ...settings, ...counted });
		const seen = join(serverUserFolder(join(this.folder, "data")), "seen-settings");
		await expect
			.poll(() => readFile(seen, "utf8").catch(() => ""), { timeout: hostTimeout })
			.toBe(String(this.written));
	}

	/** Puts back what a user could: chats, videos, editors, notifications and the folder's files. */
	private async reset(page: Page, workbench: Workbench): Promise<void> {
		for (const other of page.context().pages()) {
			if (other !== page) {
				await other.close();
			}
		}
		await page.bringToFront();
		await restoreFolder(workbench.folder);
		const dialog = page.locator(".monaco-dialog-box");
		const discard = dialog.getByRole("button", { name: "Don't Save", exact: true });
		await untilDone(async timeout => {
			if ((await dialog.count()) > 0) {
				await page.keyboard.press("Escape");
			}
			await page.keyboard.press(resetKeys);
			const tabs = page.locator(".tabs-container .tab");
			await expect(async () => {
				if (await discard.isVisible()) {
					await discard.click({ timeout });
				}
				expect(await tabs.count()).toBe(0);
			}).toPass({ timeout });
			const chat = await workbench.chatFrame();
			await expect(chat.getByRole("article")).toHaveCount(0, { timeout });
			await emptyMessage(chat, timeout);
			await expect(chat.locator(".composer-text")).toBeFocused({ timeout });
			await expect(workbench.notifications()).toHaveCount(0, { timeout });
		});
		await forgetWork(join(serverUserFolder(join(this.folder, "data")), "globalStorage"));
		await restoreFolder(workbench.folder);
	}
}

/** Takes the words and files out of a message that was not sent, and puts its switches back: an empty chat keeps them. */
async function emptyMessage(chat: Frame, timeout: number): Promise<void> {
	const files = chat.getByRole("list", { name: "Attachments", exact: true });
	const remove = files.getByRole("button", { name: /^Remove / });
	for (let count = await remove.count(); count > 0; count--) {
		await remove.first().click({ timeout });
		await expect(remove).toHaveCount(count - 1, { timeout });
	}
	for (const name of ["Code interpreter", "Browsing"]) {
		const tool = chat.getByRole("switch", { name, exact: true });
		if ((await tool.count()) > 0 && (await tool.isChecked())) {
			await tool.click({ timeout });
			await expect(tool).not.toBeChecked({ timeout });
		}
	}
	await chat.locator(".composer-text").fill("", { timeout });
}

/** Deletes chats and videos as another window would. */
async function forgetWork(globalStorage: string): Promise<void> {
	const own = join(globalStorage, "cutaway.cutaway");
	const videos = join(own, "videos");
	for (const folder of [join(own, "chats"), join(videos, "records"), join(videos, "clips")]) {
		const names = await readdir(folder).catch(() => []);
		const kept = names.filter(name => /\.(jsonl?|webm|webp)$/.test(name));
		await Promise.all(kept.map(name => rm(join(folder, name), { force: true })));
	}
}

/** Files of a folder by their relative paths. */
async function filesIn(folder: string): Promise<readonly string[]> {
	const entries = await readdir(folder, { recursive: true, withFileTypes: true });
	return entries
		.filter(entry => !entry.isDirectory())
		.map(entry => relative(folder, join(entry.parentPath, entry.name)));
}

/** Makes the folder hold what the sample does, and touches no file that is as it was. */
async function restoreFolder(folder: string): Promise<void> {
	const wanted = new Set(await filesIn(sampleWorkspace));
	const extra = (await filesIn(folder)).filter(path => !wanted.has(path));
	const top = (path: string): string => path.split(/[\\/]/)[0] ?? path;
	const known = new Set([...wanted].map(top));
	// A folder that only a test made goes whole.
	const gone = new Set(extra.map(path => (known.has(top(path)) ? path : top(path))));
	await Promise.all(
		[...gone].map(path => rm(join(folder, path), { recursive: true, force: true })),
	);
	for (const path of wanted) {
		const bytes = await readFile(join(sampleWorkspace, path));
		const own = await readFile(join(folder, path)).catch(() => undefined);
		if (own?.equals(bytes) !== true) {
			await cp(join(sampleWorkspace, path), join(folder, path), { recursive: true });
		}
	}
}

/** The editors of a worker: those that tests may share are kept, one of a single test ends with the next test. */
export class EditorHolder {
	private readonly shared = new Map<string, SharedEditor>();
	private own: { readonly key: string; readonly editor: SharedEditor } | undefined;

	async take(choice: EditorChoice): Promise<SharedEditor> {
		const key = JSON.stringify(choice);
		if (this.own?.key === key) {
			return this.own.editor;
		}
		await this.stopOwn();
		const editor = this.shared.get(key) ?? (await SharedEditor.start(choice));
		if (choice.test === undefined) {
			this.shared.set(key, editor);
		} else {
			this.own = { key, editor };
		}
		return editor;
	}

	async stop(): Promise<void> {
		await this.stopOwn();
		await Promise.all([...this.shared.values()].map(editor => editor.stop()));
		this.shared.clear();
	}

	private async stopOwn(): Promise<void> {
		const { own } = this;
		this.own = undefined;
		await own?.editor.stop();
	}
}
