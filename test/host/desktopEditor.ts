import { execFile } from "node:child_process";
import { existsSync, realpathSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";
import { provideUserSettings } from "./editorSettings.ts";
import { type GuardedProcess, startGuarded } from "../../scripts/guardedProcess.ts";

const run = promisify(execFile);

/** A desktop VS Code on this machine. */
export interface DesktopEditor {
	/** Absolute path of the `code` command. */
	readonly command: string;
	/** Absolute path of the program itself, or undefined where the command does not tell, as in a snap. */
	readonly program: string | undefined;
}

/** Where an editor keeps what it needs. */
export interface EditorFolders {
	readonly userDataFolder: string;
	readonly extensionsFolder: string;
}

/** The program behind a `code` command: next to its `bin` folder, on macOS deeper inside the bundle. */
function programOf(command: string): string | undefined {
	const bin = dirname(realpathSync(command));
	const candidates: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
		darwin: ["../../../MacOS/Electron", "../../../MacOS/Code"],
		win32: ["../Code.exe"],
		linux: ["../code"],
	};
	return (candidates[process.platform] ?? [])
		.map(candidate => join(bin, candidate))
		.find(candidate => existsSync(candidate));
}

/** Finds desktop VS Code by its `code` command on the path; a remote terminal's `code` is no desktop. */
export function findDesktopEditor(): DesktopEditor | undefined {
	if (process.env["VSCODE_IPC_HOOK_CLI"] || process.env["WSL_DISTRO_NAME"]) {
		return undefined;
	}
	const name = process.platform === "win32" ? "code.cmd" : "code";
	const command = (process.env["PATH"] ?? "")
		.split(delimiter)
		.filter(Boolean)
		.map(folder => join(folder, name))
		.find(path => existsSync(path));
	return command === undefined ? undefined : { command, program: programOf(command) };
}

function folderArguments(folders: EditorFolders): string[] {
	return [
		`--user-data-dir=${folders.userDataFolder}`,
		`--extensions-dir=${folders.extensionsFolder}`,
	];
}

/** Runs the `code` command to its end; on Windows it is a batch file, which only a shell runs, with paths quoted. */
async function runCommand(command: string, args: readonly string[]): Promise<void> {
	if (process.platform === "win32") {
		await run([command, ...args].map(part => `"${part}"`).join(" "), { shell: true });
	} else {
		await run(command, args);
	}
}

/**
 * Installs packages into folders of their own, apart from the user's profile, and opens a folder there. The process
 * lasts as long as the window. Throws when the editor refuses a package.
 */
export async function openDesktopEditor(
	editor: DesktopEditor,
	folders: EditorFolders,
	packages: readonly string[],
	folder: string,
): Promise<GuardedProcess> {
	await provideUserSettings(join(folders.userDataFolder, "User"));
	const shared = folderArguments(folders);
	const installs = packages.map(vsix => `--install-extension=${vsix}`);
	await runCommand(editor.command, [...shared, "--force", ...installs]);
	const args = [...shared, "--disable-workspace-trust", "--new-window", "--wait", folder];
	// Started through its command, VS Code runs on by itself; started directly it ends with this script.
	return startGuarded(editor.program ?? editor.command, args);
}
