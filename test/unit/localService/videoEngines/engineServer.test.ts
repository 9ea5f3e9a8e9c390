import { expect, test } from "vitest";
import { systemClock } from "../../../../src/common/async.ts";
import { EngineServer } from "../../../../src/localService/videoEngines/engineServer.ts";

const open = (baseUrl: string): EngineServer =>
	new EngineServer({ name: "gpu", baseUrl, headers: {}, clock: systemClock });

test("T3: a server that makes videos is reached by https, here, or in the user's network", () => {
	for (const baseUrl of ["https://gpu.example.com", "http://127.0.0.1:1", "http://192.168.1.20"]) {
		expect(open(baseUrl).baseUrl).toBe(baseUrl);
	}
	expect(() => open("http://gpu.example.com")).toThrow("without encryption");
});
