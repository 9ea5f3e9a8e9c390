import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import { Disposable } from "../../common/disposable.ts";
import { plainLabel } from "../../common/plainMarkdown.ts";
import type { ChatChange, TurnStatus, TurnView } from "../../shared/chat.ts";
import type { ToolCardView } from "../../shared/tools.ts";
import type { ChatController } from "../chat/chatController.ts";
import type { SettingValue } from "../base/settings.ts";
import type { ChatView } from "./chatView.ts";
import { oneLine } from "../../common/shortText.ts";

export interface AttentionDependencies {
	readonly chat: Pick<ChatController, "onDidChange" | "picture">;
	readonly view: Pick<
		ChatView,
		"isShown" | "hasFocus" | "onDidShow" | "showBadge" | "showTurn" | "showRequest"
	>;
	readonly mode: () => SettingValue<"notifications">;
}

/**
 * Notifies the user of what waits in the chat: with the number on the view's icon, and one notification for each request, question and end of an
 * answer. Only the window that writes the chat notifies; one that follows it shows the same but can't be answered.
 */
export class Attention extends Disposable {
	private readonly dependencies: AttentionDependencies;
	private readonly asked = new Map<string, string>();
	private readonly running = new Set<string>();
	/** Turns that ended while the view wasn't visible. */
	private readonly unseen = new Set<string>();

	constructor(dependencies: AttentionDependencies) {
		super();
		this.dependencies = dependencies;
		const { chat, view } = dependencies;
		this.begin(chat.picture().turns);
		this.register(chat.onDidChange(changes => changes.forEach(change => this.take(change))));
		this.register(view.onDidShow(() => this.look()));
		this.register(vscode.window.onDidChangeWindowState(() => this.look()));
	}

	private get isSeen(): boolean {
		return vscode.window.state.focused && this.dependencies.view.isShown;
	}

	private look(): void {
		if (this.isSeen && this.unseen.size > 0) {
			this.unseen.clear();
			this.count();
		}
	}

	private take(change: ChatChange): void {
		if (change.type === "reset" || change.type === "branch-shown") {
			this.begin(this.dependencies.chat.picture().turns);
		} else if (change.type === "turn-added") {
			this.follow(change.turn.id, change.turn.status);
		} else if (change.type === "status") {
			this.follow(change.turnId, change.status);
		} else if (change.type === "tool-card") {
			this.ask(change.turnId, change.card);
		}
	}

	/** Starts with the existing turns, without notifications. */
	private begin(turns: readonly TurnView[]): void {
		[this.asked, this.running, this.unseen].forEach(known => known.clear());
		for (const { id, status, tools = [] } of turns) {
			tools.forEach(card => this.note(id, card));
			if (status.state === "streaming") {
				this.running.add(id);
			}
		}
		this.count();
	}

	private follow(turnId: string, { state, sentence }: TurnStatus): void {
		if (state === "streaming") {
			this.running.add(turnId);
		} else if (this.running.delete(turnId) && state !== "stopped" && state !== "interrupted") {
			const words = state === "complete" ? l10n.t("Answer ready") : sentence;
			void this.tell(words ?? l10n.t("Answer ready"), () =>
				this.dependencies.view.showTurn(turnId),
			);
			if (!this.isSeen) {
				this.unseen.add(turnId);
			}
			this.count();
		}
	}

	private ask(turnId: string, card: ToolCardView): void {
		if (this.note(turnId, card)) {
			const words = card.question
				? l10n.t("The model asks: {0}", oneLine(card.question.text, maxQuestion))
				: l10n.t("{0}: your approval is needed.", card.line ?? card.title);
			void this.tell(words, () => this.dependencies.view.showRequest(turnId));
		}
		this.count();
	}

	/** Stores a card's request. Returns whether it is new. */
	private note(turnId: string, { id, approval, question }: ToolCardView): boolean {
		const key = JSON.stringify([turnId, id]);
		const requestId = (approval ?? question)?.requestId;
		if (requestId === undefined) {
			this.asked.delete(key);
			return false;
		}
		const isNew = this.asked.get(key) !== requestId;
		this.asked.set(key, requestId);
		return isNew;
	}

	private count(): void {
		this.dependencies.view.showBadge(this.asked.size + this.unseen.size);
	}

	private async tell(sentence: string, show: () => Promise<void>): Promise<void> {
		const { view, mode } = this.dependencies;
		const isLookedAt = this.isSeen && (mode() === "whenHidden" || view.hasFocus);
		if (mode() === "never" || isLookedAt) {
			return;
		}
		const open = l10n.t("Show");
		if ((await vscode.window.showInformationMessage(plainLabel(sentence), open)) === open) {
			await show();
		}
	}
}

/** The most characters of a question in a notification, in UTF-16 code units. */
const maxQuestion = 200;
