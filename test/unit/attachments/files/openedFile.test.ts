import { mkdir, realpath, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { expect, onTestFinished, test } from "vitest";
import { AttachmentError } from "../../../../src/attachments/contract/failures.ts";
import { openResolved } from "../../../../src/attachments/files/openedFile.ts";
import { makeTempFolder } from "../../../helpers/tempFolder.ts";

/** Puts a link in a folder's place and the folder back again, as fast as the disk allows. */
const swapper = `
const { renameSync } = require("node:fs");
const { workerData, parentPort } = require("node:worker_threads");
const { folder, aside, link } = workerData;
const stopAt = Date.now() + workerData.ms;
let swaps = 0;
while (Date.now() < stopAt) {
	renameSync(folder, aside);
	renameSync(link, folder);
	renameSync(folder, link);
	renameSync(aside, folder);
	swaps += 1;
}
parentPort.postMessage(swaps);
`;

test("G11, T13: however fast a folder is swapped for a link, the file behind the link is never read", async () => {
	const root = await realpath(await makeTempFolder());
	const at = (name: string): string => join(root, name);
	await Promise.all([mkdir(at("folder")), mkdir(at("secret"))]);
	await writeFile(join(at("folder"), "a.txt"), "inside");
	await writeFile(join(at("secret"), "a.txt"), "secret");
	await symlink(at("secret"), at("link"));
	const workerData = { folder: at("folder"), aside: at("aside"), link: at("link"), ms: 1500 };
	const worker = new Worker(swapper, { eval: true, workerData });
	onTestFinished(() => void worker.terminate());
	let isOver = false;
	const swaps = new Promise<number>((resolve, reject) => {
		worker.on("error", reject);
		worker.on("message", (count: number) => {
			isOver = true;
			resolve(count);
		});
	});
	const seen = { inside: 0, refused: 0, secret: 0 };
	while (!isOver) {
		try {
			const { handle } = await openResolved(join(at("folder"), "a.txt"));
			const text = await handle.readFile("utf8");
			await handle.close();
			seen[text === "inside" ? "inside" : "secret"] += 1;
		} catch (error) {
			expect(error).toBeInstanceOf(AttachmentError);
			seen.refused += 1;
		}
	}
	expect(await swaps).toBeGreaterThan(0);
	expect(seen.secret).toBe(0);
	expect(seen.inside + seen.refused).toBeGreaterThan(100);
});
