import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import type { ChatLibrary } from "../../chat/library/chatLibrary.ts";
import { plainLabel } from "../../common/plainMarkdown.ts";
import type { NamedText } from "../attachments/attachPage.ts";
import { chatFacts, nameOf } from "../history/chatHistoryRows.ts";

/** The most characters of a chat to attach, from its end. */
const maxCharacters = 50_000;

/** Asks for a saved chat and returns how to read it as Markdown to attach. Resolves to undefined if the user cancels. */
export async function chooseChatText(
	library: Pick<ChatLibrary, "list" | "exportMarkdown">,
	shownId: string | undefined,
	now: number,
): Promise<(() => Promise<NamedText>) | undefined> {
	const chats = (await library.list()).filter(({ id }) => id !== shownId);
	if (chats.length === 0) {
		throw new Error(l10n.t("There are no earlier chats to attach."));
	}
	const rows = chats.map(chat => ({
		label: plainLabel(nameOf(chat)),
		description: chatFacts(chat, now),
		chat,
	}));
	const chosen = await vscode.window.showQuickPick(rows, {
		title: l10n.t("Attach a Chat"),
		placeHolder: l10n.t("Choose an earlier chat"),
	});
	if (!chosen) {
		return undefined;
	}
	return async () => {
		const text = await library.exportMarkdown(chosen.chat.id);
		return { name: nameOf(chosen.chat), text: endOfChat(text, maxCharacters) };
	};
}

/** Returns the end of a chat with about this many characters, from the start of a line, with a note about the omitted part. */
export function endOfChat(text: string, limit: number): string {
	if (text.length <= limit) {
		return text;
	}
	const end = text.slice(-limit);
	const rest = end.slice(end.indexOf("\n") + 1);
	return `[the first ${text.length - rest.length} characters of this chat are left out]\n\n${rest}`;
}
