import { readdir, readFile, utimes, writeFile } from "node:fs/promises";
import { hostname, uptime } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
	breakClaim,
	currentHolder,
	isDead,
	mayRun,
	readClaim,
	releaseClaim,
	tryClaim,
} from "../../../../src/video/store/fileHolder.ts";
import { replaceFileFunction } from "../../../helpers/videoFileCounts.ts";
import { makeTempFolder } from "../../../helpers/tempFolder.ts";

const deadPid = 2 ** 22 + 12_345;
const dead = { pid: deadPid, host: hostname(), session: "dead" };

async function claimPath(): Promise<string> {
	return join(await makeTempFolder(), "a.lock");
}

test("J20: a program that was begun before this machine was started is over, whoever has its number now", () => {
	const now = 1_750_000_000_000;
	const startedAt = now - uptime() * 1000;
	const holder = { ...currentHolder(), since: startedAt - 120_000 };
	expect(mayRun(holder, now)).toBe(false);
	expect(mayRun({ ...holder, since: now }, now)).toBe(true);
	expect(mayRun(dead, now)).toBe(false);
	expect(mayRun({ ...dead, host: "another-machine" }, now)).toBe(true);
});

test("J20: of many that claim at one moment one succeeds, and no draft is left", async () => {
	const path = await claimPath();
	const holders = Array.from({ length: 20 }, currentHolder);
	const results = await Promise.all(holders.map(holder => tryClaim(path, holder)));
	expect(results.filter(Boolean)).toHaveLength(1);
	expect(await readdir(join(path, ".."))).toEqual(["a.lock"]);
});

test("J20: a claim is made where the file system knows no hard links", async () => {
	const path = await claimPath();
	replaceFileFunction(
		"link",
		() => () => Promise.reject(Object.assign(new Error("no links"), { code: "EPERM" })),
	);
	const holder = currentHolder();
	expect(await tryClaim(path, holder)).toBe(true);
	expect(await tryClaim(path, currentHolder())).toBe(false);
	expect((await readClaim(path))?.holder?.session).toBe(holder.session);
});

test("L6: on a full disk no draft of a claim is left", async () => {
	const path = await claimPath();
	replaceFileFunction(
		"link",
		() => () => Promise.reject(Object.assign(new Error("full"), { code: "ENOSPC" })),
	);
	await expect(tryClaim(path, currentHolder())).rejects.toMatchObject({ code: "ENOSPC" });
	expect(await readdir(join(path, ".."))).toEqual([]);
});

test("J20: the claim of a dead program passes to one of many, and never to two at once", async () => {
	const path = await claimPath();
	await writeFile(path, JSON.stringify(dead));
	let inside = 0;
	let most = 0;
	const worked = await Promise.all(
		Array.from({ length: 8 }, async () => {
			const holder = currentHolder();
			while (!(await tryClaim(path, holder))) {
				const claim = await readClaim(path);
				await (claim && isDead(claim) && breakClaim(path, claim, holder));
				await new Promise(resolve => setImmediate(resolve));
			}
			inside += 1;
			most = Math.max(most, inside);
			await new Promise(resolve => setImmediate(resolve));
			inside -= 1;
			await releaseClaim(path, holder);
			return true;
		}),
	);
	expect(worked).toHaveLength(8);
	expect(most).toBe(1);
	expect(await readdir(join(path, ".."))).toEqual([]);
});

test("J20: a claim that was renewed or taken since it was seen is left alone", async () => {
	const path = await claimPath();
	await writeFile(path, JSON.stringify(dead));
	const seen = await readClaim(path);
	await utimes(path, 5, 5);
	await (seen && breakClaim(path, seen, currentHolder()));
	expect(await readFile(path, "utf8")).toContain("dead");
});

test("J20: a window that died while it gave up a claim does not keep the others from it", async () => {
	const path = await claimPath();
	await writeFile(path, JSON.stringify(dead));
	await writeFile(`${path}.break`, JSON.stringify(dead));
	const seen = await readClaim(path);
	for (let tries = 0; tries < 2; tries += 1) {
		await (seen && breakClaim(path, seen, currentHolder()));
	}
	expect(await readdir(join(path, ".."))).toEqual([]);
});
