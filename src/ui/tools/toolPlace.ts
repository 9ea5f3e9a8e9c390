import * as l10n from "@vscode/l10n";

interface ToolWorkspace {
	readonly isTrusted: boolean;
	/** The schemes of the workspace folders; `file` is this machine. */
	readonly schemes: readonly string[];
}

/**
 * Returns why tools can't change anything in the workspace, as a sentence for the user and the model; undefined if they can. Tools work in local
 * folders only.
 */
export function toolPlaceMessage({ isTrusted, schemes }: ToolWorkspace): string | undefined {
	if (!isTrusted) {
		return l10n.t("The workspace is in Restricted Mode.");
	}
	if (schemes.length === 0) {
		return l10n.t("No folder is open.");
	}
	return schemes.includes("file")
		? undefined
		: l10n.t("The workspace is virtual: its files are not on this machine.");
}
