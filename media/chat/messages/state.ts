import type { ToolCardView } from "../../../src/shared/tools.ts";
import type {
	ChatChange,
	ChatViewState,
	MessageView,
	ThoughtView,
	TurnView,
} from "../../../src/shared/chat.ts";

/** A push of changes. */
export interface NumberedChanges {
	readonly seq: number;
	readonly changes: readonly ChatChange[];
}

/**
 * Applies a push. Returns the next state, the same one if it already includes the push, or `undefined` if a change was missed and `ready` must be
 * requested again.
 */
export function applyPush(state: ChatViewState, push: NumberedChanges): ChatViewState | undefined {
	if (push.seq <= state.seq) {
		return state;
	}
	const isReset = push.changes[0]?.type === "reset";
	if (push.seq !== state.seq + 1 && !isReset) {
		return undefined;
	}
	let next: ChatViewState | undefined = state;
	for (const change of push.changes) {
		next = next && applyChange(next, change);
	}
	return next && { ...next, seq: push.seq };
}

/** Applies a change. Returns `undefined` if its turn or message doesn't exist. */
export function applyChange(state: ChatViewState, change: ChatChange): ChatViewState | undefined {
	switch (change.type) {
		case "reset":
			return change.state;
		case "earlier-turns":
			return { ...state, turns: [...change.turns, ...state.turns] };
		case "turn-added":
			return { ...state, turns: [...state.turns, change.turn] };
		case "branch-shown": {
			const behind = state.turns.findLastIndex(({ id }) => id === change.after);
			const isKnown = change.after === null || behind !== -1;
			const kept = state.turns.slice(0, behind + 1);
			return isKnown ? { ...state, turns: [...kept, ...change.turns] } : undefined;
		}
		case "title":
			return { ...state, title: change.title };
		case "connection":
			return { ...state, connection: change.connection };
		case "composer":
			return { ...state, composer: change.composer };
		case "attachments":
			return { ...state, attachments: change.attachments };
		case "banner":
			return { ...state, banner: change.banner };
		case "queue":
			return { ...state, queue: change.queue };
		case "video":
		case "video-removed":
			return changeVideo(state, change);
		default:
			return changeTurn(state, change.turnId, turn => applyTurnChange(turn, change));
	}
}

type VideoChange = Extract<ChatChange, { readonly type: "video" | "video-removed" }>;

/** Ignores a video whose question isn't shown. */
function changeVideo(state: ChatViewState, change: VideoChange): ChatViewState {
	const video = change.type === "video" ? change.video : undefined;
	const { turnId, jobId } = change.type === "video" ? change.video : change;
	return (
		changeTurn(state, turnId, turn => {
			const index = turn.videos.findIndex(candidate => candidate.jobId === jobId);
			const others = turn.videos.filter(candidate => candidate.jobId !== jobId);
			const place = index === -1 ? others.length : index;
			return { ...turn, videos: video ? others.toSpliced(place, 0, video) : others };
		}) ?? state
	);
}

type TurnChange = Exclude<Extract<ChatChange, { readonly turnId: string }>, VideoChange>;

function applyTurnChange(turn: TurnView, change: TurnChange): TurnView | undefined {
	switch (change.type) {
		case "message-started":
			return turn.messages.some(message => message.index >= change.message.index)
				? undefined
				: { ...turn, messages: [...turn.messages, change.message] };
		case "text":
			return changeMessage(turn, change.index, message => ({
				...message,
				text: message.text + change.text,
			}));
		case "message-finished":
			return changeMessage(turn, change.index, message => ({
				...message,
				isFinished: true,
				toolNames: change.toolNames,
			}));
		case "answer-cleared":
			return bare({ ...turn, messages: [] });
		case "tool-card":
			return { ...turn, tools: withCard(turn.tools ?? [], change.card) };
		case "thought":
			return { ...turn, thoughts: withThought(turn.thoughts ?? [], change.thought) };
		case "status": {
			const { status, usage, notes, answerer } = change;
			return {
				...(answerer ? withoutAnswerer(turn) : turn),
				...answerer,
				status,
				...(usage === undefined ? {} : { usage }),
				...(notes === undefined ? {} : { notes }),
			};
		}
	}
}

function withoutAnswerer({ isDemo: _, ...turn }: TurnView): TurnView {
	return turn;
}

function bare({ tools: _, thoughts: __, usage: ___, notes: ____, ...turn }: TurnView): TurnView {
	return turn;
}

function withThought(thoughts: readonly ThoughtView[], more: ThoughtView): ThoughtView[] {
	const others = thoughts.filter(({ after }) => after !== more.after);
	const before = thoughts.find(({ after }) => after === more.after)?.text ?? "";
	return [...others, { ...more, text: before + more.text }];
}

function withCard(cards: readonly ToolCardView[], card: ToolCardView): ToolCardView[] {
	const isKnown = cards.some(({ id }) => id === card.id);
	return isKnown ? cards.map(known => (known.id === card.id ? card : known)) : [...cards, card];
}

/** Whether an answer is running; at most one is. */
export function isAnswering(state: ChatViewState): boolean {
	return state.turns.at(-1)?.status.state === "streaming";
}

/** Whether a message sent now is queued, because an answer is running or a message is being sent. */
export function isBusy(state: ChatViewState): boolean {
	const { attachments, queue } = state;
	return isAnswering(state) || attachments.isSending || queue.items.some(item => item.isSending);
}

function changeTurn(
	state: ChatViewState,
	turnId: string,
	change: (turn: TurnView) => TurnView | undefined,
): ChatViewState | undefined {
	// Almost always the last turn.
	const index = state.turns.findLastIndex(turn => turn.id === turnId);
	const turn = state.turns[index];
	const changed = turn && change(turn);
	return changed && { ...state, turns: state.turns.with(index, changed) };
}

function changeMessage(
	turn: TurnView,
	index: number,
	change: (message: MessageView) => MessageView,
): TurnView | undefined {
	const position = turn.messages.findLastIndex(message => message.index === index);
	const message = turn.messages[position];
	return message && { ...turn, messages: turn.messages.with(position, change(message)) };
}
