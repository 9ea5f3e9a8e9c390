import type { Generation } from "../../client/contract/schemas.ts";
import type { VideoJob } from "./videoJob.ts";

/** Interpreted result of a status request. */
export type GenerationReading =
	| { readonly kind: "inProgress" }
	| { readonly kind: "complete"; readonly address: string }
	| { readonly kind: "completeWithoutAddress" }
	| {
			readonly kind: "unusual";
			readonly status: string;
			readonly readsLikeFailure: boolean;
			readonly message?: string | undefined;
	  }
	/** Status missing or of another type. The last state is kept. */
	| { readonly kind: "nothing" };

/** The greatest stored length of a status, in characters. */
const maxStatusCharacters = 200;

/** The greatest stored length of a service's explanation, in characters. docs/faults.md. */
const maxMessageCharacters = 500;

/** Words in a status that mean that there will be no video. */
const failureWords = /fail|error|cancel|reject|expire/i;

/** Interprets a generation. Accepts the two documented statuses in upper or lower case. The address counts only with `complete`. */
export function readGeneration({ status, output, message }: Generation): GenerationReading {
	if (typeof status !== "string" || status.trim() === "") {
		return { kind: "nothing" };
	}
	switch (status.trim().toLowerCase()) {
		case "in_progress":
			return { kind: "inProgress" };
		case "complete": {
			const address = output?.video_url;
			return typeof address === "string" && address.trim() !== ""
				? { kind: "complete", address: address.trim() }
				: { kind: "completeWithoutAddress" };
		}
		default:
			return {
				kind: "unusual",
				status: clipped(status),
				readsLikeFailure: failureWords.test(status),
				...(message === undefined ? {} : { message: clipped(message, maxMessageCharacters) }),
			};
	}
}

/** Returns the raw status for diagnosis, or undefined if there is none. */
export function rawStatusOf({ status }: Generation): string | undefined {
	if (status === undefined) {
		return undefined;
	}
	return clipped(typeof status === "string" ? status : (JSON.stringify(status) ?? ""));
}

/** Removes invisible characters and characters that reorder the surrounding text. */
function clipped(text: string, maxCharacters = maxStatusCharacters): string {
	return text
		.slice(0, maxCharacters)
		.toWellFormed()
		.replaceAll(/(?![\n\t\u200c\u200d])[\p{Cc}\p{Cf}]/gu, "");
}

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

/** The first pauses. Each applies until the watched time reaches the sum up to it. */
const firstPauses = [2, 3, 5, 8, 12, 15].map(seconds => seconds * second);

/** Pauses while a complete generation has no address yet. */
export const addressPauses = [2, 5, 10, 30].map(seconds => seconds * second);

/** Watching ends after this time. */
export const stopAfterMs = 24 * hour;

/** Further checks after a status that reads like a failure, and the pause before each. */
export const failureChecks = 10;
const failurePauseMs = minute;

/** Consecutive 404 responses after which the job counts as gone, spread over a minute. */
export const maxNotFoundAnswers = 3;
const goneTriesMs = minute / (maxNotFoundAnswers - 1);

/** The longest pause that a service may request. */
const maxRetryAfterMs = 5 * minute;

/** After waking up, every job is checked within this time. */
export const wakeSpreadMs = 5 * second;

/** The most concurrent status requests. */
export const maxPollsAtOnce = 4;

/**
 * Returns the milliseconds until the next check; `random` is between 0 and 1. Jitter is ±20 % for pauses up to 15 s and only positive for longer
 * ones, so that the number of requests per hour stays within the documented limit. docs/faults.md.
 */
export function nextPollMs(job: VideoJob, random: () => number): number {
	const { state, watch } = job;
	if (state.name === "awaitingAddress") {
		return addressPauses[state.checks] ?? 0;
	}
	const problem = "problem" in state ? state.problem : undefined;
	if (problem?.failure.kind === "notFound") {
		return goneTriesMs;
	}
	const pause =
		state.name === "unusualStatus" && state.readsLikeFailure
			? Math.max(failurePauseMs, steadyPause(watch.watchedMs))
			: steadyPause(watch.watchedMs);
	const jittered = pause >= minute ? pause * (1 + 0.2 * random()) : pause * (0.8 + 0.4 * random());
	const wished = Math.min(problem?.failure.retryAfterMs ?? 0, maxRetryAfterMs);
	return Math.max(jittered, wished);
}

/** Returns the delay of job number `index` of `count` after a start or wakeup, in milliseconds. */
export function staggerMs(index: number, count: number): number {
	return count <= 1 ? 0 : Math.floor((wakeSpreadMs * 0.8 * index) / count);
}

function steadyPause(watchedMs: number): number {
	if (watchedMs > 3 * hour) {
		return 5 * minute;
	}
	if (watchedMs > 30 * minute) {
		return minute;
	}
	let sum = 0;
	for (const pause of firstPauses) {
		sum += pause;
		if (watchedMs < sum * 0.8) {
			return pause;
		}
	}
	return 15 * second;
}
