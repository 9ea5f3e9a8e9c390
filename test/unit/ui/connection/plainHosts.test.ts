import { beforeEach, expect, test, vi } from "vitest";
import type { ChatRequest } from "../../../../src/client/contract/schemas.ts";
import type { ChatEvent, ServiceClient } from "../../../../src/client/contract/serviceClient.ts";
import { silentLog } from "../../../../src/common/log.ts";
import { mayReach } from "../../../../src/ui/connection/askPlainHost.ts";
import { keepKey } from "../../../../src/ui/connection/connect.ts";
import { ServiceConnection } from "../../../../src/ui/connection/connection.ts";
import { PlainHosts, windowMemory } from "../../../../src/ui/connection/plainHosts.ts";
import { ApiKeys } from "../../../../src/ui/connection/secrets.ts";
import { askingClient } from "../../../../src/ui/models/askingClient.ts";
import { readModelSetup } from "../../../../src/ui/models/serverSettings.ts";
import { readVideoSetup } from "../../../../src/ui/videoEngine/videoSetup.ts";
import { createFakeSecretStorage } from "../../../helpers/fakeSecretStorage.ts";
import { createFakeSettings } from "../../../helpers/fakeSettings.ts";

const mocks = vi.hoisted(() => ({
	showWarningMessage:
		vi.fn<(question: string, options: object, button: string) => Promise<string | undefined>>(),
}));
const { showWarningMessage } = mocks;
vi.mock("vscode", () => ({ window: mocks }));

beforeEach(() => vi.resetAllMocks());

/** Answers each question with its button, or declines those whose button is in `declined`. */
function answer(...declined: readonly string[]): void {
	showWarningMessage.mockImplementation(async (_question, _options, button) =>
		Promise.resolve(declined.includes(button) ? undefined : button),
	);
}

const box = "http://192.168.1.20:11434";
const tailscale = "http://100.103.78.84:11434/v1";
const houses = [box, tailscale, "http://box.local:11434", "http://gpubox:8080"];
const keyButton = "Send the Key Unencrypted";

function open(memory = windowMemory()) {
	const storage = createFakeSecretStorage();
	return { storage, keys: new ApiKeys(storage, new PlainHosts(memory)) };
}

test.each(houses)(
	"T3: %s is reached after one question, which other windows remember",
	async address => {
		const memory = windowMemory();
		const { keys } = open(memory);
		expect(keys.plain.allows(address)).toBe(false);
		answer();
		expect(await mayReach(keys, address)).toBe(true);
		expect(await mayReach(keys, `${new URL(address).origin}/other`)).toBe(true);
		expect(showWarningMessage).toHaveBeenCalledTimes(1);
		expect(showWarningMessage.mock.calls[0]?.[0]).toContain(new URL(address).hostname);
		const other = open(memory).keys;
		expect(other.plain.allows(address)).toBe(true);
		other.plain.withdraw(new URL(address).hostname);
		expect(keys.plain.allows(address)).toBe(false);
	},
);

test("T3: what needs no question is not asked about, and a public host is never allowed", async () => {
	const { keys } = open();
	for (const address of ["https://example.com", "http://127.0.0.1:1", "http://localhost", ""]) {
		expect(await mayReach(keys, address)).toBe(true);
	}
	expect(showWarningMessage).not.toHaveBeenCalled();
	keys.plain.allow("http://example.com", "key");
	expect(keys.plain.allows("http://example.com")).toBe(false);
	expect(keys.plain.allowsKey("http://example.com")).toBe(false);
});

test.each([null, "x", [box], { "192.168.1.20": true }])(
	"T3: what another version kept as %j allows nothing",
	kept => {
		const plain = new PlainHosts({ get: () => kept, set: () => {} });
		expect(plain.allows(box)).toBe(false);
		expect(plain.allowsKey(box)).toBe(false);
	},
);

test("T3: a key goes unencrypted only after a question of its own", async () => {
	const { keys, storage } = open();
	await storage.store(`cutaway.apiKey ${box}`, "secret");
	expect(await keys.get(box)).toBeUndefined();
	answer(keyButton);
	expect(await mayReach(keys, box)).toBe(true);
	expect(await keys.get(box)).toBeUndefined();
	expect(await keepKey(keys, box, "other")).toBe(false);
	expect(await storage.get(`cutaway.apiKey ${box}`)).toBe("secret");
	answer();
	expect(await keepKey(keys, box, "other")).toBe(true);
	expect(await keys.get(box)).toBe("other");
});

test("T3: a server of models gets nothing before its host is allowed", async () => {
	const { keys } = open();
	const settings = createFakeSettings({
		"localService.servers": [
			{ name: "box", baseUrl: box },
			{ name: "own", baseUrl: "http://127.0.0.1:1234/v1" },
		],
	});
	const names = async () =>
		(await readModelSetup(settings, keys, silentLog)).servers.map(({ name }) => name);
	expect(await names()).toEqual(["own"]);
	answer();
	await mayReach(keys, box);
	expect(await names()).toEqual(["box", "own"]);
});

test("T3: a server that makes videos gets nothing before its host is allowed", async () => {
	const { keys } = open();
	const settings = createFakeSettings({
		"localService.video.engine": "comfyui",
		"localService.video.baseUrl": "http://gpubox:8188",
	});
	const memory = { get: () => undefined, update: () => Promise.resolve() };
	const address = async () => (await readVideoSetup(settings, keys, memory, silentLog)).baseUrl;
	expect(await address()).toBe("");
	answer();
	await mayReach(keys, "http://gpubox:8188");
	expect(await address()).toBe("http://gpubox:8188");
});

const local = {
	connect: () => Promise.resolve({ baseUrl: "http://127.0.0.1:1", token: "t" }),
	restart: () => Promise.resolve(),
	state: { state: "running" as const },
};

test("T3: a service of the network is asked for after the question, and not at all without", async () => {
	const { keys } = open();
	const settings = createFakeSettings({ endpoint: "http://192.168.1.20:9000" });
	const connection = new ServiceConnection(settings, keys, local, silentLog);
	answer("Send Unencrypted");
	await expect(connection.resolve()).rejects.toThrow("192.168.1.20:9000");
	await expect(connection.connectTo(connection.endpoint())).rejects.toThrow("192.168.1.20:9000");
	answer();
	expect(await connection.resolve()).toMatchObject({
		baseUrl: "http://192.168.1.20:9000",
		isPlainAllowed: true,
	});
	expect(await connection.connectTo(connection.endpoint())).toMatchObject({ isPlainAllowed: true });
});

test("T3: a message to a model of the network waits for the question, and is not sent if it is declined", async () => {
	const { keys } = open();
	const settings = createFakeSettings({ "localService.servers": [{ name: "box", baseUrl: box }] });
	const connection = new ServiceConnection(settings, keys, local, silentLog);
	const sent: string[] = [];
	const inner: Pick<ServiceClient, "streamChat"> = {
		streamChat: async function* ({ model }): AsyncGenerator<ChatEvent, void, undefined> {
			sent.push(model);
			yield await Promise.resolve({ type: "stream-end", isStreamed: true });
		},
	};
	const client = askingClient(inner as ServiceClient, {
		settings,
		keys,
		connection,
		log: silentLog,
	});
	const ask = async (model: string): Promise<void> => {
		const request: ChatRequest = { model, messages: [{ role: "user", content: "Hi" }] };
		for await (const event of client.streamChat(request)) {
			expect(event.type).toBe("stream-end");
		}
	};
	answer("Send Unencrypted");
	await expect(ask("box/qwen3")).rejects.toMatchObject({ kind: "notReady", charge: "notSent" });
	await ask("vscode/acme/large");
	expect(sent).toEqual(["vscode/acme/large"]);
	answer();
	await ask("box/qwen3");
	await ask("box/other");
	expect(sent.slice(1)).toEqual(["box/qwen3", "box/other"]);
	expect(showWarningMessage).toHaveBeenCalledTimes(2);
});
