import type { FileHandle } from "node:fs/promises";
import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { UploadRecords } from "../../../src/attachments/upload/uploadRecords.ts";
import { systemClock } from "../../../src/common/async.ts";
import { silentLog } from "../../../src/common/log.ts";
import { writeAtomically } from "../../../src/storage/atomicFile.ts";
import { nodeFileSystem } from "../../../src/storage/fileSystem.ts";
import { JournalFolder } from "../../../src/tools/undo/journalFolder.ts";
import { VideoPictures } from "../../../src/ui/video/views/videoPictures.ts";
import { makeTempFolder } from "../../helpers/tempFolder.ts";

/** What was asked of the disk, in order: a file or a folder made lasting, and a name given. */
const steps = vi.hoisted((): string[] => []);

vi.mock("node:fs/promises", async original => {
	const real = await original<typeof import("node:fs/promises")>();
	const open = async (...args: Parameters<typeof real.open>): Promise<FileHandle> => {
		const handle = await real.open(...args);
		const isFolder = (await handle.stat()).isDirectory();
		for (const name of ["sync", "datasync"] as const) {
			const step = handle[name].bind(handle);
			handle[name] = () => {
				steps.push(isFolder ? "folder lasts" : "draft lasts");
				return step();
			};
		}
		return handle;
	};
	const rename: typeof real.rename = (from, to) => {
		steps.push("named");
		return real.rename(from, to);
	};
	return { ...real, open, rename };
});

beforeEach(() => {
	steps.length = 0;
});

const pixel = Buffer.concat([Buffer.from("RIFF\0\0\0\0WEBP"), Buffer.alloc(64)]);

const writers: readonly [string, (folder: string) => Promise<unknown>][] = [
	["a text", folder => writeAtomically(join(folder, "a.json"), "a")],
	["a file of a chat", folder => nodeFileSystem.replace(join(folder, "a.json"), "a")],
	[
		"a tool's change",
		folder =>
			new JournalFolder(folder, systemClock).write("chat", {
				version: 1,
				callId: "call",
				at: systemClock.now(),
				state: "started",
				files: [],
			}),
	],
	[
		"a clip's picture",
		async folder => {
			const pictures = await VideoPictures.open(folder, silentLog);
			return pictures.keep("job", `data:image/webp;base64,${pixel.toString("base64")}`);
		},
	],
];

describe("L6: once it is replaced, a file survives a power cut:", () => {
	test.each(writers)("%s", async (_, write) => {
		await write(await makeTempFolder());
		expect(steps).toEqual(["draft lasts", "named", "folder lasts"]);
	});
});

test("the record of an upload is replaced without a wait for the medium, as it costs one more upload at most", async () => {
	const records = new UploadRecords(await makeTempFolder(), silentLog, systemClock);
	await records.remember("ab", "cd".repeat(32), "f1");
	await records.remember("ab", "cd".repeat(32), "f2");
	expect(steps.filter(step => step !== "named")).toEqual([]);
	expect(await records.find("ab", "cd".repeat(32))).toBe("f2");
});

test("a file that is replaced is its owner's alone, and no draft is left", async () => {
	const path = join(await makeTempFolder(), "a.json");
	await writeFile(path, "old", { mode: 0o644 });
	await writeAtomically(path, "new");
	expect(await readFile(path, "utf8")).toBe("new");
	expect((await stat(path)).mode & 0o777).toBe(process.platform === "win32" ? 0o666 : 0o600);
	expect(await readdir(join(path, ".."))).toEqual([basename(path)]);
});

test("a file that cannot be replaced stays, and no draft of the other is left", async () => {
	const path = join(await makeTempFolder(), "a.json");
	await mkdir(join(path, "taken"), { recursive: true });
	await expect(writeAtomically(path, "new")).rejects.toThrow();
	expect(await readdir(join(path, ".."))).toEqual([basename(path)]);
});
