import { expect, test } from "vitest";
import { suggestedFileName } from "../../../../src/ui/base/fileName.ts";

test.each([
	["typescript", "untitled.ts"],
	["ts {1}", "untitled.ts"],
	["C++", "untitled.cpp"],
	["go", "untitled.go"],
	["", "untitled.txt"],
	["dockerfile", "untitled.txt"],
	["../x", "untitled.txt"],
])("a file of «%s» is suggested as %s", (info, name) => {
	expect(suggestedFileName(info)).toBe(name);
});
