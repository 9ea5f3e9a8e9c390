import { expect, test, vi } from "vitest";
import { silentLog } from "../../../../src/common/log.ts";
import { ConnectionError, ServiceConnection } from "../../../../src/ui/connection/connection.ts";
import { ApiKeys, KeyStoreError } from "../../../../src/ui/connection/secrets.ts";
import type { SettingName, SettingValue } from "../../../../src/ui/base/settings.ts";
import { createFakeSecretStorage } from "../../../helpers/fakeSecretStorage.ts";
import { createFakeSettings } from "../../../helpers/fakeSettings.ts";

vi.mock("vscode", () => ({}));

const service = "https://service.example.com";

function setUp(values: { readonly [Name in SettingName]?: SettingValue<Name> } = {}) {
	const storage = createFakeSecretStorage();
	const keys = new ApiKeys(storage);
	const settings = createFakeSettings(values);
	const connect = vi.fn(() =>
		Promise.resolve({ baseUrl: "http://127.0.0.1:4711", token: "local-token" }),
	);
	const localService = {
		connect,
		restart: vi.fn(() => {
			localService.state = { state: "running" };
			return Promise.resolve();
		}),
		state: { state: "running" as "running" | "failed" },
	};
	const connection = new ServiceConnection(settings, keys, localService, silentLog);
	return { storage, keys, settings, connect, connection, localService };
}

test("with no endpoint set the local service answers, with its own token", async () => {
	const { connection } = setUp();
	expect(await connection.resolve()).toMatchObject({
		baseUrl: "http://127.0.0.1:4711",
		apiKey: "local-token",
		auth: { header: "Authorization", scheme: "Bearer" },
	});
});

test("L14: a local service that crashed too often is restarted by the next request, and only then", async () => {
	const { connection, localService } = setUp();
	await connection.resolve();
	expect(localService.restart).not.toHaveBeenCalled();
	localService.state = { state: "failed" };
	expect(await connection.resolve()).toMatchObject({ baseUrl: "http://127.0.0.1:4711" });
	expect(localService.restart).toHaveBeenCalledOnce();
});

test("settings about a remote service do not reach the local one", async () => {
	const { connection } = setUp({ "auth.header": "X-Key", "auth.scheme": "", "files.path": "/f" });
	expect(await connection.resolve()).toMatchObject({
		auth: { header: "Authorization", scheme: "Bearer" },
		files: { path: "/v1/files", field: "file" },
	});
});

test("a remote endpoint gets its own key and the settings for it", async () => {
	const { connection, keys } = setUp({
		endpoint: `${service}/v1/`,
		"auth.header": "X-Key",
		"auth.scheme": "",
	});
	await keys.set(service, "secret-1");
	expect(await connection.resolve()).toMatchObject({
		baseUrl: service,
		apiKey: "secret-1",
		auth: { header: "X-Key", scheme: "" },
	});
});

test("T1: a key given for one origin is not sent to another", async () => {
	const { connection, keys, settings } = setUp({ endpoint: service });
	await keys.set(service, "secret-1");
	for (const other of [
		"https://other.example.com",
		"https://service.example.com:8443",
		"https://sub.service.example.com",
	]) {
		await settings.set("endpoint", other);
		expect(await connection.resolve(), other).not.toHaveProperty("apiKey");
	}
});

test("the header is left out when there is no key", async () => {
	const { connection } = setUp({ endpoint: service });
	expect(await connection.resolve()).not.toHaveProperty("apiKey");
});

test("L16: an endpoint that is not usable is never replaced by the local service", async () => {
	const { connection, connect } = setUp({ endpoint: "http://service.example.com" });
	await expect(connection.resolve()).rejects.toThrow(ConnectionError);
	await expect(connection.resolve()).rejects.toThrow(/Use https/);
	expect(connect).not.toHaveBeenCalled();
	expect(await connection.view()).toMatchObject({
		kind: "invalid",
		label: "The service's address isn't valid",
	});
});

test("L11: a key store that fails stops the request with a sentence, and a session key is the way out", async () => {
	const { connection, keys, storage } = setUp({ endpoint: service });
	storage.isBroken = true;
	await expect(connection.resolve()).rejects.toThrow(/Couldn't read the key store/);
	await expect(keys.set(service, "secret-1")).rejects.toThrow(KeyStoreError);
	keys.setForSession(service, "secret-1");
	expect(await connection.resolve()).toMatchObject({ apiKey: "secret-1" });
	expect(storage.entries.size).toBe(0);
});

test("L12: a key changed in another window is used by the next request", async () => {
	const { connection, keys, storage } = setUp({ endpoint: service });
	const changed = vi.fn();
	connection.onDidChange(changed);
	await keys.set(service, "secret-1");
	await new ApiKeys(storage).set(service, "secret-2");
	expect(await connection.resolve()).toMatchObject({ apiKey: "secret-2" });
	expect(changed).toHaveBeenCalledTimes(2);
});

test("a request made while the key store still keeps a key goes out with that key", async () => {
	const { connection, keys, storage } = setUp({ endpoint: service });
	const store = storage.store;
	const unlocked = Promise.withResolvers<void>();
	storage.store = async (name, key) => {
		await unlocked.promise;
		await store(name, key);
	};
	const kept = keys.set(service, "secret-1");
	const resolved = connection.resolve();
	unlocked.resolve();
	expect(await resolved).toMatchObject({ apiKey: "secret-1" });
	await kept;
});

test("T5: what the view learns of a connection holds no key", async () => {
	const { connection, keys } = setUp({ endpoint: service });
	await keys.set(service, "secret-1");
	const view = await connection.view();
	expect(view).toEqual({ kind: "remote", label: "service.example.com", hasKey: true });
	expect(JSON.stringify(view)).not.toContain("secret-1");
});

test("changes of the chat's settings do not make a new connection", async () => {
	const { connection, settings } = setUp();
	const changed = vi.fn();
	connection.onDidChange(changed);
	await settings.set("chat.model", "llm-4-turbo");
	expect(changed).not.toHaveBeenCalled();
	await settings.set("endpoint", service);
	expect(changed).toHaveBeenCalledTimes(1);
});

test("a removed key is gone, and every key seen stays known for redaction", async () => {
	const { keys } = setUp();
	await keys.set(service, "secret-1");
	await keys.remove(service);
	expect(await keys.get(service)).toBeUndefined();
	expect(keys.known()).toContain("secret-1");
});
