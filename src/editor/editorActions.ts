import * as vscode from "vscode";
import type { EditorActions, VideoRequest } from "../tools/editorActions.ts";
import type { ResolveOptions } from "../tools/resolveTarget.ts";
import { applyChanges, mustBeChangeable } from "./applyEdit.ts";
import { problems } from "./diagnostics.ts";
import { activeDocument, openFiles, readText, showLines } from "./documents.ts";
import { gitDiff } from "./gitChanges.ts";
import { references, symbols } from "./languageFeatures.ts";
import { listFiles } from "./workspaceSearch.ts";

/** The editor as the tools see it. `generateVideo` submits a video and returns its id. */
export function createEditorActions(
	paths: () => ResolveOptions,
	generateVideo: (request: VideoRequest) => Promise<string>,
): EditorActions {
	return {
		activeDocument,
		openFiles,
		readText: target => readText(target, paths()),
		listFiles: (glob, limit, signal) => listFiles(glob, limit, signal, paths()),
		problems,
		symbols,
		references,
		gitDiff,
		mustBeChangeable: target => mustBeChangeable(target, paths()),
		change: changes => applyChanges(changes, paths()),
		open: showLines,
		ask,
		generateVideo,
	};
}

/** Asks in the editor's own input, which no text of the model can imitate; named as the model's question. */
async function ask(
	question: string,
	options: readonly string[],
	signal: AbortSignal,
): Promise<string | undefined> {
	const source = new vscode.CancellationTokenSource();
	const onAbort = (): void => source.cancel();
	signal.addEventListener("abort", onAbort, { once: true });
	const title = "The model asks";
	try {
		return options.length > 0
			? await vscode.window.showQuickPick(
					[...options],
					{ title, placeHolder: question, ignoreFocusOut: true },
					source.token,
				)
			: await vscode.window.showInputBox(
					{ title, prompt: question, ignoreFocusOut: true },
					source.token,
				);
	} finally {
		signal.removeEventListener("abort", onAbort);
		source.dispose();
	}
}
