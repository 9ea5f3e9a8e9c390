import * as vscode from "vscode";

/** Settings that a remote machine's own settings may set, by their scope in package.json. */
export const machineSettings: ReadonlySet<string> = new Set(["video.folder"]);

/** Parts of a user's value that VS Code's declarations leave out. */
interface ValuesByOrigin {
	readonly globalLocalValue?: unknown;
	/** The part of the remote machine, whose settings a repository's `devcontainer.json` writes. */
	readonly globalRemoteValue?: unknown;
}

/**
 * Returns a setting of Cutaway as the user wrote it, else its default; not validated. `name` is without `cutaway.`.
 *
 * The value that VS Code merges for `get` isn't used: a workspace's settings file changes it with a key below the setting's own, such as
 * `cutaway.tools.enabled.x`, whatever the setting's scope and in Restricted Mode too. `globalValue` is merged with a remote machine's settings in the
 * same way; then the user's own part alone counts, and undefined, which no schema accepts, if there is none.
 */
export function userSetting(name: string): unknown {
	const found: (ReturnType<vscode.WorkspaceConfiguration["inspect"]> & ValuesByOrigin) | undefined =
		vscode.workspace.getConfiguration("cutaway").inspect<unknown>(name);
	if (found?.globalRemoteValue !== undefined && !machineSettings.has(name)) {
		return found.globalLocalValue;
	}
	return found?.globalValue === undefined ? found?.defaultValue : found.globalValue;
}
