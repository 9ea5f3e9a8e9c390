import * as l10n from "@vscode/l10n";
import type { TurnProgress } from "../../chat/contract/turn.ts";
import { assertNever } from "../../common/errors.ts";
import type { PackageQuestion } from "../../client/contract/schemas.ts";
import { noticeAfterMs, type RequestNotice } from "../../client/contract/serviceClient.ts";
import type { TurnStatus } from "../../shared/chat.ts";
import { formatWait } from "../../client/contract/failureSentence.ts";
import { adviceFor } from "../base/failureAdvice.ts";

/** Describes a turn's state with a message and actions. Message states of docs/faults.md. */
export function turnStatus(progress: TurnProgress, hasText: boolean, isLocal: boolean): TurnStatus {
	switch (progress.state) {
		case "streaming":
		case "complete":
			return { state: progress.state, actions: [] };
		case "stopped":
			return { state: "stopped", sentence: stoppedSentence(hasText, isLocal), actions: [] };
		case "partlyUnreadable":
			return {
				state: "partlyUnreadable",
				sentence: l10n.t(
					"Partly unreadable: parts of this answer couldn't be read and are missing.",
				),
				actions: [isLocal ? "tryAgain" : "showError"],
			};
		case "interrupted":
		case "endedEarly":
		case "empty":
		case "refused":
		case "notSent":
		case "chargeUnknown": {
			const { failure } = progress;
			const { sentence, actions, includesServiceMessage } = adviceFor({
				failure,
				hasText,
				isLocal,
			});
			const { serviceMessage: words } = failure;
			return {
				state: progress.state,
				sentence,
				...(words && !includesServiceMessage ? { serviceMessage: words } : {}),
				// The named server differs from the service that was asked.
				...(words && !includesServiceMessage && isLocal ? { isFromModelServer: true } : {}),
				actions: [...actions],
			};
		}
		default:
			return assertNever(progress);
	}
}

/** Returns the notice during a request; undefined clears it. `elapsedMs` counts from the notice. */
export function noticeMessage(notice: RequestNotice, elapsedMs: number): string | undefined {
	switch (notice.type) {
		case "retrying": {
			const left = formatWait(Math.max(0, notice.delayMs - elapsedMs));
			return notice.reason === "rateLimited"
				? l10n.t("The service asks you to wait. Trying again in {0}…", left)
				: l10n.t("Couldn't reach the service. Nothing was sent. Trying again in {0}…", left);
		}
		case "silent":
			return l10n.t("Still waiting…");
		case "noContent":
			return l10n.t(
				"The service keeps the connection open but has sent no text for 5 minutes. Keep waiting, or stop.",
			);
		case "packages":
			return packageQuestion(notice);
		case "progress":
			return progressMessage(notice, elapsedMs);
		case "resumed":
			return undefined;
		default:
			return assertNever(notice);
	}
}

function packageQuestion({ names, count, host }: PackageQuestion): string {
	const shown = names.join(", ");
	return count === 1
		? l10n.t("This code uses {0}. Get 1 package from {1}?", shown, host)
		: l10n.t("This code uses {0}. Get {2} packages from {1}?", shown, host, count);
}

/** Duration after which a stage is shown, in milliseconds; shorter if its progress is known. */
const progressAfterMs = 5_000;
const shareAfterMs = 1_000;

function progressMessage(
	{ stage, share }: Extract<RequestNotice, { type: "progress" }>,
	elapsedMs: number,
): string | undefined {
	if (elapsedMs < (share === undefined ? progressAfterMs : shareAfterMs)) {
		return undefined;
	}
	const amount = share === undefined ? formatWait(elapsedMs) : `${Math.floor(share * 100)}%`;
	switch (stage) {
		case "loading":
			return l10n.t("Loading the model… {0}", amount);
		case "reading":
			return l10n.t("Reading the prompt… {0}", amount);
		case "packages":
			return l10n.t("Getting Python packages… {0}", amount);
		case "working":
			return elapsedMs < noticeAfterMs ? undefined : l10n.t("Still waiting…");
		default:
			return assertNever(stage);
	}
}

/** States what was kept, and that a service other than the local one may charge for it. */
function stoppedSentence(hasText: boolean, isLocal: boolean): string {
	const what = hasText
		? l10n.t("Stopped. The text so far is kept.")
		: l10n.t("Stopped before any text.");
	return isLocal ? what : `${what} ${l10n.t("The service may still charge for it.")}`;
}
