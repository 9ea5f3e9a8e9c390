import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import type { AddReport } from "../../attachments/contract/attachmentTray.ts";
import type { Attachment } from "../../attachments/contract/attachment.ts";
import { plainLabel } from "../../common/plainMarkdown.ts";
import { isConfirmed } from "../base/dialogs.ts";
import { describeWarnings } from "./attachmentView.ts";

/** The most files to name in a prompt; the others are counted. */
const maxNamed = 12;

/** Asks before reading files with secrets or outside the workspace, by their real paths. Closing the prompt declines. */
export async function askForConsent(attachments: readonly Attachment[]): Promise<boolean> {
	const [first] = attachments;
	if (!first) {
		return true;
	}
	const named = attachments
		.slice(0, maxNamed)
		.map(
			({ resolvedPath, displayPath, concerns }) =>
				`${resolvedPath ?? displayPath}\n${describeWarnings(concerns)}`,
		);
	const rest = attachments.length - named.length;
	return await isConfirmed(
		attachments.length === 1
			? l10n.t("Attach {0}?", first.name)
			: l10n.t("Attach these {0} files?", attachments.length),
		l10n.t("Attach"),
		[
			...named,
			...(rest > 0 ? [l10n.t("and {0} more", rest)] : []),
			l10n.t("Attachments are sent with your next message."),
		].join("\n\n"),
	);
}

/** Shows the invisible characters of an attachment as codes. */
export async function showHiddenText({ name, hidden }: Attachment): Promise<void> {
	if (hidden) {
		const detail = l10n.t(
			"Models read these characters although no editor shows them as text:\n\n{0}",
			hidden.shown,
		);
		await vscode.window.showInformationMessage(
			l10n.t("Hidden characters in {0}: {1}", name, hidden.count),
			{ modal: true, detail },
		);
	}
}

/** Shows how many of the chosen files weren't attached. */
export function sayWhatIsMissing(reports: readonly AddReport[]): void {
	const cut = reports.flatMap(({ folders }) => folders).filter(({ isCut }) => isCut);
	const leftOut = reports.reduce((sum, report) => sum + report.leftOut, 0);
	const empty = reports
		.flatMap(({ folders }) => folders)
		.filter(({ taken, isCut }) => taken === 0 && !isCut);
	const sentences = [
		...empty.map(({ displayPath }) =>
			l10n.t(
				"{0} has no files to attach. Links and files excluded by settings or .gitignore are skipped.",
				displayPath,
			),
		),
		...cut.map(({ displayPath, taken }) =>
			l10n.t(
				"{0} has more files than can be attached at once. {1} were attached.",
				displayPath,
				taken,
			),
		),
		...(leftOut > 0
			? [
					l10n.t("Files skipped: {0}.", leftOut),
					l10n.t("This message has the maximum number of attachments."),
				]
			: []),
	];
	if (sentences.length > 0) {
		void vscode.window.showWarningMessage(plainLabel(sentences.join(" ")));
	}
}
