import { existsSync, realpathSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { provideUserSettings } from "./editorSettings.ts";
import { linkExtensions } from "./linkedExtensions.ts";
import { type GuardedProcess, startGuarded } from "../../scripts/guardedProcess.ts";

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

/**
 * Opens a folder in a profile apart from the user's, with the extensions of the folders `extensions` in it. The process lasts as
 * long as the window.
 */
export async function openDesktopEditor(
	editor: DesktopEditor,
	folders: EditorFolders,
	extensions: readonly string[],
	folder: string,
): Promise<GuardedProcess> {
	await provideUserSettings(join(folders.userDataFolder, "User"));
	await linkExtensions(folders.extensionsFolder, ...extensions);
	const args = [
		`--user-data-dir=${folders.userDataFolder}`,
		`--extensions-dir=${folders.extensionsFolder}`,
		"--disable-workspace-trust",
		"--new-window",
		"--wait",
		folder,
	];
	// Started through its command, VS Code runs on by itself; started directly it ends with this script.
	return startGuarded(editor.program ?? editor.command, args);
}
