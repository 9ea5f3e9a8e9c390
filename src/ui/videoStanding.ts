import type { VideoAction, VideoTone } from "../protocol/video.ts";
import {
	cannotCheckAfter,
	type CheckProblem,
	isUnusuallyLong,
	type VideoEndpoint,
	type VideoFailure,
	type VideoJob,
	type VideoJobState,
	type VideoJobStateName,
} from "../video/videoJob.ts";
import { formatSize } from "./amounts.ts";
import { videoFailureSentence } from "./videoFailure.ts";

/** How a job stands, for a person: what happened, what was kept, and what can be done, the likeliest first. */
export interface VideoStanding {
	readonly tone: VideoTone;
	/** Two or three words. */
	readonly label: string;
	/** Empty when the label says it all. */
	readonly sentence: string;
	readonly actions: readonly VideoAction[];
	/** What the service itself said. */
	readonly serviceMessage?: string;
}

type States = {
	readonly [Name in VideoJobStateName]: Extract<VideoJobState, { readonly name: Name }>;
};

type StandingTable = {
	readonly [Name in VideoJobStateName]: (state: States[Name], job: VideoJob) => VideoStanding;
};

/** The local service charges nothing, so nothing about it warns of a charge. */
function unknownWords(
	failure: VideoFailure | undefined,
	kind: VideoEndpoint["kind"],
): readonly [label: string, sentence: string] {
	const what = failure
		? videoFailureSentence(failure)
		: "Cutaway was closed before the service answered.";
	return kind === "local"
		? ["No answer", `${what} The video may have been begun all the same.`]
		: [
				"May be charged",
				`${what} The service may have taken the request and charged it all the same. It is not sent again unless you say so.`,
			];
}

/** One sentence and its buttons for every state; leaving one out does not compile. Fault matrix §4.5. */
const standings: StandingTable = {
	submitting: () => standing("working", "Submitting", ""),
	// J1
	notSubmitted: ({ failure }, { endpoint }) => ({
		...standing(
			"failed",
			"Not submitted",
			`${videoFailureSentence(failure)} ${endpoint.kind === "local" ? "The" : "Nothing was charged, and the"} prompt is kept.`,
			["submit", ...remedies(failure)],
		),
		...said(failure),
	}),
	// J2, J3, J4
	submissionUnknown: ({ failure }, { endpoint }) => ({
		...standing("attention", ...unknownWords(failure, endpoint.kind), [
			endpoint.kind === "local" ? "submit" : "submitAgain",
		]),
		...said(failure),
	}),
	inProgress: ({ problem }, job) => watched(standing("working", "Being made", ""), problem, job),
	// J7
	unusualStatus: ({ status, readsLikeFailure, problem, message }, job) => ({
		...said({ serviceMessage: message }),
		...watched(
			readsLikeFailure
				? standing("attention", `The service says ‘${status}’`, "It is asked a few times more.")
				: standing("working", `Status: ‘${status}’`, "Not a known status; watching goes on."),
			problem,
			job,
		),
	}),
	failedByService: ({ status, message }) => ({
		...standing(
			"failed",
			"Failed at the service",
			`The service says ‘${status}’ and made no video.`,
			["checkAgain"],
		),
		...said({ serviceMessage: message }),
	}),
	// J11
	awaitingAddress: () => standing("working", "Complete, but no address yet", "", ["stopWatching"]),
	completeWithoutAddress: () =>
		standing(
			"attention",
			"No address",
			"The service says the video is complete, but gave no address for it.",
			["checkAgain", "copyDetails"],
		),
	downloading: ({ received, total }) =>
		standing("working", "Downloading", progressSentence(received, total)),
	// J12
	addressRefused: ({ reason }) =>
		standing("failed", "Address refused", `${asSentence(reason)} Nothing was fetched.`, [
			"copyDetails",
			"checkAgain",
		]),
	// J13
	linkExpired: () =>
		standing(
			"failed",
			"Link expired",
			"The link to the clip has expired, and so has a fresh one.",
			["checkAgain"],
		),
	// J14
	notAVideo: ({ contentType, size }) =>
		standing(
			"failed",
			"Not a video",
			`What came is no video (${contentType ?? "no type"}, ${formatSize(size)}). It was not kept.`,
			["checkAgain", "copyDetails"],
		),
	// J17
	tooLarge: ({ size, limit }) =>
		standing(
			"attention",
			"Larger than the limit",
			`${size === undefined ? `The clip is larger than the limit of ${formatSize(limit)}.` : `The clip is ${formatSize(size)}; the limit is ${formatSize(limit)}.`} Nothing is kept unless you say so.`,
			["downloadAnyway", "copyDetails"],
		),
	noRoom: ({ needed, free }) =>
		standing(
			"failed",
			"No room on the disk",
			`The clip needs ${formatSize(needed)}; ${formatSize(free)} are free. Make room, then check again.`,
			["checkAgain"],
		),
	downloadFailed: ({ failure }) => ({
		...standing(
			"failed",
			"Download failed",
			`${videoFailureSentence(failure)} It costs nothing to try again.`,
			["checkAgain"],
		),
		...said(failure),
	}),
	// L6, L7
	cannotSave: ({ code, folder }) =>
		standing("failed", "Cannot save", `The clip could not be written to ${folder} (${code}).`, [
			"checkAgain",
		]),
	// J10
	goneAtService: () =>
		standing("failed", "Unknown to the service", "The service no longer knows this job."),
	// J21
	needsKey: ({ reason }, { endpoint }) =>
		standing(
			"attention",
			"Needs a key",
			{
				missing: `Needs the key for ${endpoint.label} to check.`,
				changed: `Needs the key for ${endpoint.label} that this video was made with; another one is set.`,
				refused: `The key for ${endpoint.label} is not accepted.`,
			}[reason],
			["setApiKey", "checkAgain"],
		),
	// J5, J6
	watchingStopped: ({ by }) =>
		by === "person"
			? standing("stopped", "Not watched", "The service may still finish it.", ["keepWatching"])
			: standing(
					"attention",
					"Not watched any more",
					"It was not finished within 24 hours. The service may still finish it.",
					["keepWatching"],
				),
	ready: () =>
		standing("ready", "Ready", "", [
			"saveAs",
			"reveal",
			"insertLink",
			"insertTag",
			"openExternally",
		]),
};

/** How a job stands now. */
export function videoStanding(job: VideoJob): VideoStanding {
	return describe(job.state.name, job.state, job);
}

function describe<Name extends VideoJobStateName>(
	name: Name,
	state: States[Name],
	job: VideoJob,
): VideoStanding {
	return standings[name](state, job);
}

function standing(
	tone: VideoTone,
	label: string,
	sentence: string,
	actions: readonly VideoAction[] = [],
): VideoStanding {
	return { tone, label, sentence, actions };
}

/** What a watched job adds: that it takes long (J6), that checks fail (J5), and a way to stop. */
function watched(
	own: VideoStanding,
	problem: CheckProblem | undefined,
	job: VideoJob,
): VideoStanding {
	const { sentence } = own;
	if (problem && problem.count >= cannotCheckAfter) {
		return {
			tone: "attention",
			label: "Cannot be checked",
			sentence: `${videoFailureSentence(problem.failure)}${lastChecked(job)} It is tried again by itself.`,
			actions: ["checkAgain", "stopWatching", ...remedies(problem.failure)],
			...said(problem.failure),
		};
	}
	if (isUnusuallyLong(job)) {
		return {
			...own,
			tone: "attention",
			sentence:
				"Taking unusually long. The service reports no failures for jobs, so it may never finish.",
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
		: ` Last checked ${new Date(watch.lastCheckedAt).toLocaleTimeString()}.`;
}

function progressSentence(received: number, total: number | undefined): string {
	return total === undefined
		? `${formatSize(received)} so far.`
		: `${formatSize(received)} of ${formatSize(total)}.`;
}

function asSentence(text: string): string {
	const sentence = `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
	return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`;
}

function said(failure: Pick<VideoFailure, "serviceMessage"> | undefined): {
	readonly serviceMessage?: string;
} {
	return failure?.serviceMessage === undefined ? {} : { serviceMessage: failure.serviceMessage };
}

/** What else can be done about a failed exchange. */
function remedies({ kind }: VideoFailure): VideoAction[] {
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
