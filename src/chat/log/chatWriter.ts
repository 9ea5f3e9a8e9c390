import { type Clock, SerialQueue } from "../../common/async.ts";
import { encodeRecords } from "./chatLog.ts";
import type { ChatRecord } from "./chatRecord.ts";
import {
	type FileSystem,
	type LogFile,
	orStoreError,
	StoreError,
	toStoreError,
} from "../../storage/fileSystem.ts";
import { acquireWriterLease, type Lease } from "../../storage/lease.ts";

export interface ChatWriter {
	/**
	 * Appends records: all, or none and a `StoreError`. With `isDurable`, resolves once they would survive a power cut. Calls run one after the other.
	 * The first one creates the file.
	 */
	append(records: readonly ChatRecord[], isDurable: boolean): Promise<void>;
	/**
	 * Runs a write of another file between two appends, while this window has the right to write the chat. Throws `StoreError` before writing if it
	 * doesn't.
	 */
	whileHeld(write: () => Promise<void>): Promise<void>;
	/** Whether this window had the right to write the chat and another window has seized it. */
	isTaken(): Promise<boolean>;
	/** Closes the file and releases the lease. Throws `StoreError`. */
	close(): Promise<void>;
}

/** State of a log before the first append. */
export interface LogPosition {
	/** Valid bytes. Anything after them is an incomplete line and will be removed. */
	readonly length: number;
	readonly nextNumber: number;
	readonly hasTornTail: boolean;
}

export const newLog: LogPosition = { length: 0, nextNumber: 0, hasTornTail: false };

/** Dependencies of a writer. The first write acquires `lease` if it isn't held. */
export interface ChatWriterDependencies {
	readonly files: FileSystem;
	readonly clock: Clock;
	readonly folder: string;
	readonly logPath: string;
	readonly leasePath: string;
	readonly position: LogPosition;
	readonly lease?: Lease;
}

/** The writer of a chat. Doesn't access the disk before the first `append`. */
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
			await orStoreError(this.dependencies.logPath, this.hold());
			await write();
		});
	}

	async isTaken(): Promise<boolean> {
		return this.lease !== undefined && !(await this.lease.isHeld());
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

	/** Acquires the lease, or checks that this window still has it. */
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

	/** Acquires the lease and opens the file, without an incomplete last line. */
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

	/** Records reported as failed must not reappear after a restart. */
	private async cutTornTail(): Promise<void> {
		try {
			if (this.file && this.mayHaveTornTail && (await this.file.size()) > this.length) {
				await this.file.truncate(this.length);
			}
		} catch {
			// The next write removes it. Until then, readers treat it as an incomplete line.
			return;
		}
	}
}

/** Creates the writer of a read-only chat. Every write fails with `error`. */
export function createClosedWriter(error: StoreError): ChatWriter {
	const refuse = (): Promise<never> => Promise.reject(error);
	return {
		append: refuse,
		whileHeld: refuse,
		isTaken: () => Promise.resolve(false),
		close: () => Promise.resolve(),
	};
}
