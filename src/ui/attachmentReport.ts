import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import { plainLabel } from "../common/plainLabel.ts";
import type { AddReport } from "../attachments/index.ts";

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
				"{0} holds no file to attach; links and what the settings or .gitignore exclude are passed over.",
				displayPath,
			),
		),
		...cut.map(({ displayPath, taken }) =>
			l10n.t(
				"{0} holds more files than may be attached at once; {1} of them are.",
				displayPath,
				taken,
			),
		),
		...(leftOut > 0
			? [
					leftOut === 1
						? l10n.t("1 file was left out, because the question holds as many as it may.")
						: l10n.t(
								"{0} files were left out, because the question holds as many as it may.",
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
		? l10n.t(
				"{0} could not go along, so the question was not sent. See above for why.",
				names[0] || l10n.t("An attachment"),
			)
		: l10n.t(
				"{0} attachments could not go along, so the question was not sent. See above for why.",
				names.length,
			);
}
