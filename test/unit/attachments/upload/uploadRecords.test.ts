import { readdir, readFile, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { UploadRecords } from "../../../../src/attachments/upload/uploadRecords.ts";
import { systemClock } from "../../../../src/common/async.ts";
import { silentLog } from "../../../../src/common/log.ts";
import { makeTempFolder } from "../../../helpers/tempFolder.ts";

const account = "ab".repeat(16);
const hash = "cd".repeat(32);

async function setUp() {
	const folder = await makeTempFolder();
	const records = new UploadRecords(folder, silentLog, systemClock);
	return { folder, records, path: join(folder, account, `${hash}.json`) };
}

test("an id is remembered by service and content, across restarts", async () => {
	const { folder, records } = await setUp();
	expect(await records.find(account, hash)).toBeUndefined();
	await records.remember(account, hash, "f1");
	const later = new UploadRecords(folder, silentLog, systemClock);
	expect(await later.find(account, hash)).toBe("f1");
	expect(await later.find("ef".repeat(16), hash)).toBeUndefined();
});

test.each([
	"",
	"{",
	"null",
	'{"version":1}',
	'{"version":2,"fileId":"f"}',
	'{"version":1,"fileId":""}',
])("a record that holds %j is as good as none", async text => {
	const { records, path } = await setUp();
	await records.remember(account, hash, "f1");
	await writeFile(path, text);
	expect(await records.find(account, hash)).toBeUndefined();
	await records.remember(account, hash, "f2");
	expect(await records.find(account, hash)).toBe("f2");
});

test("only the id that is forgotten goes, not one that took its place", async () => {
	const { records } = await setUp();
	await records.remember(account, hash, "newer");
	await records.forget(account, hash, "older");
	expect(await records.find(account, hash)).toBe("newer");
	await records.forget(account, hash, "newer");
	expect(await records.find(account, hash)).toBeUndefined();
});

test("many windows that remember at once leave one whole record and nothing else", async () => {
	const { folder, records, path } = await setUp();
	const ids = Array.from({ length: 40 }, (_, index) => `f${index}`);
	await Promise.all(ids.map(id => records.remember(account, hash, id)));
	expect(ids).toContain(JSON.parse(await readFile(path, "utf8")).fileId);
	expect(await readdir(join(folder, account))).toEqual([`${hash}.json`]);
});

test("a disk that refuses costs only the memory", async () => {
	const { folder } = await setUp();
	await writeFile(join(folder, "file"), "");
	const records = new UploadRecords(join(folder, "file"), silentLog, systemClock);
	await records.remember(account, hash, "f1");
	expect(await records.find(account, hash)).toBeUndefined();
});

test("a hash that is none never becomes a path", async () => {
	const { records } = await setUp();
	await expect(async () => records.remember(account, "../../x", "f1")).rejects.toThrow(RangeError);
});

describe("records nobody needs", () => {
	const hashOf = (index: number): string => index.toString(16).padStart(64, "0");
	const day = 24 * 60 * 60;

	test("that were not used for half a year go when the next one is kept", async () => {
		const { folder, records } = await setUp();
		const now = Date.now() / 1000;
		for (const [index, days] of [181, 179, 182].entries()) {
			await records.remember(account, hashOf(index), `f${index}`);
			await utimes(join(folder, account, `${hashOf(index)}.json`), now, now - days * day);
		}
		const later = new UploadRecords(folder, silentLog, systemClock);
		expect(await later.find(account, hashOf(2))).toBe("f2");
		await later.remember(account, hash, "newest");
		expect((await readdir(join(folder, account))).toSorted()).toEqual(
			[hashOf(1), hashOf(2), hash].map(name => `${name}.json`).toSorted(),
		);
	});

	test("are an error to nobody when several windows remove them at the same time", async () => {
		const { folder, records } = await setUp();
		const warnings: string[] = [];
		const log = { ...silentLog, warn: (message: string) => void warnings.push(message) };
		const old = Date.now() / 1000 - 181 * day;
		for (let index = 0; index < 20; index += 1) {
			await records.remember(account, hashOf(index), "f");
			await utimes(join(folder, account, `${hashOf(index)}.json`), old, old);
		}
		const windows = Array.from({ length: 5 }, () => new UploadRecords(folder, log, systemClock));
		await Promise.all(windows.map(window => window.remember(account, hash, "f")));
		expect(warnings).toEqual([]);
		expect(await readdir(join(folder, account))).toEqual([`${hash}.json`]);
	});
});
