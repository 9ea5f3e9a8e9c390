import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import { revealHidden, revealInLine } from "../common/hiddenText.ts";
import { plainLabel } from "../common/plainLabel.ts";
import type { EditorActions, VideoRequest } from "../tools/tool/index.ts";
import type { ResolveOptions } from "../paths/index.ts";
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

/**
 * Asks in the editor's own input, which no text of the model can imitate; named as the model's question. Its text makes no
 * link, command or icon there (threat T29).
 */
async function ask(
	question: string,
	options: readonly string[],
	signal: AbortSignal,
): Promise<string | undefined> {
	const source = new vscode.CancellationTokenSource();
	const onAbort = (): void => source.cancel();
	signal.addEventListener("abort", onAbort, { once: true });
	const title = l10n.t("The model asks");
	try {
		if (options.length === 0) {
			const prompt = plainLabel(revealHidden(question));
			return await vscode.window.showInputBox(
				{ title, prompt, ignoreFocusOut: true },
				source.token,
			);
		}
		const picked = await vscode.window.showQuickPick(
			options.map(option => ({ label: plainLabel(revealInLine(option)), option })),
			{ title, placeHolder: revealHidden(question), ignoreFocusOut: true },
			source.token,
		);
		return picked?.option;
	} finally {
		signal.removeEventListener("abort", onAbort);
		source.dispose();
	}
}
