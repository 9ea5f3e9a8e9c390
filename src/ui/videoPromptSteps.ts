import * as vscode from "vscode";
import { maxPromptCharacters } from "../client/index.ts";
import { measurePrompt, shortenPrompt, tooLongSentence } from "./videoPrompt.ts";
import { editPrompt } from "./videoPromptDocument.ts";

/** Asks for a prompt in one line; `start` stands in the box. Undefined when the person leaves. */
export async function askPrompt(start = ""): Promise<string | undefined> {
	const prompt = await vscode.window.showInputBox({
		title: "Generate Video",
		prompt: "Describe the video, then press Enter",
		placeHolder: "A paper boat on a quiet river at dawn",
		value: start,
		ignoreFocusOut: true,
		validateInput: text => {
			const length = measurePrompt(text.trim(), maxPromptCharacters);
			return length.excess > 0 ? tooLongSentence(length, maxPromptCharacters) : undefined;
		},
	});
	return prompt === undefined || prompt.trim() === "" ? undefined : prompt.trim();
}

/**
 * A prompt the service takes. One that is too long is never cut silently: the person hears how long it is, and edits it in an
 * editor or has it shortened where it reads best. Undefined when the person leaves or edits.
 */
export async function fitPrompt(
	prompt: string,
	onEdited: (prompt: string) => unknown,
): Promise<string | undefined> {
	const short = shortenPrompt(prompt, maxPromptCharacters);
	if (!short) {
		return prompt.trim();
	}
	const { button, said } = shortenings[short.end];
	const { characters } = measurePrompt(short.text, maxPromptCharacters);
	const choice = await vscode.window.showWarningMessage(
		tooLongSentence(measurePrompt(prompt, maxPromptCharacters), maxPromptCharacters),
		{
			modal: true,
			detail: `${said}, it has ${characters.toLocaleString("en")} characters and ends with:\n\n“…${short.text.slice(-160).trimStart()}”`,
		},
		button,
		"Edit",
	);
	if (choice === "Edit") {
		await editPrompt(prompt, onEdited);
		return undefined;
	}
	return choice === undefined ? undefined : short.text;
}

/** What is offered, by where the shortened prompt would end: text without sentences has no sentence's end. */
const shortenings = {
	sentence: { button: "Shorten at a Sentence End", said: "Shortened at a sentence end" },
	line: { button: "Shorten at a Line End", said: "Shortened at a line end" },
	word: { button: "Shorten at a Word", said: "Shortened at a word" },
	character: { button: "Cut at the Limit", said: "Cut at the limit" },
} as const;
