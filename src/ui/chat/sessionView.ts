import type { ChatSession, ChatSessionChange } from "../../chat/chatSession.ts";
import { assertNever } from "../../common/errors.ts";
import { type Clock, every } from "../../common/async.ts";
import { Disposable, type IDisposable } from "../../common/disposable.ts";
import type { ChatChange } from "../../shared/chat.ts";
import {
	answererView,
	messageView,
	notesView,
	statusView,
	thoughtView,
	turnView,
	usageView,
} from "./chatViewModel.ts";
import { describeRequests } from "../tools/toolCards.ts";
import type { ToolCardStore } from "../tools/toolCardStore.ts";
import { turnStatus, noticeMessage } from "./turnStatus.ts";
import type { RequestNotice } from "../../client/contract/serviceClient.ts";

/** Shows notices to the waiting user. Those that count seconds are updated every second. */
export class NoticeTicker implements IDisposable {
	private readonly clock: Clock;
	private readonly say: (sentence: string | undefined, packages?: string) => void;
	private ticking: IDisposable | undefined;
	private shown: string | undefined;
	private notice: RequestNotice | undefined;
	/** When the subject of the notice started. */
	private start = 0;

	/** Passes each message to `say`, or undefined when it no longer applies, and the id of a question about packages. */
	constructor(clock: Clock, say: (sentence: string | undefined, packages?: string) => void) {
		this.clock = clock;
		this.say = say;
	}

	show(notice: RequestNotice): void {
		const isGoingOn =
			notice.type === "progress" &&
			this.notice?.type === "progress" &&
			notice.stage === this.notice.stage;
		if (!isGoingOn) {
			this.stop();
			this.start = this.clock.monotonic();
			if (notice.type === "retrying" || notice.type === "progress") {
				this.ticking = every(1000, () => this.tell(), this.clock);
			}
		}
		this.notice = notice;
		this.tell();
	}

	/** Removes the shown notice, if any. */
	clear(): void {
		this.stop();
		this.update(undefined);
	}

	/** Drops the notice without an update, because a whole status replaces it. */
	forget(): void {
		this.stop();
		this.shown = undefined;
	}

	dispose(): void {
		this.stop();
	}

	private stop(): void {
		this.ticking?.dispose();
		this.ticking = undefined;
		this.notice = undefined;
	}

	private tell(): void {
		if (this.notice) {
			this.update(noticeMessage(this.notice, this.clock.monotonic() - this.start));
		}
	}

	private update(sentence: string | undefined): void {
		if (sentence !== this.shown) {
			this.shown = sentence;
			this.say(sentence, this.notice?.type === "packages" ? this.notice.id : undefined);
		}
	}
}

/** A change of the view, or a notice that the banner, the turns after one, or everything must be rendered again. */
export type SessionViewChange =
	| Exclude<ChatChange, { type: "banner" | "reset" | "branch-shown" }>
	| { readonly type: "branch-shown"; readonly after: string | undefined }
	| { readonly type: "banner" }
	| { readonly type: "reset" };

/** Converts a session's changes for the view, in order, until disposed. */
export class SessionView extends Disposable {
	private readonly session: ChatSession;
	private readonly isLocal: () => boolean;
	private readonly change: (change: SessionViewChange) => void;
	private readonly cards: SessionCards | undefined;
	private readonly ticker: NoticeTicker;
	private noticedTurn = "";

	constructor(
		session: ChatSession,
		clock: Clock,
		isLocal: () => boolean,
		change: (change: SessionViewChange) => void,
		cards?: SessionCards,
	) {
		super();
		this.session = session;
		this.isLocal = isLocal;
		this.change = change;
		this.cards = cards;
		this.register(session.onDidChange(step => this.take(step)));
		this.ticker = this.register(
			new NoticeTicker(clock, (sentence, packages) => this.notice(sentence, packages)),
		);
	}

	private notice(sentence: string | undefined, packages: string | undefined): void {
		this.change({
			type: "status",
			turnId: this.noticedTurn,
			status: { state: "streaming", actions: [], notice: sentence, packages },
		});
	}

	private take(step: ChatSessionChange): void {
		const { session, ticker } = this;
		if (this.cards && "turnId" in step) {
			tellCards(this.cards, session, step);
		}
		if (step.type === "tool-call") {
			return;
		}
		if (step.type === "notice") {
			this.noticedTurn = step.turnId;
			ticker.show(step.notice);
			return;
		}
		if (step.type !== "turn-progress") {
			ticker.clear();
		} else {
			// The progress that follows is a whole status.
			ticker.forget();
		}
		endThoughts(step, session).forEach(each => this.change(each));
		this.change(viewChange(step, session, this.isLocal()));
	}
}

type SessionCards = Pick<ToolCardStore, "note" | "noteUnusable" | "resume" | "clear">;

function endThoughts(step: ChatSessionChange, session: ChatSession): SessionViewChange[] {
	if (step.type !== "turn-progress" || step.progress.state === "streaming") {
		return [];
	}
	const { turnId, progress } = step;
	const { thoughts = [] } = session.turns.find(({ id }) => id === turnId) ?? {};
	return thoughts
		.filter(({ durationMs }) => durationMs === undefined)
		.map(thought => {
			return {
				type: "thought",
				turnId,
				thought: thoughtView({ ...thought, text: "" }, { progress }),
			};
		});
}

function thoughtChange(
	{ turnId, step }: Extract<ChatSessionChange, { type: "thought" }>,
	session: ChatSession,
): SessionViewChange {
	const turn = session.turns.find(({ id }) => id === turnId);
	const whole = turn?.thoughts?.find(({ after }) => after === step.after);
	return whole && turn && !step.isDropped
		? { type: "thought", turnId, thought: thoughtView({ ...whole, text: step.text }, turn) }
		: { type: "reset" };
}

function tellCards(
	cards: SessionCards,
	session: ChatSession,
	step: Extract<ChatSessionChange, { turnId: string }>,
): void {
	const turn = session.turns.find(({ id }) => id === step.turnId);
	if (step.type === "answer-cleared") {
		cards.clear(step.turnId);
	} else if (step.type === "message-finished" && step.message.hasUnusableCall) {
		cards.noteUnusable(step.turnId, step.index);
	} else if (step.type === "turn-resumed" && turn) {
		cards.resume(turn);
	} else if (step.type === "tool-call" && turn) {
		cards.note(turn, step.call, step.state);
	}
}

function viewChange(
	step: Exclude<ChatSessionChange, { type: "notice" | "tool-call" }>,
	session: ChatSession,
	isLocal: boolean,
): SessionViewChange {
	switch (step.type) {
		case "turn-added":
			return { type: "turn-added", turn: turnView(step.turn, isLocal) };
		case "message-started":
			return {
				type: "message-started",
				turnId: step.turnId,
				message: messageView(step.message, step.index),
			};
		case "message-finished":
			return {
				type: "message-finished",
				turnId: step.turnId,
				index: step.index,
				toolNames: describeRequests(step.message, step.index),
			};
		case "turn-progress": {
			const turn = session.turns.find(candidate => candidate.id === step.turnId);
			return {
				type: "status",
				turnId: step.turnId,
				status: turn
					? statusView({ ...turn, progress: step.progress }, isLocal)
					: turnStatus(step.progress, false, isLocal),
				...(turn ? { ...usageView(turn), ...notesView(turn), answerer: answererView(turn) } : {}),
			};
		}
		case "text":
		case "branch-shown":
		case "answer-cleared":
		case "title":
			return step;
		case "thought":
			return thoughtChange(step, session);
		case "turn-resumed":
			return { type: "reset" };
		case "store-failed":
		case "store-recovered":
			return { type: "banner" };
		default:
			return assertNever(step);
	}
}
