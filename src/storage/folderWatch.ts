import * as fs from "node:fs";
import { type Clock, Coalescer, every } from "../common/async.ts";
import { Disposable, toDisposable } from "../common/disposable.ts";
import { Emitter, type Event } from "../common/emitter.ts";
import { toError } from "../common/errors.ts";
import type { Log } from "../common/log.ts";
import type { FileSystem } from "./fileSystem.ts";

/** Changes that come within this time, in milliseconds, are told as one. */
const gatherMs = 250;

/** How often a folder is looked through in case the system told nothing, in milliseconds. */
const lookThroughMs = 30_000;

/** Dependencies of a watch of a folder. */
export interface FolderWatchDependencies {
	readonly folder: string;
	readonly files: FileSystem;
	readonly clock: Clock;
	readonly log: Log;
	/** Whether a file of this name is of interest. */
	readonly concerns: (name: string) => boolean;
}

/** Says when files in a folder came, went or changed, whichever process did it; which ones, it does not say. */
export class FolderWatch extends Disposable {
	private readonly dependencies: FolderWatchDependencies;
	private readonly emitter: Emitter<void>;
	private isStarted = false;
	private isWatching = false;
	private lastSeen: string | undefined;
	/** Begins with its first listener. Told at most once in 250 ms; at the latest after 30 seconds where the system is mute. */
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

	/** Says that something changed which this process did itself. */
	touch(): void {
		this.changed.schedule();
	}

	private async start(): Promise<void> {
		if (this.isStarted || this.isDisposed) {
			return;
		}
		this.isStarted = true;
		this.register(every(lookThroughMs, () => void this.lookThrough(), this.dependencies.clock));
		await this.listen();
		this.lastSeen = await this.picture();
	}

	/** Watches from this very moment where the folder exists, so that no change is missed; otherwise once it was made. */
	private async listen(): Promise<void> {
		const { folder, files } = this.dependencies;
		try {
			if (!fs.existsSync(folder)) {
				await files.makeFolder(folder);
			}
			this.watchFolder();
		} catch (error) {
			// The look through the folder finds what changed, only later.
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

	private async lookThrough(): Promise<void> {
		if (!this.isWatching) {
			await this.listen();
		}
		const picture = await this.picture();
		if (picture !== this.lastSeen && !this.isDisposed) {
			this.lastSeen = picture;
			this.changed.schedule();
		}
	}

	/** A text that differs when a file came, went or changed; undefined when the folder cannot be read. */
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
