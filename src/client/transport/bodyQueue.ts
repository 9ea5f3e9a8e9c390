/** Bytes waiting above which the sender is paused; it goes on once they were read. */
const pauseAboveBytes = 256 * 1024;

/** The sending side of a body: told to stop and go on as the reader keeps up. */
export interface BodySource {
	pause(): void;
	resume(): void;
	/** The reader is done with the body before its end. */
	cancel(): void;
}

/**
 * A body between the network that pushes and one reader that pulls. The reader gets everything that arrived since its last
 * read as one chunk: a service that flushes every frame makes thousands of tiny chunks of one socket read, and joining them
 * costs one copy and saves a promise for each.
 */
export class BodyQueue implements AsyncIterable<Uint8Array> {
	private readonly source: BodySource;
	private chunks: Uint8Array[] = [];
	private waitingBytes = 0;
	private isPaused = false;
	private ending: { readonly error?: unknown } | undefined;
	private wake: (() => void) | undefined;

	constructor(source: BodySource) {
		this.source = source;
	}

	[Symbol.asyncIterator](): AsyncIterator<Uint8Array, undefined> {
		return { next: () => this.next(), return: () => this.cancel() };
	}

	/** Takes bytes that arrived. */
	push(chunk: Uint8Array): void {
		this.chunks.push(chunk);
		this.waitingBytes += chunk.byteLength;
		if (this.waitingBytes > pauseAboveBytes && !this.isPaused) {
			this.isPaused = true;
			this.source.pause();
		}
		this.wakeReader();
	}

	/** The body is over. */
	end(): void {
		this.ending ??= {};
		this.wakeReader();
	}

	/** What was pushed before is read first, then the reader meets `error`. */
	fail(error: unknown): void {
		this.ending ??= { error };
		this.wakeReader();
	}

	private async next(): Promise<IteratorResult<Uint8Array, undefined>> {
		while (this.waitingBytes === 0 && !this.ending) {
			await new Promise<void>(resolve => {
				this.wake = resolve;
			});
		}
		if (this.waitingBytes > 0) {
			return { done: false, value: this.take() };
		}
		if (this.ending && "error" in this.ending) {
			throw this.ending.error;
		}
		return { done: true, value: undefined };
	}

	private cancel(): Promise<IteratorResult<Uint8Array, undefined>> {
		if (!this.ending) {
			this.source.cancel();
		}
		return Promise.resolve({ done: true, value: undefined });
	}

	private take(): Uint8Array {
		const joined = join(this.chunks, this.waitingBytes);
		this.chunks = [];
		this.waitingBytes = 0;
		if (this.isPaused) {
			this.isPaused = false;
			this.source.resume();
		}
		return joined;
	}

	private wakeReader(): void {
		this.wake?.();
		this.wake = undefined;
	}
}

function join(chunks: readonly Uint8Array[], length: number): Uint8Array {
	const [first] = chunks;
	if (first && chunks.length === 1) {
		return first;
	}
	const joined = new Uint8Array(length);
	let offset = 0;
	for (const chunk of chunks) {
		joined.set(chunk, offset);
		offset += chunk.byteLength;
	}
	return joined;
}
