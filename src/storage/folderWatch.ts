import * as fs from "node:fs";
import { type Clock, Coalescer, every } from "../common/async.ts";
import { Disposable, toDisposable, Emitter, type Event } from "../common/disposable.ts";
import { toError } from "../common/errors.ts";
import type { Log } from "../common/log.ts";
import type { FileSystem } from "./fileSystem.ts";

/** Changes within this time are reported together, in milliseconds. */
const gatherMs = 250;

/** Interval of scans, in case the system reports no changes, in milliseconds. */
const rescanMs = 30_000;

export interface FolderWatchDependencies {
	readonly folder: string;
	readonly files: FileSystem;
	readonly clock: Clock;
	readonly log: Log;
	readonly concerns: (name: string) => boolean;
}

/** Reports that files in a folder were added, removed or changed by any process. Doesn't report which. */
export class FolderWatch extends Disposable {
	private readonly dependencies: FolderWatchDependencies;
	private readonly emitter: Emitter<void>;
	private isStarted = false;
	private isWatching = false;
	private lastSeen: string | undefined;
	/** Watching starts with the first listener. Fires at most once in 250 ms, and after at most 30 seconds if the system reports nothing. */
	readonly onDidChange: Event<void>;
	private readonly changed;

	constructor(dependencies: FolderWatchDependencies) {
		super();
		this.dependencies = dependencies;
		this.emitter = this.register(
			new Emitter<void>(error => this.report("A listener of a folder failed", error)),
		);
		this.changed = this.register(
			new Coalescer(gatherMs, () => this.emitter.fire(undefined), dependencies.clock),
		);
		this.onDidChange = listener => {
			void this.start();
			return this.emitter.event(listener);
		};
	}

	/** Reports a change by this process. */
	touch(): void {
		this.changed.schedule();
	}

	private async start(): Promise<void> {
		if (this.isStarted || this.isDisposed) {
			return;
		}
		this.isStarted = true;
		this.register(every(rescanMs, () => void this.rescan(), this.dependencies.clock));
		await this.listen();
		this.lastSeen = await this.picture();
	}

	/** Starts immediately if the folder exists, so that no change is missed; otherwise after the folder is created. */
	private async listen(): Promise<void> {
		const { folder, files } = this.dependencies;
		try {
			if (!fs.existsSync(folder)) {
				await files.makeFolder(folder);
			}
			this.watchFolder();
		} catch (error) {
			// The periodic scan still finds changes.
			this.report("A folder cannot be watched", error);
		}
	}

	private watchFolder(): void {
		const { folder, concerns } = this.dependencies;
		const watcher = fs.watch(folder, { persistent: false }, (_type, name) => {
			if (name === null || concerns(name)) {
				this.changed.schedule();
			}
		});
		this.isWatching = true;
		watcher.on("error", error => {
			watcher.close();
			this.isWatching = false;
			this.report("A folder can no longer be watched", error);
		});
		this.register(toDisposable(() => watcher.close()));
	}

	private async rescan(): Promise<void> {
		if (!this.isWatching) {
			await this.listen();
		}
		const fingerprint = await this.picture();
		if (fingerprint !== this.lastSeen && !this.isDisposed) {
			this.lastSeen = fingerprint;
			this.changed.schedule();
		}
	}

	/** Returns a fingerprint of the files, or undefined if the folder can't be read. */
	private async picture(): Promise<string | undefined> {
		const { folder, files, concerns } = this.dependencies;
		try {
			const stamps = await files.stamps(folder, concerns);
			return stamps.map(({ name, size, modifiedAt }) => `${name} ${size} ${modifiedAt}`).join("\n");
		} catch (error) {
			this.report("A folder cannot be read", error);
			return undefined;
		}
	}

	private report(message: string, error: unknown): void {
		this.dependencies.log.warn(message, { error: toError(error).message });
	}
}
