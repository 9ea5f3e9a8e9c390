import * as l10n from "@vscode/l10n";
import type { ChatActions } from "./base/actions.ts";
import type { ConversationCopy } from "./messages/conversation.ts";
import type { QuestionEdits } from "./messages/questionEdits.ts";
import type { InputHistory } from "./draft/inputHistory.ts";
import { turnElement } from "./scroll/turnElement.ts";
import { chooseLabel } from "./composer/modelPicker.ts";
import { openPopupMenu } from "../shared/popupMenu.ts";
import { modelName, nameAmong } from "./widgets/modelName.ts";
import type { ChatPage } from "./page.ts";

/** Actions on sent messages. */
export type QuestionActions = Pick<
	ChatActions,
	| "recallQuestion"
	| "openRetryMenu"
	| "beginEdit"
	| "changeEdit"
	| "cancelEdit"
	| "setEditUndo"
	| "sendEdit"
	| "leaveOutAttachment"
>;

/** Dependencies of the actions; evaluated at each use. */
interface QuestionActionDependencies {
	readonly conversation: ConversationCopy;
	readonly edits: QuestionEdits;
	readonly page: ChatPage;
	readonly history: Pick<InputHistory, "move">;
	readonly actions: Pick<ChatActions, "ask">;
}

/** Creates the actions. Focuses an editor that opens, and the question's button when it closes. */
export function createQuestionActions(
	dependencies: () => QuestionActionDependencies,
): QuestionActions {
	const focus = (turnId: string, selector: string): HTMLElement | undefined => {
		const turn = turnElement(dependencies().page.scroller, turnId);
		const element = turn?.querySelector<HTMLElement>(selector) ?? undefined;
		element?.focus();
		return element;
	};
	return {
		recallQuestion: (step, cursor) => {
			const { history, page } = dependencies();
			const hasMoved = history.move(step, cursor);
			if (hasMoved) {
				page.setCursor(0);
			}
			return hasMoved;
		},
		openRetryMenu: createRetryMenu(dependencies),
		beginEdit: turnId => {
			const { conversation, edits } = dependencies();
			const turn = conversation.state?.turns.find(({ id }) => id === turnId);
			if (turn) {
				edits.begin(turnId, turn.prompt);
				const text = focus(turnId, "textarea");
				if (text instanceof HTMLTextAreaElement) {
					text.setSelectionRange(text.value.length, text.value.length);
				}
			}
		},
		changeEdit: (turnId, text) => dependencies().edits.change(turnId, text),
		setEditUndo: (turnId, isOn) => dependencies().edits.setUndo(turnId, isOn),
		cancelEdit: turnId => {
			dependencies().edits.cancel(turnId);
			focus(turnId, ".edit-question");
		},
		sendEdit: turnId => {
			const { edits, page } = dependencies();
			void edits.send(turnId).then(isSent => {
				if (isSent) {
					page.pin.jumpToEnd();
					page.focusComposer();
				}
			});
		},
		leaveOutAttachment: (turnId, index) => {
			dependencies().edits.leaveOut(turnId, index);
			focus(turnId, "textarea");
		},
	};
}

function createRetryMenu(
	dependencies: () => QuestionActionDependencies,
): QuestionActions["openRetryMenu"] {
	return (turnId, anchor) => {
		const { conversation, actions } = dependencies();
		const composer = conversation.state?.composer;
		const answerer = conversation.state?.turns.find(({ id }) => id === turnId)?.model;
		const items = (composer?.models ?? []).map(model => ({
			label: nameAmong(model, composer?.models ?? []),
			isCurrent: model === answerer,
			...(modelName(model) === model || model.includes("/") ? {} : { detail: model }),
			onPick: () => actions.ask("retryTurn", { turnId, model }),
		}));
		const more = {
			label: composer ? chooseLabel(composer) : l10n.t("Choose Model…"),
			onPick: () => actions.ask("chooseModel", {}),
		};
		openPopupMenu(anchor, l10n.t("Models"), [...items, more]);
	};
}
