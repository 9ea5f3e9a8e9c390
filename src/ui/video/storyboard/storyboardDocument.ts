import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import { maxPromptCharacters } from "../../../common/videoEngines.ts";
import type { IDisposable } from "../../../common/disposable.ts";
import { formatCount } from "../../../shared/locale.ts";
import type { VideoEndpoint } from "../../../video/job/videoJob.ts";
import { type ReadDocument, readSceneDocument } from "../../../video/storyboard/sceneDocument.ts";

let opened = 0;

/** Documents waiting for their command. Running the original command again in one has the same effect. */
const waiting = new Map<string, () => void>();

/**
 * Resolves to true when the user requests the videos of a storyboard's document, or false if it is closed first. Until then shows “Generate N Videos”
 * at its top, each scene's length, and faults as problems.
 */
export function untilGenerate(
	document: vscode.TextDocument,
	endpoint: () => VideoEndpoint,
	isFirst: boolean,
): Promise<boolean> {
	const key = document.uri.toString();
	const existing = waiting.get(key);
	if (existing || document.isClosed) {
		existing?.();
		return Promise.resolve(false);
	}
	const clicked = Promise.withResolvers<boolean>();
	waiting.set(key, () => clicked.resolve(true));
	return untilClicked(document, endpoint, isFirst, clicked).finally(() => waiting.delete(key));
}

async function untilClicked(
	document: vscode.TextDocument,
	endpoint: () => VideoEndpoint,
	isFirst: boolean,
	clicked: PromiseWithResolvers<boolean>,
): Promise<boolean> {
	const parts: IDisposable[] = [];
	const command = `cutaway.storyboardDocument.${++opened}`;
	const diagnostics = vscode.languages.createDiagnosticCollection("cutaway.storyboard");
	const changed = new vscode.EventEmitter<void>();
	const check = (): void => {
		const { faults } = readSceneDocument(document.getText());
		diagnostics.set(
			document.uri,
			faults.map(({ startLine, endLine, message }) => {
				const range = new vscode.Range(
					document.lineAt(startLine).range.start,
					document.lineAt(Math.min(endLine, document.lineCount - 1)).range.end,
				);
				const problem = new vscode.Diagnostic(range, message);
				problem.source = "Cutaway";
				return problem;
			}),
		);
		changed.fire();
	};
	parts.push(
		diagnostics,
		changed,
		vscode.commands.registerCommand(command, () => clicked.resolve(true)),
		vscode.languages.registerCodeLensProvider(
			{ scheme: document.uri.scheme },
			{
				onDidChangeCodeLenses: changed.event,
				provideCodeLenses: candidate =>
					candidate.uri.toString() === document.uri.toString()
						? lensesOf(readSceneDocument(candidate.getText()), command, endpoint().label)
						: [],
			},
		),
		vscode.workspace.onDidChangeTextDocument(event => event.document === document && check()),
		vscode.workspace.onDidCloseTextDocument(closed => {
			if (closed === document) {
				clicked.resolve(false);
			}
		}),
	);
	check();
	if (isFirst) {
		tellHow();
	}
	try {
		return await clicked.promise;
	} finally {
		parts.forEach(part => part.dispose());
	}
}

function tellHow(): void {
	void vscode.window.showInformationMessage(
		l10n.t(
			"Edit the scenes, then choose “Generate” at the top of the document. Nothing is sent before.",
		),
	);
}

/** Returns the code lenses: the command with the number of videos at the top, and the length at every scene. */
function lensesOf(
	{ scenes, places, faults }: ReadDocument,
	command: string,
	service: string,
): vscode.CodeLens[] {
	const top = new vscode.Range(0, 0, 0, 0);
	const seconds = scenes.reduce((sum, { duration }) => sum + duration, 0);
	const way =
		faults.length === 0
			? { title: `$(play) ${videosName(scenes.length)}`, command }
			: {
					title: `$(warning) ${faults.length === 1 ? l10n.t("Fix 1 problem first") : l10n.t("Fix {0} problems first", faults.length)}`,
					command: "workbench.actions.view.problems",
				};
	return [
		new vscode.CodeLens(top, way),
		new vscode.CodeLens(top, {
			title: l10n.t("{0} s in all, to {1}", seconds, service),
			command: "",
		}),
		...places.map(
			({ startLine, characters }) =>
				new vscode.CodeLens(new vscode.Range(startLine, 0, startLine, 0), {
					title: l10n.t(
						"{0} of {1} characters",
						formatCount(characters),
						formatCount(maxPromptCharacters),
					),
					command: "",
				}),
		),
	];
}

/** Returns “Generate 5 Videos”. */
export function videosName(count: number): string {
	return count === 1 ? l10n.t("Generate 1 Video") : l10n.t("Generate {0} Videos", count);
}
