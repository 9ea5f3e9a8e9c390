import * as l10n from "@vscode/l10n";
import type { VideoAction, VideoTone } from "../../../shared/videoCard.ts";
import type { FailureFacts } from "../../../client/contract/serviceError.ts";
import {
	isFree,
	type NotJoinedReason,
	type VideoEndpoint,
	type VideoJob,
	type VideoJobState,
	type VideoJobStateName,
} from "../../../video/job/videoJob.ts";
import { formatSize } from "../../base/amounts.ts";
import { failureSentence } from "../../../client/contract/failureSentence.ts";
import {
	failureActions,
	withServiceMessage,
	type JobStateDescription,
	watched,
} from "./videoWatching.ts";

type States = {
	readonly [Name in VideoJobStateName]: Extract<VideoJobState, { readonly name: Name }>;
};

type DescriptionTable = {
	readonly [Name in VideoJobStateName]: (state: States[Name], job: VideoJob) => JobStateDescription;
};

function unknownWords(
	failure: FailureFacts | undefined,
	endpoint: VideoEndpoint,
): readonly [label: string, sentence: string] {
	const what = failure
		? failureSentence(failure)
		: l10n.t("Cutaway closed before the service answered.");
	return isFree(endpoint)
		? [l10n.t("No answer"), `${what} ${l10n.t("The video may have been started.")}`]
		: [
				l10n.t("May be charged"),
				`${what} ${l10n.t("The service may have accepted and charged the request. It won't be sent again unless you choose to.")}`,
			];
}

/** A message and actions for every state. Omitting one is a type error. docs/faults.md. */
const descriptions: DescriptionTable = {
	waiting: () =>
		description("stopped", l10n.t("Waiting"), l10n.t("This scene hasn't been submitted yet."), [
			"submit",
		]),
	recording: () => description("working", l10n.t("Waiting"), ""),
	gathering: () => description("working", l10n.t("Making"), ""),
	notJoined: ({ reason, detail }) =>
		description(
			"attention",
			l10n.t("Not joined"),
			notJoinedSentence(reason, detail),
			reason === "differ" ? [] : ["joinScenes"],
		),
	submitting: () => description("working", l10n.t("Submitting"), ""),
	notSubmitted: ({ failure }, { endpoint }) => ({
		...description(
			"failed",
			l10n.t("Not submitted"),
			`${failureSentence(failure)} ${isFree(endpoint) ? l10n.t("The prompt is kept.") : l10n.t("Nothing was charged, and the prompt is kept.")}`,
			["submit", ...failureActions(failure)],
		),
		...withServiceMessage(failure?.serviceMessage),
	}),
	submissionUnknown: ({ failure }, { endpoint }) => ({
		...description("attention", ...unknownWords(failure, endpoint), [
			isFree(endpoint) ? "submit" : "submitAgain",
		]),
		...withServiceMessage(failure?.serviceMessage),
	}),
	inProgress: ({ problem }, job) => ({
		...withServiceMessage(job.detail?.note),
		...watched(description("working", progressLabel(job.detail), ""), problem, job),
	}),
	unusualStatus: ({ status, readsLikeFailure, problem, message }, job) => ({
		...withServiceMessage(message),
		...watched(
			readsLikeFailure
				? description(
						"attention",
						l10n.t("The service reported “{0}”", status),
						l10n.t("Cutaway will check a few more times."),
					)
				: description(
						"working",
						l10n.t("Status: “{0}”", status),
						l10n.t("Unknown status. Cutaway keeps checking."),
					),
			problem,
			job,
		),
	}),
	failedByService: ({ status, message }) => ({
		...description(
			"failed",
			l10n.t("Failed at the service"),
			l10n.t("The service reported “{0}” and made no video.", status),
			["checkAgain"],
		),
		...withServiceMessage(message),
	}),
	awaitingAddress: () =>
		description("working", l10n.t("Complete, but no address yet"), "", ["stopWatching"]),
	completeWithoutAddress: () =>
		description(
			"attention",
			l10n.t("No address"),
			l10n.t("The service reported the video as complete but gave no address for it."),
			["checkAgain", "copyDetails"],
		),
	downloading: ({ received, total }) =>
		description("working", l10n.t("Downloading"), progressSentence(received, total)),
	addressRefused: ({ reason }) =>
		description(
			"failed",
			l10n.t("Address rejected"),
			`${asSentence(reason)} ${l10n.t("Nothing was fetched.")}`,
			["copyDetails", "checkAgain"],
		),
	linkExpired: () =>
		description(
			"failed",
			l10n.t("Link expired"),
			l10n.t("The new link from the service has expired, too."),
			["checkAgain"],
		),
	notAVideo: ({ contentType, size }) =>
		description(
			"failed",
			l10n.t("Not a video"),
			l10n.t(
				"The download ({0}, {1}) wasn't kept.",
				contentType ?? l10n.t("no type"),
				formatSize(size),
			),
			["checkAgain", "copyDetails"],
		),
	tooLarge: ({ limit }) =>
		description(
			"attention",
			l10n.t("Larger than the limit"),
			l10n.t(
				"The clip is larger than the limit of {0}. Choose Download Anyway to keep it.",
				formatSize(limit),
			),
			["downloadAnyway", "copyDetails"],
		),
	noRoom: ({ needed, free }) =>
		description(
			"failed",
			l10n.t("Not enough disk space"),
			l10n.t(
				"The clip needs {0}; {1} is free. Free up space, then check again.",
				formatSize(needed),
				formatSize(free),
			),
			["checkAgain"],
		),
	downloadFailed: ({ failure }) => ({
		...description(
			"failed",
			l10n.t("Download failed"),
			`${failureSentence(failure)} ${l10n.t("Checking again costs nothing.")}`,
			["checkAgain"],
		),
		...withServiceMessage(failure?.serviceMessage),
	}),
	cannotSave: ({ code, folder }) =>
		description(
			"failed",
			l10n.t("Can't save"),
			l10n.t("Couldn't save the clip to {0} ({1}).", folder, code),
			["checkAgain"],
		),
	goneAtService: () => description("failed", l10n.t("Unknown to the service"), ""),
	needsKey: ({ reason }, { endpoint }) =>
		description(
			"attention",
			l10n.t("Needs a key"),
			{
				missing: l10n.t("Set the key for {0} to check this video.", endpoint.label),
				changed: l10n.t(
					"Needs the key for {0} that this video was made with. Another key is set.",
					endpoint.label,
				),
				refused: failureSentence({ kind: "unauthorized" }),
			}[reason],
			["setApiKey", "checkAgain"],
		),
	watchingStopped: ({ by }) =>
		by === "user"
			? description("stopped", l10n.t("Not tracked"), l10n.t("The service may still finish it."), [
					"keepWatching",
				])
			: description(
					"attention",
					l10n.t("No longer tracked"),
					l10n.t("Not finished within 24 hours. The service may still finish it."),
					["keepWatching"],
				),
	ready: (_state, { detail }) => ({
		...withServiceMessage(detail?.note),
		...description("ready", l10n.t("Ready"), "", [
			"saveAs",
			"exportAs",
			"insertImage",
			"copyGif",
			"copyPicture",
			"copyMarkdown",
			"reveal",
			"insertLink",
			"insertTag",
			"openExternally",
		]),
	}),
};

function notJoinedSentence(reason: NotJoinedReason, detail: string): string {
	return {
		differ: l10n.t(
			"The scenes' clips differ in size or codec, so they can't become one file as they are. Each is saved on its own.",
		),
		unreadable: l10n.t(
			"A scene's clip can't be read, so the clips weren't joined. Each is saved on its own.",
		),
		failed: l10n.t("Couldn't join the clips ({0}). Each is saved on its own.", detail),
	}[reason];
}

export function describeJobState(job: VideoJob): JobStateDescription {
	return describe(job.state.name, job.state, job);
}

function describe<Name extends VideoJobStateName>(
	name: Name,
	state: States[Name],
	job: VideoJob,
): JobStateDescription {
	return descriptions[name](state, job);
}

function description(
	tone: VideoTone,
	label: string,
	sentence: string,
	actions: readonly VideoAction[] = [],
): JobStateDescription {
	return { tone, label, sentence, actions };
}

/** Describes the stage of the engine behind the local service, as far as it is reported. */
function progressLabel(detail: VideoJob["detail"]): string {
	if (detail?.share !== undefined && detail.stage === "generating") {
		return l10n.t("Making, {0}%", Math.floor(detail.share * 100));
	}
	switch (detail?.stage) {
		case "queued":
			return l10n.t("In the queue");
		case "downloading":
		case "trimming":
			return l10n.t("Getting the file");
		default:
			return l10n.t("Making");
	}
}

function progressSentence(received: number, total: number | undefined): string {
	return total === undefined
		? l10n.t("{0} so far.", formatSize(received))
		: l10n.t("{0} of {1}", formatSize(received), formatSize(total));
}

function asSentence(text: string): string {
	const sentence = `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
	return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`;
}
