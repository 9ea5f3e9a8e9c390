import { mkdtemp, readdir, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test as base } from "@playwright/test";
import type { Engine } from "../../src/localService/engine.ts";
import { LocalServer } from "../../src/localService/http/server.ts";
import { browserFlags } from "../host/browser.ts";

/** A host name of the attacker's that the browser is made to find on this machine, as DNS rebinding does. */
const reboundHost = "rebound.example";

const token = "a-token-no-page-can-know-0123456789abcdefghi";

interface Stage {
	readonly port: number;
	/** Questions that reached the engine. */
	readonly asked: string[];
	readonly filesFolder: string;
	/** Port of the attacker's own page. */
	readonly pagePort: number;
}

/** Counts what gets through: the engine of a real service answers nothing and remembers everything. */
function countingEngine(asked: string[]): Engine {
	return {
		// oxlint-disable-next-line require-yield -- what it answers does not matter
		answer: async function* (request) {
			asked.push(JSON.stringify(request.messages));
		},
	};
}

async function startPage(): Promise<Server> {
	const page = createServer((_request, response) => {
		response.writeHead(200, { "content-type": "text/html" });
		response.end("<!DOCTYPE html><title>A page of somebody else's</title>");
	});
	await new Promise<void>(resolve => page.listen(0, "127.0.0.1", resolve));
	return page;
}

const test = base.extend<{ stage: Stage }>({
	// oxlint-disable-next-line no-empty-pattern -- Playwright wants the pattern
	stage: async ({}, use) => {
		const folder = await mkdtemp(join(tmpdir(), "cutaway-browser-"));
		const filesFolder = join(folder, "files");
		const asked: string[] = [];
		const server: LocalServer = await LocalServer.start({
			token,
			engine: countingEngine(asked),
			filesFolder,
		});
		const page = await startPage();
		// A TCP server's address is never a pipe's name.
		const { port: pagePort } = page.address() as AddressInfo;
		await use({ port: server.port, asked, filesFolder, pagePort });
		page.closeAllConnections();
		page.close();
		await server.stop();
		await rm(folder, { recursive: true, force: true });
	},
});

test.use({
	launchOptions: async ({ launchOptions }, use) =>
		use({
			...launchOptions,
			args: [...browserFlags, `--host-resolver-rules=MAP ${reboundHost} 127.0.0.1`],
		}),
});

/** Everything a page can try; runs in the page, resolves once each attempt has ended one way or another. */
async function attack(base: string): Promise<string[]> {
	const chat = `${base}/v1/chat/messages`;
	const body = JSON.stringify({
		model: "llm-4-turbo-tools",
		messages: [{ role: "user", content: "Act!" }],
	});
	const form = new FormData();
	form.append("file", new Blob(["stolen"]), "a.txt");
	const post = (
		headers: Record<string, string>,
		mode: RequestMode,
		path = chat,
	): Promise<unknown> =>
		fetch(path, { method: "POST", headers, body, mode, credentials: "include" });
	const attempts: Promise<unknown>[] = [
		post({ "Content-Type": "text/plain" }, "no-cors"),
		post({ "Content-Type": "text/plain" }, "cors"),
		post({ "Content-Type": "application/x-www-form-urlencoded" }, "no-cors"),
		post({ "Content-Type": "multipart/form-data; boundary=b" }, "no-cors"),
		post({ "Content-Type": "application/json" }, "no-cors"),
		post({ "Content-Type": "application/json" }, "cors"),
		post({ "Content-Type": "application/json", Authorization: "Bearer guess" }, "cors"),
		post({ "Content-Type": "text/plain; charset=application/json" }, "no-cors"),
		post({}, "no-cors"),
		post({ "Content-Type": "text/plain" }, "no-cors", `${chat}?token=guess`),
		post({ "Content-Type": "text/plain" }, "no-cors", `${base}//v1/chat/messages`),
		fetch(`${base}/v1/files`, { method: "POST", body: form, mode: "no-cors" }),
		fetch(`${base}/v1/files`, { method: "POST", body: form, mode: "cors" }),
		fetch(`${base}/v1/files`, { method: "PUT", body: form, mode: "cors" }),
		fetch(chat, { method: "DELETE", mode: "cors" }),
		fetch(chat, { mode: "no-cors" }),
		fetch(`${base}/v1/generations/x`, { mode: "no-cors" }),
		fetch(chat, { method: "HEAD", mode: "no-cors" }),
		Promise.resolve(navigator.sendBeacon(chat, body)),
		Promise.resolve(navigator.sendBeacon(`${base}/v1/files`, form)),
	];
	const loads = [
		() => new EventSource(chat),
		() => new WebSocket(chat.replace("http", "ws")),
		() => Object.assign(new Image(), { src: chat }),
		() => document.head.append(Object.assign(document.createElement("script"), { src: chat })),
		() =>
			document.head.append(
				Object.assign(document.createElement("link"), { rel: "stylesheet", href: chat }),
			),
		() => document.body.append(Object.assign(document.createElement("iframe"), { src: chat })),
		() => {
			const frame = Object.assign(document.createElement("iframe"), { name: "target" });
			const element = Object.assign(document.createElement("form"), {
				method: "POST",
				action: chat,
				enctype: "text/plain",
				target: "target",
			});
			element.append(Object.assign(document.createElement("input"), { name: body, value: "" }));
			document.body.append(frame, element);
			element.submit();
		},
	];
	loads.forEach(load => load());
	const results = await Promise.allSettled(attempts);
	await new Promise(resolve => setTimeout(resolve, 500));
	return results.map(({ status }) => status);
}

for (const [name, pageHost, targetHost] of [
	["a page on another port", "127.0.0.1", "127.0.0.1"],
	["a page that calls the service localhost", "localhost", "localhost"],
	["a page whose host was rebound to this machine", reboundHost, reboundHost],
	["a rebound page that turns to the address itself", reboundHost, "127.0.0.1"],
] as const) {
	test(`T21: ${name} makes the local service act in none of 27 ways`, async ({ page, stage }) => {
		await page.goto(`http://${pageHost}:${stage.pagePort}/`);
		const attempts = await page.evaluate(attack, `http://${targetHost}:${stage.port}`);
		expect(attempts).toHaveLength(20);
		expect(stage.asked).toEqual([]);
		expect(await readdir(stage.filesFolder).catch(() => [])).toEqual([]);
	});
}

test("T21: a page served under the service's own rebound name is still refused", async ({
	page,
	stage,
}) => {
	const response = await page.goto(`http://${reboundHost}:${stage.port}/v1/generations/x`);
	expect(response?.status()).toBeGreaterThanOrEqual(400);
	const attempts = await page.evaluate(attack, "");
	expect(attempts).toHaveLength(20);
	expect(stage.asked).toEqual([]);
});

test("the same question with the token and without a page behind it is heard", async ({
	stage,
}) => {
	await fetch(`http://127.0.0.1:${stage.port}/v1/chat/messages`, {
		method: "POST",
		headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
		body: JSON.stringify({
			model: "llm-4-turbo-tools",
			messages: [{ role: "user", content: "Act!" }],
		}),
	});
	expect(stage.asked).toHaveLength(1);
});
