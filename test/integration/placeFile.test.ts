import assert from "node:assert/strict";
import { mkdtemp, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as vscode from "vscode";
import { placeFile } from "../../src/ui/video/share/documentTarget.ts";

describe("a clip that is placed beside a document", () => {
	const clip = Buffer.from([0, 1, 255]);
	let folder = "";
	const place = async (name: string, below = ""): Promise<string> =>
		(await placeFile(vscode.Uri.file(join(folder, below)), name, clip)).uri.fsPath;

	beforeEach(async () => {
		folder = await mkdtemp(join(tmpdir(), "cutaway-place-"));
	});
	afterEach(() => rm(folder, { recursive: true }));

	it("makes its folder, and is the file that is there when it is placed again", async () => {
		const first = await place("clip.webp", "media");
		assert.equal(first, join(folder, "media", "clip.webp"));
		assert.deepEqual(await readFile(first), clip);
		assert.equal(await place("clip.webp", "media"), first);
		assert.deepEqual(await readdir(join(folder, "media")), ["clip.webp"]);
	});

	it("takes the next number where another file or folder has its name, and finds itself there again", async () => {
		await writeFile(join(folder, "clip.webp"), Buffer.from([0, 1, 254]));
		await mkdir(join(folder, "clip-2.webp"));
		const placed = await place("clip.webp");
		assert.equal(placed, join(folder, "clip-3.webp"));
		assert.equal(await place("clip.webp"), placed);
		assert.deepEqual(await readFile(join(folder, "clip.webp")), Buffer.from([0, 1, 254]));
		assert.equal((await readdir(folder)).length, 3);
	});
});
