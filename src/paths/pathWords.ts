import * as l10n from "@vscode/l10n";
import { pathFormMessages } from "./pathForm.ts";
import { pathFormWords } from "./pathFormWords.ts";
import type { SensitiveReason } from "./sensitivePaths.ts";
import type { PathRefusal } from "./pathMessages.ts";

const words: Readonly<Record<Exclude<PathRefusal, keyof typeof pathFormMessages>, () => string>> = {
	outside: () => l10n.t("The path isn't allowed: it leads out of the workspace."),
	unknownFolder: () =>
		l10n.t("With several workspace folders, the path must begin with the name of one."),
	danglingLink: () => l10n.t("The path isn't allowed: it goes through a broken link."),
	linkLoop: () => l10n.t("The path isn't allowed: it goes through a loop of links."),
	notRegular: () => l10n.t("The path isn't allowed: it isn't a regular file."),
	notFolder: () => l10n.t("A part of the path is a file, not a folder."),
	isFolder: () => l10n.t("The path is a folder; a file is needed."),
	missing: () => l10n.t("This file doesn't exist."),
	exists: () => l10n.t("This path already exists."),
	unreadable: () => l10n.t("The path couldn't be checked."),
};

/** Why a path was refused, for the user who typed it. */
export function refusalWords(refusal: PathRefusal): string {
	return isOfForm(refusal) ? pathFormWords(refusal) : words[refusal]();
}

function isOfForm(refusal: PathRefusal): refusal is keyof typeof pathFormMessages {
	return refusal in pathFormMessages;
}

const sensitiveWords: Readonly<Record<SensitiveReason, (label: string) => string>> = {
	runsCode: label => l10n.t("{0} can decide what runs on this machine", label),
	instructsAgents: label => l10n.t("{0} tells AI agents what to do", label),
	secret: label => l10n.t("{0} may contain secrets", label),
	shortName: label => l10n.t("{0} may be the short name of another file", label),
};

/** Why a file needs a user's eye. docs/security.md. */
export function sensitiveFileMessage(reason: SensitiveReason, label: string): string {
	return sensitiveWords[reason](label);
}
