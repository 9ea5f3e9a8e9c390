/**
 * An extension that makes an open window read the user's settings again when `settingsReader.written` changes in the machine's:
 * the window watches only those. `seen-settings` beside the file then holds the number of `settingsReader.read`.
 */
const { readFile, writeFile } = require("node:fs/promises");
const { dirname, join } = require("node:path");
const vscode = require("vscode");

exports.activate = context => {
	const folder = dirname(dirname(context.globalStorageUri.fsPath));
	const file = join(folder, "settings.json");
	// The window names its user data without an authority, and reads again what is written under that name.
	const name = vscode.Uri.file(file).with({ scheme: "vscode-remote" });
	context.subscriptions.push(
		vscode.workspace.onDidChangeConfiguration(async event => {
			if (event.affectsConfiguration("settingsReader.written")) {
				await vscode.workspace.fs.writeFile(name, await readFile(file));
			}
			if (event.affectsConfiguration("settingsReader.read")) {
				const read = vscode.workspace.getConfiguration("settingsReader").get("read");
				await writeFile(join(folder, "seen-settings"), String(read));
			}
		}),
	);
};
