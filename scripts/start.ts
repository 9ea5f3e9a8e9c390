/** A program: `npm start` opens VS Code on the sample workspace with Cutaway in it. See `helpText`. */
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import {
	type DesktopEditor,
	findDesktopEditor,
	openDesktopEditor,
} from "../test/host/desktopEditor.ts";
import { ensureEditorBuild } from "../test/host/editorBuild.ts";
import { startEditorServer, workbenchAddress } from "../test/host/editorServer.ts";
import { provideUserSettings, serverUserFolder } from "../test/host/editorSettings.ts";
import { linkExtensions } from "../test/host/linkedExtensions.ts";
import { buildExtension } from "./build.ts";
import type { GuardedProcess } from "./guardedProcess.ts";
import { platformWithLlama } from "./llamaBuild.ts";
import { projectRoot, say } from "./project.ts";
import { provideSample, startFolder } from "./sample.ts";

/** Ports tried in turn, so that the address is the same from run to run and the browser knows its storage again. */
const defaultPorts = "4130-4139";

const helpText = `Usage: npm start -- [options]

Builds Cutaway for development and opens VS Code with it on a copy of the sample workspace: desktop VS Code when \`code\` is
on the path, otherwise VS Code in the browser, served from this machine. The editor runs what is built in dist/.
Ctrl+C ends everything that was started.

  --web            VS Code in the browser, even when there is a desktop VS Code
  --desktop        desktop VS Code, or an error when there is none
  --folder FOLDER  open this folder in place of the sample workspace
  --port PORT      port of VS Code in the browser; 0 takes any free one (default: the first free of ${defaultPorts})
  --no-open        print the address and open no browser
  --data FOLDER    keep user data, chats and the sample's copy here (default: .vscode-test/start)
  --fresh          forget user data, chats and changes to the sample first
  --help           this text`;

interface StartOptions {
	readonly isWeb: boolean;
	readonly isDesktop: boolean;
	readonly folder: string | undefined;
	readonly port: string;
	readonly opensBrowser: boolean;
	readonly dataFolder: string;
	readonly isFresh: boolean;
}

/** Reads the command line; undefined when only help was asked for. Throws one sentence on a wrong option. */
function readOptions(): StartOptions | undefined {
	const { values } = parseArgs({
		allowNegative: true,
		options: {
			web: { type: "boolean", default: false },
			desktop: { type: "boolean", default: false },
			folder: { type: "string" },
			port: { type: "string", default: defaultPorts },
			open: { type: "boolean", default: true },
			data: { type: "string", default: startFolder },
			fresh: { type: "boolean", default: false },
			help: { type: "boolean", default: false },
		},
	});
	if (values.help) {
		say(helpText);
		return undefined;
	}
	if (!/^\d{1,5}(-\d{1,5})?$/.test(values.port)) {
		throw new Error(`--port wants a number such as 4130, not ${values.port}.`);
	}
	if (values.folder !== undefined && !existsSync(values.folder)) {
		throw new Error(`--folder names ${values.folder}, which does not exist.`);
	}
	return {
		isWeb: values.web,
		isDesktop: values.desktop,
		folder: values.folder === undefined ? undefined : resolve(values.folder),
		port: values.port,
		opensBrowser: values.open,
		dataFolder: resolve(values.data),
		isFresh: values.fresh,
	};
}

/** Removes what earlier runs made, and nothing else: `--data` may name any folder. */
async function forget(dataFolder: string): Promise<void> {
	const made = ["server", "extensions", "desktop", "desktop-extensions", "workspace", "token"];
	await Promise.all(made.map(name => rm(join(dataFolder, name), { recursive: true, force: true })));
}

/** Folders of Cutaway, and of the helper that shows its chat when the window opens. */
const extensions = [projectRoot, join(import.meta.dirname, "sampleOpener")];

/** Builds Cutaway for development, with what runs models on this machine. */
async function build(): Promise<void> {
	await platformWithLlama();
	await buildExtension();
}

/** A token that stays the same from run to run, so that an open page and a bookmark stay good. */
async function provideToken(dataFolder: string): Promise<{ file: string; token: string }> {
	const file = join(dataFolder, "token");
	if (!existsSync(file)) {
		await writeFile(file, randomBytes(24).toString("hex"), { mode: 0o600 });
	}
	return { file, token: await readFile(file, "utf8") };
}

/** Opens the user's own browser where there is a screen to open it on. */
function openBrowser(address: string): void {
	const hasScreen =
		process.platform !== "linux" || process.env["DISPLAY"] || process.env["WAYLAND_DISPLAY"];
	if (!hasScreen || process.env["CI"]) {
		return;
	}
	const openers: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
		darwin: ["open", address],
		win32: ["rundll32", "url.dll,FileProtocolHandler", address],
	};
	const [command, ...args] = openers[process.platform] ?? ["xdg-open", address];
	const opener = spawn(command, args, { stdio: "ignore", detached: true });
	opener.on("error", () =>
		say(`Could not open a browser with ${command}; open the address above.`),
	);
	opener.unref();
}

/** Starts the editor's server; resolves with the line that tells of it and its address. */
async function startServer(
	options: StartOptions,
): Promise<{ server: Running; title: string; address: string }> {
	const editor = await ensureEditorBuild();
	const folders = {
		dataFolder: join(options.dataFolder, "server"),
		extensionsFolder: join(options.dataFolder, "extensions"),
	};
	await rm(folders.extensionsFolder, { recursive: true, force: true });
	await linkExtensions(folders.extensionsFolder, ...extensions);
	await provideUserSettings(serverUserFolder(folders.dataFolder));
	const { file, token } = await provideToken(options.dataFolder);
	const workspace = options.folder ?? (await provideSample(options.dataFolder));
	const server = await startEditorServer({
		build: editor,
		...folders,
		port: options.port,
		tokenFile: file,
	});
	return {
		server,
		title: `VS Code ${editor.version} with Cutaway runs on ${workspace}`,
		address: `${workbenchAddress(server, workspace)}&tkn=${token}`,
	};
}

async function startWeb(options: StartOptions): Promise<Running> {
	const [{ server, title, address }] = await Promise.all([startServer(options), build()]);
	say(`${title}\n\n  ${address}\n`);
	say("Ctrl+C ends it.");
	if (options.opensBrowser) {
		openBrowser(address);
	}
	return server;
}

async function startDesktop(options: StartOptions, editor: DesktopEditor): Promise<Running> {
	const folders = {
		userDataFolder: join(options.dataFolder, "desktop"),
		extensionsFolder: join(options.dataFolder, "desktop-extensions"),
	};
	const workspace = options.folder ?? (await provideSample(options.dataFolder));
	await build();
	const window = await openDesktopEditor(editor, folders, extensions, workspace);
	say(`Desktop VS Code with Cutaway runs on ${workspace}, in a profile of its own.`);
	say("Close the window or press Ctrl+C to end it.");
	return window;
}

/** What `npm start` has running, desktop or server. */
type Running = Pick<GuardedProcess, "ended" | "stop">;

/** Resolves when the user asks for the end: Ctrl+C, a signal, or the terminal (and npm with it) going away. */
function endAskedFor(): Promise<void> {
	const parent = process.ppid;
	return new Promise(done => {
		for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
			process.on(signal, () => done());
		}
		setInterval(() => {
			if (process.ppid !== parent) {
				done();
			}
		}, 1_000).unref();
	});
}

async function main(): Promise<void> {
	const options = readOptions();
	if (!options) {
		return;
	}
	const end = endAskedFor();
	// Until something runs that must be stopped in order, the end is simply the end.
	const state: { running?: Running } = {};
	void end.then(() => (state.running ? undefined : process.exit(130)));
	if (options.isFresh) {
		await forget(options.dataFolder);
	}
	await mkdir(options.dataFolder, { recursive: true });
	const editor = options.isWeb ? undefined : findDesktopEditor();
	if (options.isDesktop && !editor) {
		throw new Error("No desktop VS Code found: `code` is not on the path. Leave out --desktop.");
	}
	say("Building Cutaway …");
	const running = editor ? await startDesktop(options, editor) : await startWeb(options);
	state.running = running;
	await Promise.race([end, running.ended]);
	say("Ending …");
	await running.stop();
}

try {
	await main();
	process.exit();
} catch (error) {
	process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
	process.exit(1);
}
