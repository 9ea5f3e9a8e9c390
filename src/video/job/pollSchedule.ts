import type { VideoJob } from "./videoJob.ts";

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

/** Pauses at the beginning; each is used while less than the sum of those up to it was watched. Row J5. */
const firstPauses = [2, 3, 5, 8, 12, 15].map(seconds => seconds * second);

/** Pauses while a complete generation has no address yet. Row J11. */
export const addressPauses = [2, 5, 10, 30].map(seconds => seconds * second);

/** Watching ends after this time. Row J5. */
export const stopAfterMs = 24 * hour;

/** Checks after the first one that read like a failure, and the pause before each. Row J7. */
export const failureChecks = 10;
const failurePauseMs = minute;

/** Answers «not found» in a row after which the job is gone, spread over a minute. Row J10. */
export const maxNotFoundAnswers = 3;
const goneTriesMs = minute / (maxNotFoundAnswers - 1);

/** The longest pause that a service may ask for. */
const maxRetryAfterMs = 5 * minute;

/** After waking, every job is asked within this time. Row J23. */
export const wakeSpreadMs = 5 * second;

/** The most lookups at the same time. Row J25, G23. */
export const maxPollsAtOnce = 4;

/**
 * Milliseconds until a watched job is asked again; `random` is from 0 to 1. Jitter is ±20 % up to the 15 s pauses; the longer
 * ones only grow by it, so that an hour never holds more lookups than promised (G23). Rows J5, J6, J7, J10, J11.
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

/** When job number `index` of `count` is asked after a start or a wake, in milliseconds from then. Row J23. */
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
