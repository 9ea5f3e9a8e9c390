import * as l10n from "@vscode/l10n";
import type { ChatActions, ViewMemory } from "./base/index.ts";
import type { Conversation, QuestionEdits } from "./messages/index.ts";
import { type Draft, createInputHistory, type InputHistory, asWritten } from "./draft/index.ts";
import { modelName, openPopupMenu } from "./widgets/index.ts";
import type { Page } from "./page.ts";

/** What a user does with words they have already sent. */
export type QuestionActions = Pick<
	ChatActions,
	| "recallQuestion"
	| "openRetryMenu"
	| "beginEdit"
	| "changeEdit"
	| "cancelEdit"
	| "sendEdit"
	| "leaveOutAttachment"
>;

/** What these work with; read when one is used. */
interface QuestionActionParts {
	readonly conversation: Conversation;
	readonly edits: QuestionEdits;
	readonly page: Page;
	readonly draft: Draft;
	readonly memory: ViewMemory;
	readonly actions: Pick<ChatActions, "ask">;
}

/** Makes them; the focus goes into an editor that opens and back to the question's button when it closes. */
export function createQuestionActions(parts: () => QuestionActionParts): QuestionActions {
	const focus = (turnId: string, selector: string): HTMLElement | undefined => {
		const turns = parts().page.scroller.querySelectorAll<HTMLElement>(".turn");
		const turn = [...turns].find(({ dataset }) => dataset["turn"] === turnId);
		const element = turn?.querySelector<HTMLElement>(selector) ?? undefined;
		element?.focus();
		return element;
	};
	return {
		recallQuestion: createRecall(parts),
		openRetryMenu: createRetryMenu(parts),
		beginEdit: turnId => {
			const { conversation, edits } = parts();
			const turn = conversation.state?.turns.find(({ id }) => id === turnId);
			if (turn) {
				edits.begin(turnId, turn.prompt);
				const text = focus(turnId, "textarea");
				if (text instanceof HTMLTextAreaElement) {
					text.setSelectionRange(text.value.length, text.value.length);
				}
			}
		},
		changeEdit: (turnId, text) => parts().edits.change(turnId, text),
		cancelEdit: turnId => {
			parts().edits.cancel(turnId);
			focus(turnId, ".edit-question");
		},
		sendEdit: turnId => {
			const { edits, page } = parts();
			void edits.send(turnId).then(isSent => {
				if (isSent) {
					page.pin.jumpToEnd();
					page.focusComposer();
				}
			});
		},
		leaveOutAttachment: (turnId, index) => {
			parts().edits.leaveOut(turnId, index);
			focus(turnId, "textarea");
		},
	};
}

function createRetryMenu(parts: () => QuestionActionParts): QuestionActions["openRetryMenu"] {
	return (turnId, anchor) => {
		const { conversation, actions } = parts();
		const items = (conversation.state?.composer.models ?? []).map(model => ({
			label: modelName(model),
			...(modelName(model) === model ? {} : { detail: model }),
			onPick: () => actions.ask("retryTurn", { turnId, model }),
		}));
		openPopupMenu(anchor, l10n.t("Models"), items);
	};
}

function createRecall(parts: () => QuestionActionParts): QuestionActions["recallQuestion"] {
	let history: InputHistory | undefined;
	const questions = (): string[] => {
		const { conversation, memory } = parts();
		const own = (conversation.state?.turns ?? []).map(({ prompt }) => asWritten(prompt));
		return [...own.reverse(), ...memory.current.asked];
	};
	return (step, cursor) => {
		history ??= createInputHistory(parts().draft, questions);
		const hasMoved = history.move(step, cursor);
		if (hasMoved) {
			parts().page.setCursor(0);
		}
		return hasMoved;
	};
}
