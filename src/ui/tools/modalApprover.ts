import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import { plainLabel } from "../../common/plainLabel.ts";
import type { ApprovalAnswer, ApprovalRequest, Approver } from "../../tools/gate/approvals.ts";

/** How much a dialogue shows below its question, in UTF-16 code units; its buttons must stay on the screen. */
const maxDetailLength = 2000;

/** Asks in a dialogue of the editor, whose default is to cancel; for calls that have no card in the chat. */
export const modalApprover: Approver = {
	ask: async (request: ApprovalRequest): Promise<ApprovalAnswer> => {
		const allow = l10n.t("Allow");
		const answer = await vscode.window.showWarningMessage(
			plainLabel(`${request.tool.title}: ${request.summary}`),
			{ modal: true, detail: detailOf(request) },
			allow,
		);
		const { fingerprint } = request;
		return answer === allow ? { type: "allow", fingerprint, scope: "once" } : { type: "deny" };
	},
};

/** States what is cut, and first, where nothing that a model wrote can come before it. */
function detailOf({ warnings, files, argumentsText }: ApprovalRequest): string {
	const text = [...warnings, ...files, argumentsText].join("\n");
	const shown = text.slice(0, maxDetailLength).replace(/[\uD800-\uDBFF]$/, "");
	const count = text.length - shown.length;
	return count === 0
		? text
		: `${l10n.t("The last {0} characters of this request aren't shown.", count)}\n\n${shown}…`;
}
