import { type Clock, delay } from "../../common/async.ts";
import { Disposable, toDisposable } from "../../common/disposable.ts";
import { Emitter, type Event } from "../../common/emitter.ts";
import { isAbortError, toError } from "../../common/errors.ts";
import type { Log } from "../../common/log.ts";
import { decodeLog } from "../log/chatLog.ts";
import type { ChatPaths } from "../log/chatPaths.ts";
import type { ChatRecord } from "../log/chatRecord.ts";
import { replayChat } from "../log/chatReplay.ts";
import type { FileSystem } from "../../storage/fileSystem.ts";
import { systemCode } from "../../storage/atomicFile.ts";
import { isLeaseHeld } from "../../storage/lease.ts";
import type { Turn } from "../turn/turn.ts";
import type { TurnTreeState } from "../turn/turnTree.ts";

/** How often a followed chat is looked at, in milliseconds. */
const followMs = 500;

/** A chat that another window writes, as it is on disk at most half a second later. */
export interface ChatFollower extends Disposable {
	/** The turns that are shown so far; one that is being answered is streaming as long as its window lives, and interrupted after that. */
	readonly turns: readonly Turn[];
	/** All turns, those that are not shown included. */
	readonly tree: TurnTreeState;
	/** The number of the turn asked next, counted from 1. */
	readonly nextTurn: number;
	/** Whether a window has the right to write the chat at present. */
	readonly hasWriter: boolean;
	readonly onDidChange: Event<FollowChange>;
}

/** Change of a followed chat. */
export type FollowChange =
	/** More text of a message that is there already. */
	| {
			readonly type: "text";
			readonly turnId: string;
			readonly index: number;
			readonly text: string;
	  }
	/** Anything else: the turns, or whether there is a writer. */
	| { readonly type: "replaced" };

/** Dependencies of a follower. */
export interface ChatFollowerDependencies extends ChatPaths {
	readonly files: FileSystem;
	readonly clock: Clock;
	readonly log: Log;
}

/** Reads a chat and follows it until disposed. Rejects with the system's error when it cannot be read at all. */
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

/** How much of a log was read. */
interface ReadPart {
	readonly records: readonly ChatRecord[];
	/** Bytes. */
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

	/** Looks again and again until disposed. Never rejects. */
	async run(): Promise<void> {
		let lastError: string | undefined;
		while (!this.isDisposed) {
			try {
				await delay(followMs, this.abort.signal, this.dependencies.clock);
				await this.look();
				lastError = undefined;
			} catch (error) {
				// What was read stays; the next look may succeed. The same failure is told once.
				if (!isAbortError(error) && systemCode(error) !== lastError) {
					lastError = systemCode(error);
					this.dependencies.log.warn("A chat could not be followed", {
						error: toError(error).message,
					});
				}
			}
		}
	}

	/** Reads what has come since the last look and tells it. */
	async look(): Promise<void> {
		const { files, clock, leasePath } = this.dependencies;
		// Asked first: whoever let go before that has written everything before this reads.
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

	/** The records that came, or `replaced` when the file is not the one that was read before. */
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

	/** The changes, when all of the records are more text of messages that are there. */
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
