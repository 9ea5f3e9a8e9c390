import { type Clock, Coalescer, SerialQueue } from "../../common/async.ts";
import type { IDisposable } from "../../common/disposable.ts";
import { type ChatRecord, finishedRecord } from "./chatRecord.ts";
import type { ChatWriter } from "./chatWriter.ts";
import { type StoreError, toStoreError } from "../../storage/fileSystem.ts";
import type { AnswerMessage } from "../contract/turn.ts";

/** The longest delay before text is written, in milliseconds. docs/faults.md, save points. */
const savePointMs = 1000;

/** Amount of text that is written at once, in bytes. docs/faults.md, save points. */
export const savePointBytes = 4096;

/** Delay before retrying failed writes, in milliseconds. */
export const retryMs = 30_000;

export interface ChatRecorderDependencies {
	readonly writer: ChatWriter;
	readonly clock: Clock;
	/** Called with the error when writing starts to fail, and with `undefined` when it works again. */
	readonly onDidChangeError: (error: StoreError | undefined) => void;
}

/** Decides when a chat's records are written. Keeps records in memory, in order, while writing fails. */
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

	get error(): StoreError | undefined {
		return this.currentError;
	}

	/** Resolves once `records` and all earlier ones are on disk. Otherwise throws `StoreError` and discards `records`. */
	commit(records: readonly ChatRecord[]): Promise<void> {
		return this.queue.run(() => this.write(records, true));
	}

	/** Adds a record to the next save point. */
	add(record: ChatRecord): void {
		this.sealText();
		this.waiting.push(record);
		this.savePoint.schedule();
	}

	addText(turn: number, index: number, role: string, delta: string): void {
		this.append({ turn, index, role }, delta);
	}

	/** Adds thinking after this number of messages to the next save point. */
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
			// Sealed first, because otherwise every further delta would trigger a write until earlier records are written.
			this.sealText();
			this.savePoint.flushNow();
		}
	}

	addFinished(turn: number, index: number, message: AnswerMessage): void {
		this.add(finishedRecord(turn, index, message));
	}

	/** Writes all pending records to disk. `error` reports a failure. */
	save(): Promise<void> {
		return this.writeWaiting(true);
	}

	/** Whether this window had the right to write the chat and another window has seized it. */
	isTaken(): Promise<boolean> {
		return this.writer.isTaken();
	}

	/** Writes what it can and closes the file. Throws `StoreError` if records are left, unless another window has the chat, which goes on from what was saved. */
	async close(): Promise<void> {
		this.savePoint.dispose();
		await this.save();
		this.retry?.dispose();
		await this.writer.close();
		const error = this.currentError;
		if (this.waiting.length > 0 && error && error.kind !== "heldElsewhere") {
			throw error;
		}
	}

	private reachSavePoint(): void {
		// While writing fails, only the slow retry tries again.
		if (!this.currentError) {
			void this.writeWaiting(false);
		}
	}

	private writeWaiting(isDurable: boolean): Promise<void> {
		// `write` reports an error, and the records are kept for the next try.
		return this.queue.run(() => this.write([], isDurable)).catch(() => undefined);
	}

	/** Writes all pending records and then `extra`, which is never kept after a failure. */
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

/** Text of a message or thought that is in no record yet. */
interface UnsavedText {
	readonly turn: number;
	/** Index of the message, or the number of messages before the thought. */
	readonly index: number;
	/** Role of the message; undefined for a thought. */
	readonly role: string | undefined;
	text: string;
	bytes: number;
}
