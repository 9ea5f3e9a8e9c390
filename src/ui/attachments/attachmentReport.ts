import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import { plainLabel } from "../../common/plainLabel.ts";
import type { AddReport } from "../../attachments/index.ts";

/** Says how much of what was chosen is not attached. */
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
					leftOut === 1
						? l10n.t("1 file was skipped: this message has the maximum number of attachments.")
						: l10n.t(
								"{0} files were skipped: this message has the maximum number of attachments.",
								leftOut,
							),
				]
			: []),
	];
	if (sentences.length > 0) {
		void vscode.window.showWarningMessage(plainLabel(sentences.join(" ")));
	}
}

/** Says that attachments, of which these are the names, kept a question from being sent. */
export function blockedSentence(names: readonly string[]): string {
	return names.length === 1
		? l10n.t("Not sent: {0} couldn't be attached. See above.", names[0] || l10n.t("An attachment"))
		: l10n.t("Not sent: {0} attachments couldn't be attached. See above.", names.length);
}
