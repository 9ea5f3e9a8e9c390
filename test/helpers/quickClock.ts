import { type Clock, systemClock } from "../../src/common/async.ts";

/** The machine's clock with waits a hundred times shorter, for tests that go through long pauses. */
export const quickClock: Clock = {
	...systemClock,
	setTimer: (ms, callback) => systemClock.setTimer(ms / 100, callback),
};
