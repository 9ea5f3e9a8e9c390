import * as vscode from "vscode";
import type { WorkspacePaths } from "../paths/resolveTarget.ts";
import type { FileChange } from "../tools/tool/editorActions.ts";
import { readTarget } from "../tools/tool/safeFile.ts";
import { ToolFailure } from "../tools/tool/toolFailure.ts";
import { documentOf } from "./documents.ts";
import { targetUri } from "./targetUri.ts";

/**
 * Throws `ToolFailure` if saving a change would lose characters: those of the new text that the file's encoding lacks, or existing ones if the editor
 * decoded the file with a wrong encoding.
 */
export async function mustBeSavable(change: FileChange, paths: WorkspacePaths): Promise<void> {
	if (change.type === "create") {
		const uri = targetUri(change.target);
		const lacking = await characterLackingIn({ uri }, change.text);
		refuse(change.target.label, "the encoding of new files here", lacking);
	} else if (change.type === "edit") {
		const { target, before, hunks } = change;
		const added = hunks.map(({ newText }) => newText).join("");
		if (!/[^\0-\x7F]/.test(added) && !before.includes(substitute)) {
			return;
		}
		const { encoding } = await documentOf(target, paths);
		if (before.includes(substitute) && !isFaithful(encoding, target)) {
			throw new ToolFailure(
				`${target.label} is not in the encoding ${encoding} that the editor reads it in, and would lose characters. The user can set files.encoding. Nothing was changed.`,
			);
		}
		refuse(target.label, encoding, await characterLackingIn({ encoding }, added));
	}
}

/** Replaces bytes that can't be decoded. */
const substitute = "\uFFFD";

/** Whether a file itself contains that character. */
function isFaithful(encoding: string, target: Parameters<typeof readTarget>[0]): boolean {
	return (
		encoding.startsWith("utf16") || (encoding.startsWith("utf8") && isUtf8(readTarget(target)))
	);
}

function isUtf8(bytes: Uint8Array): boolean {
	try {
		new TextDecoder("utf-8", { fatal: true }).decode(bytes);
		return true;
	} catch {
		return false;
	}
}

function refuse(label: string, encoding: string, lacking: string | undefined): void {
	if (lacking !== undefined) {
		throw new ToolFailure(
			`${label}: ${encoding} has no character “${lacking}”. Nothing was changed. Use other characters.`,
		);
	}
}

/** Returns the first character of a text that an encoding would replace with a question mark. */
async function characterLackingIn(
	how: { readonly uri: vscode.Uri } | { readonly encoding: string },
	text: string,
): Promise<string | undefined> {
	const encode = async (part: string): Promise<Uint8Array> =>
		"uri" in how ? vscode.workspace.encode(part, how) : vscode.workspace.encode(part, how);
	const questionMark = await encode("?");
	const characters = [...new Set(text.match(/[^\0-\x7F]/gu))];
	// More than one byte, or a byte order mark before it: a Unicode encoding, which has every character.
	if (questionMark.length > 1 || !(await encode(characters.join(""))).includes(0x3f)) {
		return undefined;
	}
	for (const character of characters) {
		if ((await encode(character)).every(byte => byte === 0x3f)) {
			return character;
		}
	}
	return undefined;
}
