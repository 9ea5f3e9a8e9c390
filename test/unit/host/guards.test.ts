import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { guards } from "../../host/guards.ts";
import { filesBelow } from "../../../scripts/imports.ts";
import { projectRoot } from "../../../scripts/project.ts";

test("every guard that is taken away to see whether a test misses it is in its file exactly once", () => {
	const lost = guards.flatMap(({ name, file, find }) => {
		const path = join(projectRoot, file.startsWith("media/") ? "" : "src", file);
		const count = readFileSync(path, "utf8").split(find).length - 1;
		return count === 1 ? [] : [`${name}: ${count} times in ${file}`];
	});

	expect(guards.length).toBeGreaterThan(200);
	expect(lost).toEqual([]);
});

test("every unit test that must miss a guard exists", () => {
	const files = filesBelow("test/unit").filter(file => file.endsWith(".test.ts"));
	const units = guards.flatMap(({ tests }) =>
		tests.filter(name => !/^(?:webview|integration)\//.test(name)),
	);
	const lost = units.filter(name => !files.some(file => file.startsWith(`test/unit/${name}`)));

	expect([...new Set(lost)]).toEqual([]);
});
