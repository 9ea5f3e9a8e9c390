import { basename } from "node:path";
import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";

/** Copies a file of Python's to a location that the user chooses, in the workspace by default. `path` is undefined if the file is gone. */
export async function saveFile(path: string | undefined, name: string): Promise<void> {
	if (path === undefined) {
		void vscode.window.showWarningMessage(
			l10n.t("{0} is no longer there. Run the code again to write it.", name),
		);
		return;
	}
	const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
	const safeName =
		name.replaceAll(/[/\\:*?"<>|\p{Cc}\p{Cf}]/gu, "_").replace(/^\.+$/, "_") || "file";
	const target = await vscode.window.showSaveDialog({
		title: l10n.t("Save File As"),
		saveLabel: l10n.t("Save"),
		...(folder ? { defaultUri: vscode.Uri.joinPath(folder, safeName) } : {}),
	});
	if (target) {
		await copyTo(vscode.Uri.file(path), target);
		void vscode.window.setStatusBarMessage(l10n.t("Saved {0}", basename(target.path)), 5000);
	}
}

/** Copies a file to where the user chose. The dialog has already asked about replacing an existing file. */
export async function copyTo(file: vscode.Uri, target: vscode.Uri): Promise<void> {
	const { fs } = vscode.workspace;
	if (target.scheme === file.scheme) {
		await fs.copy(file, target, { overwrite: true });
	} else {
		// In a browser, the file is created when it is chosen; it can be written but not replaced.
		await fs.writeFile(target, await fs.readFile(file));
	}
}
