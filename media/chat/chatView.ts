import * as l10n from "@vscode/l10n";
import type { ChatPushes, ChatRequests, ChatViewState } from "../../src/shared/chat.ts";
import type { Host } from "../shared/host.ts";
import type { ChatActions } from "./base/actions.ts";
import type { ViewMemory } from "./base/viewMemory.ts";
import { Arrival, showPlace } from "./arrival.ts";
import { acceptCommand, runCommand } from "./composer/slash.ts";
import { Attaching } from "./composer/attaching.ts";
import { handleAnswerClicks } from "./messages/answerClicks.ts";
import { Answers } from "./messages/answers.ts";
import { type CodeBlockMoveDependencies, moveToCodeBlock } from "./messages/codeBlockMoves.ts";
import { ConversationCopy } from "./messages/conversation.ts";
import { copyAcrossGaps } from "./messages/copyAcross.ts";
import { type CollapsedAnswers, createCollapsedAnswers } from "./messages/longAnswer.ts";
import { QuestionEdits } from "./messages/questionEdits.ts";
import { isAnswering, isBusy } from "./messages/state.ts";
import { VersionAnchor } from "./messages/versions.ts";
import { ChatSettingsPanel } from "./settings/chatSettingsPanel.ts";
import { loadChatSettings } from "./settings/chatSettings.ts";
import { ConversationAnnouncements } from "./conversationAnnouncements.ts";
import { Draft } from "./draft/draft.ts";
import { InputHistory } from "./draft/inputHistory.ts";
import { asWritten, isCommand } from "./draft/slashText.ts";
import { listenToFindKeys } from "./find/findKeys.ts";
import { createHostActions } from "./hostActions.ts";
import type { RenderingDependencies } from "./markdown/stream/liveText.ts";
import { ListWindow } from "./scroll/listWindow.ts";
import { highlightTurn, turnElement } from "./scroll/turnElement.ts";
import { ChatPage } from "./page.ts";
import { answerPings, reportFocus } from "./pulse.ts";
import { QueueEdits } from "./queue/queueEdit.ts";
import { drawThumbnails } from "./composer/thumbnails.ts";
import { VideoCardWatch } from "./cards/videoCard.ts";
import { createQuestionActions } from "./questionActions.ts";
import { isOfInputMethod } from "../shared/inputMethod.ts";

export interface ChatViewDependencies {
	readonly root: HTMLElement;
	readonly host: Host<ChatRequests, ChatPushes>;
	readonly memory: ViewMemory;
	readonly tools: RenderingDependencies;
}

/** The objects of the view; each is created once. */
interface View {
	readonly host: Host<ChatRequests, ChatPushes>;
	readonly memory: ViewMemory;
	readonly answers: Answers;
	readonly page: ChatPage;
	readonly conversation: ConversationCopy;
	readonly draft: Draft;
	readonly history: InputHistory;
	readonly edits: QuestionEdits;
	readonly queueEdits: QueueEdits;
	readonly collapsed: CollapsedAnswers;
	readonly versions: VersionAnchor;
	readonly attaching: Attaching;
	readonly settings: ChatSettingsPanel;
	readonly turns: ListWindow;
	readonly actions: ChatActions;
	readonly cards: VideoCardWatch;
}

/** Starts the chat view: requests the state from the host and applies its changes. */
export function startChatView({ root, host, memory, tools }: ChatViewDependencies): void {
	const answers = new Answers(tools);
	const page = new ChatPage(
		root,
		() => view.actions.jumpToLatest(),
		turnId => view.actions.showMessages(turnId),
	);
	const { scroller, pin } = page;
	const draft = new Draft(host, memory, () => renderView(view));
	const attaching = new Attaching({
		host,
		draft: () => draft,
		seesImages: () => view.conversation.state?.attachments.seesImages === true,
		page: () => page,
		onChange: () => renderView(view),
		onCommand: (offer, isOnlyCompleted) => acceptCommand(view, offer, isOnlyCompleted),
	});
	const view: View = {
		host,
		memory,
		answers,
		page,
		conversation: followConversation({ host, answers, page }, () => view),
		draft,
		history: new InputHistory(draft, memory, () => askedQuestions(view)),
		edits: new QuestionEdits(host, memory, () => renderView(view)),
		queueEdits: new QueueEdits(host, memory, () => renderView(view)),
		versions: new VersionAnchor({ scroller, pin, turns: () => view.turns }),
		attaching,
		settings: createSettings(memory, () => view),
		collapsed: createCollapsedAnswers({ scroller, pin, memory, onChange: () => renderView(view) }),
		turns: createTurns(page, answers, () => renderView(view)),
		actions: createActions(attaching, () => view),
		cards: new VideoCardWatch(
			scroller,
			jobIds => {
				// If this fails, a notification repeats what the page shows. Not a user action, so no error is shown.
				host.call("videosInSight", { jobIds }).catch(() => undefined);
			},
			// Without the clip, the card shows its thumbnail.
			jobId =>
				host.call("videoClip", { jobId }).then(
					({ base64 }) => base64,
					() => null,
				),
		),
	};
	listen(view, root);
	offerFind(view, tools);
	answerPings(host, root, () => view.conversation.state !== undefined);
	reportFocus(host, root);
	view.conversation.load();
}

function followConversation(
	{ host, answers, page }: Pick<View, "host" | "answers" | "page">,
	view: () => View,
): ConversationCopy {
	const news = new ConversationAnnouncements({
		page,
		arrival: new Arrival(view, () => renderView(view())),
		recoverDraft: state => recoverDraft(view(), state),
		followQueue: state => followQueue(view(), state),
		showChanges: changes => {
			renderView(view());
			view().versions.arrive(changes);
		},
		load: () => view().conversation.load(),
	});
	return new ConversationCopy(host, answers, news, () => view().memory.current.scroll?.turnId);
}

function createTurns(page: ChatPage, answers: Answers, onChange: () => void): ListWindow {
	const onLeft = (turnIds: readonly string[]): void => turnIds.forEach(id => answers.clear(id));
	const { scroller, list, pin } = page;
	return new ListWindow({ scroller, list, isPinned: () => pin.isPinned, onChange, onLeft });
}

function askQuestion({ conversation, draft, page, attaching }: View): void {
	if (conversation.state) {
		const hasToWait = isBusy(conversation.state);
		if (!hasToWait) {
			page.pin.jumpToEnd();
		}
		attaching.completion.close();
		void draft
			.send(hasToWait, conversation.state.turns.at(-1)?.id)
			.then(() => page.expandAttachment(failedAttachment(conversation.state)));
	}
}

function createSettings(memory: ViewMemory, view: () => View): ChatSettingsPanel {
	return new ChatSettingsPanel({
		memory,
		call: (method, params) => view().host.call(method, params),
		load: loadChatSettings,
		onChange: () => renderView(view()),
		onFocus: name => view().page.focusChatSetting(name),
		onClosed: isSaved => {
			view().page.focusChatSettingsButton();
			view().page.announce(isSaved ? l10n.t("Chat settings saved.") : "");
		},
		onFailed: sentence => view().draft.say(sentence),
	});
}

function renderView(view: View): void {
	const { conversation, page, draft, attaching, settings, turns } = view;
	const { state } = conversation;
	if (state) {
		const pageState = {
			draft: draft.text,
			hint: draft.hint,
			completion: attaching.completion.list,
			pieces: turns.pieces(state.turns),
			isAnswering: isAnswering(state),
			isBusy: isBusy(state),
			queueEdit: view.queueEdits.of(state),
			settings,
		};
		page.render(state, pageState, view);
		turns.rendered();
		view.cards.rendered();
		void drawThumbnails(page.footer, id =>
			view.host.call("attachedImage", { id }).then(
				({ base64 }) => base64,
				() => null,
			),
		);
	}
}

/** Returns the failed attachment that prevents sending, after the user tried to send. */
function failedAttachment(state: ChatViewState | undefined): string | undefined {
	return state?.attachments.items.find(item => item.state.type === "failed")?.id;
}

/** Restores text that was being sent when the previous page was closed. */
function recoverDraft({ draft }: View, state: ChatViewState): void {
	const { chatId, attachments, turns, queue } = state;
	draft.follow({ chatId, isEmpty: turns.length === 0 });
	const waiting = queue.items.map(({ text }) => text);
	draft.recover(attachments.isSending, turns, waiting);
}

/** Holds back a message that is being edited. If it was sent anyway, its edited text goes to the composer. */
function followQueue({ queueEdits, draft }: View, state: ChatViewState): void {
	const words = queueEdits.follow(state);
	if (words !== undefined) {
		draft.prepend(words);
		draft.say(
			l10n.t("This message is no longer queued. Your edited text is here and wasn't sent."),
		);
	}
}

/** Returns the questions in this chat, latest first, then those in others. */
function askedQuestions({ conversation, memory }: View): string[] {
	const own = (conversation.state?.turns ?? []).map(({ prompt }) => asWritten(prompt));
	return [...own.reverse(), ...memory.current.asked];
}

function offerFind(view: View, tools: RenderingDependencies): void {
	const { scroller, list, pin } = view.page;
	listenToFindKeys({
		...tools,
		scroller,
		list,
		pin,
		focusComposer: () => view.page.focusComposer(),
		actions: view.actions,
		turns: () => view.conversation.state?.turns ?? [],
		place: () => view.turns.place,
		show: place => void showPlace(view, place),
	});
}

function blockMoves(view: View): CodeBlockMoveDependencies {
	return {
		scroller: view.page.scroller,
		turns: () => view.conversation.state?.turns ?? [],
		show: turnId => void showPlace(view, { turnId, offset: 0 }),
	};
}

function createActions(attaching: Attaching, view: () => View): ChatActions {
	return {
		moveCompletion: step => attaching.completion.move(step),
		acceptCompletion: (index, isOnlyCompleted) => attaching.accept(index, isOnlyCompleted),
		dismissCompletion: () => attaching.completion.dismiss(),
		...createHostActions(view),
		...createQuestionActions(view),
		send: () => {
			const banner = view().conversation.state?.banner;
			attaching.completion.close();
			if (banner?.readOnly !== undefined) {
				// The read-only field ignored the key, so screen readers repeat the reason.
				view().page.announce(banner.readOnly);
			} else if (isCommand(view().draft.text)) {
				void runCommand(view());
			} else {
				askQuestion(view());
			}
		},
		draftChanged: (text, cursor) => {
			// Moving only the cursor keeps the hint below the text.
			if (text !== view().draft.text) {
				view().draft.edit(text);
			}
			attaching.completion.follow(text, cursor);
		},
		jumpToLatest: () => {
			view().page.pin.jumpToEnd();
			view().page.focusComposer();
		},
		showMessages: turnId => {
			showPlace(view(), { turnId, offset: 0 });
			view().turns.focus(turnId);
		},
	};
}

/** Connects the events of the page and the host to the view. */
function listen(view: View, root: HTMLElement): void {
	const { page, actions, conversation, memory } = view;
	handleAnswerClicks(root, actions);
	copyAcrossGaps(page.list, () => conversation.state?.turns ?? []);
	view.attaching.takeDrops(root);
	view.host.on("moveToCodeBlock", ({ step }) => void moveToCodeBlock(blockMoves(view), step));
	view.host.on("announce", ({ text }) => page.announce(text));
	view.host.on("focusComposer", () => page.focusComposer());
	view.host.on("showTurn", ({ turnId, isAsking = false }) => {
		showPlace(view, { turnId, offset: 0 });
		renderView(view);
		const request = turnElement(root, turnId)?.querySelector(".tool-asking");
		if (isAsking && request) {
			request.scrollIntoView({ block: "nearest" });
		} else {
			highlightTurn(root, turnId);
		}
	});
	view.host.on("fillComposer", ({ text }) => {
		view.draft.prepend(asWritten(text));
		page.focusComposer();
	});
	// A click on an answer or a card moves the focus there. Text typed after it is meant for the message.
	document.addEventListener("keydown", event => {
		if (typesOutside(event)) {
			page.focusComposer();
		}
	});
	root.addEventListener("keydown", event => {
		const { state } = conversation;
		const isRunning = state !== undefined && isBusy(state);
		// An input method and an open list of models use Escape themselves.
		const isTaken = isOfInputMethod(event) || event.target instanceof HTMLSelectElement;
		if (event.key === "Escape" && !isTaken && (view.settings.form || isRunning)) {
			event.preventDefault();
			if (view.settings.form) {
				view.settings.close(false);
			} else {
				actions.ask("stop", {});
			}
		}
	});
	page.scroller.addEventListener("scrollend", () => {
		const chatId = conversation.state?.chatId;
		const place = page.pin.isPinned ? undefined : view.turns.place;
		memory.update({ scroll: place && chatId !== undefined ? { chatId, ...place } : null });
	});
}

/** Whether a key types a character and no text box, list, menu or dialog has the focus. Space presses buttons and scrolls. */
function typesOutside(event: KeyboardEvent): boolean {
	const { key, target, defaultPrevented, ctrlKey, metaKey, altKey } = event;
	const isShortcut = (ctrlKey || metaKey || altKey) && !event.getModifierState("AltGraph");
	const isCharacter = [...key].length === 1 && key !== " " && !isShortcut && !defaultPrevented;
	const takesKeys =
		"input, textarea, select, [contenteditable], [role=menu], [role=dialog], [role=listbox]";
	return isCharacter && target instanceof Element && target.closest(takesKeys) === null;
}
