import type { TurnAttachment } from "../attachments/index.ts";
import type { ServiceClient } from "../client/index.ts";
import type { Clock } from "../common/async.ts";
import type { IDisposable } from "../common/disposable.ts";
import type { Event } from "../common/emitter.ts";
import type { Log } from "../common/log.ts";
import type { BlockCallLog } from "./blockCallLog.ts";
import type { ChatSessionChange } from "./chatChange.ts";
import type { ChatStore, StoredChat } from "./store/index.ts";
import type { QueueFile } from "./queue/index.ts";
import type { SendResult, ShowResult } from "./sendResult.ts";
import type { StoreError } from "../storage/index.ts";
import type { Turn, TurnOptions, TurnVersions } from "./turn/index.ts";
import type { ChatTools } from "./turnRun.ts";

/** Question, and its options. */
export type Question = Pick<Turn, "prompt" | "options" | "attachments">;

/** One conversation. It shows nothing: it changes and says so. */
export interface ChatSession extends IDisposable {
	readonly id: string;
	/** Empty before the first question. */
	readonly title: string;
	/** The turns that are shown, of which only the last one changes. */
	readonly turns: readonly Turn[];
	/** All turns, other versions of questions and what was asked behind them included. */
	readonly allTurns: readonly Turn[];
	/** Whether a question is being saved, asked or answered; only one is at a time (T10). */
	readonly isBusy: boolean;
	/** Why the chat cannot be saved, while it cannot: nothing new is sent meanwhile (L6). */
	readonly storeError: StoreError | undefined;
	/** Where clicks on code blocks are kept. */
	readonly blockCalls: BlockCallLog;
	readonly onDidChange: Event<ChatSessionChange>;
	/**
	 * Asks a question: its record is on disk before its request leaves, and there is exactly one request. Its turn gets the id
	 * that is given, which must be none of the chat's.
	 */
	send(
		prompt: string,
		options: TurnOptions,
		attachments?: readonly TurnAttachment[],
		id?: string,
	): Promise<SendResult>;
	/** The messages that wait in it, on disk. */
	readonly queueFile: QueueFile;
	/**
	 * Asks another version of a question that is shown: from then on it is shown in that one's place. The other version and
	 * all that was asked behind it stay in the chat, and are no part of requests while they are not shown.
	 */
	askVersion(turnId: string, question: Question): Promise<SendResult>;
	/** The versions of a question, itself among them; none for one that is not in the chat. */
	versionsOf(turnId: string): TurnVersions;
	/** Shows a version of a question and what was shown behind it last. Nothing is sent. */
	showVersion(turnId: string): ShowResult;
	/** Ends the running answer, keeping its text; does nothing when none is running (S25). */
	stop(): void;
	/**
	 * Asks the last question again, with other options and attachments if given; its answer so far stays in the log only.
	 */
	retry(
		turnId: string,
		options?: TurnOptions,
		attachments?: readonly TurnAttachment[],
	): Promise<SendResult>;
	/**
	 * Goes on with the last question where its last request failed: results of tools stay, and no call runs twice. Unavailable
	 * without such results.
	 */
	resume(
		turnId: string,
		options?: TurnOptions,
		attachments?: readonly TurnAttachment[],
	): Promise<SendResult>;
	/**
	 * Goes on with the answer of the last question where it was cut off; what came stays, and what comes is added to it.
	 * Unavailable for an answer that ended otherwise, or has no text.
	 */
	continueAnswer(turnId: string, options?: TurnOptions): Promise<SendResult>;
	/** «Show the error»: asks the last question without streaming. Its answer is used if it has one (S28). */
	showError(turnId: string): Promise<SendResult>;
	/** Ends a running answer as interrupted; resolves once everything is on disk that can be. */
	close(): Promise<void>;
}

/** Dependencies of a session. Without `chat` it starts a chat of the store. */
export interface ChatSessionDependencies {
	readonly client: ServiceClient;
	readonly store: ChatStore;
	readonly clock: Clock;
	readonly log: Log;
	readonly chat?: StoredChat;
	/** Tools the model may call; none when left out. */
	readonly tools?: ChatTools;
}
