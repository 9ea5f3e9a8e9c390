import { expect, test, vi } from "vitest";

vi.mock("vscode", () => ({}));
const { endOfChat } = await import("../../../../src/ui/app/attachChat.ts");

test("of a long chat the end is attached, from the beginning of a line on", () => {
	expect(endOfChat("one\ntwo\n", 20)).toBe("one\ntwo\n");
	expect(endOfChat("one\ntwo\nthree\n", 8)).toBe(
		"[the first 8 characters of this chat are left out]\n\nthree\n",
	);
});
