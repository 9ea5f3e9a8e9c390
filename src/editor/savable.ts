import * as vscode from "vscode";
import type { WorkspacePaths } from "../paths/resolveTarget.ts";
import type { FileChange } from "../tools/tool/editorActions.ts";
import { readTarget } from "../tools/tool/safeFile.ts";
import { ToolFailure } from "../tools/tool/toolFailure.ts";
import { documentOf } from "./documents.ts";
import { targetUri } from "./targetUri.ts";

/**
 * Throws `ToolFailure` for a change that would lose characters when it is saved: of its own text, those that the encoding
 * of the file lacks; of a file that the editor reads in another encoding than its own, those that are there. Row U14.
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

/** Stands for bytes that an encoding has no character for. */
const substitute = "\uFFFD";

/** Whether a text with that sign holds it in its file too. */
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

/** The first character of a text that an encoding would turn into a question mark. */
async function characterLackingIn(
	how: { readonly uri: vscode.Uri } | { readonly encoding: string },
	text: string,
): Promise<string | undefined> {
	const encode = async (part: string): Promise<Uint8Array> =>
		"uri" in how ? vscode.workspace.encode(part, how) : vscode.workspace.encode(part, how);
	const questionMark = await encode("?");
	const characters = [...new Set(text.match(/[^\0-\x7F]/gu))];
	// More than one byte, or a mark before it: that is Unicode, which has every character.
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
