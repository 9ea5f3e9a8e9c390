import { execFileSync } from "node:child_process";
import {
	linkSync,
	lstatSync,
	mkdirSync,
	renameSync,
	rmSync,
	symlinkSync,
	truncateSync,
	unlinkSync,
	writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
	type WorkspacePaths,
	resolveTarget,
	type PathTarget,
} from "../../../../src/paths/resolveTarget.ts";
import { isUnchangedTarget, readTarget } from "../../../../src/tools/contract/safeFile.ts";
import { makeTempFolder } from "../../../helpers/tempFolder.ts";

interface Place {
	readonly outside: string;
	readonly folder: string;
	readonly file: string;
	readonly options: WorkspacePaths;
	target(): PathTarget;
}

async function makePlace(): Promise<Place> {
	const base = await makeTempFolder();
	const workspace = join(base, "ws");
	const [folder, outside] = [join(workspace, "sub"), join(base, "outside")];
	mkdirSync(folder, { recursive: true });
	mkdirSync(outside);
	const file = join(folder, "a.txt");
	writeFileSync(file, "inside");
	writeFileSync(join(outside, "a.txt"), "outside");
	const options = { roots: [{ name: "ws", path: workspace }], platform: "linux" } as const;
	const target = (): PathTarget => {
		const resolution = resolveTarget("sub/a.txt", options);
		if (!resolution.ok) {
			throw new Error(resolution.refusal);
		}
		return resolution.target;
	};
	return { outside, folder, file, options, target };
}

const stale = expect.objectContaining({ name: "ToolFailure", isStale: true });
const failure = expect.objectContaining({ name: "ToolFailure" });

test("the file that was judged is read, by whatever other name it also goes", async () => {
	const { file, folder, target } = await makePlace();
	expect(Buffer.from(readTarget(target())).toString()).toBe("inside");
	linkSync(file, join(folder, "b.txt"));
	expect(Buffer.from(readTarget(target())).toString()).toBe("inside");
});

test("a link put in a file's place is not followed, not even to the file itself", async () => {
	const { file, folder, target } = await makePlace();
	const judged = target();
	renameSync(file, join(folder, "b.txt"));
	symlinkSync("b.txt", file);
	expect(() => readTarget(judged)).toThrow("sub/a.txt could not be read.");
});

test("another file put in a file's place is not read", async () => {
	const { file, folder, target } = await makePlace();
	const judged = target();
	writeFileSync(join(folder, "b.txt"), "other");
	renameSync(join(folder, "b.txt"), file);
	expect(() => readTarget(judged)).toThrow(stale);
});

test("a folder swapped for a link out of the workspace is found out after the file was opened", async () => {
	const { folder, outside, target } = await makePlace();
	const judged = target();
	renameSync(folder, `${folder}.away`);
	symlinkSync(outside, folder);
	expect(() => readTarget(judged)).toThrow(stale);
});

test("a file that got its identity through a folder swapped while it was judged is not read", async () => {
	const { folder, outside, options, target } = await makePlace();
	const judged = target();
	renameSync(folder, `${folder}.away`);
	// What a walk finds when the folder becomes a link between the look at it and the look below it.
	renameSync(outside, folder);
	const { identity } = target();
	renameSync(folder, outside);
	symlinkSync(outside, folder);
	const fooled = { ...judged, identity };
	expect(() => readTarget(fooled)).toThrow(stale);
	expect(isUnchangedTarget(fooled, options)).toBe(false);
	// Swapped back in time, the path is right again and the file is not.
	unlinkSync(folder);
	renameSync(`${folder}.away`, folder);
	expect(() => readTarget(fooled)).toThrow(stale);
	expect(isUnchangedTarget(fooled, options)).toBe(false);
	expect(isUnchangedTarget(judged, options)).toBe(true);
});

test("a pipe put in a file's place does not hold the reader up", async () => {
	const { file, target } = await makePlace();
	const judged = target();
	rmSync(file);
	execFileSync("mkfifo", [file]);
	const { dev, ino } = lstatSync(file, { bigint: true });
	// The pipe may have the very number of the file that was removed.
	expect(() => readTarget({ ...judged, identity: `${dev}:${ino}` })).toThrow(stale);
});

test("a file that is gone or larger than 4 MiB is not read", async () => {
	const { file, target } = await makePlace();
	truncateSync(file, 4 * 1024 * 1024 + 1);
	expect(() => readTarget(target())).toThrow("sub/a.txt is larger than 4 MiB.");
	const judged = target();
	rmSync(file);
	expect(() => readTarget(judged)).toThrow(failure);
});
