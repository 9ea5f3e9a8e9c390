import { expect, test } from "vitest";
import { silentLog } from "../../../../src/common/log.ts";
import { ApiKeys } from "../../../../src/ui/connection/secrets.ts";
import { type ModelServer, readModelSetup } from "../../../../src/ui/models/serverSettings.ts";
import { createFakeSecretStorage } from "../../../helpers/fakeSecretStorage.ts";
import { createFakeSettings } from "../../../helpers/fakeSettings.ts";

async function setupOf(
	servers: readonly ModelServer[],
	keys: Readonly<Record<string, string>> = {},
) {
	const store = new ApiKeys(createFakeSecretStorage());
	for (const [origin, key] of Object.entries(keys)) {
		await store.set(origin, key);
	}
	const settings = createFakeSettings({ "localService.servers": [...servers] });
	return readModelSetup(settings, store, silentLog);
}

test("a key goes to the server of its own origin and to no other", async () => {
	const { servers } = await setupOf(
		[
			{ name: "router", baseUrl: "https://models.example.com/api/v1" },
			{ name: "other", baseUrl: "https://example.com/v1" },
		],
		{ "https://models.example.com": "secret-key" },
	);
	expect(servers).toEqual([
		{
			name: "router",
			baseUrl: "https://models.example.com/api/v1",
			headers: { authorization: "Bearer secret-key" },
		},
		{ name: "other", baseUrl: "https://example.com/v1", headers: {} },
	]);
});

test("a key goes in the header and behind the word that its server wants", async () => {
	const server = { name: "azure", baseUrl: "https://models.example.com/openai/v1" };
	const { servers } = await setupOf(
		[
			{ ...server, header: "api-key", scheme: "" },
			{ ...server, name: "other", scheme: "Token" },
		],
		{ "https://models.example.com": "secret-key" },
	);
	expect(servers).toEqual([
		{ ...server, headers: { "api-key": "secret-key" } },
		{ ...server, name: "other", headers: { authorization: "Token secret-key" } },
	]);
});

test("a server without a valid address is left out, and so is plain http over the internet", async () => {
	const { servers } = await setupOf([
		{ name: "nowhere", baseUrl: "models" },
		{ name: "open", baseUrl: "http://models.example.com/v1" },
		{ name: "own", baseUrl: "http://127.0.0.1:1234/v1" },
	]);
	expect(servers.map(({ name }) => name)).toEqual(["own"]);
});

test("of two servers with the same name the first counts", async () => {
	const { servers } = await setupOf([
		{ name: "own", baseUrl: "http://127.0.0.1:1234/v1" },
		{ name: "own", baseUrl: "http://127.0.0.1:8080/v1" },
	]);
	expect(servers.map(({ baseUrl }) => baseUrl)).toEqual(["http://127.0.0.1:1234/v1"]);
});
