import { connect, type Socket } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import { endless } from "../../../helpers/echoEngine.ts";
import { createFakeClock } from "../../../helpers/fakeClock.ts";
import type { Engine } from "../../../../src/localService/engine.ts";
import { LocalServer } from "../../../../src/localService/http/server.ts";
import { sendRaw } from "../rawHttp.ts";
import {
	authorization,
	chatRequest,
	makeTestFolder,
	refusalFrom,
	startTestService,
	testToken,
} from "../testService.ts";

const path = "/v1/chat/messages";

function head(port: number, ...headers: readonly string[]): string {
	return [
		`POST ${path} HTTP/1.1`,
		`Host: 127.0.0.1:${port}`,
		`Authorization: Bearer ${testToken}`,
		"Content-Type: application/json",
		...headers,
		"",
		"",
	].join("\r\n");
}

/** A connection whose text can be awaited. */
function open(port: number): {
	readonly socket: Socket;
	readonly until: (text: string) => Promise<string>;
} {
	const socket = connect({ port, host: "127.0.0.1" });
	onTestFinished(() => void socket.destroy());
	let received = "";
	socket.setEncoding("utf8").on("error", () => undefined);
	socket.on("data", text => (received += text));
	const until = async (text: string): Promise<string> => {
		while (!received.includes(text)) {
			if (socket.closed) {
				throw new Error(`Closed before ${JSON.stringify(text)}: ${JSON.stringify(received)}`);
			}
			await wait(5);
		}
		return received;
	};
	return { socket, until };
}

describe("a body", () => {
	test("is not waited for when the headers are refused", async () => {
		const service = await startTestService();
		const text = head(service.port, "Content-Length: 1000").replace(testToken, "wrong");
		expect((await sendRaw(service.port, text)).status).toBe(401);
	});

	test("is not asked for when the headers are refused", async () => {
		const service = await startTestService();
		const text = head(service.port, "Content-Length: 1000", "Expect: 100-continue");
		const answer = await sendRaw(service.port, text.replace(testToken, "wrong"));
		expect(answer.status).toBe(401);
		expect(answer.raw).not.toContain("100 Continue");
	});

	test("is asked for when the headers pass", async () => {
		const service = await startTestService();
		const body = JSON.stringify(chatRequest("hello"));
		const { socket, until } = open(service.port);
		socket.write(head(service.port, `Content-Length: ${body.length}`, "Expect: 100-continue"));
		await until("HTTP/1.1 100 Continue\r\n\r\n");
		socket.write(body);
		expect(await until('"content":"hello"')).toContain("HTTP/1.1 200 OK");
	});

	test("without a length or chunks is none", async () => {
		const service = await startTestService();
		const answer = await sendRaw(service.port, head(service.port));
		expect(answer.status).toBe(411);
		expect(answer.body).toContain("length_required");
	});

	test("in chunks is read", async () => {
		const service = await startTestService();
		const body = JSON.stringify(chatRequest("hello"));
		const chunks = [...body].map(letter => `1\r\n${letter}\r\n`).join("");
		const answer = await sendRaw(
			service.port,
			`${head(service.port, "Transfer-Encoding: chunked")}${chunks}0\r\n\r\n`,
		);
		expect(answer.status).toBe(200);
	});

	test("longer than its bound is refused by its length alone", async () => {
		const service = await startTestService({ limits: { maxJsonBytes: 1000 } });
		const answer = await sendRaw(service.port, head(service.port, "Content-Length: 1001"));
		expect(answer.status).toBe(413);
		expect(answer.body).toContain("at most 1,000 bytes");
	});

	test("in chunks that never end is refused at the bound", async () => {
		const service = await startTestService({ limits: { maxJsonBytes: 1000 } });
		const { socket, until } = open(service.port);
		socket.write(head(service.port, "Transfer-Encoding: chunked"));
		const chunk = `64\r\n${"x".repeat(100)}\r\n`;
		socket.write(chunk.repeat(10));
		await wait(20);
		socket.write(chunk);
		expect(await until("too_large")).toContain("HTTP/1.1 413");
	});

	test("that falls silent is refused after 30 s", async () => {
		const clock = createFakeClock();
		const service = await startTestService({ clock });
		const { socket, until } = open(service.port);
		socket.write(`${head(service.port, "Content-Length: 100")}{"a`);
		while (clock.pending === 0) {
			await wait(5);
		}
		await clock.advance(29_999);
		await wait(20);
		expect(socket.bytesRead).toBe(0);
		await clock.advance(1);
		expect(await until("body_timeout")).toContain("HTTP/1.1 408");
	});

	test("of a refused caller who reads only after sending everything still gets its answer", async () => {
		const service = await startTestService({ limits: { maxJsonBytes: 1000 } });
		const { socket, until } = open(service.port);
		socket.pause();
		socket.write(head(service.port, "Connection: close", "Content-Length: 100000"));
		for (let sent = 0; sent < 100_000; sent += 10_000) {
			await wait(5);
			socket.write("x".repeat(10_000));
		}
		await wait(20);
		socket.resume();
		expect(await until("too_large")).toContain("HTTP/1.1 413");
	});

	test("of a refused caller who goes on sending ends the connection after 2 s", async () => {
		const clock = createFakeClock();
		const service = await startTestService({ clock });
		const { socket, until } = open(service.port);
		socket.write(head(service.port, "Content-Length: 1000000").replace(testToken, "wrong"));
		await until("unauthorized");
		socket.write("x".repeat(1000));
		await wait(20);
		expect(socket.closed).toBe(false);
		const closed = new Promise(resolve => socket.once("close", resolve));
		await clock.advance(2_000);
		await closed;
	});
});

describe("a connection", () => {
	test("serves one request after another, refused ones too", async () => {
		const service = await startTestService();
		const { socket, until } = open(service.port);
		const body = JSON.stringify(chatRequest("first"));
		socket.write(head(service.port, "Content-Length: 2").replace(testToken, "wrong") + "{}");
		await until("unauthorized");
		socket.write(head(service.port, `Content-Length: ${body.length}`) + body);
		await until('"content":"first"');
		socket.write(
			head(service.port, `Content-Length: ${body.length}`) + body.replace("first", "again"),
		);
		await until('"content":"again"');
	});

	test("that sends its headers too slowly is refused", async () => {
		const service = await startTestService({ limits: { headersMs: 100 } });
		const answer = await sendRaw(service.port, `POST ${path} HTTP/1.1\r\nHost: `);
		expect(answer.status).toBe(408);
		expect(answer.body).toContain("request_timeout");
	});

	test("beyond the bound is dropped, and the others go on", async () => {
		const service = await startTestService({ limits: { maxConnections: 2 } });
		const [first, second] = [open(service.port), open(service.port)];
		const say = (socket: Socket, text: string): void => {
			const body = JSON.stringify(chatRequest(text));
			socket.write(head(service.port, `Content-Length: ${body.length}`) + body);
		};
		say(first.socket, "first");
		say(second.socket, "second");
		await Promise.all([first.until('"first"'), second.until('"second"')]);
		const third = open(service.port);
		await new Promise(resolve => third.socket.once("close", resolve));
		say(first.socket, "still here");
		expect(await first.until("still here")).toContain("200 OK");
	});

	test("without a token keeps nobody out, however many there are", async () => {
		const service = await startTestService({ limits: { maxConnections: 128 } });
		const own = open(service.port);
		const body = JSON.stringify(chatRequest(endless, { stream: true }));
		own.socket.write(head(service.port, `Content-Length: ${body.length}`) + body);
		await own.until("content");
		const idle = Array.from({ length: 200 }, () => open(service.port));
		await Promise.all(
			idle.map(({ socket }) => new Promise(resolve => socket.once("connect", resolve))),
		);
		expect(await (await service.ask("hello")).text()).toContain("hello");
		expect(own.socket.closed).toBe(false);
		// The oldest had to go, and the latest are still there.
		expect(idle[0]?.socket.closed).toBe(true);
		expect(idle.at(-1)?.socket.closed).toBe(false);
	});

	test("is answered 503 when 200 requests come at once and too many are under way", async () => {
		// Until one is refused, none is answered: however slowly the requests arrive, too many are under way in the end.
		const refusal = Promise.withResolvers<void>();
		const engine: Engine = {
			async *answer() {
				await refusal.promise;
				yield { type: "message-start", role: "assistant" };
				yield { type: "message-end" };
			},
		};
		const service = await startTestService({ engine });
		const ask = async (): Promise<Response> => {
			const answer = await service.ask("hello");
			if (answer.status === 503) {
				refusal.resolve();
			}
			return answer;
		};
		const answers = await Promise.all(Array.from({ length: 200 }, ask));
		const refused = answers.filter(({ status }) => status === 503);
		expect(new Set(refused.map(({ headers }) => headers.get("retry-after")))).toEqual(
			new Set(["1"]),
		);
		expect(answers.filter(({ status }) => status === 200).length + refused.length).toBe(200);
	});

	test("that turns to nonsense in mid-answer ends that answer and nothing else", async () => {
		const service = await startTestService();
		const body = JSON.stringify(chatRequest(endless, { stream: true }));
		const { socket, until } = open(service.port);
		socket.write(head(service.port, `Content-Length: ${body.length}`) + body);
		const before = await until("content");
		let after = "";
		socket.on("data", text => (after += text));
		socket.write("\0\0\0 not http\r\n\r\n");
		await new Promise(resolve => socket.once("close", resolve));
		expect(before.slice(1) + after).not.toContain("HTTP/1.1");
		expect((await service.ask("hello")).status).toBe(200);
	});
});

test("random bytes never bring the service down", async () => {
	const service = await startTestService();
	let state = 7;
	const random = (bound: number): number => {
		state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
		return (state >>> 8) % bound;
	};
	const good = head(service.port, "Content-Length: 2") + "{}";
	for (let round = 0; round < 200; round += 1) {
		const bytes = Buffer.from(good);
		for (let change = 0; change <= random(6); change += 1) {
			bytes[random(bytes.length)] = random(256);
		}
		const { socket } = open(service.port);
		socket.end(bytes.subarray(0, random(bytes.length)));
		await new Promise(resolve => socket.once("close", resolve));
	}
	expect((await service.ask("hello")).status).toBe(200);
});

describe("starting and stopping", () => {
	test("T21: listens on 127.0.0.1 alone, at a port of the system's choice", async () => {
		const service = await startTestService();
		expect(service.baseUrl).toBe(`http://127.0.0.1:${service.port}`);
		const other = connect({ port: service.port, host: "127.0.0.2" });
		await expect(
			new Promise((resolve, reject) => other.once("connect", resolve).once("error", reject)),
		).rejects.toThrow(/ECONNREFUSED|EADDRNOTAVAIL/);
	});

	test("L14: a port that is taken is an error, not a crash", async () => {
		const service = await startTestService();
		const filesFolder = await makeTestFolder();
		const engine = { async *answer() {} };
		const second = LocalServer.start({ token: testToken, engine, filesFolder, port: service.port });
		await expect(second).rejects.toThrow("EADDRINUSE");
	});

	test("once stopped nobody listens, and idle connections are closed", async () => {
		const service = await startTestService();
		const { socket } = open(service.port);
		await new Promise(resolve => socket.once("connect", resolve));
		const closed = new Promise(resolve => socket.once("close", resolve));
		await service.stop();
		await closed;
		await expect(fetch(service.baseUrl, { headers: authorization })).rejects.toThrow();
	});
});

describe("videos and generations", () => {
	const text = "/v1/videos/text-to-video";
	const image = "/v1/videos/image-to-video";
	const url = "https://example.com/a.png";
	test.each([
		[text, {}, 400, /^prompt: is missing/],
		[text, { prompt: "é".repeat(4001) }, 400, /^prompt: .*at most 4000 characters/],
		[text, { prompt: "a", duration: 0 }, 400, /^duration: .*1 to 4/],
		[text, { prompt: "a", duration: 5 }, 400, /^duration: .*1 to 4/],
		[text, { prompt: "a", duration: 1.5 }, 400, /^duration: .*whole number/],
		[text, { prompt: "a", duration: "2" }, 400, /^duration: .*number/],
		[text, { prompt: "a", motion_strength: 0 }, 400, /^motion_strength: .*1 to 5/],
		[text, { prompt: "a", motion_strength: 6 }, 400, /^motion_strength: .*1 to 5/],
		[image, {}, 400, /^image_url: is missing/],
		[image, { image_url: "file:///etc/passwd" }, 400, /^image_url: .*http/],
		[image, { image_url: "not a url" }, 400, /^image_url: .*http/],
		[image, { image_url: url, duration: 5 }, 400, /^duration: .*1 to 4/],
		[image, { image_url: url, motion_strength: 6 }, 400, /^motion_strength: .*1 to 5/],
		[
			text,
			{ prompt: "👍".repeat(4000), duration: 4, motion_strength: 5 },
			501,
			/started without videos/,
		],
		[image, { image_url: url, duration: 1, motion_strength: 1 }, 501, /started without videos/],
	])("%s %o → %i", async (route, body, status, message) => {
		const service = await startTestService();
		const response = await service.post(route, body);
		expect(response.status).toBe(status);
		expect((await refusalFrom(response)).error.message).toMatch(message);
	});

	test.each([
		["/v1/generations/none", 404, "generation_not_found"],
		["/v1/generations/a%20b%F0%9F%91%8D", 404, "generation_not_found"],
		[`/v1/generations/${"x".repeat(5000)}`, 404, "generation_not_found"],
		["/v1/generations/%E0%A4%A", 400, "bad_target"],
		["/v1/generations/", 404, "unknown_path"],
		["/v1/generations", 404, "unknown_path"],
		["/v1/generations/a/b", 404, "unknown_path"],
		["/", 404, "unknown_path"],
	])("GET %s → %i %s", async (route, status, code) => {
		const service = await startTestService();
		const response = await fetch(service.baseUrl + route, { headers: authorization });
		expect(response.status).toBe(status);
		const { error } = await refusalFrom(response);
		expect(error.code).toBe(code);
		expect(error.message.length).toBeLessThan(200);
	});

	test("a wrong method names the right one", async () => {
		const service = await startTestService();
		const get = await fetch(service.baseUrl + text, { headers: authorization });
		expect([get.status, get.headers.get("allow")]).toEqual([405, "POST"]);
		const post = await service.post("/v1/generations/a", {});
		expect([post.status, post.headers.get("allow")]).toEqual([405, "GET"]);
	});
});
