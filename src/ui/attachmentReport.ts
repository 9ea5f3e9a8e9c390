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
		...empty.map(
			({ displayPath }) =>
				`${displayPath} holds no file to attach; links and what the settings or .gitignore exclude are passed over.`,
		),
		...cut.map(
			({ displayPath, taken }) =>
				`${displayPath} holds more files than may be attached at once; ${taken} of them are.`,
		),
		...(leftOut > 0
			? [
					`${leftOut === 1 ? "1 file was" : `${leftOut} files were`} left out, because the question holds as many as it may.`,
				]
			: []),
	];
	if (sentences.length > 0) {
		void vscode.window.showWarningMessage(plainLabel(sentences.join(" ")));
	}
}
