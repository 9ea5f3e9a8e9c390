import { expect, test } from "vitest";
import { shownArguments, toolPlaceMessage } from "../../../../src/chat/toolLoop/toolMessages.ts";

test.each([
	["T31", { isTrusted: false, schemes: ["file"] }, /Restricted Mode/],
	["T31", { isTrusted: false, schemes: [] }, /Restricted Mode/],
	["L17", { isTrusted: true, schemes: ["vscode-vfs"] }, /virtual/],
	["L17", { isTrusted: true, schemes: ["memfs", "vscode-vfs"] }, /virtual/],
	["L17", { isTrusted: true, schemes: [] }, /No folder/],
] as const)("%s: with %j tools are off, and the reason is given", (_, place, reason) => {
	expect(toolPlaceMessage(place)).toMatch(reason);
});

test("L17: one folder on this machine is enough for tools to work in that one", () => {
	expect(toolPlaceMessage({ isTrusted: true, schemes: ["vscode-vfs", "file"] })).toBeUndefined();
});

test("a call's arguments are shown with a field per line, and as they are where they are nested too deeply", () => {
	expect(shownArguments('{"a":[1]}')).toBe('{\n  "a": [\n    1\n  ]\n}');
	const deep = `{"a":${"[".repeat(10_000)}${"]".repeat(10_000)}}`;
	expect(shownArguments(deep)).toBe(deep);
	expect(shownArguments('{"a":')).toBe('{"a":');
});
