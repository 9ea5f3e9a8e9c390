import * as l10n from "@vscode/l10n";
import { isAbortError } from "../../common/errors.ts";
import type { SendResult } from "../../chat/chatSession.ts";
import { assertNever } from "../../common/assertNever.ts";
import { storeErrorMessage } from "../base/storeErrorMessage.ts";

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

/** The turn a click started; throws the sentence for a click that started none. */
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
				l10n.t(
					"This model can't open files. Choose a model with “tools” in its id, or remove the files.",
				),
			);
		case "unavailable":
			throw new Error(l10n.t("Only the last message of the open chat can be sent again."));
		default:
			return assertNever(result);
	}
}
