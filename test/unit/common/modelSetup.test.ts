import { totalmem } from "node:os";
import { expect, test, vi } from "vitest";
import { apiBase, availableMemory, urlBelow } from "../../../src/common/modelSetup.ts";

test("an address of Azure keeps its query, behind whatever path follows", () => {
	const azure = "https://x.openai.azure.com/openai/deployments/D";
	const version = "?api-version=2024-10-21";
	const base = apiBase(` ${azure}/chat/completions${version}`);
	expect(base).toBe(`${azure}${version}`);
	expect(urlBelow(base, "/chat/completions")).toBe(`${azure}/chat/completions${version}`);
	expect(apiBase("http://a/v1/")).toBe("http://a/v1");
	expect(urlBelow("http://a/v1", "/models")).toBe("http://a/v1/models");
});

test("what macOS would free counts as available; elsewhere the system's figure does", () => {
	const reported = vi.spyOn(process, "availableMemory").mockReturnValue(100e6);
	try {
		expect(availableMemory("darwin")).toBe(totalmem() / 3);
		expect(availableMemory("linux")).toBe(100e6);
	} finally {
		reported.mockRestore();
	}
});
