/** Number of buffered bytes above which the sender is paused until they are read. */
const pauseAboveBytes = 256 * 1024;

/** Flow control for the sender of a body. */
export interface BodySource {
	pause(): void;
	resume(): void;
	/** The reader needs no more of the body. */
	cancel(): void;
}

/**
 * Buffers a body between a network that pushes and a single reader that pulls. The reader gets all bytes received since its last read as one chunk,
 * because services that flush every frame cause thousands of tiny chunks.
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

	push(chunk: Uint8Array): void {
		this.chunks.push(chunk);
		this.waitingBytes += chunk.byteLength;
		if (this.waitingBytes > pauseAboveBytes && !this.isPaused) {
			this.isPaused = true;
			this.source.pause();
		}
		this.wakeReader();
	}

	end(): void {
		this.ending ??= {};
		this.wakeReader();
	}

	/** Buffered chunks are delivered first; then the read rejects with `error`. */
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
