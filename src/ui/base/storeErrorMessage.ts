import * as l10n from "@vscode/l10n";
import type { Banner } from "../../shared/chat.ts";
import type { StoreError } from "../../storage/fileSystem.ts";

/** Returns the banner for a chat that can't be saved, or undefined if there is no error. */
export function storeBanner(error: StoreError | undefined): Banner | undefined {
	return (
		error && {
			kind: "warning",
			text: storeErrorMessage(error),
			...(error.kind === "newer" ? { readOnly: l10n.t("Read-only: from a newer version") } : {}),
		}
	);
}

/** Returns the message for a chat that can't be saved: what is wrong, what is safe and what to do. docs/faults.md. */
export function storeErrorMessage({ kind, path }: Pick<StoreError, "kind" | "path">): string {
	switch (kind) {
		case "full":
			return l10n.t(
				"Can't save this chat: the disk is full. What was saved before is intact. Free up space, then ask again. ({0})",
				path,
			);
		case "readOnly":
			return l10n.t("Can't save this chat: no permission to write to its folder. ({0})", path);
		case "denied":
			return l10n.t("Can't save this chat: no permission to write to its folder. ({0})", path);
		case "heldElsewhere":
			return l10n.t("In use in another window. Read-only here. Start a new chat to ask.");
		case "damaged":
			return l10n.t("Parts of this chat couldn't be read. The original file is kept at {0}.", path);
		case "newer":
			return l10n.t(
				"This chat was written by a newer version of Cutaway. You can read it here; start a new chat to ask.",
			);
		case "missing":
			return l10n.t("The file of this chat is gone. Start a new chat to ask. ({0})", path);
		case "failed":
			return l10n.t(
				"Can't save this chat: the disk reported an error. What was saved before is intact. ({0})",
				path,
			);
	}
}
