import { execFileSync } from "node:child_process";
import { link, mkdir, rename, rm, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { failureIn, makeAttachmentBench, preparedOf } from "../../helpers/attachmentBench.ts";

/** Node itself cannot make a pipe with a name. */
function makePipe(path: string): void {
	const program = "mkfifo";
	execFileSync(program, [path]);
}

describe("what is attached", () => {
	test("says what it is, and begins with the use that suits it", async () => {
		const { tray, write, workspace } = await makeAttachmentBench();
		await write("src/pricing.ts", "export {};\n");
		await write("data/orders.csv", "a,b\n");
		await write("images/beans.png", Buffer.from("89504e470d0a1a0a", "hex"));
		await tray.addPaths([
			join(workspace, "src/pricing.ts"),
			join(workspace, "data/orders.csv"),
			join(workspace, "images/beans.png"),
		]);
		expect(
			tray.attachments.map(
				({ name, displayPath, mimeType, language, use, possibleUses, state }) => [
					name,
					displayPath,
					mimeType,
					language,
					use,
					possibleUses.length,
					state.type,
				],
			),
		).toEqual([
			["pricing.ts", "src/pricing.ts", "text/plain", "typescript", "read", 2, "ready"],
			["orders.csv", "data/orders.csv", "text/csv", "csv", "codeInterpreter", 2, "ready"],
			["beans.png", "images/beans.png", "image/png", undefined, "codeInterpreter", 1, "ready"],
		]);
	});

	test("T34: gives the bytes of an image that may be read, and of nothing else", async () => {
		const { tray, write, add, workspace, outside } = await makeAttachmentBench();
		const png = Buffer.from("89504e470d0a1a0a", "hex");
		const beans = await add(await write("images/beans.png", png));
		const notes = await add(await write("notes.md", "# Notes\n"));
		const secret = await add(await write(join(outside, "secret.png"), png));
		expect(secret.state.type).toBe("needsConfirmation");
		expect(await tray.imageBytes(beans.id, 100)).toEqual(png);
		expect(await tray.imageBytes(beans.id, 7)).toBeUndefined();
		expect(await tray.imageBytes(notes.id, 100)).toBeUndefined();
		expect(await tray.imageBytes(secret.id, 100)).toBeUndefined();
		tray.confirm([secret.id]);
		expect(await tray.imageBytes(secret.id, 100)).toEqual(png);
		await rm(join(workspace, "images/beans.png"));
		await symlink(join(outside, "secret.png"), join(workspace, "images/beans.png"));
		expect(await tray.imageBytes(beans.id, 100)).toBeUndefined();
	});

	test("is kept for 200 chats that aren't shown, and those without attachments go first", async () => {
		const { tray, write, add } = await makeAttachmentBench();
		await add(await write("a.csv", "a\n"));
		tray.show("empty", "first");
		for (let index = 0; index < 200; index += 1) {
			tray.show(`next ${index}`, index === 0 ? "empty" : `next ${index - 1}`);
			await add(await write(`b${index}.csv`, "a\n"));
		}
		expect([tray.aside.size, tray.aside.has("first"), tray.aside.has("empty")]).toEqual([
			200,
			true,
			false,
		]);
		tray.show("last", "next 199");
		expect([tray.aside.size, tray.aside.has("first")]).toEqual([200, false]);
	});

	test("stays once, whatever path leads to it", async () => {
		const { tray, write, workspace } = await makeAttachmentBench();
		const path = await write("data.csv", "a\n");
		await symlink(path, join(workspace, "link.csv"));
		const report = await tray.addPaths([
			path,
			`${workspace}/./data.csv`,
			join(workspace, "link.csv"),
		]);
		expect(tray.attachments).toHaveLength(1);
		expect(report.ids).toEqual([tray.attachments[0]?.id]);
	});

	test("can change its use to one that makes sense, and to no other", async () => {
		const { tray, write, add, named } = await makeAttachmentBench();
		const { id } = await add(await write("notes.md", "# Notes\n"));
		tray.setUse(id, "codeInterpreter");
		expect(named("notes.md").use).toBe("codeInterpreter");
		const zip = await add(await write("a.zip", Buffer.from("504b0304", "hex")));
		tray.setUse(zip.id, "read");
		expect(named("a.zip").use).toBe("codeInterpreter");
	});

	test("goes when it is removed, and all of it when the question is sent", async () => {
		const { tray, write, add } = await makeAttachmentBench();
		const { id } = await add(await write("a.csv", "a\n"));
		await add(await write("b.csv", "b\n"));
		tray.remove([id]);
		expect(tray.attachments.map(({ name }) => name)).toEqual(["b.csv"]);
		tray.clear();
		expect(tray.attachments).toEqual([]);
	});

	test("is counted, and what is over the count is listed as left out", async () => {
		const { tray, write } = await makeAttachmentBench({ limits: { maxAttachments: 2 } });
		const paths = await Promise.all(["a", "b", "c"].map(name => write(`${name}.csv`, name)));
		expect((await tray.addPaths(paths)).leftOut).toBe(1);
		expect(tray.attachments).toHaveLength(2);
		expect(tray.addBytes({ name: "d.png", bytes: Buffer.from("d") })).toBeUndefined();
	});

	test("may have a name that is a property of every object", async () => {
		const { write, add } = await makeAttachmentBench();
		for (const name of ["constructor", "a.constructor", "a.__proto__", "toString"]) {
			expect(await add(await write(name, "x\n"))).toMatchObject({ name, mimeType: "text/plain" });
		}
	});
});

describe("a folder", () => {
	test("is its files, without links, special files and what is excluded", async () => {
		const { tray, write, workspace, outside } = await makeAttachmentBench({
			excluded: paths => Promise.resolve(new Set(paths.filter(path => path.endsWith("/out")))),
		});
		const secret = await write(join(outside, "secret.txt"), "s\n");
		await write("pack/b.txt", "b\n");
		await write("pack/a.txt", "a\n");
		await write("pack/deep/c.txt", "c\n");
		await write("pack/out/built.js", "x\n");
		await write("pack/node_modules/dep/index.js", "x\n");
		await symlink(secret, join(workspace, "pack/link.txt"));
		await symlink(outside, join(workspace, "pack/linked"));
		makePipe(join(workspace, "pack/pipe"));
		const report = await tray.addPaths([join(workspace, "pack")]);
		expect(report.folders).toEqual([
			{ displayPath: "pack", taken: 3, passedOver: 5, isCut: false },
		]);
		expect(tray.attachments.map(({ displayPath, folder }) => [displayPath, folder])).toEqual([
			["pack/a.txt", "pack"],
			["pack/b.txt", "pack"],
			["pack/deep/c.txt", "pack"],
		]);
	});

	test("that is excluded itself still brings its files", async () => {
		const { tray, write, workspace } = await makeAttachmentBench({
			excluded: paths => Promise.resolve(new Set(paths.filter(path => path.includes("/out")))),
		});
		await write("pack/a.txt", "a\n");
		await write("pack/out/built.js", "x\n");
		await tray.addPaths([join(workspace, "pack")]);
		expect(tray.attachments.map(({ displayPath }) => displayPath)).toEqual(["pack/a.txt"]);
		await tray.addPaths([join(workspace, "pack/out")]);
		expect(tray.attachments.map(({ displayPath }) => displayPath)).toEqual([
			"pack/a.txt",
			"pack/out/built.js",
		]);
	});

	test("is cut where it holds more than it may, and says so", async () => {
		const { tray, write, workspace } = await makeAttachmentBench({ limits: { maxFolderFiles: 5 } });
		await Promise.all(Array.from({ length: 6 }, (_, index) => write(`pack/${index}.txt`, "x\n")));
		const report = await tray.addPaths([join(workspace, "pack")]);
		expect(report.folders).toEqual([{ displayPath: "pack", taken: 5, passedOver: 0, isCut: true }]);
	});

	test("of far too many names is not read to its end", async () => {
		const { tray, write, workspace } = await makeAttachmentBench({
			limits: { maxFolderEntries: 10 },
		});
		await Promise.all(Array.from({ length: 30 }, (_, index) => write(`pack/${index}.txt`, "x\n")));
		const report = await tray.addPaths([join(workspace, "pack")]);
		expect(report.folders[0]).toMatchObject({ isCut: true });
		expect(tray.attachments.length).toBeLessThan(10);
	});
});

describe("a file a user must consent to", () => {
	test("T34: is neither read nor sent before, and goes after", async () => {
		const { service, tray, write, add, named } = await makeAttachmentBench();
		const env = await add(await write(".env.local", "KEY=1\n"));
		const table = await add(await write("store.db", Buffer.from("SQLite format 3\0")));
		expect(env.concerns).toEqual([{ type: "sensitive", rule: ".env*" }]);
		expect(await tray.prepare()).toEqual({ type: "blocked", ids: [env.id, table.id] });
		await tray.upload([env.id, table.id]);
		expect(service.posts).toBe(0);
		tray.confirm([env.id, table.id]);
		expect(named(".env.local").state.type).toBe("ready");
		const sent = await preparedOf(tray);
		expect(sent.map(({ kind }) => kind)).toEqual(["text", "file"]);
	});

	test("T15: is judged by what it holds, whatever its name", async () => {
		const { write, add } = await makeAttachmentBench();
		const key = ["-----BEGIN", `KEY-----\n${"MIIEvQIBADANBgkqhkiG9w0B".repeat(2)}\n`].join(
			" PRIVATE ",
		);
		const notes = await add(await write("notes.txt", `first\n${key}`));
		expect(notes).toMatchObject({
			state: { type: "needsConfirmation" },
			concerns: [{ type: "sensitive", rule: "PEM" }],
		});
		const wide = Buffer.from(`\uFEFF${key}`, "utf16le");
		for (const bytes of [wide, Buffer.from(wide).swap16()]) {
			expect(await add(await write("wide.txt", bytes))).toMatchObject({
				concerns: [{ type: "sensitive", rule: "PEM" }],
			});
		}
		const plain = await add(await write("plain.txt", "first\n"));
		expect(plain.concerns).toEqual([]);
	});

	test("T34: is judged by where it really is, not by the path that led there", async () => {
		const { write, add, workspace, outside } = await makeAttachmentBench();
		const key = await write(join(outside, "server.pem"), "x\n");
		await symlink(key, join(workspace, "readme.txt"));
		await symlink(outside, join(workspace, "folder"));
		const linked = await add(join(workspace, "readme.txt"));
		expect(linked.resolvedPath).toBe(key);
		expect(linked.displayPath).toBe(key);
		expect(linked.concerns).toEqual([
			{ type: "sensitive", rule: "*.pem" },
			{ type: "outsideWorkspace" },
		]);
		const below = await write(join(outside, "a.txt"), "x\n");
		expect(await add(join(workspace, "folder/a.txt"))).toMatchObject({
			resolvedPath: below,
			concerns: [{ type: "outsideWorkspace" }],
		});
	});

	test("T34: is judged by the name that was given as well", async () => {
		const { write, add, workspace } = await makeAttachmentBench();
		await symlink(await write("notes.txt", "x\n"), join(workspace, ".env"));
		expect((await add(join(workspace, ".env"))).concerns).toEqual([
			{ type: "sensitive", rule: ".env*" },
		]);
	});

	test("T13: is asked about again when another file of the same kind takes its place", async () => {
		const { tray, write, add, workspace, outside, named } = await makeAttachmentBench();
		const [first, second] = [join(outside, "a.bin"), join(outside, "b.bin")];
		await write(first, Buffer.from([0, 1]));
		await write(second, Buffer.from([0, 2]));
		const path = join(workspace, "link.bin");
		await symlink(first, path);
		const { id } = await add(path);
		tray.confirm([id]);
		await Promise.all([rm(first), rm(path)]);
		await symlink(second, path);
		expect((await tray.prepare()).type).toBe("blocked");
		await tray.retry(id);
		expect(named("link.bin")).toMatchObject({
			resolvedPath: second,
			state: { type: "needsConfirmation" },
		});
	});

	test("T34: in a folder whose name only begins like the workspace's is outside", async () => {
		const { write, add, workspace, outside } = await makeAttachmentBench();
		expect(outside.startsWith(workspace)).toBe(true);
		expect((await add(await write(join(outside, "a.txt"), "x\n"))).concerns).toEqual([
			{ type: "outsideWorkspace" },
		]);
	});

	test("T11: has another name on the disk", async () => {
		const { write, add, workspace, outside } = await makeAttachmentBench();
		const original = await write(join(outside, "a.txt"), "x\n");
		await link(original, join(workspace, "b.txt"));
		expect((await add(join(workspace, "b.txt"))).concerns).toEqual([{ type: "hardLink" }]);
	});

	test("T13: another file in its place after the consent is not sent", async () => {
		const { service, tray, write, add, workspace, outside, named } = await makeAttachmentBench();
		const secret = await write(join(outside, "deep/a.bin"), Buffer.from([0, 1, 2]));
		const path = await write("deep/a.bin", Buffer.from([0, 9]));
		await add(path);
		await rename(join(workspace, "deep"), join(workspace, "moved"));
		await symlink(join(outside, "deep"), join(workspace, "deep"));
		expect((await tray.prepare()).type).toBe("blocked");
		expect(failureIn(named("a.bin"))).toMatchObject({ kind: "changed", canRetry: true });
		await tray.retry(named("a.bin").id);
		expect(named("a.bin")).toMatchObject({
			resolvedPath: secret,
			concerns: [{ type: "outsideWorkspace" }],
			state: { type: "needsConfirmation" },
		});
		expect(service.posts).toBe(0);
	});

	test.each(["symbolic", "hard"])(
		"T13: a %s link in its place after the consent is not sent",
		async kind => {
			const { service, tray, write, add, outside, named } = await makeAttachmentBench();
			const secret = await write(join(outside, "secret.bin"), Buffer.from([0, 1, 2]));
			const path = await write("a.bin", Buffer.from([0, 9]));
			await add(path);
			await rm(path);
			await (kind === "hard" ? link(secret, path) : symlink(secret, path));
			expect((await tray.prepare()).type).toBe("blocked");
			expect(failureIn(named("a.bin")).kind).toBe("changed");
			await tray.retry(named("a.bin").id);
			expect(named("a.bin").state.type).toBe("needsConfirmation");
			expect(service.posts).toBe(0);
		},
	);

	test("T34: is asked about for a piece of its text as well", async () => {
		const { tray, write } = await makeAttachmentBench();
		const path = await write(".env", "KEY=1\n");
		const id = await tray.addText({
			name: ".env",
			text: "KEY=1",
			path,
			lines: { first: 1, last: 1 },
		});
		expect(await tray.prepare()).toEqual({ type: "blocked", ids: [id] });
		tray.confirm([id ?? ""]);
		expect(await preparedOf(tray)).toMatchObject([
			{ kind: "text", text: "KEY=1", lines: { first: 1, last: 1 } },
		]);
	});
});

describe("a secret in what is sent", () => {
	const text = `token: ghp_${"aB3dE6gH9k".repeat(4).slice(0, 36)}\n`;
	const asked = { concerns: [{ type: "sensitive", rule: "GitHub" }] };

	test("T34: is asked about in text that has no file", async () => {
		const { tray } = await makeAttachmentBench();
		const id = (await tray.addText({ name: "Untitled-1", text })) ?? "";
		expect(tray.attachments).toMatchObject([{ ...asked, state: { type: "needsConfirmation" } }]);
		expect(await tray.prepare()).toEqual({ type: "blocked", ids: [id] });
		tray.confirm([id]);
		expect(await preparedOf(tray)).toMatchObject([{ text }]);
	});

	test.each(["notes.txt", "table.csv"])(
		"T34: is asked about in bytes without a file, named %s",
		async name => {
			const { tray, service } = await makeAttachmentBench();
			const id = tray.addBytes({ name, bytes: Buffer.from(text) }) ?? "";
			expect(await tray.prepare()).toEqual({ type: "blocked", ids: [id] });
			expect(tray.attachments).toMatchObject([{ ...asked, state: { type: "needsConfirmation" } }]);
			expect(service.posts).toBe(0);
			tray.confirm([id]);
			expect(await preparedOf(tray)).toMatchObject([{ name }]);
		},
	);

	test.each(["unsaved in the editor", "saved since it was attached"])(
		"T34: is asked about when it was %s",
		async how => {
			const { another, write, workspace } = await makeAttachmentBench();
			const path = await write("a.ts", "before\n");
			const tray = another({
				unsavedText: file =>
					how.startsWith("unsaved") && file === join(workspace, "a.ts") ? text : undefined,
			});
			const [id = ""] = (await tray.addPaths([path])).ids;
			expect(tray.attachments).toMatchObject([{ state: { type: "ready" } }]);
			await writeFile(path, how.startsWith("saved") ? text : "before\n");
			expect(await tray.prepare()).toEqual({ type: "blocked", ids: [id] });
			expect(tray.attachments).toMatchObject([asked]);
			tray.confirm([id]);
			expect(await preparedOf(tray)).toMatchObject([{ text }]);
		},
	);
});

describe("a path that leads to no file", () => {
	test("T34: is named with its reason: a pipe, a device, a socket, a dangling link, a loop, nothing", async () => {
		const { write, add, workspace } = await makeAttachmentBench();
		const at = (name: string): string => join(workspace, name);
		makePipe(at("pipe"));
		await symlink(at("nowhere"), at("dangling"));
		await symlink(at("loop"), at("loop"));
		const socket = createServer().listen(at("socket"));
		onTestFinished(() => void socket.close());
		await mkdir(at("dir"));
		const kinds: string[] = [];
		for (const path of [
			at("pipe"),
			"/dev/null",
			at("socket"),
			at("dangling"),
			at("loop"),
			at("no"),
		]) {
			kinds.push(failureIn(await add(path)).kind);
		}
		expect(kinds).toEqual(["notAFile", "notAFile", "notAFile", "missing", "missing", "missing"]);
		await write("dangling", "there now\n");
	});

	test("T34: is refused by its form alone: relative, or with a NUL in it", async () => {
		const { add } = await makeAttachmentBench();
		for (const path of ["data.csv", "../data.csv", "/etc/\0passwd", ""]) {
			const failure = failureIn(await add(path));
			expect(failure).toMatchObject({ kind: "refusedPath", canRetry: false });
		}
	});

	test("shows what is hidden in its name", async () => {
		const { write, add } = await makeAttachmentBench();
		const attachment = await add(await write("gpj.\u202Eexe.txt", "x\n"));
		expect(attachment.displayPath).toBe("gpj.␣U+202Eexe.txt");
	});
});

describe("text that goes into the message", () => {
	test("is read when the question is sent, with unsaved changes where the editor has some", async () => {
		const { tray, write, add, another, workspace } = await makeAttachmentBench();
		const path = await write("a.ts", "before\n");
		await add(path);
		await writeFile(path, "after\n");
		expect(await preparedOf(tray)).toMatchObject([
			{ kind: "text", path: "a.ts", language: "typescript", text: "after\n", omittedCharacters: 0 },
		]);
		const editing = another({
			unsavedText: asked => (asked === join(workspace, "a.ts") ? "unsaved\n" : undefined),
		});
		await editing.addPaths([path]);
		expect(await preparedOf(editing)).toMatchObject([{ text: "unsaved\n" }]);
	});

	test("has the size of what is sent, also where it changed after it was attached", async () => {
		const { tray, write, add, named } = await makeAttachmentBench();
		const path = await write("notes.txt", "A long first version of it.\n");
		await add(path);
		await write("notes.txt", "Short.\n");
		const [sent] = await preparedOf(tray);
		expect(sent).toMatchObject({ kind: "text", text: "Short.\n", size: 7 });
		expect(named("notes.txt").size).toBe(7);
	});

	test("is cut at its limit and at the limit of all, and says by how much", async () => {
		const { tray, write, workspace } = await makeAttachmentBench({
			limits: { maxTextCharacters: 10, maxAllTextCharacters: 15 },
		});
		await write("a.txt", "a".repeat(12));
		await write("b.txt", "b".repeat(12));
		await write("c.txt", "c".repeat(12));
		await tray.addPaths(["a", "b", "c"].map(name => join(workspace, `${name}.txt`)));
		expect(tray.budget).toEqual({ characters: 30, tokens: 8, maxCharacters: 15 });
		expect(await preparedOf(tray)).toMatchObject([
			{ text: "a".repeat(10), omittedCharacters: 2 },
			{ text: "b".repeat(5), omittedCharacters: 7 },
			{ text: "", omittedCharacters: 12 },
		]);
	});

	test("is never cut inside a character, not even of a file that is read in part", async () => {
		const { tray, write, add } = await makeAttachmentBench({ limits: { maxTextCharacters: 5 } });
		await add(await write("a.txt", "🎬".repeat(4000)));
		const [sent] = await preparedOf(tray);
		expect(sent).toMatchObject({ kind: "text", text: "🎬🎬" });
	});

	test("is read in the encoding its first bytes name", async () => {
		const { tray, write, add } = await makeAttachmentBench();
		await add(await write("le.txt", Buffer.from("\uFEFFnaïve 数据\n", "utf16le")));
		await add(await write("be.txt", Buffer.from("\uFEFFnaïve 数据\n", "utf16le").swap16()));
		await add(await write("bom.txt", "\uFEFFnaïve 数据\n"));
		const texts = (await preparedOf(tray)).map(each => each.kind === "text" && each.text);
		expect(texts).toEqual(["naïve 数据\n", "naïve 数据\n", "naïve 数据\n"]);
	});

	test("is decoded by the editor where it is not plain, a notebook as a whole", async () => {
		const decode = (path: string, bytes: Uint8Array): Promise<string> =>
			Promise.resolve(`${path.split("/").at(-1)}: ${bytes.length}`);
		const { tray, write, add } = await makeAttachmentBench({ decode });
		const book = await add(await write("book.ipynb", `{"a": "${"x".repeat(1_000_000)}"}`));
		tray.setUse(book.id, "read");
		await add(await write("main.c", Uint8Array.of(0x2f, 0x2f, 0xd6, 0xd0)));
		await add(await write("plain.c", "// plain"));
		const texts = (await preparedOf(tray)).map(each => each.kind === "text" && each.text);
		expect(texts).toEqual(["book.ipynb: 1000009", "main.c: 4", "// plain"]);
	});

	test("that turns out not to be text blocks the question until it is uploaded instead", async () => {
		const { tray, write, add, named } = await makeAttachmentBench();
		const { id } = await add(await write("log.txt", "text\n"));
		await write(
			"log.txt",
			Buffer.concat([Buffer.from("text\n".repeat(2000)), Buffer.from([0xff])]),
		);
		expect((await tray.prepare()).type).toBe("blocked");
		expect(failureIn(named("log.txt")).kind).toBe("notText");
		tray.setUse(id, "codeInterpreter");
		expect(await preparedOf(tray)).toMatchObject([{ kind: "file" }]);
	});

	test("may be pasted or dropped as bytes, and is uploaded or read like a file", async () => {
		const { service, tray } = await makeAttachmentBench();
		const id = tray.addBytes({ name: "dropped.csv", bytes: Buffer.from("a,b\n") }) ?? "";
		expect(await preparedOf(tray)).toMatchObject([{ kind: "file", mimeType: "text/csv" }]);
		expect(service.uploads[0]).toMatchObject({ rawName: "dropped.csv", size: 4 });
		tray.setUse(id, "read");
		expect(await preparedOf(tray)).toMatchObject([{ kind: "text", text: "a,b\n" }]);
	});
});
