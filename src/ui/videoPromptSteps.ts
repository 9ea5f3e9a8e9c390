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
 * editor or has it end at a sentence. Undefined when the person leaves or edits.
 */
export async function fitPrompt(
	prompt: string,
	onEdited: (prompt: string) => unknown,
): Promise<string | undefined> {
	const length = measurePrompt(prompt, maxPromptCharacters);
	if (length.excess === 0) {
		return prompt;
	}
	const short = shortenPrompt(prompt, maxPromptCharacters);
	const choice = await vscode.window.showWarningMessage(
		tooLongSentence(length, maxPromptCharacters),
		{
			modal: true,
			detail: `Shortened at a sentence end, it has ${measurePrompt(short, maxPromptCharacters).characters.toLocaleString("en")} characters and ends with:\n\n“…${short.slice(-160).trimStart()}”`,
		},
		"Shorten at a Sentence End",
		"Edit",
	);
	if (choice === "Edit") {
		await editPrompt(prompt, onEdited);
		return undefined;
	}
	return choice === undefined ? undefined : short;
}
