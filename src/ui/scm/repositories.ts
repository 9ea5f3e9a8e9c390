import { basename, sep } from "node:path";
import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import { isAbortError } from "../../common/errors.ts";
import { type OpenRepository, openRepositories } from "../../editor/gitChanges.ts";
import { GitFailure } from "../../tools/contract/gitProcess.ts";

/**
 * Returns the repository whose title bar was clicked, the one that contains `path`, the only one, or the one the user chooses. Resolves to undefined
 * if the user cancels. Throws an error with a message for the user if none is open.
 */
export async function chooseRepository(
	clicked: unknown,
	path?: string,
): Promise<OpenRepository | undefined> {
	// The reasons are for a model; the user gets a general message.
	const repositories = await openRepositories().catch(() => []);
	const isClicked = ({ rootUri }: OpenRepository): boolean =>
		typeof clicked === "object" &&
		clicked !== null &&
		"rootUri" in clicked &&
		String(clicked.rootUri) === rootUri.toString();
	const holdsPath = ({ rootUri }: OpenRepository): boolean =>
		path?.startsWith(`${rootUri.fsPath}${sep}`) === true;
	const [first, ...others] = repositories;
	const known =
		repositories.find(isClicked) ??
		repositories
			.filter(holdsPath)
			.toSorted((one, other) => other.rootUri.fsPath.length - one.rootUri.fsPath.length)
			.at(0) ??
		(others.length === 0 ? first : undefined);
	if (known) {
		return known;
	}
	if (!first) {
		throw new Error(l10n.t("Git has no repository open in this window."));
	}
	const rows = repositories.map(repository => ({
		label: basename(repository.rootUri.fsPath),
		description: repository.rootUri.fsPath,
		repository,
	}));
	const chosen = await vscode.window.showQuickPick(rows, { title: l10n.t("Choose a Repository") });
	return chosen?.repository;
}

/** Rethrows a Git failure with a message for the user, and an abort as it is. */
export function rethrowGitFailure(error: unknown): never {
	if (isAbortError(error)) {
		throw error;
	}
	const isSlow = error instanceof GitFailure && error.reason === "timeout";
	throw new Error(
		isSlow
			? l10n.t("Git took longer than 20 seconds and was stopped.")
			: l10n.t("Git couldn't read the changes."),
		{ cause: error },
	);
}
