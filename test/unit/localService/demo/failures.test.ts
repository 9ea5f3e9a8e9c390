import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { sendRaw } from "../rawHttp.ts";
import {
	chatRequest,
	refusalFrom,
	startTestService,
	type TestService,
	testToken,
} from "../testService.ts";

function rawAsk(service: TestService, question: string): string {
	const body = JSON.stringify(chatRequest(question, { stream: true }));
	return [
		"POST /v1/chat/messages HTTP/1.1",
		`Host: 127.0.0.1:${service.port}`,
		`Authorization: Bearer ${testToken}`,
		"Content-Type: application/json",
		`Content-Length: ${Buffer.byteLength(body)}`,
		"",
		body,
	].join("\r\n");
}

const statuses = [
	"400",
	"401",
	"403",
	"404",
	"408",
	"409",
	"413",
	"422",
	"429",
	"429-long",
	"500",
	"502",
	"503",
	"504",
];
const wireKinds = [
	"cut",
	"early",
	"nodone",
	"stall",
	"empty",
	"badframe",
	"garbage",
	"html",
	"refused",
	"redirect",
	"reset",
	"noanswer",
];

describe("/fail with a status", () => {
	test.each(statuses.flatMap(kind => [[kind, true] as const, [kind, false] as const]))(
		"%s, streaming %s",
		async (kind, stream) => {
			const service = await startTestService();
			const response = await service.ask(`/fail ${kind}`, { stream });
			expect(response.status).toBe(Number.parseInt(kind, 10));
			expect(response.headers.get("content-type")).toContain("application/json");
			const { success, error } = await refusalFrom(response);
			expect(success).toBe(false);
			expect(error).toEqual({
				code: expect.stringMatching(/^[a-z]+(?:_[a-z]+)*$/),
				message: expect.stringMatching(/^.+\.$/),
			});
		},
	);

	test.each([
		["429", "3"],
		["429-long", "3600"],
		["503", "20"],
		["500", null],
	])("%s asks to wait %s s", async (kind, seconds) => {
		const service = await startTestService();
		expect((await service.ask(`/fail ${kind}`)).headers.get("retry-after")).toBe(seconds);
	});
});

describe("/fail on the wire", () => {
	const isEnded = (raw: string): boolean => raw.endsWith("\r\n0\r\n\r\n");

	test("S2, S3 cut: text, half a frame, and no end", async () => {
		const service = await startTestService();
		const answer = await sendRaw(service.port, rawAsk(service, "/fail cut"));
		expect(answer.status).toBe(200);
		expect(answer.body).toContain("begins well");
		expect(answer.body.endsWith('data: {"content":"and he')).toBe(true);
		expect(isEnded(answer.raw)).toBe(false);
		expect(answer.body).not.toContain("[DONE]");
	});

	test("S5 early: a closed message and a clean end without [END]", async () => {
		const service = await startTestService();
		const answer = await sendRaw(service.port, rawAsk(service, "/fail early"));
		expect(answer.body.endsWith("data: {}\n\ndata: [DONE]\n\n")).toBe(true);
		expect(isEnded(answer.raw)).toBe(true);
	});

	test("S6 nodone: [END] while the message is open", async () => {
		const service = await startTestService();
		const answer = await sendRaw(service.port, rawAsk(service, "/fail nodone"));
		expect(answer.body.endsWith("data: [END]\n\n")).toBe(true);
		expect(answer.body).not.toContain("[DONE]");
		expect(isEnded(answer.raw)).toBe(true);
	});

	test("S9 empty: nothing but [END]", async () => {
		const service = await startTestService();
		const answer = await sendRaw(service.port, rawAsk(service, "/fail empty"));
		expect(answer.body).toBe("data: [END]\n\n");
	});

	test("S10 badframe: one unreadable frame, the rest is whole", async () => {
		const service = await startTestService();
		const answer = await sendRaw(service.port, rawAsk(service, "/fail badframe"));
		expect(unreadable(answer.body)).toHaveLength(1);
		expect(answer.body.endsWith("data: {}\n\ndata: [DONE]\n\ndata: [END]\n\n")).toBe(true);
	});

	test("S10 garbage: more than three unreadable frames in a row", async () => {
		const service = await startTestService();
		const answer = await sendRaw(service.port, rawAsk(service, "/fail garbage"));
		expect(unreadable(answer.body).length).toBeGreaterThan(3);
		expect(answer.body).not.toContain("[END]");
	});

	test("S21 stall: text, then silence until the caller leaves", async () => {
		const service = await startTestService();
		const response = await service.ask("/fail stall", { stream: true });
		const reader = response.body?.getReader();
		const decoder = new TextDecoder();
		let received = "";
		while (!received.includes("this line")) {
			received += decoder.decode((await reader?.read())?.value, { stream: true });
		}
		const more = reader?.read().then(() => "more");
		expect(await Promise.race([more, wait(150, "silence")])).toBe("silence");
		await reader?.cancel();
	});

	test("N8 noanswer: not even headers", async () => {
		const service = await startTestService();
		const leaving = new AbortController();
		const body = chatRequest("/fail noanswer", { stream: true });
		const response = service.post("/v1/chat/messages", body, leaving.signal).catch(() => "left");
		expect(await Promise.race([response, wait(150, "silence")])).toBe("silence");
		leaving.abort();
		expect(await response).toBe("left");
	});

	test("N10 html: a web page with status 200", async () => {
		const service = await startTestService();
		const response = await service.ask("/fail html", { stream: true });
		expect([response.status, response.headers.get("content-type")]).toEqual([
			200,
			"text/html; charset=utf-8",
		]);
		expect(await response.text()).toContain("<title>Sign in");
	});

	test("H16 refused: success false with status 200", async () => {
		const service = await startTestService();
		const response = await service.ask("/fail refused", { stream: true });
		expect(response.status).toBe(200);
		expect((await refusalFrom(response)).success).toBe(false);
	});

	test("N9 redirect: to another origin", async () => {
		const service = await startTestService();
		const response = await service.ask("/fail redirect", { stream: true });
		expect(response.status).toBe(307);
		expect(new URL(response.headers.get("location") ?? "").host).toBe("elsewhere.invalid");
	});

	test("N6 reset: the connection breaks before a byte", async () => {
		const service = await startTestService();
		const answer = await sendRaw(service.port, rawAsk(service, "/fail reset"));
		expect(answer.raw).toBe("");
	});

	test("the service outlives all of them", async () => {
		const service = await startTestService();
		for (const kind of wireKinds.filter(name => name !== "stall" && name !== "noanswer")) {
			await sendRaw(service.port, rawAsk(service, `/fail ${kind}`));
		}
		expect((await service.ask("hello")).status).toBe(200);
	});
});

function unreadable(body: string): readonly string[] {
	return body
		.split("\n\n")
		.map(frame => frame.replace(/^data: /, ""))
		.filter(data => data !== "" && !/^\[(?:DONE|END)\]$/.test(data) && !isJson(data));
}

function isJson(text: string): boolean {
	try {
		JSON.parse(text);
		return true;
	} catch {
		return false;
	}
}

describe("S28: the same request without streaming", () => {
	test.each(wireKinds)("%s tells its reason as JSON", async kind => {
		const service = await startTestService();
		const response = await service.ask(`/fail ${kind}`);
		expect(response.status).toBe(500);
		const { error } = await refusalFrom(response);
		expect(error.code).toBe("demonstration");
		expect(error.message).toMatch(/^[A-Z].+\.$/);
	});

	test("cut-once fails streamed and succeeds unstreamed", async () => {
		const service = await startTestService();
		const streamed = await sendRaw(service.port, rawAsk(service, "/fail cut-once"));
		expect(streamed.body).not.toContain("[DONE]");
		const response = await service.ask("/fail cut-once");
		expect(await response.json()).toMatchObject({
			messages: [{ role: "assistant", content: expect.stringContaining("whole answer") }],
		});
	});
});

test.each(["/fail", "/fail nonsense", "/fail constructor"])(
	"%s lists every kind",
	async question => {
		const service = await startTestService();
		const response = await service.ask(question);
		const text = await response.text();
		for (const kind of [...statuses, ...wireKinds, "cut-once"]) {
			expect(text).toContain(`\`/fail ${kind}\``);
		}
	},
);

test("a kind is found in any case and with spaces around it", async () => {
	const service = await startTestService();
	expect((await service.ask("/FAIL   401  ")).status).toBe(401);
	expect((await service.ask("/fail CUT")).status).toBe(500);
});
