import * as vscode from "vscode";
import type { ClipLooks } from "../../common/clipLooks.ts";
import type { Settings } from "../base/settings.ts";

/** The looks of a clip that is asked for now: the shape in the settings, and the tab size of the editor in front. */
export function readClipLooks(settings: Pick<Settings, "get">): ClipLooks {
	return { shape: settings.get("localService.video.shape"), tabSize: tabSize() };
}

const maxTabSize = 16;

function tabSize(): number {
	const size: unknown =
		vscode.window.activeTextEditor?.options.tabSize ??
		vscode.workspace.getConfiguration("editor").get("tabSize");
	return typeof size === "number" && Number.isInteger(size) && size >= 1
		? Math.min(size, maxTabSize)
		: 4;
}
