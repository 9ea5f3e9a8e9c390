import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import { formatCount } from "../../../shared/locale.ts";
import { maxPromptCharacters } from "../../../common/videoEngines.ts";
import { measurePrompt, shortenPrompt, tooLongMessage } from "./videoPrompt.ts";

/** Asks for a prompt in one line, with `start` as the initial text. Resolves to undefined if the user cancels. */
export async function askPrompt(start = ""): Promise<string | undefined> {
	const prompt = await vscode.window.showInputBox({
		title: l10n.t("Generate Video"),
		prompt: l10n.t("Describe the video, then press Enter"),
		placeHolder: l10n.t("A paper boat on a quiet river at dawn"),
		value: start,
		ignoreFocusOut: true,
		validateInput: text => {
			const length = measurePrompt(text.trim(), maxPromptCharacters);
			return length.excess > 0 ? tooLongMessage(length, maxPromptCharacters) : undefined;
		},
	});
	return prompt === undefined || prompt.trim() === "" ? undefined : prompt.trim();
}

/**
 * Returns a prompt within the service's limit. A longer one is never cut silently: the user can edit it in an editor or have it shortened at a
 * suitable place. Resolves to undefined if the user cancels or edits.
 */
export async function fitPrompt(
	prompt: string,
	onEdit: (prompt: string) => Promise<void>,
): Promise<string | undefined> {
	const short = shortenPrompt(prompt, maxPromptCharacters);
	if (!short) {
		return prompt.trim();
	}
	const shorten = shortenings[short.end]();
	const edit = l10n.t("Edit");
	const { characters } = measurePrompt(short.text, maxPromptCharacters);
	const choice = await vscode.window.showWarningMessage(
		tooLongMessage(measurePrompt(prompt, maxPromptCharacters), maxPromptCharacters),
		{
			modal: true,
			detail: l10n.t(
				"Shortened, it has {0} characters and ends with:\n\n“…{1}”",
				formatCount(characters),
				short.text.slice(-160).trimStart(),
			),
		},
		shorten,
		edit,
	);
	if (choice === edit) {
		await onEdit(prompt);
		return undefined;
	}
	return choice === undefined ? undefined : short.text;
}

/** Labels by where the shortened prompt would end. Text without sentences has no sentence end. */
const shortenings = {
	change: () => l10n.t("Leave Out the Last Changes"),
	sentence: () => l10n.t("Shorten at a Sentence End"),
	line: () => l10n.t("Shorten at a Line End"),
	word: () => l10n.t("Shorten at a Word"),
	character: () => l10n.t("Cut at the Limit"),
} as const;
