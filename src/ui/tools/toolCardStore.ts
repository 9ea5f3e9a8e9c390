import { randomUUID } from "node:crypto";
import * as l10n from "@vscode/l10n";
import type { RequestedCall } from "../../chat/toolLoop/requestedCalls.ts";
import type { CallState } from "../../chat/toolLoop/toolLoop.ts";
import { placeOfCall } from "../../chat/contract/toolRecord.ts";
import type { Turn } from "../../chat/contract/turn.ts";
import { Disposable, type IDisposable, Emitter, type Event } from "../../common/disposable.ts";
import { revealHidden, revealInLine } from "../../common/hiddenText.ts";
import type {
	CardLocation,
	QuestionAnswer,
	RequestLocation,
	ToolAnswer,
	ToolCardView,
} from "../../shared/tools.ts";
import type { ApprovalAnswer, ApprovalRequest, Approver } from "../../tools/gate/approvals.ts";
import type { JournaledChange, JournalCall } from "../../tools/undo/changeJournal.ts";
import type { EditPreview } from "../../tools/contract/edits.ts";
import type { ModelQuestion } from "../../tools/contract/editorActions.ts";
import type { ToolRegistry } from "../../tools/catalog/toolRegistry.ts";
import { approvalView } from "./approvalView.ts";
import { recordedCards, toolCard, unusableCard } from "./toolCards.ts";

export interface ToolCardChange {
	readonly turnId: string;
	readonly card: ToolCardView;
}

interface Pending {
	readonly turnId: string;
	readonly cardId: string;
	readonly request: ApprovalRequest;
	readonly resolve: (answer: ApprovalAnswer) => void;
	preview: Promise<IDisposable> | undefined;
}

interface OpenQuestion {
	readonly options: readonly string[];
	readonly resolve: (answer: string | undefined) => void;
}

interface CardFacts {
	readonly change?: JournaledChange;
	readonly note?: string;
	/** Whether a call without a result never ran. */
	readonly isNotApproved?: boolean;
}

/** Shows calls and collects the user's answers. Doesn't decide anything itself. */
export class ToolCardStore extends Disposable implements Approver {
	private readonly changed = this.register(new Emitter<ToolCardChange>());
	private readonly registry: ToolRegistry;
	private readonly showPreview: (preview: EditPreview) => Promise<IDisposable>;
	private readonly cards = new Map<string, Map<string, ToolCardView>>();
	private readonly pending = new Map<string, Pending>();
	private readonly questions = new Map<string, OpenQuestion>();
	private readonly facts = new Map<string, Map<string, CardFacts>>();
	private readonly attempts = new Map<string, number>();
	readonly onDidChange: Event<ToolCardChange> = this.changed.event;

	constructor(registry: ToolRegistry, showPreview: (preview: EditPreview) => Promise<IDisposable>) {
		super();
		this.registry = registry;
		this.showPreview = showPreview;
	}

	/** Returns the cards of a turn: those of this session, and recorded ones. */
	cardsOf(turn: Turn): ToolCardView[] {
		const live = this.cards.get(turn.id);
		const recorded = recordedCards(this.registry, turn);
		const ids = new Set(recorded.map(({ id }) => id));
		return [
			...recorded.map(card => live?.get(card.id) ?? this.dressed(turn.id, card)),
			...[...(live?.values() ?? [])].filter(({ id }) => !ids.has(id)),
		];
	}

	note(turn: Turn, call: RequestedCall, state: CallState): void {
		const known = this.cards.get(turn.id)?.get(call.id);
		const after = known?.after ?? turn.messages.length;
		const card = toolCard(this.registry, call, after, state);
		// An approval request stays on its card until it is answered.
		const approval = state.state === "asking" ? known?.approval : undefined;
		this.attempts.set(turn.id, turn.attempt);
		this.set(turn.id, approval ? { ...card, approval } : card);
	}

	/** Adds a card for an invalid call in a message. */
	noteUnusable(turnId: string, index: number): void {
		const card = unusableCard(index);
		// A model's id may be arbitrary, but must not hide the card of another call.
		if (!this.cards.get(turnId)?.has(card.id)) {
			this.set(turnId, card);
		}
	}

	/** Removes the cards of calls that a resumed turn no longer contains. */
	resume(turn: Turn): void {
		const kept = this.cardsOf(turn);
		const ids = new Set(recordedCards(this.registry, turn).map(({ id }) => id));
		this.cards.set(
			turn.id,
			new Map(kept.filter(({ id }) => ids.has(id)).map(card => [card.id, card])),
		);
	}

	clear(turnId: string): void {
		this.cards.delete(turnId);
		this.facts.delete(turnId);
	}

	/** Loads the recorded cards of finished turns, so that details can be added, and returns them. */
	remember(turns: readonly Turn[]): { readonly card: ToolCardView; readonly isReader: boolean }[] {
		return turns
			.filter(({ progress }) => progress.state !== "streaming")
			.flatMap(turn => {
				const cards = this.cardsOf(turn);
				this.attempts.set(turn.id, turn.attempt);
				this.cards.set(turn.id, new Map(cards.map(card => [card.id, card])));
				return cards;
			})
			.map(card => ({ card, isReader: this.registry.find(card.name)?.effect === "read" }));
	}

	/** Updates the state of a call's change. Ignores calls of earlier attempts, which have no card. */
	noteChange(change: JournaledChange): void {
		const { turnId, cardId, attempt } = placeOfCall(change.callId);
		if (this.attempts.get(turnId) === attempt) {
			this.learn({ turnId, cardId }, { change });
		}
	}

	noteLost(place: CardLocation, note: string): void {
		this.learn(place, { note });
	}

	/** Adds why a call without a result was not approved. */
	noteNotApproved(place: CardLocation, note: string): void {
		this.learn(place, { note, isNotApproved: true });
	}

	changeOf({ turnId, cardId }: CardLocation): JournalCall | undefined {
		return this.facts.get(turnId)?.get(cardId)?.change;
	}

	/** Shows a request on its card and, for a change, its diff. Waits for the answer. */
	async ask(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalAnswer> {
		const { turnId, cardId } = placeOfCall(request.callId);
		const requestId = randomUUID();
		const { promise, resolve } = Promise.withResolvers<ApprovalAnswer>();
		const pending: Pending = { turnId, cardId, request, resolve, preview: undefined };
		this.pending.set(requestId, pending);
		const stop = (): void => resolve({ type: "deny" });
		signal.addEventListener("abort", stop, { once: true });
		this.showAsked(turnId, cardId, { approval: approvalView(requestId, request) });
		pending.preview = request.preview ? this.showPreview(request.preview) : undefined;
		try {
			return await promise;
		} finally {
			signal.removeEventListener("abort", stop);
			this.pending.delete(requestId);
			this.showAsked(turnId, cardId);
			(await pending.preview)?.dispose();
		}
	}

	/** Shows the whole change of an open request in the editor again, because its tab may have been closed. */
	async showProposal({ requestId }: RequestLocation): Promise<void> {
		const pending = this.pending.get(requestId);
		if (pending?.request.preview) {
			const shown = pending.preview;
			pending.preview = this.showPreview(pending.request.preview);
			(await shown)?.dispose();
			await pending.preview;
		}
	}

	/** Shows a question of the model on its call's card. Resolves to undefined if the user doesn't answer. */
	async askQuestion(
		{ callId, text, options }: ModelQuestion,
		signal: AbortSignal,
	): Promise<string | undefined> {
		const { turnId, cardId } = placeOfCall(callId);
		const requestId = randomUUID();
		const { promise, resolve } = Promise.withResolvers<string | undefined>();
		this.questions.set(requestId, { options, resolve });
		const stop = (): void => resolve(undefined);
		signal.addEventListener("abort", stop, { once: true });
		const shown = options.map(option => revealInLine(option));
		this.showAsked(turnId, cardId, {
			question: { requestId, text: revealHidden(text), options: shown },
		});
		try {
			return await promise;
		} finally {
			signal.removeEventListener("abort", stop);
			this.questions.delete(requestId);
			this.showAsked(turnId, cardId);
		}
	}

	/** Answers a question of the model. Throws an error with a message for the user if it is no longer open. */
	answerQuestion({ requestId, option, text }: QuestionAnswer): void {
		const asked = this.questions.get(requestId);
		if (!asked) {
			throw new Error(l10n.t("This is no longer available."));
		}
		const chosen = option === undefined ? undefined : asked.options[option];
		const parts = [chosen, text].filter(part => part !== undefined);
		asked.resolve(parts.length === 0 ? undefined : parts.join("\n\n"));
	}

	/** Answers an approval request. Throws an error with a message for the user if it is no longer open. */
	answer({ requestId, decision, scope, reason, hunks }: ToolAnswer): void {
		const pending = this.pending.get(requestId);
		if (!pending) {
			throw new Error(l10n.t("This is no longer available."));
		}
		const { request, resolve } = pending;
		if (decision === "deny") {
			resolve(reason.trim() === "" ? { type: "deny" } : { type: "deny", reason });
			return;
		}
		const hasHunks = request.preview?.files.some(file => file.hunks.length > 0) === true;
		const { fingerprint } = request;
		resolve({ type: "allow", fingerprint, scope, ...(hasHunks ? { hunks: new Set(hunks) } : {}) });
	}

	private showAsked(
		turnId: string,
		cardId: string,
		asked?: Pick<ToolCardView, "approval" | "question">,
	): void {
		const card = this.cards.get(turnId)?.get(cardId);
		if (card) {
			const bare = withoutRequest(card);
			this.set(turnId, asked ? { ...bare, state: "asking", ...asked } : bare);
		}
	}

	private keepFacts({ turnId, cardId }: CardLocation, facts: CardFacts): void {
		const known = this.facts.get(turnId) ?? new Map<string, CardFacts>();
		known.set(cardId, { ...known.get(cardId), ...facts });
		this.facts.set(turnId, known);
	}

	private learn(place: CardLocation, facts: CardFacts): void {
		this.keepFacts(place, facts);
		const card = this.cards.get(place.turnId)?.get(place.cardId);
		if (card) {
			this.set(place.turnId, card);
		}
	}

	private dressed(turnId: string, card: ToolCardView): ToolCardView {
		const { change, note, isNotApproved } = this.facts.get(turnId)?.get(card.id) ?? {};
		return {
			...card,
			...(card.state === "stopped" && isNotApproved ? { state: "notApproved" } : {}),
			...(change ? { change: changeView(change) } : {}),
			...(change?.counts ? { counts: change.counts } : {}),
			...(note === undefined ? {} : { note }),
		};
	}

	private set(turnId: string, card: ToolCardView): void {
		const cards = this.cards.get(turnId) ?? new Map<string, ToolCardView>();
		const dressed = this.dressed(turnId, card);
		cards.set(card.id, dressed);
		this.cards.set(turnId, cards);
		this.changed.fire({ turnId, card: dressed });
	}
}

function changeView({ state, isWhole }: JournaledChange): NonNullable<ToolCardView["change"]> {
	return state === "undone" ? "undone" : isWhole ? "applied" : "appliedForGood";
}

function withoutRequest({ approval: _, question: __, ...card }: ToolCardView): ToolCardView {
	return card;
}
