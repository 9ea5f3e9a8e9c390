import type { ChatOptions } from "../log/chatOptions.ts";
import type { ChatWorkspace } from "../log/chatRecord.ts";
import type { ChatWriter } from "../log/chatWriter.ts";
import type { QueueFile } from "../queue/queueFile.ts";
import type { StoreError } from "../../storage/storeError.ts";
import type { Turn } from "../turn/turn.ts";
import type { TurnTreeState } from "../turn/turnTree.ts";

/** A chat as it was read, with the way to add to it. */
export interface StoredChat {
	readonly id: string;
	/** The name a user gave it, or that of its first question; undefined before that. */
	readonly title: string | undefined;
	/** Milliseconds since 1970. */
	readonly createdAt: number;
	/** Where it was started; undefined for a chat started in no workspace. */
	readonly workspace: ChatWorkspace | undefined;
	/** When it was deleted, in milliseconds since 1970; undefined when it is not. */
	readonly deletedAt: number | undefined;
	/** Options of its questions. */
	readonly options: ChatOptions;
	/** The turns that are shown. */
	readonly turns: readonly Turn[];
	/** All turns, those that are not shown included. */
	readonly tree: TurnTreeState;
	/** The number of the turn asked next, counted from 1. */
	readonly nextTurn: number;
	/**
	 * Why nothing can be added, when nothing can. For `heldElsewhere` a write asks again and succeeds once the other window
	 * has let go without adding anything; for the other kinds every write fails.
	 */
	readonly readOnly: StoreError | undefined;
	/** Where the file is kept as it was found, when parts of it could not be read (L8). */
	readonly keptAt: string | undefined;
	readonly writer: ChatWriter;
	/** The messages that wait in it. */
	readonly queue: QueueFile;
}

/** Outcome of opening a chat. */
export type OpenedChat =
	| { readonly type: "opened"; readonly chat: StoredChat }
	/** No such chat, or one that nothing was ever written to. */
	| { readonly type: "missing" }
	/** Nothing of it could be read; the file is kept at `keptAt` (L8). */
	| { readonly type: "unreadable"; readonly keptAt: string };
