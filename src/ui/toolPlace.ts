/** What the window is open on. */
export interface ToolPlace {
	readonly isTrusted: boolean;
	/** The schemes of the workspace's folders; `file` is this machine. */
	readonly schemes: readonly string[];
}

/**
 * Why tools may not touch anything here, whoever wants it, as a sentence for the model and the person; undefined when they
 * may. Folders of this machine are all they ever work in. Fault matrix T31, L17.
 */
export function toolPlaceReason({ isTrusted, schemes }: ToolPlace): string | undefined {
	if (!isTrusted) {
		return "The workspace is in Restricted Mode.";
	}
	if (schemes.length === 0) {
		return "No folder is open.";
	}
	return schemes.includes("file")
		? undefined
		: "The workspace is virtual: its files are not on this machine.";
}
