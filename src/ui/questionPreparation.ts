import * as l10n from "@vscode/l10n";
import { isAbortError } from "../common/errors.ts";
import { startedTurn } from "./startedTurn.ts";

/** What happens between a click and its question's leaving: files are read and uploaded, one question at a time. */
export interface QuestionPreparation {
	/** Runs `task`. Throws the sentence for a click that comes too early, and that nothing was sent when it was stopped. */
	run<T>(isBusy: boolean, task: (signal: AbortSignal) => Promise<T>): Promise<T>;
	/** Ends what runs; does nothing when nothing does. */
	stop(): void;
}

/** Makes the preparation of one chat's questions. */
export function createQuestionPreparation(): QuestionPreparation {
	let running: AbortController | undefined;
	return {
		run: async (isBusy, task) => {
			if (isBusy || running) {
				startedTurn({ type: "busy" });
			}
			const abort = new AbortController();
			running = abort;
			try {
				return await task(abort.signal);
			} catch (error) {
				throw isAbortError(error)
					? new Error(l10n.t("Stopped. The question was not sent."))
					: error;
			} finally {
				running = undefined;
			}
		},
		stop: () => running?.abort(),
	};
}
