import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createUploadRecords } from "../../../src/attachments/uploadRecords.ts";
import { silentLog } from "../../../src/common/log.ts";
import { makeTempFolder } from "../../helpers/tempFolder.ts";

const account = "ab".repeat(16);
const hash = "cd".repeat(32);

async function setUp() {
	const folder = await makeTempFolder();
	const records = createUploadRecords(folder, silentLog);
	return { folder, records, path: join(folder, account, `${hash}.json`) };
}

test("an id is remembered by service and content, across restarts", async () => {
	const { folder, records } = await setUp();
	expect(await records.find(account, hash)).toBeUndefined();
	await records.remember(account, hash, "f1");
	const later = createUploadRecords(folder, silentLog);
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
	const records = createUploadRecords(join(folder, "file"), silentLog);
	await records.remember(account, hash, "f1");
	expect(await records.find(account, hash)).toBeUndefined();
});

test("a hash that is none never becomes a path", async () => {
	const { records } = await setUp();
	await expect(async () => records.remember(account, "../../x", "f1")).rejects.toThrow(RangeError);
});
