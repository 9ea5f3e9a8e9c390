import { type Clock, Coalescer } from "../../common/async.ts";
import type { IDisposable } from "../../common/disposable.ts";
import { type ChatRecord, finishedRecord } from "./chatRecord.ts";
import type { ChatWriter } from "./chatWriter.ts";
import { SerialQueue } from "../../storage/serialQueue.ts";
import { type StoreError, toStoreError } from "../../storage/storeError.ts";
import type { AnswerMessage } from "../turn/turn.ts";

/** Text waits at most this long, in milliseconds, before it is written. docs/faults.md, save points. */
const savePointMs = 1000;

/** Text of at least this many bytes is written at once. docs/faults.md, save points. */
export const savePointBytes = 4096;

/** How long records that could not be written wait before they are tried again, in milliseconds (L6). */
export const retryMs = 30_000;

/** Dependencies of a recorder. */
export interface ChatRecorderDependencies {
	readonly writer: ChatWriter;
	readonly clock: Clock;
	/** Hears when the disk begins to refuse, and `undefined` when it has recovered. */
	readonly onDidChangeError: (error: StoreError | undefined) => void;
}

/** Decides when what happened in a chat is written. What the disk refuses waits in memory, in order. */
export class ChatRecorder {
	private readonly writer: ChatWriter;
	private readonly clock: Clock;
	private readonly onDidChangeError: (error: StoreError | undefined) => void;
	private readonly queue = new SerialQueue();
	private readonly savePoint: Coalescer;
	private readonly waiting: ChatRecord[] = [];
	private text: UnsavedText | undefined;
	private retry: IDisposable | undefined;
	private currentError: StoreError | undefined;

	constructor({ writer, clock, onDidChangeError }: ChatRecorderDependencies) {
		this.writer = writer;
		this.clock = clock;
		this.onDidChangeError = onDidChangeError;
		this.savePoint = new Coalescer(savePointMs, () => this.reachSavePoint(), clock);
	}

	/** Why records wait, while the disk refuses them. */
	get error(): StoreError | undefined {
		return this.currentError;
	}

	/** Resolves once `records`, and all before them, are on the medium; throws `StoreError` and forgets them otherwise. */
	commit(records: readonly ChatRecord[]): Promise<void> {
		return this.queue.run(() => this.write(records, true));
	}

	/** Takes a record for the next save point. */
	add(record: ChatRecord): void {
		this.sealText();
		this.waiting.push(record);
		this.savePoint.schedule();
	}

	/** Takes text of a message for the next save point. */
	addText(turn: number, index: number, role: string, delta: string): void {
		this.append({ turn, index, role }, delta);
	}

	/** Takes more of what the model thought behind so many messages for the next save point. */
	addThought(turn: number, after: number, delta: string): void {
		this.append({ turn, index: after, role: undefined }, delta);
	}

	private append(to: Pick<UnsavedText, "turn" | "index" | "role">, delta: string): void {
		const { text } = this;
		if (!text || text.turn !== to.turn || text.index !== to.index || text.role !== to.role) {
			this.sealText();
		}
		this.text ??= { ...to, text: "", bytes: 0 };
		this.text.text += delta;
		this.text.bytes += Buffer.byteLength(delta);
		this.savePoint.schedule();
		if (this.text.bytes >= savePointBytes) {
			// Sealed here, as what comes before it is written would ask for another write with every delta.
			this.sealText();
			this.savePoint.flushNow();
		}
	}

	/** Takes a message that nothing more comes for, and whose text was given before. */
	addFinished(turn: number, index: number, message: AnswerMessage): void {
		this.add(finishedRecord(turn, index, message));
	}

	/** Writes everything that waits, to the medium; whether that worked shows in `error`. */
	save(): Promise<void> {
		return this.writeWaiting(true);
	}

	/** Writes what it can and lets go of the file. Throws `StoreError` when it could not write everything. */
	async close(): Promise<void> {
		this.savePoint.dispose();
		await this.save();
		this.retry?.dispose();
		await this.writer.close();
		if (this.waiting.length > 0 && this.currentError) {
			throw this.currentError;
		}
	}

	private reachSavePoint(): void {
		// While the disk refuses, only the slow retry asks it again.
		if (!this.currentError) {
			void this.writeWaiting(false);
		}
	}

	private async writeWaiting(isDurable: boolean): Promise<void> {
		try {
			await this.queue.run(() => this.write([], isDurable));
		} catch {
			// `write` has told whoever listens, and the records wait for the next try.
			return;
		}
	}

	/** Writes everything that waits and then `extra`, which never waits. */
	private async write(extra: readonly ChatRecord[], isDurable: boolean): Promise<void> {
		this.sealText();
		const count = this.waiting.length;
		if (count + extra.length === 0) {
			return;
		}
		try {
			await this.writer.append([...this.waiting, ...extra], isDurable);
		} catch (thrown) {
			this.setError(toStoreError(thrown, ""));
			throw thrown;
		}
		this.waiting.splice(0, count);
		this.setError(undefined);
	}

	private setError(error: StoreError | undefined): void {
		const isChange = error?.kind !== this.currentError?.kind;
		this.currentError = error;
		this.retry?.dispose();
		this.retry = error && this.clock.setTimer(retryMs, () => void this.writeWaiting(true));
		if (isChange) {
			this.onDidChangeError(error);
		}
	}

	private sealText(): void {
		if (this.text) {
			const { turn, index, role, text } = this.text;
			this.waiting.push(
				role === undefined
					? { type: "thought", turn, after: index, text }
					: { type: "text", turn, index, role, text },
			);
			this.text = undefined;
		}
	}
}

/** Text of one message, or of one thought, that no record holds yet. */
interface UnsavedText {
	readonly turn: number;
	/** The message's, or how many messages are before the thought. */
	readonly index: number;
	/** The message's; undefined for a thought. */
	readonly role: string | undefined;
	text: string;
	bytes: number;
}
