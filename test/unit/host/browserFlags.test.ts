import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { browserFlags } from "../../host/browser.ts";

test("the features that Playwright turns off stay off beside those the tests turn off", () => {
	const root = createRequire(import.meta.url).resolve("playwright-core/package.json");
	const source = readFileSync(join(dirname(root), "lib", "coreBundle.js"), "utf8");
	const list = /\bdisabledFeatures = \[(.*?)\n\s*\]/s.exec(source)?.[1] ?? "";
	const theirs = [...list.matchAll(/^\s*"(\w+)"/gm)].map(([, name]) => name);
	const ours = browserFlags.find(flag => flag.startsWith("--disable-features="));
	expect(theirs.length).toBeGreaterThan(10);
	expect(ours?.slice("--disable-features=".length).split(",")).toEqual(
		expect.arrayContaining(theirs),
	);
});
