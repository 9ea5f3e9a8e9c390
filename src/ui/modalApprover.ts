import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import { plainLabel } from "../common/plainLabel.ts";
import type { ApprovalAnswer, ApprovalRequest, Approver } from "../tools/approvals.ts";

/** Asks in a dialogue of the editor, whose default is to cancel; for calls that have no card in the chat. */
export const modalApprover: Approver = {
	ask: async (request: ApprovalRequest): Promise<ApprovalAnswer> => {
		const detail = [...request.warnings, ...request.files, request.argumentsText]
			.join("\n")
			.slice(0, 2000);
		const allow = l10n.t("Allow");
		const answer = await vscode.window.showWarningMessage(
			plainLabel(`${request.tool.title}: ${request.summary}`),
			{ modal: true, detail },
			allow,
		);
		const { fingerprint } = request;
		return answer === allow ? { type: "allow", fingerprint, scope: "once" } : { type: "deny" };
	},
};
