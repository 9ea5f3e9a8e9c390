import { expect } from "@playwright/test";

/** Milliseconds until something that does not come counts as missing: a crowded machine takes ten times as long as a quiet one. */
export const hostTimeout = 120_000;

/** The longest that one round waits for a step, in milliseconds. */
const longestStep = 30_000;

/**
 * Does something until it works. A round is given the milliseconds each of its steps may take, twice as many after every failure:
 * one that begins again before the editor has had time to follow never ends on a slow machine.
 */
export async function untilDone(
	round: (stepTimeout: number) => Promise<void>,
	firstStep = 2_000,
): Promise<void> {
	let stepTimeout = firstStep;
	await expect(async () => {
		const own = stepTimeout;
		stepTimeout = Math.min(2 * stepTimeout, longestStep);
		await round(own);
	}).toPass({ timeout: hostTimeout });
}
