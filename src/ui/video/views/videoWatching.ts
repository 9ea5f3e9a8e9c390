import * as l10n from "@vscode/l10n";
import type { FailureFacts } from "../../../client/contract/serviceError.ts";
import { locale } from "../../../shared/locale.ts";
import type { VideoAction, VideoTone } from "../../../shared/videoCard.ts";
import {
	cannotCheckAfter,
	type CheckProblem,
	isUnusuallyLong,
	type VideoJob,
} from "../../../video/job/videoJob.ts";
import { failureSentence } from "../../../client/contract/failureSentence.ts";

/** Description of a job's state: what happened, what was kept, and the actions, most likely first. */
export interface JobStateDescription {
	readonly tone: VideoTone;
	/** Two or three words. */
	readonly label: string;
	/** Empty if the label is enough. */
	readonly sentence: string;
	readonly actions: readonly VideoAction[];
	readonly serviceMessage?: string;
}

/** Adds to a tracked job's state that it takes long, that checks fail, and an action to stop. */
export function watched(
	own: JobStateDescription,
	problem: CheckProblem | undefined,
	job: VideoJob,
): JobStateDescription {
	const { sentence } = own;
	if (problem && problem.count >= cannotCheckAfter) {
		return {
			tone: "attention",
			label: l10n.t("Can't be checked"),
			sentence: `${failureSentence(problem.failure)}${lastChecked(job)} ${l10n.t("Cutaway will try again.")}`,
			actions: ["checkAgain", "stopWatching", ...failureActions(problem.failure)],
			...withServiceMessage(problem.failure?.serviceMessage),
		};
	}
	if (isUnusuallyLong(job)) {
		return {
			...own,
			tone: "attention",
			sentence: l10n.t(
				"Taking unusually long. The service reports no failures for jobs, so it may never finish.",
			),
			actions: ["keepWatching", "stopWatching"],
		};
	}
	return {
		...own,
		sentence: problem ? `${sentence}${lastChecked(job)}`.trim() : sentence,
		actions: ["stopWatching"],
	};
}

function lastChecked({ watch }: VideoJob): string {
	return watch.lastCheckedAt === undefined
		? ""
		: ` ${l10n.t("Last checked {0}.", new Date(watch.lastCheckedAt).toLocaleTimeString(locale()))}`;
}

/** Returns a service's message, for a state. */
export function withServiceMessage(text: string | undefined): { readonly serviceMessage?: string } {
	return text === undefined ? {} : { serviceMessage: text };
}

/** Returns further actions for a failed exchange. */
export function failureActions({ kind }: FailureFacts): VideoAction[] {
	switch (kind) {
		case "unauthorized":
		case "forbidden":
			return ["setApiKey"];
		case "refused":
		case "unknownHost":
		case "tls":
		case "redirected":
		case "webPage":
		case "notFound":
			return ["connect"];
		case "notReady":
			return ["connect", "showLog"];
		default:
			return [];
	}
}
