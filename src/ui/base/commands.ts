import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import { type IDisposable, toDisposable } from "../../common/disposable.ts";
import { toError } from "../../common/errors.ts";
import type { Log } from "../../common/log.ts";
import { plainLabel } from "../../common/plainMarkdown.ts";

/** The ids of all commands; `manifest.test.ts` compares them with package.json. */
export const commandIds = [
	"cutaway.openChat",
	"cutaway.newChat",
	"cutaway.title.newChat",
	"cutaway.title.history",
	"cutaway.title.changedFiles",
	"cutaway.reloadChatView",
	"cutaway.showHistory",
	"cutaway.searchChats",
	"cutaway.renameChat",
	"cutaway.pinChat",
	"cutaway.archiveChat",
	"cutaway.deleteChat",
	"cutaway.duplicateChat",
	"cutaway.exportChat",
	"cutaway.summarizeChat",
	"cutaway.copyChat",
	"cutaway.importChat",
	"cutaway.askAboutSelection",
	"cutaway.explainSelection",
	"cutaway.fixSelection",
	"cutaway.documentSelection",
	"cutaway.writeTestsForSelection",
	"cutaway.attachFiles",
	"cutaway.reviewChanges",
	"cutaway.showFindings",
	"cutaway.applyFinding",
	"cutaway.dismissFinding",
	"cutaway.dismissFindings",
	"cutaway.generateCommitMessage",
	"cutaway.stopCommitMessage",
	"cutaway.goToQuestion",
	"cutaway.nextCodeBlock",
	"cutaway.previousCodeBlock",
	"cutaway.generateVideoFromSelection",
	"cutaway.generateVideo",
	"cutaway.generateVideoFromImage",
	"cutaway.generateVideoOfChange",
	"cutaway.generateStoryboard",
	"cutaway.showVideos",
	"cutaway.videos.filter",
	"cutaway.videos.openFolder",
	"cutaway.openSample",
	"cutaway.connect",
	"cutaway.useLocalService",
	"cutaway.chooseModel",
	"cutaway.chooseTools",
	"cutaway.chooseVideoEngine",
	"cutaway.diagnoseModels",
	"cutaway.deletePythonPackages",
	"cutaway.setApiKey",
	"cutaway.removeApiKey",
	"cutaway.checkService",
	"cutaway.showAccessibilityHelp",
	"cutaway.showLog",
] as const;

export type CommandId = (typeof commandIds)[number];

/**
 * Handlers of all commands. Omitting one is a type error. An argument is used only if it is an object that Cutaway created itself, such as a row of
 * its view, the target of a code action or the comment of a finding, the files of a VS Code menu, which are attached visibly, the repository of a
 * title bar, which must be open in Git, or the id of a question in the shown chat. So no caller can control a command.
 */
export type CommandTable = Readonly<Record<CommandId, (...args: readonly unknown[]) => unknown>>;

/** Registers the commands. A command that fails shows an error with a link to the log. */
export function registerCommands(table: CommandTable, log: Log): IDisposable {
	const registrations = commandIds.map(id =>
		vscode.commands.registerCommand(id, async (...args: readonly unknown[]) => {
			try {
				return await table[id](...args);
			} catch (error) {
				const { message } = toError(error);
				log.error("A command failed", { command: id, error: message });
				const choice = await vscode.window.showErrorMessage(
					plainLabel(l10n.t("Cutaway: {0}", message)),
					l10n.t("Show Log"),
				);
				if (choice) {
					await vscode.commands.executeCommand("cutaway.showLog");
				}
				return undefined;
			}
		}),
	);
	return toDisposable(() => registrations.forEach(registration => registration.dispose()));
}

/** Makes the URIs of texts with the same name unique. */
let shown = 0;

/** Shows a text in a read-only document without a file, which closes without a prompt. */
export async function showText(name: string, text: string): Promise<void> {
	shown += 1;
	const uri = vscode.Uri.from({
		scheme: "cutaway-report",
		path: `/${name.replaceAll(/[/\\]/g, " ")}`,
		query: String(shown),
	});
	const provider = vscode.workspace.registerTextDocumentContentProvider(uri.scheme, {
		provideTextDocumentContent: () => text,
	});
	try {
		const document = await vscode.workspace.openTextDocument(uri);
		await vscode.window.showTextDocument(document, { preview: true });
	} finally {
		provider.dispose();
	}
}
