import { type Clock, delay } from "../../common/async.ts";
import { Disposable, toDisposable, Emitter, type Event } from "../../common/disposable.ts";
import { isAbortError, toError, systemCode } from "../../common/errors.ts";
import type { Log } from "../../common/log.ts";
import { decodeLog } from "../log/chatLog.ts";
import type { ChatPaths } from "../log/chatPaths.ts";
import type { ChatRecord } from "../log/chatRecord.ts";
import { replayChat } from "../log/chatReplay.ts";
import type { FileSystem } from "../../storage/fileSystem.ts";
import { isLeaseHeld } from "../../storage/lease.ts";
import type { Turn } from "../turn/turn.ts";
import type { TurnTreeState } from "../turn/turnTree.ts";

/** Polling interval, in milliseconds. */
const followMs = 500;

/** A chat written by another window, at most half a second behind. */
export interface ChatFollower extends Disposable {
	/** The shown turns. A running turn is streaming while its window runs, and interrupted after that. */
	readonly turns: readonly Turn[];
	/** All turns, including hidden ones. */
	readonly tree: TurnTreeState;
	/** The number of the next turn, counted from 1. */
	readonly nextTurn: number;
	/** Whether a window currently has the right to write the chat. */
	readonly hasWriter: boolean;
	readonly onDidChange: Event<FollowChange>;
}

export type FollowChange =
	/** Further text of an existing message. */
	| {
			readonly type: "text";
			readonly turnId: string;
			readonly index: number;
			readonly text: string;
	  }
	/** Any other change: of the turns, or of `hasWriter`. */
	| { readonly type: "replaced" };

export interface ChatFollowerDependencies extends ChatPaths {
	readonly files: FileSystem;
	readonly clock: Clock;
	readonly log: Log;
}

/** Reads a chat and follows it until disposed. Rejects with the system's error if it can't be read. */
export async function followChat(dependencies: ChatFollowerDependencies): Promise<ChatFollower> {
	const follower = new Follower(dependencies);
	try {
		await follower.look();
	} catch (error) {
		follower.dispose();
		throw error;
	}
	void follower.run();
	return follower;
}

interface ReadPart {
	readonly records: readonly ChatRecord[];
	/** In bytes. */
	readonly length: number;
	readonly nextNumber: number;
}

const nothingRead: ReadPart = { records: [], length: 0, nextNumber: 0 };

class Follower extends Disposable implements ChatFollower {
	private readonly dependencies: ChatFollowerDependencies;
	private readonly abort = new AbortController();
	private readonly emitter = this.register(new Emitter<FollowChange>());
	private part = nothingRead;
	private chat = replayChat([]);
	private isHeld = false;
	readonly onDidChange: Event<FollowChange> = this.emitter.event;

	constructor(dependencies: ChatFollowerDependencies) {
		super();
		this.dependencies = dependencies;
		this.register(toDisposable(() => this.abort.abort()));
	}

	get turns(): readonly Turn[] {
		return this.chat.turns;
	}

	get tree(): TurnTreeState {
		return this.chat.tree;
	}

	get nextTurn(): number {
		return this.chat.nextTurn;
	}

	get hasWriter(): boolean {
		return this.isHeld;
	}

	/** Polls until disposed. Never rejects. */
	async run(): Promise<void> {
		let lastError: string | undefined;
		while (!this.isDisposed) {
			try {
				await delay(followMs, this.abort.signal, this.dependencies.clock);
				await this.look();
				lastError = undefined;
			} catch (error) {
				// Keeps what was read. The next poll may succeed. Logs the same failure once.
				if (!isAbortError(error) && systemCode(error) !== lastError) {
					lastError = systemCode(error);
					this.dependencies.log.warn("A chat could not be followed", {
						error: toError(error).message,
					});
				}
			}
		}
	}

	async look(): Promise<void> {
		const { files, clock, leasePath } = this.dependencies;
		// Must come first: a window that has released the lease has written everything before.
		const isHeld = await isLeaseHeld(files, leasePath, clock);
		const added = await this.readMore();
		if (this.isDisposed || (added !== "replaced" && added.length === 0 && isHeld === this.isHeld)) {
			return;
		}
		const texts =
			added === "replaced" || isHeld !== this.isHeld ? undefined : this.textChanges(added);
		this.isHeld = isHeld;
		this.chat = replayChat(this.part.records, isHeld ? "running" : "over");
		for (const change of texts ?? [{ type: "replaced" } as const]) {
			this.emitter.fire(change);
		}
	}

	/** Returns the new records, or `replaced` if the file was replaced. */
	private async readMore(): Promise<readonly ChatRecord[] | "replaced"> {
		const { files, logPath } = this.dependencies;
		const { records, length, nextNumber } = this.part;
		const { bytes, size } = await files.readFrom(logPath, length);
		const decoded = decodeLog(bytes, nextNumber);
		const isContinued = size >= length && decoded.condition !== "damaged";
		if (isContinued || length === 0) {
			this.part = {
				records: [...records, ...decoded.records],
				length: length + decoded.length,
				nextNumber: decoded.nextNumber,
			};
			return length === 0 ? "replaced" : decoded.records;
		}
		this.part = nothingRead;
		return this.readMore();
	}

	/** Returns the changes if all records are further text of existing messages. */
	private textChanges(records: readonly ChatRecord[]): readonly FollowChange[] | undefined {
		const ids = new Map(
			this.part.records.flatMap(record =>
				record.type === "turn-started" ? [[record.turn, record.id] as const] : [],
			),
		);
		const changes = records.map((record): FollowChange | undefined => {
			if (record.type !== "text") {
				return undefined;
			}
			const { index, text } = record;
			const turn = this.turns.find(({ id }) => id === ids.get(record.turn));
			return turn?.progress.state === "streaming" && turn.messages[index]
				? { type: "text", turnId: turn.id, index, text }
				: undefined;
		});
		return changes.every(change => change !== undefined) ? changes : undefined;
	}
}
