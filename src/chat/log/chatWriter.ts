import type { Clock } from "../../common/async.ts";
import { encodeRecords } from "./chatLog.ts";
import type { ChatRecord } from "./chatRecord.ts";
import type { FileSystem, LogFile } from "../../storage/fileSystem.ts";
import { SerialQueue } from "../../storage/serialQueue.ts";
import { StoreError, toStoreError } from "../../storage/storeError.ts";
import { acquireWriterLease, type Lease } from "../../storage/lease.ts";

/** The writing side of one chat's log. */
export interface ChatWriter {
	/**
	 * Adds records behind those before them: all, or none and a `StoreError`. With `isDurable` it resolves only once they
	 * would survive a power cut. Calls run one after the other; the first makes the file.
	 */
	append(records: readonly ChatRecord[], isDurable: boolean): Promise<void>;
	/**
	 * Writes something beside the log, between two appends, while this window alone writes the chat. Throws `StoreError` before
	 * anything is written where it does not.
	 */
	whileHeld(write: () => Promise<void>): Promise<void>;
	/** Lets go of the file and of the right to write it. Throws `StoreError`. */
	close(): Promise<void>;
}

/** The state of a log before the first record is added to it. */
export interface LogPosition {
	/** Bytes that hold; whatever is behind them is a torn line and cut off. */
	readonly length: number;
	/** Number of the next line. */
	readonly nextNumber: number;
	readonly hasTornTail: boolean;
}

/** A log that does not exist yet. */
export const newLog: LogPosition = { length: 0, nextNumber: 0, hasTornTail: false };

/** Dependencies of a writer. `lease` is taken with the first write when it is not held yet. */
export interface ChatWriterDependencies {
	readonly files: FileSystem;
	readonly clock: Clock;
	readonly folder: string;
	readonly logPath: string;
	readonly leasePath: string;
	readonly position: LogPosition;
	readonly lease?: Lease;
}

/** The writer of a chat whose log can be added to; nothing touches the disk before the first `append`. */
export class LogWriter implements ChatWriter {
	private readonly dependencies: ChatWriterDependencies;
	private readonly queue = new SerialQueue();
	private length: number;
	private nextNumber: number;
	private mayHaveTornTail: boolean;
	private isNameDurable: boolean;
	private lease: Lease | undefined;
	private file: LogFile | undefined;

	constructor(dependencies: ChatWriterDependencies) {
		this.dependencies = dependencies;
		this.length = dependencies.position.length;
		this.nextNumber = dependencies.position.nextNumber;
		this.mayHaveTornTail = dependencies.position.hasTornTail;
		this.isNameDurable = this.length > 0;
		this.lease = dependencies.lease;
	}

	append(records: readonly ChatRecord[], isDurable: boolean): Promise<void> {
		return this.queue.run(async () => {
			try {
				await this.write(await this.prepare(), records, isDurable);
			} catch (error) {
				await this.cutTornTail();
				throw toStoreError(error, this.dependencies.logPath);
			}
		});
	}

	whileHeld(write: () => Promise<void>): Promise<void> {
		return this.queue.run(async () => {
			try {
				await this.hold();
			} catch (error) {
				throw toStoreError(error, this.dependencies.logPath);
			}
			await write();
		});
	}

	close(): Promise<void> {
		return this.queue.run(async () => {
			try {
				await this.file?.close();
			} catch (error) {
				throw toStoreError(error, this.dependencies.logPath);
			} finally {
				this.file = undefined;
				await this.lease?.release();
			}
		});
	}

	/** Makes sure that this window alone writes. */
	private async hold(): Promise<void> {
		const { files, clock, folder, leasePath, logPath } = this.dependencies;
		if (!this.lease) {
			await files.makeFolder(folder);
			this.lease = await acquireWriterLease(files, leasePath, clock);
		}
		if (!(await this.lease.isHeld())) {
			throw new StoreError("heldElsewhere", logPath);
		}
	}

	/** Makes sure that this window alone writes, and that the file ends where the next line goes. */
	private async prepare(): Promise<LogFile> {
		const { files, folder, logPath } = this.dependencies;
		if (!this.file) {
			await files.makeFolder(folder);
		}
		await this.hold();
		this.file ??= await files.open(logPath);
		const size = await this.file.size();
		if (size < this.length) {
			throw new StoreError("missing", logPath);
		}
		if (size > this.length && !this.mayHaveTornTail) {
			throw new StoreError("heldElsewhere", logPath);
		}
		if (size > this.length) {
			await this.file.truncate(this.length);
		}
		this.mayHaveTornTail = false;
		return this.file;
	}

	private async write(
		file: LogFile,
		records: readonly ChatRecord[],
		isDurable: boolean,
	): Promise<void> {
		const bytes = encodeRecords(records, this.nextNumber);
		this.mayHaveTornTail = true;
		await file.append(bytes);
		if (isDurable) {
			await file.sync();
		}
		if (isDurable && !this.isNameDurable) {
			await this.dependencies.files.syncFolder(this.dependencies.folder);
			this.isNameDurable = true;
		}
		this.mayHaveTornTail = false;
		this.length += bytes.length;
		this.nextNumber += records.length;
	}

	/** What was reported as not kept must not turn up after a restart. */
	private async cutTornTail(): Promise<void> {
		try {
			if (this.file && this.mayHaveTornTail && (await this.file.size()) > this.length) {
				await this.file.truncate(this.length);
			}
		} catch {
			// The next write cuts it; until then a reader takes it for the torn line it is.
			return;
		}
	}
}

/** The writer of a chat that nothing can be added to: every write fails with `error`. */
export function createClosedWriter(error: StoreError): ChatWriter {
	const refuse = (): Promise<never> => Promise.reject(error);
	return { append: refuse, whileHeld: refuse, close: () => Promise.resolve() };
}
