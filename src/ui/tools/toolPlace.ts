import * as l10n from "@vscode/l10n";

/** Workspace of the window. */
export interface ToolWorkspace {
	readonly isTrusted: boolean;
	/** The schemes of the workspace's folders; `file` is this machine. */
	readonly schemes: readonly string[];
}

type Obstacle = "restricted" | "noFolder" | "virtual";

const wordsForModel: Readonly<Record<Obstacle, string>> = {
	restricted: "The workspace is in Restricted Mode.",
	noFolder: "No folder is open.",
	virtual: "The workspace is virtual: its files are not on this machine.",
};

const words: Readonly<Record<Obstacle, () => string>> = {
	restricted: () => l10n.t("The workspace is in Restricted Mode."),
	noFolder: () => l10n.t("No folder is open."),
	virtual: () => l10n.t("The workspace is virtual: its files are not on this machine."),
};

/** Folders of this machine are all that tools ever work in. Fault matrix T31, L17. */
function obstacleIn({ isTrusted, schemes }: ToolWorkspace): Obstacle | undefined {
	if (!isTrusted) {
		return "restricted";
	}
	return schemes.length === 0 ? "noFolder" : schemes.includes("file") ? undefined : "virtual";
}

/** Why tools may not touch anything here, whoever wants it, as a sentence for the model; undefined when they may. */
export function toolPlaceReason(place: ToolWorkspace): string | undefined {
	const obstacle = obstacleIn(place);
	return obstacle && wordsForModel[obstacle];
}

/** The same for the user, in the editor's language. */
export function toolPlaceMessage(place: ToolWorkspace): string | undefined {
	const obstacle = obstacleIn(place);
	return obstacle && words[obstacle]();
}
