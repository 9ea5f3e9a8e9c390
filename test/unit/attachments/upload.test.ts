import { appendFile, rename, rm, writeFile } from "node:fs/promises";
import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { type Clock, systemClock } from "../../../src/common/async.ts";
import { attachmentFailure } from "../../../src/attachments/contract/failures.ts";
import { failureIn, makeAttachmentBench, preparedOf } from "../../helpers/attachmentBench.ts";
import { canaryKey, connectionTo } from "../../helpers/clientHarness.ts";
import { refuse } from "../../helpers/fileService.ts";

const megabyte = 1024 * 1024;

/** Longer than any wait between two attempts, in milliseconds. */
const longestWaitMs = 60_000;

/** A clock whose waits between two attempts are over at once; deadlines keep their time. */
const impatientClock: Clock = {
	...systemClock,
	setTimer: (ms, callback) => {
		if (ms >= longestWaitMs) {
			return systemClock.setTimer(ms, callback);
		}
		const immediate = setImmediate(callback);
		return { dispose: () => clearImmediate(immediate) };
	},
};

describe("bytes the service holds", () => {
	test("are not sent before the question is, or a user asks for it", async () => {
		const { service, tray, write, add } = await makeAttachmentBench();
		await add(await write("data.csv", "a,b\n1,2\n"));
		await new Promise(resolve => setTimeout(resolve, 50));
		expect(service.posts).toBe(0);
		await tray.upload(tray.attachments.map(({ id }) => id));
		expect(service.posts).toBe(1);
	});

	test("are named by the id they got", async () => {
		const { service, tray, write, add } = await makeAttachmentBench();
		const path = await write("data.csv", "a,b\n1,2\n");
		await add(path);
		const [sent] = await preparedOf(tray);
		expect(sent).toMatchObject({
			kind: "file",
			name: "data.csv",
			path: "data.csv",
			resolvedPath: path,
			mimeType: "text/csv",
			size: 8,
			fileId: "file-1",
			hash: service.uploads[0]?.hash,
		});
		expect(service.uploads[0]).toMatchObject({ rawName: "data.csv", type: "text/csv", size: 8 });
	});

	test("are never sent twice: not in one question, not in the next, not after a restart", async () => {
		const { service, tray, write, add, another, named } = await makeAttachmentBench();
		await add(await write("one.csv", "a,b\n"));
		await add(await write("copy.csv", "a,b\n"));
		await preparedOf(tray);
		expect(service.posts).toBe(1);
		const states = tray.attachments.map(({ state }) => state.type === "uploaded" && state.isReused);
		expect(new Set(states)).toEqual(new Set([false, true]));
		await preparedOf(tray);
		const next = another();
		await next.addPaths([await write("third.csv", "a,b\n")]);
		const [sent] = await preparedOf(next);
		expect(sent).toMatchObject({ fileId: "file-1" });
		expect(next.attachments[0]?.state).toEqual({ type: "uploaded", isReused: true });
		expect(named("one.csv").state.type).toBe("uploaded");
		expect(service.posts).toBe(1);
	});

	test("are sent again once they have changed, even when size and time say nothing", async () => {
		const { service, tray, write, add } = await makeAttachmentBench();
		const path = await write("data.csv", "a,1\n");
		await add(path);
		const [first] = await preparedOf(tray);
		await writeFile(path, "a,2\n");
		const [second] = await preparedOf(tray);
		expect(service.uploads).toHaveLength(2);
		expect(first).toMatchObject({ fileId: "file-1" });
		expect(second).toMatchObject({ fileId: "file-2" });
	});

	test.each([
		["key", (url: string) => connectionTo(url, { apiKey: "another-key" })],
		["address", (url: string) => connectionTo(url.replace("127.0.0.1", "localhost"))],
	])("are sent again to another %s, which does not hold them", async (_what, connect) => {
		const { service, tray, write, add, another } = await makeAttachmentBench();
		const path = await write("data.csv", "a,b\n");
		await add(path);
		const [first] = await preparedOf(tray);
		const elsewhere = another({ connection: () => Promise.resolve(connect(service.url)) });
		await elsewhere.addPaths([path]);
		const [second] = await preparedOf(elsewhere);
		expect(service.uploads).toHaveLength(2);
		expect(
			first?.kind === "file" && second?.kind === "file" && first.account !== second.account,
		).toBe(true);
		expect(JSON.stringify([first, second])).not.toContain(canaryKey);
	});

	test("are not sent for a question that a text keeps back", async () => {
		const { service, tray, write, add, named } = await makeAttachmentBench();
		await add(await write("data.csv", "a,b\n"));
		const notes = await write("notes.txt", "x\n");
		await add(notes);
		await rm(notes);
		expect(await tray.prepare()).toEqual({ type: "blocked", ids: [named("notes.txt").id] });
		expect(service.posts).toBe(0);
		expect(named("data.csv").state.type).toBe("ready");
	});

	test("wait while three others are on their way", async () => {
		const { service, tray, write, add, named } = await makeAttachmentBench();
		for (const name of ["a.csv", "b.csv", "c.csv", "d.csv"]) {
			await add(await write(name, name));
		}
		const stop = new AbortController();
		service.behave(() => true);
		const preparing = tray.prepare({ signal: stop.signal });
		while (service.posts < 3) {
			await new Promise(resolve => setImmediate(resolve));
		}
		await new Promise(resolve => setTimeout(resolve, 50));
		expect(service.posts).toBe(3);
		expect(named("d.csv").state).toEqual({ type: "waiting" });
		stop.abort();
		await expect(preparing).rejects.toMatchObject({ name: "AbortError" });
		expect(named("d.csv").state).toEqual({ type: "ready" });
	});

	test("are sent three files at a time at most, all of two hundred", async () => {
		const { service, tray, write, workspace } = await makeAttachmentBench();
		await Promise.all(
			Array.from({ length: 200 }, (_, index) => write(`many/${index}.csv`, `n\n${index}\n`)),
		);
		const report = await tray.addPaths([`${workspace}/many`]);
		expect(report.folders).toEqual([
			{ displayPath: "many", taken: 200, passedOver: 0, isCut: false },
		]);
		const sent = await preparedOf(tray);
		expect(sent).toHaveLength(200);
		expect(new Set(service.uploads.map(({ hash }) => hash)).size).toBe(200);
		expect(service.mostAtOnce).toBeLessThanOrEqual(3);
	});
});

describe("an upload under way", () => {
	test("tells the bytes that the network took, to the last one", async () => {
		const { tray, write, add } = await makeAttachmentBench();
		await add(await write("big.bin", randomBytes(3 * megabyte)));
		const seen: number[] = [];
		tray.onDidChange(() => {
			const state = tray.attachments[0]?.state;
			if (state?.type === "uploading") {
				seen.push(state.sentBytes);
			}
		});
		await preparedOf(tray);
		expect(seen.length).toBeGreaterThan(0);
		expect(seen).toEqual(seen.toSorted((a, b) => a - b));
		expect(seen.every(bytes => bytes <= 3 * megabyte)).toBe(true);
	});

	test("ends when it is cancelled, and can go again", async () => {
		const { service, tray, write, add } = await makeAttachmentBench();
		const { id } = await add(await write("big.bin", randomBytes(8 * megabyte)));
		service.behave(request => {
			request.once("data", () => tray.cancel(id));
			request.resume();
			return true;
		});
		expect(await tray.prepare()).toEqual({ type: "blocked", ids: [id] });
		expect(tray.attachments[0]?.state).toEqual({ type: "ready" });
		service.behave();
		expect(await preparedOf(tray)).toHaveLength(1);
		expect(service.posts).toBe(2);
	});

	test("ends with the question that is stopped", async () => {
		const { service, tray, write, add } = await makeAttachmentBench();
		await add(await write("big.bin", randomBytes(8 * megabyte)));
		const stop = new AbortController();
		service.behave(request => {
			request.once("data", () => stop.abort());
			request.resume();
			return true;
		});
		await expect(tray.prepare({ signal: stop.signal })).rejects.toMatchObject({
			name: "AbortError",
		});
		expect(tray.attachments[0]?.state).toEqual({ type: "ready" });
		expect(service.uploads).toEqual([]);
	});

	test("ends when its attachment is removed, and the others go on", async () => {
		const { service, tray, write, add } = await makeAttachmentBench();
		const { id } = await add(await write("big.bin", randomBytes(8 * megabyte)));
		await add(await write("small.csv", "a\n"));
		service.behave(request => {
			if (Number(request.headers["content-length"]) < megabyte) {
				return false;
			}
			request.once("data", () => tray.remove([id]));
			request.resume();
			return true;
		});
		const sent = await preparedOf(tray);
		expect(sent.map(({ name }) => name)).toEqual(["small.csv"]);
	});

	test("goes to the service it was started for, or nowhere", async () => {
		let apiKey = "first-key";
		const { service, tray, write, add, another } = await makeAttachmentBench();
		const changing = another({
			connection: () => {
				const connection = connectionTo(service.url, { apiKey });
				apiKey = "second-key";
				return Promise.resolve(connection);
			},
		});
		const { name } = await add(await write("data.csv", "a\n"));
		await changing.addPaths([await write(name, "a\n")]);
		expect((await changing.prepare()).type).toBe("blocked");
		expect(tray.attachments).toHaveLength(1);
		expect(service.posts).toBe(0);
	});
});

describe("J26: a file that cannot be sent whole", () => {
	test("J26: is not submitted when it changes on the way, and goes whole with a retry", async () => {
		const { service, tray, write, add, named } = await makeAttachmentBench();
		const path = await write("big.bin", randomBytes(16 * megabyte));
		await add(path);
		const written = Promise.withResolvers<void>();
		service.behave(request => {
			request.once("data", () => {
				request.pause();
				writeFile(path, randomBytes(16 * megabyte)).then(written.resolve, written.reject);
				void written.promise.then(() => request.resume());
			});
			return false;
		});
		expect((await tray.prepare()).type).toBe("blocked");
		expect(failureIn(named("big.bin"))).toMatchObject({
			kind: "changed",
			canRetry: true,
			mayBeCharged: false,
			sentence: expect.stringContaining("the file changed"),
		});
		expect(service.uploads).toEqual([]);
		service.behave();
		await written.promise;
		await tray.retry(named("big.bin").id);
		expect(named("big.bin").state).toEqual({ type: "uploaded", isReused: false });
	});

	test.each([
		["grows", (path: string) => appendFile(path, "more"), "changed"],
		["is deleted", (path: string) => rm(path), "missing"],
		[
			"is replaced",
			(path: string) => rename(path, `${path}.old`).then(() => writeFile(path, "x")),
			"changed",
		],
	])("J26: is not submitted when it %s on the way", async (_what, change, kind) => {
		const { service, tray, write, add, named } = await makeAttachmentBench();
		const path = await write("big.bin", randomBytes(16 * megabyte));
		await add(path);
		service.behave(request => {
			request.once("data", () => {
				request.pause();
				void change(path).then(() => request.resume());
			});
			return false;
		});
		expect((await tray.prepare()).type).toBe("blocked");
		expect(failureIn(named("big.bin"))).toMatchObject({ kind, canRetry: true });
		expect(service.uploads).toEqual([]);
	});

	test("J26: says so when it is empty, gone or too large before anything is sent", async () => {
		const { service, tray, write, add, named } = await makeAttachmentBench({
			limits: { maxFileBytes: 2 * megabyte },
		});
		expect(failureIn(await add(await write("empty.bin", "")))).toMatchObject({ kind: "empty" });
		expect(
			failureIn(await add(await write("large.bin", Buffer.alloc(2 * megabyte + 1)))),
		).toMatchObject({ kind: "tooLarge", sentence: expect.stringContaining("2 MB") });
		const path = await write("gone.csv", "a\n");
		await add(path);
		await rm(path);
		tray.remove([named("empty.bin").id, named("large.bin").id]);
		expect((await tray.prepare()).type).toBe("blocked");
		expect(failureIn(named("gone.csv"))).toMatchObject({ kind: "missing", canRetry: true });
		await writeFile(path, "back\n");
		await tray.retry(named("gone.csv").id);
		expect(named("gone.csv").state.type).toBe("uploaded");
		expect(service.posts).toBe(1);
	});

	test.each([
		["EBUSY", "locked"],
		["EACCES", "denied"],
		["EPERM", "denied"],
		["EIO", "unreadable"],
		["ENOENT", "missing"],
	])("J26: names the reason the system gives, %s", (code, kind) => {
		const failure = attachmentFailure(Object.assign(new Error(code), { code }));
		expect(failure).toMatchObject({ kind, canRetry: true, mayBeCharged: false });
		expect(failure.sentence).not.toContain(code);
	});

	test("J26: is not sent again by itself when the connection breaks at nine tenths", async () => {
		const { service, tray, write, add, named } = await makeAttachmentBench();
		const size = 8 * megabyte;
		await add(await write("big.bin", randomBytes(size)));
		service.behave(request => {
			let taken = 0;
			request.on("data", (chunk: Buffer) => {
				taken += chunk.length;
				if (taken > size * 0.9) {
					request.socket.resetAndDestroy();
				}
			});
			return true;
		});
		expect((await tray.prepare()).type).toBe("blocked");
		expect(failureIn(named("big.bin"))).toMatchObject({
			kind: "service",
			canRetry: true,
			mayBeCharged: true,
			sentence: expect.stringContaining("may have been charged"),
		});
		expect(service.posts).toBe(1);
	});

	test("J26: keeps a name with quotes, line ends and any script, written so that nothing breaks out of it", async () => {
		const { service, tray, write, add } = await makeAttachmentBench();
		const name = 'a"b\r\nX-Evil: 1\r\n\r\n数据 é 🎬.csv';
		const attachment = await add(await write(name, "a\n"));
		expect(attachment.displayPath).toContain("␣U+000D␣U+000A");
		const [sent] = await preparedOf(tray);
		expect(sent?.name).toBe(name);
		expect(service.uploads[0]?.rawName).toBe("a%22b%0D%0AX-Evil: 1%0D%0A%0D%0A数据 é 🎬.csv");
	});
});

describe("an upload the service refuses", () => {
	const rows: readonly (readonly [string, number, boolean, string])[] = [
		["H1", 400, false, "rejected the request"],
		["H2", 401, false, "The key wasn't accepted"],
		["H3", 403, false, "Not allowed for this key"],
		["H4", 404, false, "accepts no files at this address"],
		["H5", 409, false, "couldn't accept"],
		["H6", 413, false, "This file is too large"],
		["H7", 422, false, "rejected the request"],
		["H10", 500, true, "failed"],
		["H11", 502, true, "failed"],
		["H12", 503, true, "is busy"],
	];
	test.each(rows)(
		"%s: %i stays on the attachment, is not repeated and can be retried",
		async (_id, status, mayBeCharged, words) => {
			const { service, tray, write, add, named } = await makeAttachmentBench();
			await add(await write("data.csv", "a\n"));
			service.behave(refuse(status));
			expect((await tray.prepare()).type).toBe("blocked");
			const failure = failureIn(named("data.csv"));
			expect(failure).toMatchObject({
				kind: "service",
				canRetry: true,
				mayBeCharged,
				serviceMessage: `Refused with ${status}`,
				sentence: expect.stringContaining(words),
			});
			expect(failure.sentence.includes("charged")).toBe(mayBeCharged);
			expect(service.posts).toBe(1);
			service.behave();
			await tray.retry(named("data.csv").id);
			expect(named("data.csv").state).toEqual({ type: "uploaded", isReused: false });
			expect(service.posts).toBe(2);
		},
	);

	test("H8: 429 is waited for, twice at most, and the wait shows", async () => {
		const { service, tray, write, add, named } = await makeAttachmentBench();
		await add(await write("data.csv", "a\n"));
		service.behave(refuse(429, "{}", { "retry-after": "0" }));
		const waits: number[] = [];
		tray.onDidChange(() => {
			const { state } = named("data.csv");
			if (state.type === "uploading" && state.retryInMs !== undefined) {
				waits.push(state.retryInMs);
			}
		});
		expect((await tray.prepare()).type).toBe("blocked");
		expect(service.posts).toBe(3);
		expect(waits).toHaveLength(2);
		expect(failureIn(named("data.csv")).sentence).toContain("Too many requests");
	});

	test.each([
		[
			"H13",
			refuse(200, "<html><title>Sign in</title></html>", { "content-type": "text/html" }),
			"web page",
		],
		["H14", refuse(200, '{"success":false,"message":"Full"}'), "rejected the request"],
		["H18", refuse(200, ""), "Empty answer"],
	])(
		"%s: an answer that is no answer is a failure, never an upload",
		async (_id, behavior, words) => {
			const { service, tray, write, add, named } = await makeAttachmentBench();
			await add(await write("data.csv", "a\n"));
			service.behave(behavior);
			expect((await tray.prepare()).type).toBe("blocked");
			expect(failureIn(named("data.csv")).sentence).toContain(words);
			expect(service.posts).toBe(1);
		},
	);

	test("N1: an address where nobody listens costs nothing, and the sentence says so", async () => {
		const { tray, write, add, named } = await makeAttachmentBench({
			connection: () => Promise.resolve(connectionTo("http://127.0.0.1:9")),
			clock: impatientClock,
		});
		await add(await write("data.csv", "a\n"));
		expect((await tray.prepare()).type).toBe("blocked");
		expect(failureIn(named("data.csv"))).toMatchObject({ kind: "service", mayBeCharged: false });
		expect(failureIn(named("data.csv")).sentence).toContain("Nothing was sent");
	});

	test("L11: an address that is not set yet is reported, and nothing is read for it", async () => {
		const { tray, write, add, named } = await makeAttachmentBench({
			connection: () => Promise.reject(new Error("Set an address first")),
		});
		await add(await write("data.csv", "a\n"));
		expect((await tray.prepare()).type).toBe("blocked");
		expect(failureIn(named("data.csv")).sentence).toContain("Set an address first");
	});
});
