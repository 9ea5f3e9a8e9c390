import { atOnce } from "../../common/async.ts";
import { type ChatRecord, type ChatWorkspace, turnNumberOf } from "./chatRecord.ts";
import { resumeAttempt } from "../toolLoop/continuation.ts";
import { applyThought, keepThoughts, continueAttempt } from "../contract/answerDetail.ts";
import {
	applyToolRecord,
	callIdOf,
	type AnswerMessage,
	endTurn,
	startAttempt,
	startTurn,
	type Turn,
} from "../contract/turn.ts";
import { placeOfCall } from "../contract/toolRecord.ts";
import { TurnTree, type TurnTreeState } from "../contract/turnTree.ts";

/** A chat restored from its log. Fields whose lines were lost are undefined. */
export interface ReplayedChat {
	readonly id: string | undefined;
	readonly title: string | undefined;
	/** Milliseconds since 1970. */
	readonly createdAt: number | undefined;
	readonly workspace: ChatWorkspace | undefined;
	readonly turns: readonly Turn[];
	/** All turns, including hidden ones. */
	readonly tree: TurnTreeState;
	/** The number of the next turn, counted from 1. */
	readonly nextTurn: number;
}

/**
 * Restores a chat from its records. A turn without an ending was interrupted by a reload. A turn with lost lines is partly unreadable, and its answer
 * isn't sent again. Skips records of missing turns.
 */
export function replayChat(records: readonly ChatRecord[]): ReplayedChat {
	return atOnce(replayingChat(records));
}

/** Like `replayChat`, but step by step for chats of any length. */
export function* replayingChat(records: readonly ChatRecord[]): Generator<undefined, ReplayedChat> {
	const tree = new TurnTree();
	const lists = new WeakMap<readonly AnswerMessage[], AnswerMessage[]>();
	const damaged = new Set<number>();
	let last = 0;
	for (const record of records) {
		if (record.type === "gap" && tree.get(last)?.progress.state === "streaming") {
			damaged.add(last);
		}
		last = turnNumberOf(record) ?? last;
		applyRecord(tree, lists, record);
		yield;
	}
	const created = records.find(record => record.type === "chat-created");
	tree.changeAll((turn, number) => settle(turn, damaged.has(number)));
	return {
		id: created?.id,
		title: records.findLast(record => record.type === "title")?.title,
		workspace: created?.workspace,
		createdAt: created?.at ?? tree.everyTurn[0]?.createdAt,
		turns: tree.turns,
		tree: tree.state,
		nextTurn: tree.nextNumber,
	};
}

function applyRecord(tree: TurnTree, lists: OwnLists, record: ChatRecord): void {
	switch (record.type) {
		case "chat-created":
		case "title":
		case "gap":
			return;
		case "turn-started": {
			const { id, prompt, options, attachments = [] } = record;
			const question = { id, prompt, options, attachments, createdAt: record.at };
			tree.add(record.turn, startTurn(question), record.after);
			return;
		}
		case "branch-shown":
			tree.show(record.shown);
			return;
		case "tool-started":
		case "block-called":
		case "tool-ended": {
			const { turnId } = placeOfCall(callIdOf(record));
			tree.change(tree.numberOf(turnId) ?? 0, turn => applyToolRecord(turn, record));
			return;
		}
		default:
			tree.change(record.turn, turn => continueTurn(turn, lists, record));
	}
}

type TurnRecord = Extract<ChatRecord, { turn: number }>;

/** Message lists created during this replay, which may be modified. Copying them for every record would take quadratic time. */
type OwnLists = WeakMap<readonly AnswerMessage[], AnswerMessage[]>;

function continueTurn(
	turn: Turn,
	lists: OwnLists,
	record: Exclude<TurnRecord, { type: "turn-started" }>,
): Turn {
	switch (record.type) {
		case "attempt-started":
			return startAttempt(turn, record);
		case "attempt-resumed":
			return resumeAttempt(turn, record);
		case "attempt-continued":
			return continueAttempt(turn, record.options);
		case "text":
			return changeMessage(turn, lists, record.index, record.role, message => ({
				...message,
				text: message.text + record.text,
			}));
		case "message-finished":
			return changeMessage(turn, lists, record.index, record.message.role, message =>
				finishMessage(message, record),
			);
		case "answer-replaced":
			return { ...keepThoughts(turn, 0), messages: record.messages };
		case "thought":
			return applyThought(turn, record);
		case "turn-ended": {
			const { progress, usage, notes } = record;
			return { ...turn, progress, ...(usage ? { usage } : {}), ...(notes ? { notes } : {}) };
		}
	}
}

/** The most consecutive lost messages. Records of messages further on are skipped. */
const maxLostMessages = 8;

/** Changes a message. Creates it if no earlier record mentions it. */
function changeMessage(
	turn: Turn,
	lists: OwnLists,
	index: number,
	role: string,
	change: (message: AnswerMessage) => AnswerMessage,
): Turn {
	if (index > turn.messages.length + maxLostMessages) {
		return turn;
	}
	const messages = lists.get(turn.messages) ?? [...turn.messages];
	lists.set(messages, messages);
	const message: AnswerMessage = { role, text: "", isFinished: false, toolNames: [] };
	// Only after lost lines, records may mention a message before an earlier one.
	while (messages.length <= index) {
		messages.push(message);
	}
	messages[index] = change(messages[index] ?? message);
	return { ...turn, messages };
}

function finishMessage(
	message: AnswerMessage,
	record: Extract<ChatRecord, { type: "message-finished" }>,
): AnswerMessage {
	const { raw, ...known } = record.message;
	return {
		...message,
		...known,
		isFinished: true,
		...(raw ? { raw: record.isContentSaved ? { ...raw, content: message.text } : raw } : {}),
	};
}

function settle(turn: Turn, isDamaged: boolean): Turn {
	if (isDamaged) {
		return {
			...turn,
			messages: turn.messages.map(({ raw: _, ...message }) => message),
			progress: { state: "partlyUnreadable", unreadableParts: 1, hasReplacedBytes: false },
		};
	}
	return turn.progress.state === "streaming" ? endTurn(turn, { type: "reload" }) : turn;
}
