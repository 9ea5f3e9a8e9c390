import { expect, test } from "vitest";
import { numberLines, reviewedLines, reviewedText } from "../../../../src/ui/scm/reviewedLines.ts";

const diff = [
	"diff --git a/src/a.ts b/src/a.ts",
	"--- a/src/a.ts",
	"+++ b/src/a.ts",
	"@@ -4,3 +4,4 @@ function sum() {",
	" one\r",
	"-two",
	"+2",
	"+++ b/no.ts",
	" three",
	"@@ -20 +21 @@",
	"-old",
	"+new",
	"\\ No newline at end of file",
	"diff --git a/src/b.ts b/src/b.ts",
	"new file mode 100644",
	"--- /dev/null",
	"+++ b/src/b.ts",
	"@@ -0,0 +1,4 @@",
	"+\uFEFFfirst",
	"+key = [masked]",
	"[masked]",
	"+last",
].join("\n");

test("a diff for a review has the number of each line of the new files after its sign, up to a masked line", () => {
	expect(
		numberLines(diff)
			.split("\n")
			.filter(line => /^[+-] ?\d|^ \d|^-|last$/.test(line)),
	).toEqual([
		"--- a/src/a.ts",
		" 4: one\r",
		"-two",
		"+5: 2",
		"+6: ++ b/no.ts",
		" 7: three",
		"-old",
		"+21: new",
		"--- /dev/null",
		"+1: \uFEFFfirst",
		"+2: key = [masked]",
		"+last",
	]);
});

test("the text of a finding's lines is that of the diff, without byte order mark and carriage return", () => {
	const seen = reviewedLines(["+++ b/other.diff\n+1: no", numberLines(diff)]);
	const at = (path: string, line: number, endLine = line) =>
		reviewedText(seen, { path, line, endLine });
	expect(at("src/a.ts", 4, 5)).toBe("one\n2");
	expect(at("a.ts", 21)).toBe("new");
	expect(at("src/b.ts", 1)).toBe("first");
	// Lines that the model did not see.
	expect([at("src/a.ts", 7, 8), at("src/a.ts", 90), at("src/b.ts", 2)]).toEqual(["", "", ""]);
	expect(at("other.diff", 1)).toBeUndefined();
});

test("a file with a quoted name takes no lines of the one before it, and lines far beyond a file are none", () => {
	const diff = [
		"+++ b/a.ts\n@@ -0,0 +1,2 @@\n+one\n+two",
		'+++ "b/gr\\303\\266.ts"\n@@ -0,0 +1 @@\n+eins',
	].join("\n");
	const seen = reviewedLines([numberLines(diff)]);
	expect(reviewedText(seen, { path: "a.ts", line: 1, endLine: 2 })).toBe("one\ntwo");
	expect(reviewedText(seen, { path: "a.ts", line: 1, endLine: 9_999_999 })).toBe("");
});
