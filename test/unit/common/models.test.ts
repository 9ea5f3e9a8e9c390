import { totalmem } from "node:os";
import { expect, test, vi } from "vitest";
import { availableMemory } from "../../../src/common/models.ts";

test("what macOS would free counts as available; elsewhere the system's figure does", () => {
	const reported = vi.spyOn(process, "availableMemory").mockReturnValue(100e6);
	try {
		expect(availableMemory("darwin")).toBe(totalmem() / 3);
		expect(availableMemory("linux")).toBe(100e6);
	} finally {
		reported.mockRestore();
	}
});
