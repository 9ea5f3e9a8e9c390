import { throwIfAborted } from "../../common/async.ts";
import type { IDisposable } from "../../common/disposable.ts";

/** Queues messages for one reader. */
export class Mailbox<Message> implements IDisposable {
	private readonly signal: AbortSignal;
	private readonly held: Message[] = [];
	private wake: (() => void) | undefined;
	private readonly onAbort = (): void => this.wake?.();

	constructor(signal: AbortSignal) {
		this.signal = signal;
		signal.addEventListener("abort", this.onAbort, { once: true });
	}

	put(message: Message): void {
		this.held.push(message);
		this.wake?.();
	}

	/** Waits for the next message. Rejects with `AbortError` if the signal aborts. */
	async take(): Promise<Message> {
		for (;;) {
			throwIfAborted(this.signal);
			const next = this.held.shift();
			if (next !== undefined) {
				return next;
			}
			await new Promise<void>(resolve => {
				this.wake = resolve;
			});
		}
	}

	dispose(): void {
		this.signal.removeEventListener("abort", this.onAbort);
	}
}
