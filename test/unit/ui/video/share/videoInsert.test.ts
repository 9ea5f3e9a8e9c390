import { expect, test, vi } from "vitest";

vi.mock("vscode", () => ({}));
const { headingsOf } = await import("../../../../../src/ui/video/share/videoInsert.ts");

test("the places of a README are its headings with their lines, whatever ends those, and none in code", () => {
	const lines = [
		"<!-- badges -->",
		"# Shop",
		"",
		"````md",
		"```sh",
		"# install",
		"```",
		"## Not a place",
		"````",
		"## Pricing ##",
		"#hashtag",
		"~~~",
		"# in code",
		"~~~",
		"   ### Notes",
	];
	for (const end of ["\n", "\r\n"]) {
		expect(headingsOf(lines.join(end))).toEqual([
			{ text: "# Shop", line: 1 },
			{ text: "## Pricing ##", line: 9 },
			{ text: "### Notes", line: 14 },
		]);
	}
});
