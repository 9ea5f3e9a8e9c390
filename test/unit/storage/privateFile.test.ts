import { link, mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { nodeFileSystem } from "../../../src/storage/fileSystem.ts";
import { makeTempFolder } from "../../helpers/tempFolder.ts";

const bytes = Buffer.from("more");

const writers: readonly (readonly [string, (path: string) => Promise<unknown>])[] = [
	["a log that is opened", async path => (await nodeFileSystem.open(path)).append(bytes)],
	["a log that is appended to", path => nodeFileSystem.append(path, bytes)],
];

test.each(writers)("T53: %s follows no link", async (_name, write) => {
	const folder = await makeTempFolder();
	const target = join(folder, "mine.txt");
	await writeFile(target, "mine");
	await symlink(target, join(folder, "a.jsonl"));
	await symlink(join(folder, "new.txt"), join(folder, "b.jsonl"));
	await expect(write(join(folder, "a.jsonl"))).rejects.toMatchObject({ code: "EACCES" });
	await expect(write(join(folder, "b.jsonl"))).rejects.toMatchObject({ code: "EACCES" });
	await mkdir(join(folder, "c.jsonl"));
	await expect(write(join(folder, "c.jsonl"))).rejects.toMatchObject({ code: "EACCES" });
	expect(await readFile(target, "utf8")).toBe("mine");
	await expect(readFile(join(folder, "new.txt"))).rejects.toMatchObject({ code: "ENOENT" });
});

test.each(writers)("%s may have another name, as backups give it one", async (_name, write) => {
	const folder = await makeTempFolder();
	const path = join(folder, "a.jsonl");
	await writeFile(path, "a ");
	await link(path, join(folder, "backup"));
	await write(path);
	expect(await readFile(path, "utf8")).toBe("a more");
});
