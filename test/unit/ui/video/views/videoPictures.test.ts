import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { silentLog } from "../../../../../src/common/log.ts";
import { maxPictureCharacters } from "../../../../../src/shared/videoCard.ts";
import { VideoPictures } from "../../../../../src/ui/video/views/videoPictures.ts";
import { makeTempFolder } from "../../../../helpers/tempFolder.ts";

const webp = Buffer.concat([Buffer.from("RIFF\x10\0\0\0WEBPVP8 ", "latin1"), Buffer.alloc(20)]);
const jpeg = Buffer.from("ffd8ffe000104a464946", "hex");
const address = (bytes: Buffer, type = "webp"): string =>
	`data:image/${type};base64,${bytes.toString("base64")}`;

test("a picture that a page took is there again after a restart", async () => {
	const folder = join(await makeTempFolder(), "pictures");
	const pictures = await VideoPictures.open(folder, silentLog);
	expect(await pictures.keep("job-1", address(webp))).toBe(true);
	expect(pictures.address("job-1")).toBe(address(webp));
	expect(await readdir(folder)).toEqual(["job-1.webp"]);

	const restarted = await VideoPictures.open(folder, silentLog);
	expect(restarted.file("job-1")).toBe(join(folder, "job-1.webp"));
	expect(restarted.address("job-1")).toBeUndefined();
	expect(await restarted.read("job-1")).toBe(true);
	expect(await restarted.read("job-1")).toBe(false);
	expect(restarted.address("job-1")).toBe(address(webp));
});

test("the kind is what the bytes show, whatever the page claims", async () => {
	const folder = await makeTempFolder();
	const pictures = await VideoPictures.open(folder, silentLog);
	expect(await pictures.keep("job-1", address(jpeg, "webp"))).toBe(true);
	expect(pictures.address("job-1")).toBe(address(jpeg, "jpeg"));
	expect(await readFile(join(folder, "job-1.jpg"))).toEqual(jpeg);
});

test.each([
	["a PNG", address(Buffer.from("89504e470d0a1a0a", "hex"))],
	["a script", address(Buffer.from("<script>alert(1)</script>"))],
	["an SVG", "data:image/svg+xml;base64,PHN2Zy8+"],
	["an address of the web", "https://example.com/a.webp"],
	["nothing", "data:image/webp;base64,"],
	["too much", address(Buffer.concat([webp, Buffer.alloc(maxPictureCharacters)]))],
])("%s is not kept (threat T28)", async (_name, text) => {
	const folder = await makeTempFolder();
	const pictures = await VideoPictures.open(folder, silentLog);
	expect(await pictures.keep("job-1", text)).toBe(false);
	expect(await readdir(folder)).toEqual([]);
});

test("a name that is no job's id leads to no file", async () => {
	const folder = join(await makeTempFolder(), "pictures");
	const pictures = await VideoPictures.open(folder, silentLog);
	expect(await pictures.keep("../job-1", address(webp))).toBe(false);
	expect(await readdir(join(folder, ".."))).toEqual([]);
});

test("pictures of jobs that are gone are deleted; what is no picture stays", async () => {
	const folder = join(await makeTempFolder(), "pictures");
	await mkdir(folder);
	await writeFile(join(folder, "a.webp"), webp);
	await writeFile(join(folder, "b.webp"), webp);
	await writeFile(join(folder, "notes.txt"), "mine");
	const pictures = await VideoPictures.open(folder, silentLog);
	await pictures.tidy(new Set(["b"]));
	expect((await readdir(folder)).sort()).toEqual(["b.webp", "notes.txt"]);
	expect(pictures.file("a")).toBeUndefined();
});
