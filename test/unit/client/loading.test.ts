// @module-tag thorough
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { chooseTransport } from "../../../src/client/transport/transport.ts";

/** Runs a module in a Node of its own and gives the packages it had to look for. */
async function packagesLoadedBy(source: string): Promise<string[]> {
	const hook = `
		import { registerHooks } from "node:module";
		const seen = new Set();
		registerHooks({
			resolve(specifier, context, next) {
				const found = next(specifier, context);
				const name = /node_modules\\/([^/]+)/.exec(found.url)?.[1];
				if (name) seen.add(name);
				return found;
			},
		});
		${source}
		console.log(JSON.stringify([...seen]));
	`;
	const { stdout } = await promisify(execFile)(
		process.execPath,
		["--no-warnings", "--input-type=module", "--eval", hook],
		{ cwd: new URL("../../../", import.meta.url) },
	);
	return JSON.parse(stdout);
}

test("the client loads the stream parser, the schemas and the words, and undici only when asked to", async () => {
	const client = 'await import("./src/client/createServiceClient.ts");';
	expect(new Set(await packagesLoadedBy(client))).toEqual(
		new Set(["@vscode", "eventsource-parser", "zod"]),
	);
	expect(
		await packagesLoadedBy(
			'const way = await import("./src/client/transport/fetchTransport.ts"); await way.loadUndici();',
		),
	).toContain("undici");
});

describe("the way out to the network", () => {
	test.each([
		["http://127.0.0.1:8080", "auto", "undici"],
		["http://127.9.9.9", "auto", "undici"],
		["http://localhost:1", "auto", "undici"],
		["http://[::1]:1", "auto", "undici"],
		["https://api.localhost", "auto", "undici"],
		["https://service.example.com", "auto", "fetch"],
		["https://localhost.example.com", "auto", "fetch"],
		["https://127.0.0.1.example.com", "auto", "fetch"],
		["https://10.0.0.1", "auto", "fetch"],
		["https://service.example.com", "direct", "undici"],
	] as const)("to %s when the network is %s is %s", (url, network, expected) => {
		expect(chooseTransport(new URL(url), network)).toBe(expected);
	});
});
