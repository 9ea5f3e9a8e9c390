import { expect, test } from "vitest";
import { describeFailure } from "../../host/failures.ts";

test("a failed test is named with the first lines of its reason, without colors and empty lines", () => {
	const reason = `\u001b[31mError: no button\u001b[39m\n\n  waiting\n${"  at a.ts\n".repeat(30)}`;
	const lines = describeFailure({ title: "a.spec.ts › is pressed", reason }).split("\n");
	expect(lines.slice(0, 3)).toEqual([
		"✖ a.spec.ts › is pressed",
		"    Error: no button",
		"      waiting",
	]);
	expect(lines).toHaveLength(13);
});
