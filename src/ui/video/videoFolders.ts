import { join } from "node:path";
import type * as vscode from "vscode";

/** Returns Cutaway's own folder for videos, shared by all windows. */
export function videosFolder(globalStorage: vscode.Uri): string {
	return join(globalStorage.fsPath, "videos");
}

export function videoRecordsFolder(globalStorage: vscode.Uri): string {
	return join(videosFolder(globalStorage), "records");
}
