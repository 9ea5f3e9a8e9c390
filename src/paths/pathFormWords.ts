import * as l10n from "@vscode/l10n";
import type { PathFormRefusal } from "./pathForm.ts";

const words: Readonly<Record<PathFormRefusal, () => string>> = {
	empty: () => l10n.t("The path is empty."),
	tooLong: () => l10n.t("The path is too long."),
	hiddenCharacter: () => l10n.t("The path contains hidden or control characters."),
	networkPath: () => l10n.t("Network paths are not allowed."),
	devicePath: () => l10n.t("Device paths are not allowed."),
	address: () => l10n.t("The path is an address. Use a path relative to the workspace."),
	homeFolder: () => l10n.t("The path must be relative to the workspace, not to the home folder."),
	relative: () => l10n.t("The path doesn't start at the root or a drive."),
	backslash: () => l10n.t("The path must be written with forward slashes."),
	alternateStream: () => l10n.t("The path must not name an alternate data stream."),
	invalidCharacter: () => l10n.t("The path contains a character that file names can't have."),
	reservedName: () => l10n.t("The path contains a name reserved for devices."),
	trailingDot: () => l10n.t("A name in the path ends with a dot or a space."),
	shortName: () => l10n.t("The path contains a short name. Use the full name."),
};

/** Describes the problem with a path, for the user. */
export function pathFormWords(refusal: PathFormRefusal): string {
	return words[refusal]();
}
