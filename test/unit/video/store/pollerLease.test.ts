import { utimes, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { silentLog } from "../../../../src/common/log.ts";
import { currentHolder } from "../../../../src/storage/lease.ts";
import { PollerLease } from "../../../../src/video/store/pollerLease.ts";
import { createFakeClock, type FakeClock } from "../../../helpers/fakeClock.ts";
import { makeTempFolder } from "../../../helpers/tempFolder.ts";
import { atRest, stepped } from "../../../helpers/videoIdle.ts";

function leaseAt(path: string, clock: FakeClock): PollerLease {
	const holder = currentHolder();
	const lease = new PollerLease({
		path,
		holder,
		clock,
		log: silentLog,
		onChange: () => undefined,
	});
	onTestFinished(() => lease.dispose());
	lease.want(true);
	return lease;
}

/** A lease held by a program of another machine, which never shows whether it lives. */
async function heldElsewhere(path: string): Promise<void> {
	await writeFile(path, JSON.stringify({ pid: 1, host: "another-machine", session: "other" }));
}

test("J20: of many windows one holds the lease", async () => {
	const clock = stepped(createFakeClock());
	const path = join(await makeTempFolder(), "lease");
	const leases = Array.from({ length: 8 }, () => leaseAt(path, clock));
	await atRest();
	expect(leases.some(({ isHeld }) => isHeld)).toBe(true);
	await clock.pass(200_000);
	expect(leases.filter(({ isHeld }) => isHeld)).toHaveLength(1);
});

test("J20: a window that closes hands over at the others' next look", async () => {
	const clock = stepped(createFakeClock());
	const path = join(await makeTempFolder(), "lease");
	const first = leaseAt(path, clock);
	await atRest();
	expect(first.isHeld).toBe(true);
	const second = leaseAt(path, clock);
	await clock.pass(10_000);
	expect(second.isHeld).toBe(false);
	first.dispose();
	await clock.pass(10_000);
	expect(second.isHeld).toBe(true);
});

test("J20: a holder that gives no sign for 90 seconds is followed, not before", async () => {
	const clock = stepped(createFakeClock());
	const path = join(await makeTempFolder(), "lease");
	await heldElsewhere(path);
	const lease = leaseAt(path, clock);
	await clock.pass(80_000);
	expect(lease.isHeld).toBe(false);
	await clock.pass(30_000);
	expect(lease.isHeld).toBe(true);
});

test("J20: a holder that shows itself every 30 seconds is left alone", async () => {
	const clock = stepped(createFakeClock());
	const path = join(await makeTempFolder(), "lease");
	await heldElsewhere(path);
	const lease = leaseAt(path, clock);
	for (let beat = 1; beat <= 8; beat += 1) {
		await clock.pass(30_000);
		await utimes(path, beat, beat);
	}
	expect(lease.isHeld).toBe(false);
});

test("J20: a holder whose program is dead is followed at once", async () => {
	const clock = stepped(createFakeClock());
	const path = join(await makeTempFolder(), "lease");
	await writeFile(
		path,
		JSON.stringify({ pid: 2 ** 22 + 12_345, host: hostname(), session: "dead" }),
	);
	const lease = leaseAt(path, clock);
	await atRest();
	expect(lease.isHeld).toBe(true);
});

test("J24: a clock that jumps takes the lease from nobody", async () => {
	const clock = stepped(createFakeClock());
	const path = join(await makeTempFolder(), "lease");
	await heldElsewhere(path);
	const lease = leaseAt(path, clock);
	clock.jump(86_400_000);
	await clock.pass(20_000);
	expect(lease.isHeld).toBe(false);
});

test("J20: a lease that was taken over is noticed when it is looked at", async () => {
	const clock = stepped(createFakeClock());
	const path = join(await makeTempFolder(), "lease");
	const lease = leaseAt(path, clock);
	await atRest();
	expect(lease.isHeld).toBe(true);
	await heldElsewhere(path);
	expect(await lease.verify()).toBe(false);
	expect(lease.isHeld).toBe(false);
});
