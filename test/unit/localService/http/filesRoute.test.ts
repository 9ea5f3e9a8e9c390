import { existsSync } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import {
	authorization,
	chatRequest,
	refusalFrom,
	startTestService,
	type TestService,
	testToken,
} from "../testService.ts";

function send(service: TestService, form: FormData): Promise<Response> {
	return fetch(`${service.baseUrl}/v1/files`, {
		method: "POST",
		headers: authorization,
		body: form,
	});
}

function sendBody(service: TestService, body: string): Promise<Response> {
	return fetch(`${service.baseUrl}/v1/files`, {
		method: "POST",
		headers: { ...authorization, "Content-Type": "multipart/form-data; boundary=b0" },
		body,
	});
}

function formOf(content: BlobPart, name: string, type = "text/plain"): FormData {
	const form = new FormData();
	form.append("file", new Blob([content], { type }), name);
	return form;
}

/** A form of one file part with these headers. */
function partOf(...headers: readonly string[]): string {
	return ["--b0", ...headers, "", "content", "--b0--", ""].join("\r\n");
}

async function heldNames(service: TestService): Promise<readonly string[]> {
	return existsSync(service.filesFolder) ? readdir(service.filesFolder) : [];
}

describe("an uploaded file", () => {
	test("is kept byte for byte, and a chat request can name it", async () => {
		const service = await startTestService();
		const content = new Uint8Array(300_000).map((_, index) => (index * 7) % 256);
		const response = await send(service, formOf(content, "data.bin", "application/zip"));
		expect(response.status).toBe(200);
		const reply: unknown = await response.json();
		expect(reply).toEqual({
			success: true,
			file_id: expect.stringMatching(/^file-[\w-]{22}$/),
			name: "data.bin",
			size: 300_000,
			type: "application/zip",
		});
		const [name = ""] = await heldNames(service);
		const path = join(service.filesFolder, name);
		expect(await readFile(path)).toEqual(Buffer.from(content));
		const files = [reply];
		expect((await service.post("/v1/chat/messages", chatRequest("Hi", { files }))).status).toBe(
			200,
		);
	});

	test.skipIf(process.platform === "win32")("can be read by this user alone", async () => {
		const service = await startTestService();
		await send(service, formOf("secret", "a.txt"));
		const [name = ""] = await heldNames(service);
		expect((await stat(service.filesFolder)).mode & 0o777).toBe(0o700);
		expect((await stat(join(service.filesFolder, name))).mode & 0o777).toBe(0o600);
	});

	test("may be empty", async () => {
		const service = await startTestService();
		const response = await send(service, formOf("", "empty.txt"));
		expect(await response.json()).toMatchObject({ size: 0, name: "empty.txt" });
	});

	test("is gone when the service stops", async () => {
		const service = await startTestService();
		await send(service, formOf("a", "a.txt"));
		expect(await heldNames(service)).toHaveLength(1);
		await service.stop();
		expect(existsSync(service.filesFolder)).toBe(false);
	});

	test("may be among other fields", async () => {
		const service = await startTestService();
		const form = new FormData();
		form.append("purpose", "chat");
		form.append("file", new Blob(["a,b"], { type: "text/csv" }), "a.csv");
		form.append("note", new Blob(["not the file"]), "b.csv");
		const response = await send(service, form);
		expect(await response.json()).toMatchObject({ name: "a.csv", size: 3, type: "text/csv" });
		expect(await heldNames(service)).toHaveLength(1);
	});
});

describe("a file's name is shown, never trusted", () => {
	test.each([
		["a.txt", "a.txt"],
		["Zażółć 你好 👍.txt", "Zażółć 你好 👍.txt"],
		['say "hi".txt', 'say "hi".txt'],
		["../../etc/passwd", "passwd"],
		["..", "file"],
		["a/..", "file"],
		[String.raw`C:\Users\ada\a.txt`, "a.txt"],
		["line\r\nend.txt", "line  end.txt"],
		["exe\u202Etxt.png", "exetxt.png"],
		["  spaces  .txt  ", "spaces  .txt"],
		["con", "con"],
		["x".repeat(300), "x".repeat(255)],
		["__proto__", "__proto__"],
	])("%j → %j", async (given, shown) => {
		const service = await startTestService();
		const response = await send(service, formOf("x", given));
		expect(await response.json()).toMatchObject({ name: shown });
		expect((await heldNames(service)).every(name => /^file-[\w-]{22}$/.test(name))).toBe(true);
	});

	test.each([
		[`filename*=UTF-8''na%C3%AFve.txt; filename="naive.txt"`, "naïve.txt"],
		[`filename*=UTF-8''%FF.txt; filename="plain.txt"`, "plain.txt"],
		[String.raw`filename="a\"b\\c.txt"`, "c.txt"],
		["filename=bare.txt", "bare.txt"],
		[`filename=""`, "file"],
	])("%s → %s", async (parameter, shown) => {
		const service = await startTestService();
		const headers = `Content-Disposition: form-data; name="file"; ${parameter}`;
		const response = await sendBody(service, partOf(headers));
		expect(await response.json()).toMatchObject({ name: shown, size: 7 });
	});

	test.each([
		["text/CSV; charset=utf-8", "text/csv"],
		["", "application/octet-stream"],
		["nonsense", "application/octet-stream"],
		['text/html"><script>', "application/octet-stream"],
	])("the type %j → %s", async (type, shown) => {
		const service = await startTestService();
		const response = await sendBody(
			service,
			partOf(
				'Content-Disposition: form-data; name="file"; filename="a"',
				...(type === "" ? [] : [`Content-Type: ${type}`]),
			),
		);
		expect(await response.json()).toMatchObject({ type: shown });
	});
});

describe("a form is refused", () => {
	test.each([
		["without a file", partOf('Content-Disposition: form-data; name="other"'), "missing_file"],
		[
			"with a file under another name",
			partOf('Content-Disposition: form-data; name="upload"; filename="a"'),
			"missing_file",
		],
		[
			"with a part that is no form field",
			partOf('Content-Disposition: attachment; name="file"; filename="a"'),
			"missing_file",
		],
		[
			"with a file that has no name",
			partOf('Content-Disposition: form-data; name="file"'),
			"missing_file_name",
		],
		["that is empty", "", "malformed_multipart"],
		[
			"that breaks off",
			'--b0\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nhalf',
			"malformed_multipart",
		],
	])("%s", async (_name, body, code) => {
		const service = await startTestService();
		const response = await sendBody(service, body);
		expect(response.status).toBe(400);
		expect((await refusalFrom(response)).error.code).toBe(code);
		await expect.poll(() => heldNames(service)).toEqual([]);
	});

	test("with two files, and the first is not kept", async () => {
		const service = await startTestService();
		const form = formOf("one", "1.txt");
		form.append("file", new Blob(["two"]), "2.txt");
		const response = await send(service, form);
		expect(response.status).toBe(400);
		expect((await refusalFrom(response)).error.code).toBe("too_many_files");
		await expect.poll(() => heldNames(service)).toEqual([]);
	});

	test("sent as JSON", async () => {
		const service = await startTestService();
		expect((await service.post("/v1/files", {})).status).toBe(415);
	});
});

describe("a file that is too large", () => {
	const limits = { maxFileBytes: 100_000 };

	test("is refused while it streams in, and nothing of it stays", async () => {
		const service = await startTestService({ limits });
		const response = await send(service, formOf(new Uint8Array(100_001), "a.bin"));
		expect(response.status).toBe(413);
		const { error } = await refusalFrom(response);
		expect(error).toEqual({ code: "too_large", message: "A file may have at most 100,000 bytes." });
		await expect.poll(() => heldNames(service)).toEqual([]);
	});

	test("by no byte is kept", async () => {
		const service = await startTestService({ limits });
		expect((await send(service, formOf(new Uint8Array(100_000), "a.bin"))).status).toBe(200);
	});

	test("is refused by its length alone when that says enough", async () => {
		const service = await startTestService({ limits });
		const response = await send(service, formOf(new Uint8Array(2_000_000), "a.bin"));
		expect(response.status).toBe(413);
		expect(existsSync(service.filesFolder)).toBe(false);
	});

	test("for the room that is left is refused, and the room comes back", async () => {
		const service = await startTestService({ limits: { maxHeldBytes: 150_000 } });
		expect((await send(service, formOf(new Uint8Array(100_000), "1"))).status).toBe(200);
		expect((await send(service, formOf(new Uint8Array(100_000), "2"))).status).toBe(413);
		expect((await send(service, formOf(new Uint8Array(50_000), "3"))).status).toBe(200);
		// What a refused upload had written goes after its answer.
		await expect.poll(() => heldNames(service)).toHaveLength(2);
	});
});

test("a caller who leaves in mid-upload leaves nothing behind", async () => {
	const service = await startTestService();
	const socket = connect({ port: service.port, host: "127.0.0.1" });
	socket.write(
		[
			"POST /v1/files HTTP/1.1",
			`Host: 127.0.0.1:${service.port}`,
			`Authorization: Bearer ${testToken}`,
			"Content-Type: multipart/form-data; boundary=b0",
			"Content-Length: 1000000",
			"",
			"--b0",
			'Content-Disposition: form-data; name="file"; filename="a"',
			"",
			"x".repeat(200_000),
		].join("\r\n"),
	);
	while ((await heldNames(service)).length === 0) {
		await wait(5);
	}
	socket.destroy();
	while ((await heldNames(service)).length > 0) {
		await wait(5);
	}
	await expect.poll(() => heldNames(service)).toEqual([]);
});
