import * as l10n from "@vscode/l10n";
import { isAbortError } from "../../common/errors.ts";
import { startedTurn } from "./startedTurn.ts";

/** What happens between a click and its question's leaving: files are read and uploaded, one question at a time. */
export interface QuestionPreparation {
	/** Runs `task`. Throws the sentence for a click that comes too early, and that nothing was sent when it was stopped. */
	run<T>(isBusy: boolean, task: (signal: AbortSignal) => Promise<T>): Promise<T>;
	/** Whether something runs. */
	readonly isRunning: boolean;
	/** Ends what runs; does nothing when nothing does. */
	stop(): void;
}

/** Makes the preparation of one chat's questions; `onFailed` hears of each that began and was not asked. */
export function createQuestionPreparation(onFailed?: () => void): QuestionPreparation {
	let running: AbortController | undefined;
	return {
		run: async (isBusy, task) => {
			if (isBusy || running) {
				startedTurn({ type: "busy" });
			}
			const abort = new AbortController();
			running = abort;
			let isAsked = false;
			try {
				const result = await task(abort.signal);
				isAsked = true;
				return result;
			} catch (error) {
				throw isAbortError(error) ? new Error(l10n.t("Stopped. The message wasn't sent.")) : error;
			} finally {
				running = undefined;
				if (!isAsked) {
					onFailed?.();
				}
			}
		},
		get isRunning() {
			return running !== undefined;
		},
		stop: () => running?.abort(),
	};
}
