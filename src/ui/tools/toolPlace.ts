import * as l10n from "@vscode/l10n";

/** Workspace of the window. */
interface ToolWorkspace {
	readonly isTrusted: boolean;
	/** The schemes of the workspace's folders; `file` is this machine. */
	readonly schemes: readonly string[];
}

/**
 * Why tools may not touch anything here, whoever wants it, as a sentence for the user and the model; undefined when they may.
 * Folders of this machine are all that tools ever work in.
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
