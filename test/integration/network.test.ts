import assert from "node:assert/strict";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import * as vscode from "vscode";
import { configure, cutaway } from "./cutaway.ts";

const { Global, Workspace } = vscode.ConfigurationTarget;
const baseUrl = "https://models.cutaway.invalid";

describe("the way out of the local service", () => {
	const asked: string[] = [];
	/** A proxy that has no way out itself. */
	const proxy: Server = createServer().on("connect", (request, socket) => {
		asked.push(`${request.headers["proxy-authorization"] ?? ""} CONNECT ${request.url}`);
		socket.end("HTTP/1.1 502 No way out\r\n\r\n");
	});

	async function set(
		name: string,
		value: unknown,
		target: vscode.ConfigurationTarget = Global,
	): Promise<void> {
		await vscode.workspace.getConfiguration("http").update(name, value, target);
	}

	/** Why the server could not be asked for its models; nothing where it could. */
	async function failure(): Promise<string | undefined> {
		const { models } = await (await cutaway().activate()).runtime();
		const [listing] = await models.listModels("configured");
		assert.ok(listing, "the server is set up");
		return listing.failure;
	}

	before(async () => {
		await new Promise<void>(resolve => proxy.listen(0, "127.0.0.1", resolve));
		await configure({ "localService.servers": [{ name: "corp", baseUrl }] });
	});

	after(async () => {
		for (const name of ["proxy", "noProxy", "proxyAuthorization", "proxySupport"]) {
			await set(name, undefined);
		}
		await configure({ "localService.servers": undefined, network: undefined });
		proxy.close();
	});

	it("is that of the user's settings, each time it is asked", async () => {
		const { port } = proxy.address() as AddressInfo;
		const named = new RegExp(
			`^The proxy 127.0.0.1:${port} did not connect to .*: it answered 502.$`,
		);
		assert.match((await failure()) ?? "", /was not found\. Check its address/);
		await set("proxy", `http://127.0.0.1:${port}`);
		assert.match((await failure()) ?? "", named);
		assert.ok(asked.includes(" CONNECT models.cutaway.invalid:443"));
		await set("proxyAuthorization", "Bearer canary");
		assert.match((await failure()) ?? "", named);
		assert.ok(asked.includes("Bearer canary CONNECT models.cutaway.invalid:443"));
		await set("noProxy", [".cutaway.invalid"]);
		assert.match((await failure()) ?? "", /was not found\. Check its address/);
		await set("noProxy", undefined);
		await configure({ network: "direct" });
		assert.match((await failure()) ?? "", /was not found\. Check its address/);
		await configure({ network: undefined });
		await set("proxy", "http://127.0.0.1:9");
		assert.equal(
			await failure(),
			"The proxy 127.0.0.1:9 is not running: nothing listens there. Start it, or check “http.proxy”.",
		);
	});

	it("is never that of a workspace", async () => {
		const { port } = proxy.address() as AddressInfo;
		await set("proxy", `http://127.0.0.1:${port}`);
		try {
			await set("proxy", "http://127.0.0.1:9", Workspace);
		} catch {
			// This editor lets no workspace set it.
			return;
		}
		assert.match(
			(await failure()) ?? "",
			new RegExp(`The proxy 127.0.0.1:${port} did not connect`),
		);
		await set("proxy", undefined, Workspace);
	});
});
