import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import type { Attachment } from "../../attachments/index.ts";
import { describeConcerns } from "./attachmentView.ts";

/** How many files a question names; the rest is counted. */
const maxNamed = 12;

/**
 * Asks before files are read or sent that may hold secrets or lie outside the workspace. Shows where each really lies, links
 * resolved (T34). True for yes; closing the question is a no.
 */
export async function askForConsent(attachments: readonly Attachment[]): Promise<boolean> {
	const [first] = attachments;
	if (!first) {
		return true;
	}
	const named = attachments
		.slice(0, maxNamed)
		.map(
			({ resolvedPath, displayPath, concerns }) =>
				`${resolvedPath ?? displayPath}\n${describeConcerns(concerns)}`,
		);
	const rest = attachments.length - named.length;
	const attach = l10n.t("Attach");
	const choice = await vscode.window.showWarningMessage(
		attachments.length === 1
			? l10n.t("Attach {0}?", first.name)
			: l10n.t("Attach these {0} files?", attachments.length),
		{
			modal: true,
			detail: [
				...named,
				...(rest > 0 ? [l10n.t("and {0} more", rest)] : []),
				l10n.t("Attachments are sent with your next message."),
			].join("\n\n"),
		},
		attach,
	);
	return choice === attach;
}
