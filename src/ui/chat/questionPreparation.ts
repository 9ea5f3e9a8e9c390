import * as l10n from "@vscode/l10n";
import { isAbortError, assertNever } from "../../common/errors.ts";
import type { SendResult } from "../../chat/chatSession.ts";
import { storeErrorMessage } from "../base/failureAdvice.ts";

/** The time between a click and sending its question: files are read and uploaded, for one question at a time. */
export class QuestionPreparation {
	private readonly onFailed: (() => void) | undefined;
	private running: AbortController | undefined;

	/** `onFailed` is called for each question that was started but not sent. */
	constructor(onFailed?: () => void) {
		this.onFailed = onFailed;
	}

	/** Runs `task`. Throws an error with a message for the user if another one is running, or if it was stopped and nothing was sent. */
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

	get isRunning(): boolean {
		return this.running !== undefined;
	}

	stop(): void {
		this.running?.abort();
	}
}

/** Returns the turn that a click started. Throws an error with a message for the user if it started none. */
export function startedTurn(result: SendResult): string {
	switch (result.type) {
		case "started":
			return result.turnId;
		case "busy":
			throw new Error(l10n.t("An answer is still running. Stop it or wait until it's complete."));
		case "notSaved":
			throw new Error(`${storeErrorMessage(result.error)} ${l10n.t("Nothing was sent.")}`);
		case "needsTools":
			throw new Error(
				l10n.t("This model can't open files. Choose another model, or remove the files."),
			);
		case "unavailable":
			throw new Error(l10n.t("Only the last message of the open chat can be sent again."));
		default:
			return assertNever(result);
	}
}
