import { expect, test } from "vitest";
import { slowestTen } from "../../host/slowest.ts";

test("the ten slowest tests are named, the slowest first", () => {
	const times = Array.from({ length: 12 }, (_, index) => ({ title: `t${index}`, ms: index * 500 }));
	const lines = slowestTen(times).split("\n");
	expect(lines).toHaveLength(10);
	expect(lines[0]).toBe("    5.5 s  t11");
	expect(lines.at(-1)).toBe("    1.0 s  t2");
});
