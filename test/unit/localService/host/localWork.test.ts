import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { systemClock } from "../../../../src/common/async.ts";
import { plainLooks } from "../../../../src/common/clipLooks.ts";
import { LocalWork } from "../../../../src/localService/host/localWork.ts";
import { makeTestFolder } from "../testService.ts";

test("deleting Python's packages resolves to their bytes, also where there are none", async () => {
	const dataFolder = await makeTestFolder();
	const work = new LocalWork({
		workerFile: "",
		dataFolder,
		clipLooks: () => Promise.resolve(plainLooks),
		clock: systemClock,
	});
	expect(await work.removePackages()).toBe(0);
	const folder = join(dataFolder, "python-packages", "1.0");
	await mkdir(folder, { recursive: true });
	await Promise.all(["a.whl", "b.whl.part"].map(name => writeFile(join(folder, name), "12345")));
	expect(await work.removePackages()).toBe(10);
	expect(await readdir(dataFolder)).toEqual([]);
});
