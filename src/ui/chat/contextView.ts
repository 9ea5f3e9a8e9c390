import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import { type ContextPart, contextParts, type ContextUse } from "../../chat/chatRequest.ts";
import type { ComposerView } from "../../shared/chat.ts";
import { formatCount } from "../../shared/locale.ts";

export function contextView(use: ContextUse | undefined): Pick<ComposerView, "context"> {
	return use ? { context: { percent: percentOf(use), label: labelOf(use) } } : {};
}

function percentOf({ taken, contextLength }: ContextUse): number {
	return Math.min(100, Math.round((taken / contextLength) * 100));
}

function labelOf(use: ContextUse): string {
	const length = formatCount(use.contextLength);
	return use.isReported
		? l10n.t("Context: {0}% of {1} tokens used", percentOf(use), length)
		: l10n.t("Context: about {0}% of {1} tokens used", percentOf(use), length);
}

export type ContextChoice = "summarize" | "chooseModel";

/** Shows what uses the context, with actions that free it. */
export async function showContextUse(use: ContextUse): Promise<ContextChoice | undefined> {
	const rows = contextParts
		.filter(part => use.parts[part] > 0)
		.map(part => ({
			label: contextPartLabel(part),
			description: l10n.t("about {0} tokens", formatCount(use.parts[part])),
		}));
	const separator = { label: "", kind: vscode.QuickPickItemKind.Separator };
	const ways: readonly (vscode.QuickPickItem & { readonly choice: ContextChoice })[] = [
		{
			label: `$(fold) ${l10n.t("Summarize and Go On")}`,
			detail: l10n.t(
				"Asks the model for a summary and starts a new chat with it. This chat stays as it is.",
			),
			choice: "summarize",
		},
		{
			label: `$(arrow-swap) ${l10n.t("Choose Model…")}`,
			detail: l10n.t("Another model may have a longer context."),
			choice: "chooseModel",
		},
	];
	const chosen = await vscode.window.showQuickPick<
		vscode.QuickPickItem & { readonly choice?: ContextChoice }
	>([...ways, separator, ...rows], {
		title: l10n.t("{0} of {1} tokens", formatCount(use.taken), formatCount(use.contextLength)),
		placeHolder: use.isReported
			? l10n.t("Reported by the model's server for the last answer")
			: l10n.t("Estimated by the length of the text"),
	});
	return chosen?.choice;
}

function contextPartLabel(part: ContextPart): string {
	const words: Record<ContextPart, string> = {
		messages: l10n.t("Messages"),
		results: l10n.t("Results of tools"),
		tools: l10n.t("Offered tools"),
		instructions: l10n.t("Instructions"),
	};
	return words[part];
}
