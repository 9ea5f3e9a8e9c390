import { expect, test } from "vitest";
import { silentLog } from "../../../../src/common/log.ts";
import { ApiKeys } from "../../../../src/ui/connection/secrets.ts";
import {
	mayCharge,
	readVideoSetup,
	withVideoEngine,
} from "../../../../src/ui/videoEngine/videoSetup.ts";
import { createFakeSecretStorage } from "../../../helpers/fakeSecretStorage.ts";
import { createFakeSettings } from "../../../helpers/fakeSettings.ts";

function memory() {
	const kept = new Map<string, unknown>();
	return {
		kept,
		get: (key: string) => kept.get(key),
		update: (key: string, value: unknown) => Promise.resolve(void kept.set(key, value)),
	};
}

test("T1: the engine's server gets the key of its origin, and those chosen before theirs, each under its own", async () => {
	const keys = new ApiKeys(createFakeSecretStorage());
	await keys.set("https://openrouter.ai", "router-key");
	await keys.set("https://gpu.example.com", "gpu-key");
	await keys.set("https://service.example.com", "service-key");
	const remembered = memory();
	const settings = createFakeSettings({ "localService.video.engine": "openrouter" });
	const first = await readVideoSetup(settings, keys, remembered, silentLog);
	expect(first).toMatchObject({ engine: "openrouter", baseUrl: "https://openrouter.ai/api/v1" });
	expect(first.headers).toEqual({
		"https://openrouter.ai": { authorization: "Bearer router-key" },
	});
	await settings.set("localService.video.engine", "videos-api");
	await settings.set("localService.video.baseUrl", "https://gpu.example.com/v1");
	const second = await readVideoSetup(settings, keys, remembered, silentLog);
	expect(second.headers).toEqual({
		"https://gpu.example.com": { authorization: "Bearer gpu-key" },
		"https://openrouter.ai": { authorization: "Bearer router-key" },
	});
	await settings.set("localService.video.engine", "local");
	const third = await readVideoSetup(settings, keys, remembered, silentLog);
	expect(Object.keys(third.headers)).toEqual(["https://gpu.example.com", "https://openrouter.ai"]);
});

test("T1: a key is sent in the header that its server wants, and those of servers chosen before as ever", async () => {
	const keys = new ApiKeys(createFakeSecretStorage());
	await keys.set("https://openrouter.ai", "router-key");
	await keys.set("https://gpu.example.com", "gpu-key");
	const remembered = memory();
	const settings = createFakeSettings({ "localService.video.engine": "openrouter" });
	await readVideoSetup(settings, keys, remembered, silentLog);
	await settings.set("localService.video.engine", "videos-api");
	await settings.set("localService.video.baseUrl", "https://gpu.example.com/v1");
	await settings.set("localService.video.header", "X-Api-Key");
	await settings.set("localService.video.scheme", "");
	expect((await readVideoSetup(settings, keys, remembered, silentLog)).headers).toEqual({
		"https://gpu.example.com": { "x-api-key": "gpu-key" },
		"https://openrouter.ai": { authorization: "Bearer router-key" },
	});
});

test("an address that is none never reaches the local service, and what is remembered is checked", async () => {
	const keys = new ApiKeys(createFakeSecretStorage());
	const settings = createFakeSettings({
		"localService.video.engine": "comfyui",
		"localService.video.baseUrl": "http://comfy.example.com",
	});
	const remembered = memory();
	remembered.kept.set("cutaway.videoEngineOrigins", [1, "https://a.example.com", null]);
	const setup = await readVideoSetup(settings, keys, remembered, silentLog);
	expect(setup.baseUrl).toBe("");
	expect(setup.headers).toEqual({ "https://a.example.com": {} });
});

test("what may charge says so, and the user's own servers do not", () => {
	expect(mayCharge("openrouter", "https://openrouter.ai/api/v1")).toBe(true);
	expect(mayCharge("videos-api", "https://api.example.com/v1")).toBe(true);
	expect(mayCharge("videos-api", "http://127.0.0.1:8000/v1")).toBe(false);
	expect(mayCharge("videos-api", "http://192.168.1.4:8000")).toBe(false);
	expect(mayCharge("comfyui", "https://comfy.example.com")).toBe(false);
});

test("a video of the local service names the server that makes it; one of another service does not", () => {
	const local = { kind: "local", baseUrl: "", origin: "local", label: "Local service" } as const;
	const settings = createFakeSettings({ "localService.video.engine": "openrouter" });
	expect(withVideoEngine(local, settings)).toEqual({
		...local,
		label: "OpenRouter",
		engine: "OpenRouter",
		mayCharge: true,
	});
	expect(withVideoEngine(local, createFakeSettings())).toEqual(local);
	const remote = { ...local, kind: "remote", origin: "https://x.example.com" } as const;
	expect(withVideoEngine(remote, settings)).toEqual(remote);
});
