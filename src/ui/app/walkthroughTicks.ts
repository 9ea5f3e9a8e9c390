import type { Event } from "../../common/emitter.ts";
import type { IDisposable } from "../../common/disposable.ts";
import type { ChatChange } from "../../shared/index.ts";

/** Results the steps of the walkthrough wait for: a result each, never a click. */
export type WalkthroughResult =
	| "cutaway.hasAnswer"
	| "cutaway.hasAnswerAboutSelection"
	| "cutaway.hasAttached"
	| "cutaway.hasVideo";

/** Tells each answer that is complete, and of those the ones to a message with a selection attached. */
export function followAnswers(
	onDidChange: Event<readonly ChatChange[]>,
	onResult: (result: WalkthroughResult) => void,
): IDisposable {
	const withSelection = new Set<string>();
	return onDidChange(changes => {
		for (const change of changes) {
			if (change.type === "turn-added") {
				const { id, attachments } = change.turn;
				if (attachments.some(({ kind }) => kind === "selection")) {
					withSelection.add(id);
				}
			} else if (change.type === "status" && change.status.state === "complete") {
				onResult("cutaway.hasAnswer");
				if (withSelection.delete(change.turnId)) {
					onResult("cutaway.hasAnswerAboutSelection");
				}
			}
		}
	});
}
