import type { ChatOptions } from "../log/chatOptions.ts";
import type { ChatWorkspace } from "../log/chatRecord.ts";
import type { ChatWriter } from "../log/chatWriter.ts";
import type { QueueFile } from "../queue/queueFile.ts";
import type { StoreError } from "../../storage/storeError.ts";
import type { Turn } from "../turn/turn.ts";
import type { TurnTreeState } from "../turn/turnTree.ts";

/** A chat read from disk, with its writer. */
export interface StoredChat {
	readonly id: string;
	/** The user's name for it, or the title of its first message; undefined before that. */
	readonly title: string | undefined;
	/** Milliseconds since 1970. */
	readonly createdAt: number;
	/** Workspace in which the chat was started; undefined if there was none. */
	readonly workspace: ChatWorkspace | undefined;
	/** Time of the deletion in milliseconds since 1970, or undefined. */
	readonly deletedAt: number | undefined;
	readonly options: ChatOptions;
	readonly turns: readonly Turn[];
	/** All turns, including hidden ones. */
	readonly tree: TurnTreeState;
	/** The number of the next turn, counted from 1. */
	readonly nextTurn: number;
	/**
	 * Why the chat is read-only, or undefined. For `heldElsewhere`, a write tries again and succeeds once the other window has released the chat without
	 * changing it. For other kinds, every write fails.
	 */
	readonly readOnly: StoreError | undefined;
	/** Path of the original file if parts of it were unreadable. */
	readonly keptAt: string | undefined;
	readonly writer: ChatWriter;
	readonly queue: QueueFile;
}

export type OpenedChat =
	| { readonly type: "opened"; readonly chat: StoredChat }
	/** The chat doesn't exist or is empty. */
	| { readonly type: "missing" }
	/** Nothing could be read. The file is kept at `keptAt`. */
	| { readonly type: "unreadable"; readonly keptAt: string };
