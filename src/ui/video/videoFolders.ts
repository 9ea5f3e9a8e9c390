import { join } from "node:path";
import type * as vscode from "vscode";

/** Folder of everything about videos that is Cutaway's own, shared by all windows. */
export function videosFolder(globalStorage: vscode.Uri): string {
	return join(globalStorage.fsPath, "videos");
}

/** Folder of the job records. */
export function videoRecordsFolder(globalStorage: vscode.Uri): string {
	return join(videosFolder(globalStorage), "records");
}
