import { Worker } from "node:worker_threads";
import { type Clock, SerialQueue } from "../common/async.ts";
import type { IDisposable } from "../common/disposable.ts";
import { toError } from "../common/errors.ts";
import { type ColorOrder, type FoundColors, foundColorsSchema } from "./colorOrder.ts";

/** A grammar's pattern can run without end, which only the end of its thread stops. */
const timeoutMs = 10_000;
const maxHeapMb = 512;

/** The thread ends after this time without an order, and its grammars with it. */
const idleMs = 5 * 60_000;

/** Finds colors in a thread, which keeps the grammars that it has read for the next order. */
export class ColorThread implements IDisposable {
	private readonly workerFile: URL | string;
	private readonly clock: Clock;
	private worker: Worker | undefined;
	private idle: IDisposable | undefined;
	private readonly queue = new SerialQueue();

	/** `workerFile` is the bundle of `worker.ts`. */
	constructor(workerFile: URL | string, clock: Clock) {
		this.workerFile = workerFile;
		this.clock = clock;
	}

	/** Finds colors, after those of earlier orders. Rejects with the reason if that fails or takes too long; the next order has a new thread then. */
	async find(order: ColorOrder): Promise<FoundColors> {
		return await this.queue.run(() => this.run(order));
	}

	dispose(): void {
		this.idle?.dispose();
		void this.worker?.terminate();
		this.worker = undefined;
	}

	private async run(order: ColorOrder): Promise<FoundColors> {
		this.idle?.dispose();
		const worker = (this.worker ??= this.start());
		const { promise, resolve, reject } = Promise.withResolvers<FoundColors>();
		const fail = (what: string): void => reject(new Error(`The thread of colors ${what}`));
		const timer = this.clock.setTimer(timeoutMs, () =>
			fail(`took more than ${timeoutMs / 1000} s`),
		);
		const onError = (error: unknown): void => reject(toError(error));
		const onExit = (): void => fail("ended");
		worker.once("message", (message: unknown) => {
			const { data } = foundColorsSchema.safeParse(message);
			if (data) {
				resolve(data);
			} else {
				fail("sent a message that is not understood");
			}
		});
		worker.once("error", onError).once("exit", onExit);
		try {
			worker.postMessage(order);
			return await promise;
		} catch (error) {
			this.dispose();
			throw error;
		} finally {
			timer.dispose();
			worker.off("error", onError).off("exit", onExit);
			this.idle = this.clock.setTimer(idleMs, () => this.dispose());
		}
	}

	private start(): Worker {
		const worker = new Worker(this.workerFile, {
			execArgv: [],
			name: "cutaway-colors",
			resourceLimits: { maxOldGenerationSizeMb: maxHeapMb },
		});
		const forget = (): void => {
			this.worker = this.worker === worker ? undefined : this.worker;
		};
		// An error that no one listens to would end the process.
		return worker.on("error", forget).on("exit", forget);
	}
}
