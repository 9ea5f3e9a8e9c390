import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { systemClock } from "../../../../src/common/async.ts";
import { PackageQuestions } from "../../../../src/localService/python/packages/packageQuestions.ts";
import { PackageStore } from "../../../../src/localService/python/packages/packageStore.ts";
import { makeTempFolder } from "../../../helpers/tempFolder.ts";

test("T26: a mirror's package that is larger than any is not downloaded", async () => {
	const asked: string[] = [];
	const server = createServer(({ method = "" }, response) => {
		asked.push(method);
		response.writeHead(200, { "content-length": 10 * 1024 ** 3 }).end();
	});
	await new Promise<void>(resolve => server.listen(0, "127.0.0.1", resolve));
	onTestFinished(() => void server.close());
	const folder = await makeTempFolder();
	const lockFile = join(folder, "lock.json");
	const large = { file: "large.whl", sha256: "0".repeat(64), depends: [], imports: ["large"] };
	await writeFile(lockFile, JSON.stringify({ version: "1", packages: { large } }));
	const store = new PackageStore({
		lockFile,
		folder: join(folder, "packages"),
		mirror: () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		questions: new PackageQuestions(),
		clock: systemClock,
	});
	const needed = await store.neededFor(["large"]);
	const { signal } = new AbortController();
	const failure = await store.download(needed, signal, () => undefined);
	expect(failure).toMatchObject({ reason: "wrongFile" });
	expect(asked).toEqual(["HEAD"]);
	expect(await readdir(folder)).toEqual(["lock.json"]);
});
