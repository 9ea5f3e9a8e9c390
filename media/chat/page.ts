import * as l10n from "@vscode/l10n";
import { html, render } from "lit";
import { renderBanner } from "./banner.ts";
import { chatSettingId, type ChatSettingsPanel } from "./settings/chatSettingsPanel.ts";
import { chatSettingsButtonClass, renderChatSettings } from "./settings/chatSettings.ts";
import { renderComposer } from "./composer/composer.ts";
import type { CompletionList } from "./composer/completion.ts";
import { renderEmptyState } from "./emptyState.ts";
import { renderHeader } from "./header.ts";
import { icon } from "../shared/icon.ts";
import type { MessageDependencies } from "./messages/message.ts";
import { renderMessageList } from "./messages/messageList.ts";
import { Announcer } from "./announce/announcer.ts";
import { keepFocus } from "./widgets/focusKeeper.ts";
import { createLinkTarget } from "./widgets/linkTarget.ts";
import type { QueueActionDependencies } from "./queue/queueActions.ts";
import type { QueueEdit } from "./queue/queueEdit.ts";
import { LazyQueue } from "./queue/queueLoading.ts";
import { StickyQuestion } from "./scroll/stickyQuestion.ts";
import { ScrollPin } from "./scroll/scrollPin.ts";
import type { WindowPiece } from "./scroll/turnWindow.ts";
import type { ChatSettingName } from "../../src/shared/slash.ts";
import type { ChatViewState } from "../../src/shared/chat.ts";

/** State of the page besides the conversation's. */
export interface PageState {
	readonly draft: string;
	readonly hint: string;
	/** Completions for `@`; undefined while the list is closed. */
	readonly completion: CompletionList | undefined;
	/** Parts of the list of messages. */
	readonly pieces: readonly WindowPiece[];
	readonly isAnswering: boolean;
	/** Whether a message sent now is queued. */
	readonly isBusy: boolean;
	/** The queued message being edited. */
	readonly queueEdit: QueueEdit | undefined;
	readonly settings: ChatSettingsPanel;
}

/** The page. Its parts persist while their content changes. */
export class ChatPage {
	readonly scroller: HTMLElement;
	/** The element that contains the messages; a child of `scroller`. */
	readonly list: HTMLElement;
	readonly pin: ScrollPin;
	private readonly parts: PageElements;
	private readonly announcer = new Announcer();
	private readonly queue = new LazyQueue(() => this.redraw());
	private redraw: () => void = () => undefined;

	/** Builds the page inside `root`. `onJump` scrolls to the end, `onGo` to a question. */
	constructor(root: HTMLElement, onJump: () => void, onGo: (turnId: string) => void) {
		this.parts = createParts(root, this.announcer);
		const { scroller, list, jump, footer } = this.parts;
		scroller.before(new StickyQuestion({ scroller, list, onGo }).element);
		this.scroller = scroller;
		this.list = list;
		this.pin = new ScrollPin(scroller, list, isPinned => {
			jump.hidden = isPinned;
		});
		renderJump(jump, onJump);
		keepFocus(root, () => focusText(footer));
	}

	render(
		state: ChatViewState,
		page: PageState,
		context: MessageDependencies & QueueActionDependencies,
	): void {
		this.redraw = () => renderParts(this.parts, this.queue, state, page, context);
		this.redraw();
	}

	/** Shows that the conversation couldn't be loaded, in its place. */
	renderFailure(onRetry: () => void): void {
		renderLoadFailure(this.list, onRetry);
	}

	focusComposer(): void {
		focusText(this.parts.footer);
	}

	/** Focuses a field of the chat settings form. */
	focusChatSetting(name: ChatSettingName): void {
		const field = this.parts.footer.querySelector<HTMLElement>(`#${chatSettingId(name)}`);
		field?.focus();
		// Its error is shown below.
		const fault = field?.closest(".chat-setting")?.querySelector(".chat-setting-fault");
		fault?.scrollIntoView({ block: "nearest" });
	}

	/** Focuses the button that opens the chat settings, or the menu that contains it in a narrow view. */
	focusChatSettingsButton(): void {
		const buttons = this.parts.footer.querySelectorAll<HTMLElement>(
			`.${chatSettingsButtonClass}, .bar-more`,
		);
		[...buttons].find(button => button.checkVisibility())?.focus();
	}

	/** Focuses a queued message, or a part of it. */
	focusQueued(id: string, selector?: string): void {
		this.queue.parts?.focusRow(this.parts.footer, id, selector);
	}

	/** Contains the composer and the parts above it. */
	get footer(): HTMLElement {
		return this.parts.footer;
	}

	/** Sets the cursor position in the composer. */
	setCursor(position: number): void {
		composerOf(this.parts.footer)?.setSelectionRange(position, position);
	}

	/** Scrolls to an attachment or its folder. Does nothing for undefined. */
	revealAttachment(id: string | undefined): void {
		this.attachment(id)?.closest(".attachment")?.scrollIntoView({ block: "nearest" });
	}

	/** Scrolls to an attachment and expands its folder. Does nothing for undefined. */
	expandAttachment(id: string | undefined): void {
		const item = this.attachment(id);
		const folder = item?.closest("details");
		if (folder) {
			folder.open = true;
		}
		item?.scrollIntoView({ block: "nearest" });
	}

	private attachment(id: string | undefined): HTMLElement | undefined {
		const items = this.parts.footer.querySelectorAll<HTMLElement>("[data-attachment]");
		return [...items].find(({ dataset }) => dataset["attachment"] === id);
	}

	setDropTarget(isOver: boolean): void {
		this.parts.drop.hidden = !isOver;
	}

	/** Announces a sentence to a screen reader once. */
	announce(sentence: string): void {
		this.announcer.announce(sentence);
	}
}

interface PageElements {
	readonly header: HTMLElement;
	readonly scroller: HTMLElement;
	readonly list: HTMLElement;
	readonly jump: HTMLElement;
	readonly footer: HTMLElement;
	readonly drop: HTMLElement;
}

function focusText(footer: HTMLElement): void {
	composerOf(footer)?.focus();
}

function composerOf(footer: HTMLElement): HTMLTextAreaElement | null {
	return footer.querySelector<HTMLTextAreaElement>("textarea.composer-text");
}

function createParts(root: HTMLElement, announcer: Announcer): PageElements {
	const [header, scroller, list] = [part("page-header"), part("scroller"), part("conversation")];
	const [jump, footer, drop] = [part("jump"), part("page-footer"), part("drop-target")];
	drop.hidden = true;
	render(html`${icon("attach")}<span>${l10n.t("Drop to attach")}</span>`, drop);
	list.setAttribute("role", "log");
	list.ariaLabel = l10n.t("Conversation");
	// Fragments would be read one by one; a finished message is announced once instead.
	list.ariaLive = "off";
	scroller.tabIndex = -1;
	scroller.append(list);
	const main = document.createElement("main");
	const foot = part("scroller-foot");
	foot.append(jump, createLinkTarget(scroller));
	main.append(header, scroller, foot, footer, drop, announcer.element);
	root.replaceChildren(main);
	return { header, scroller, list, jump, footer, drop };
}

function part(className: string): HTMLElement {
	const element = document.createElement("div");
	element.className = className;
	return element;
}

function renderParts(
	{ header, scroller, list, footer }: PageElements,
	queue: LazyQueue,
	state: ChatViewState,
	page: PageState,
	context: MessageDependencies & QueueActionDependencies,
): void {
	const { actions } = context;
	const isEmpty = state.turns.length === 0;
	const content = isEmpty
		? renderEmptyState(state, actions)
		: renderMessageList(state, page.pieces, context);
	const { composer: choices, attachments, banner } = state;
	const composer = { ...page, composer: choices, attachments, readOnly: banner?.readOnly };
	render(renderHeader(state, actions), header);
	// The sheet of settings is over it, so that the focus would be out of sight there.
	scroller.inert = page.settings.form !== undefined;
	render(content, list);
	queue.follow(state);
	const waiting = { ...page, queue: state.queue, model: state.composer.model };
	const rows = queue.parts?.renderQueue(waiting, queue.parts.createQueueActions(context));
	const draw = (): unknown =>
		render(
			html`${renderBanner(state.banner, actions)}${rows}
				<div class="composer-place">
					${renderChatSettings(page.settings)}${renderComposer(composer, actions)}
				</div>`,
			footer,
		);
	(queue.parts?.keepRowFocus ?? (step => step()))(draw);
}

function renderJump(jump: HTMLElement, onJump: () => void): void {
	jump.hidden = true;
	render(
		html`<button type="button" class="jump-button" @click=${onJump}>
			${icon("arrow-down")}<span>${l10n.t("Jump to latest")}</span>
		</button>`,
		jump,
	);
}

function renderLoadFailure(list: HTMLElement, onRetry: () => void): void {
	render(
		html`<div class="empty">
			<p>${l10n.t("Couldn't load the chat.")}</p>
			<button type="button" class="button primary" @click=${onRetry}>${l10n.t("Retry")}</button>
		</div>`,
		list,
	);
}
