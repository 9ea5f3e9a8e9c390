import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** A folder of this test's own, gone when the test is over. */
export async function makeTempFolder(): Promise<string> {
	const folder = await mkdtemp(join(tmpdir(), "cutaway-test-"));
	onTestFinished(() => rm(folder, { recursive: true, force: true }));
	return folder;
}
