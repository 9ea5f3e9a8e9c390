import { utimesSync } from "node:fs";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { hostname, uptime } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { systemClock } from "../../../src/common/async.ts";
import { nodeFileSystem } from "../../../src/storage/fileSystem.ts";
import {
	currentHolder,
	isDead,
	type LeaseDependencies,
	mayBeRunning,
	readLease,
	releaseLease,
	takeLease,
} from "../../../src/storage/lease.ts";
import { makeTempFolder } from "../../helpers/tempFolder.ts";
import { replaceFileFunction } from "../../helpers/videoFileCounts.ts";

const deadPid = 2 ** 22 + 12_345;
const dead = { pid: deadPid, host: hostname(), session: "dead" };

async function emptyPlace(): Promise<LeaseDependencies> {
	return {
		files: nodeFileSystem,
		path: join(await makeTempFolder(), "a.lock"),
		clock: systemClock,
	};
}

const filesBeside = ({ path }: LeaseDependencies): Promise<string[]> => readdir(join(path, ".."));

test("J20: a program that was started before this machine booted is over, whoever has its number now", () => {
	const now = 1_750_000_000_000;
	const startedAt = now - uptime() * 1000;
	const holder = { ...currentHolder(), since: startedAt - 120_000 };
	expect(mayBeRunning(holder, now)).toBe(false);
	expect(mayBeRunning({ ...holder, since: now }, now)).toBe(true);
	expect(mayBeRunning(dead, now)).toBe(false);
	expect(mayBeRunning({ ...dead, host: "another-machine" }, now)).toBe(true);
});

test("J20: of many that claim at one moment one succeeds, and no draft is left", async () => {
	const place = await emptyPlace();
	const holders = Array.from({ length: 20 }, currentHolder);
	const results = await Promise.all(holders.map(holder => takeLease(place, holder, isDead)));
	expect(results.filter(Boolean)).toHaveLength(1);
	expect(await filesBeside(place)).toEqual(["a.lock"]);
});

test("J20: a claim is made where the file system knows no hard links", async () => {
	const place = await emptyPlace();
	replaceFileFunction(
		"link",
		() => () => Promise.reject(Object.assign(new Error("no links"), { code: "EPERM" })),
	);
	const holder = currentHolder();
	expect(await takeLease(place, holder, isDead)).toBe(true);
	expect(await takeLease(place, currentHolder(), isDead)).toBe(false);
	expect((await readLease(place))?.holder?.session).toBe(holder.session);
});

test("L6: on a full disk no draft of a claim is left", async () => {
	const place = await emptyPlace();
	replaceFileFunction(
		"link",
		() => () => Promise.reject(Object.assign(new Error("full"), { code: "ENOSPC" })),
	);
	await expect(takeLease(place, currentHolder(), isDead)).rejects.toMatchObject({ code: "ENOSPC" });
	expect(await filesBeside(place)).toEqual([]);
});

test("J20: the claim of a dead program passes to one of many, and never to two at once", async () => {
	const place = await emptyPlace();
	await writeFile(place.path, JSON.stringify(dead));
	let inside = 0;
	let most = 0;
	const worked = await Promise.all(
		Array.from({ length: 8 }, async () => {
			const holder = currentHolder();
			while (!(await takeLease(place, holder, isDead))) {
				await new Promise(resolve => setImmediate(resolve));
			}
			inside += 1;
			most = Math.max(most, inside);
			await new Promise(resolve => setImmediate(resolve));
			inside -= 1;
			await releaseLease(place, holder);
			return true;
		}),
	);
	expect(worked).toHaveLength(8);
	expect(most).toBe(1);
	expect(await filesBeside(place)).toEqual([]);
});

test("J20: a claim that was renewed or taken since it was seen is left alone", async () => {
	const place = await emptyPlace();
	await writeFile(place.path, JSON.stringify(dead));
	const isGone = (): boolean => {
		utimesSync(place.path, 5, 5);
		return true;
	};
	expect(await takeLease(place, currentHolder(), isGone)).toBe(false);
	expect(await readFile(place.path, "utf8")).toContain("dead");
});

test("J20: a window that died while it gave up a claim does not keep the others from it", async () => {
	const place = await emptyPlace();
	await writeFile(place.path, JSON.stringify(dead));
	await writeFile(`${place.path}.break`, JSON.stringify(dead));
	const holder = currentHolder();
	expect(await takeLease(place, holder, isDead)).toBe(false);
	expect(await takeLease(place, holder, isDead)).toBe(true);
	expect(await filesBeside(place)).toEqual(["a.lock"]);
});
