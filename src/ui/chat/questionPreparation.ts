import * as l10n from "@vscode/l10n";
import { isAbortError } from "../../common/errors.ts";
import { startedTurn } from "./startedTurn.ts";

/** Preparation between a click and its question's leaving: files are read and uploaded, one question at a time. */
export class QuestionPreparation {
	private readonly onFailed: (() => void) | undefined;
	private running: AbortController | undefined;

	/** Makes the preparation of one chat's questions; `onFailed` hears of each that began and was not asked. */
	constructor(onFailed?: () => void) {
		this.onFailed = onFailed;
	}

	/** Runs `task`. Throws the sentence for a click that comes too early, and that nothing was sent when it was stopped. */
	async run<T>(isBusy: boolean, task: (signal: AbortSignal) => Promise<T>): Promise<T> {
		if (isBusy || this.running) {
			startedTurn({ type: "busy" });
		}
		const abort = new AbortController();
		this.running = abort;
		let isAsked = false;
		try {
			const result = await task(abort.signal);
			isAsked = true;
			return result;
		} catch (error) {
			throw isAbortError(error) ? new Error(l10n.t("Stopped. The message wasn't sent.")) : error;
		} finally {
			this.running = undefined;
			if (!isAsked) {
				this.onFailed?.();
			}
		}
	}

	/** Whether something runs. */
	get isRunning(): boolean {
		return this.running !== undefined;
	}

	/** Ends what runs; does nothing when nothing does. */
	stop(): void {
		this.running?.abort();
	}
}
