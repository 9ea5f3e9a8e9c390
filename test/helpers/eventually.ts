import { expect } from "vitest";

/** Expects something of a value that is to come true within ten seconds, however busy the machine is. */
export const eventually = <Value>(read: () => Value) =>
	expect.poll(read, { timeout: 10_000, interval: 10 });
