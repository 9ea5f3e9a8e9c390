import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import { plainLabel } from "../../common/plainMarkdown.ts";
import type { TurnView } from "../../shared/chat.ts";
import { untilChosen } from "../base/dialogs.ts";
import type { ChatController } from "../chat/chatController.ts";
import type { ChatView } from "./chatView.ts";

/** The most characters of a question in the list, in UTF-16 code units. */
const maxLabel = 200;

export interface QuestionItem extends vscode.QuickPickItem {
	readonly turnId: string;
}

/** Returns an item for each question of a chat, in order. Its number comes first, because a long question fills the row. */
export function questionItems(
	turns: readonly Pick<TurnView, "id" | "prompt">[],
): readonly QuestionItem[] {
	return turns.map(({ id, prompt }, index) => ({
		turnId: id,
		label: `${index + 1}. ${plainLabel(prompt.slice(0, maxLabel).replaceAll(/\s+/g, " ").trim())}`,
	}));
}

/** Lists the questions of the shown chat, starting at the last one, and scrolls to the chosen one. */
export async function goToQuestion(
	chat: Pick<ChatController, "picture">,
	view: Pick<ChatView, "showTurn">,
): Promise<void> {
	const picker = vscode.window.createQuickPick<QuestionItem>();
	picker.title = l10n.t("Go to Message");
	picker.items = questionItems(chat.picture().turns);
	picker.activeItems = picker.items.slice(-1);
	const { length } = picker.items;
	picker.placeholder =
		length > 0
			? l10n.t("Choose one of your messages in this chat ({0})", length)
			: l10n.t("This chat has no messages yet");
	const chosen = await untilChosen(picker, () => picker.activeItems[0] ?? null);
	if (chosen) {
		await view.showTurn(chosen.turnId);
	}
}
