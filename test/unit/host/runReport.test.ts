import { expect, test } from "vitest";
import { describeFailure, describeLeftOut, slowestTen } from "../../host/runReport.ts";

test("the ten slowest tests are named, the slowest first", () => {
	const times = Array.from({ length: 12 }, (_, index) => ({ title: `t${index}`, ms: index * 500 }));
	const lines = slowestTen(times).split("\n");
	expect(lines).toHaveLength(10);
	expect(lines[0]).toBe("    5.5 s  t11");
	expect(lines.at(-1)).toBe("    1.0 s  t2");
});

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

test("a run that left tests out ends with how many of all it ran, and one that ran all says nothing", () => {
	const unit = { passed: 5_990, failed: 6, skipped: 4, leftOut: 1_500 };
	const page = { passed: 70, failed: 0, skipped: 0, leftOut: 440 };
	expect(describeLeftOut([unit, page])).toBe("6,070 of 8,010 tests; `npm run test:all` runs all.");
	expect(
		describeLeftOut([
			{ ...unit, leftOut: 0 },
			{ passed: 1, failed: 0, skipped: 0 },
		]),
	).toBe(undefined);
});
