import * as l10n from "@vscode/l10n";
import type { PathFormRefusal } from "./pathForm.ts";
import type { SensitiveReason } from "./sensitivePaths.ts";

/** Why a path is refused. docs/security.md. */
export type PathRefusal =
	| PathFormRefusal
	| "outside"
	| "unknownFolder"
	| "danglingLink"
	| "linkLoop"
	| "notRegular"
	| "notFolder"
	| "isFolder"
	| "missing"
	| "exists"
	| "unreadable";

const words: Readonly<Record<PathRefusal, () => string>> = {
	empty: () => l10n.t("The path is empty."),
	tooLong: () => l10n.t("The path is too long."),
	hiddenCharacter: () => l10n.t("The path contains hidden or control characters."),
	networkPath: () => l10n.t("Network and device paths are not allowed."),
	devicePath: () => l10n.t("Network and device paths are not allowed."),
	address: () => l10n.t("The path is an address. Use a path relative to the workspace."),
	homeFolder: () => l10n.t("The path must be relative to the workspace, not to the home folder."),
	relative: () => l10n.t("The path doesn't start at the root or a drive."),
	backslash: () => l10n.t("The path must be written with forward slashes."),
	alternateStream: () => l10n.t("The path contains a name that files can't have."),
	invalidCharacter: () => l10n.t("The path contains a name that files can't have."),
	reservedName: () => l10n.t("The path contains a name that files can't have."),
	trailingDot: () => l10n.t("The path contains a name that files can't have."),
	shortName: () => l10n.t("The path contains a short name. Use the full name."),
	outside: () => l10n.t("The path isn't allowed: it leads out of the workspace."),
	unknownFolder: () =>
		l10n.t("With several workspace folders, the path must begin with the name of one."),
	danglingLink: () => l10n.t("The path isn't allowed: it goes through a broken link."),
	linkLoop: () => l10n.t("The path isn't allowed: it goes through a broken link."),
	notRegular: () => l10n.t("The path isn't allowed: it isn't a regular file."),
	notFolder: () => l10n.t("A part of the path is a file, not a folder."),
	isFolder: () => l10n.t("The path is a folder; a file is needed."),
	missing: () => l10n.t("This file doesn't exist."),
	exists: () => l10n.t("This path already exists."),
	unreadable: () => l10n.t("The path couldn't be checked."),
};

/** Returns the message for the user and the model. It reveals nothing about files outside the workspace. */
export function refusalWords(refusal: PathRefusal): string {
	return words[refusal]();
}

const sensitiveWords: Readonly<Record<SensitiveReason, (label: string) => string>> = {
	runsCode: label => l10n.t("{0} can decide what runs on this machine", label),
	instructsAgents: label => l10n.t("{0} tells AI agents what to do", label),
	secret: label => l10n.t("{0} may contain secrets", label),
	shortName: label => l10n.t("{0} may be the short name of another file", label),
};

/** Returns why a file needs the user's attention. docs/security.md. */
export function sensitiveFileMessage(reason: SensitiveReason, label: string): string {
	return sensitiveWords[reason](label);
}
