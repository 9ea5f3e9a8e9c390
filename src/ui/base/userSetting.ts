import * as vscode from "vscode";

/**
 * Returns a setting of Cutaway as the user wrote it, else its default; not validated. `name` is without `cutaway.`.
 *
 * The value that VS Code merges for `get` isn't used: a workspace's settings file changes it with a key below the setting's own, such as
 * `cutaway.tools.enabled.x`, whatever the setting's scope and in Restricted Mode too.
 */
export function userSetting(name: string): unknown {
	const found = vscode.workspace.getConfiguration("cutaway").inspect<unknown>(name);
	return found?.globalValue === undefined ? found?.defaultValue : found.globalValue;
}
