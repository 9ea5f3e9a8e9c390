import { describe, expect, test } from "vitest";
import {
	measurePrompt,
	shortenPrompt,
	tooLongMessage,
	changedLine,
	changePrompt,
	noChangeMessage,
	secretOf,
	shortenChange,
} from "../../../../../src/ui/video/request/videoPrompt.ts";
import { promptTitle } from "../../../../../src/video/job/clipName.ts";
import { createRandom } from "../../../../helpers/random.ts";
import { execFileSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readFileDiff } from "../../../../../src/tools/contract/gitDiff.ts";

describe("a prompt's length", () => {
	test("is counted in Unicode code points, as the service counts it", () => {
		expect(measurePrompt("🚣".repeat(4000), 4000)).toEqual({ characters: 4000, excess: 0 });
		expect(measurePrompt("🚣".repeat(4001), 4000)).toEqual({ characters: 4001, excess: 1 });
	});

	test("is rejected with how much is too much", () => {
		expect(tooLongMessage(measurePrompt("a".repeat(5234), 4000), 4000)).toBe(
			"The prompt has 5,234 characters, 1,234 over the service's limit of 4,000.",
		);
	});
});

describe("shortening", () => {
	test("ends at the last whole sentence that fits", () => {
		const text = "A boat leaves. It is dawn! Gulls follow the boat for a while.";
		expect(shortenPrompt(text, 40)).toEqual({
			text: "A boat leaves. It is dawn!",
			end: "sentence",
		});
	});

	test("takes a sentence that ends exactly at the limit", () => {
		expect(shortenPrompt("One two. Three.", 8)).toEqual({ text: "One two.", end: "sentence" });
	});

	test("does not take a dot inside a word for an end", () => {
		expect(shortenPrompt("call list.map then list.filter over it", 26)).toEqual({
			text: "call list.map then",
			end: "word",
		});
	});

	test("does not cut back more than half to find a sentence's end", () => {
		const short = shortenPrompt(`Hm. ${"word ".repeat(40)}`, 100);
		expect(short?.text.length).toBeGreaterThan(50);
		expect(short?.end).toBe("word");
	});

	test("says that rows of a table end at a line, and not at a sentence", () => {
		const rows = "date,item,price\n".repeat(20);
		expect(shortenPrompt(rows, 50)).toEqual({
			text: rows.slice(0, 47),
			end: "line",
		});
	});

	test("prefers a sentence's end to a line's that comes later", () => {
		expect(shortenPrompt("A first whole sentence. And one\nthat goes on", 36)).toEqual({
			text: "A first whole sentence.",
			end: "sentence",
		});
	});

	test("says that a text without a gap is cut", () => {
		expect(shortenPrompt("x".repeat(30), 20)).toEqual({ text: "x".repeat(20), end: "character" });
	});

	test("treats the sentences of other scripts alike", () => {
		expect(shortenPrompt("一艘船。 黎明。 海鸥", 8)).toEqual({
			text: "一艘船。 黎明。",
			end: "sentence",
		});
	});

	test("has nothing to do for a prompt that fits", () => {
		expect(shortenPrompt("short", 4000)).toBeUndefined();
	});

	test("never gives more than the limit, never half a character, and never nothing", () => {
		const random = createRandom(7);
		const parts = ["a", "word ", ". ", "\n", "🚣", "é", "!", "。", "   "];
		for (let round = 0; round < 500; round++) {
			const text = `x${Array.from({ length: 60 }, () => random.pick(parts)).join("")}`;
			const max = 1 + random.below(50);
			const short = shortenPrompt(text, max)?.text ?? "";
			expect([...short].length).toBeLessThanOrEqual(max);
			expect(short.isWellFormed()).toBe(true);
			expect(short.length).toBeGreaterThan(0);
			expect(text.startsWith(short)).toBe(true);
		}
	});
});

const lines = Array.from({ length: 60 }, (_, index) => `line ${index + 1}`);

/** A repository with a file of 60 lines, committed, and what Git says of it afterwards. */
function createRepository(): {
	git(...args: string[]): void;
	write(text: readonly string[]): void;
	diff(name?: string): Promise<string | undefined>;
} {
	const root = mkdtempSync(join(tmpdir(), "cutaway-change-"));
	const git = (...args: string[]): void => {
		execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], {
			cwd: root,
			stdio: "pipe",
		});
	};
	const write = (text: readonly string[]): void =>
		writeFileSync(join(root, "a [b].txt"), `${text.join("\n")}\n`);
	git("init", "-q");
	write(lines);
	writeFileSync(join(root, "a b.txt"), "other\n");
	git("add", "-A");
	return {
		git,
		write,
		diff: async (name = "a [b].txt") => {
			const decode = (): Promise<string> => Promise.reject(new Error("All of it is UTF-8"));
			return (await readFileDiff({ git: "git", root, decode }, join(root, name)))?.diff;
		},
	};
}

const edited = lines.map(line => (/ (?:5|30|55)$/.test(line) ? `${line} edited` : line));

describe("the change of a file", () => {
	test("holds what is staged and what is not, of this file alone", async () => {
		const { git, write, diff } = createRepository();
		git("commit", "-qm", "x");
		write(edited.map((line, index) => lines[index < 20 ? 99 : index] ?? line));
		write(edited);
		git("add", "-A");
		write([...edited, "last"]);
		const prompt = changePrompt("a [b].txt", (await diff()) ?? "") ?? "";
		expect(prompt.startsWith("a [b].txt\n```diff\n@@ -2,7 +2,7 @@")).toBe(true);
		expect(prompt).toContain("\n-line 5\n+line 5 edited\n");
		expect(prompt.endsWith("\n+last\n```")).toBe(true);
		expect(prompt).not.toContain("diff --git");
		expect(await diff("a b.txt")).toBeUndefined();
	});

	test("is all of it before the first commit", async () => {
		const { diff } = createRepository();
		expect(changePrompt("a", (await diff()) ?? "")?.split("\n+line ")).toHaveLength(61);
	});

	test("is all of a file that Git does not track yet", async () => {
		const { git, write, diff } = createRepository();
		git("rm", "-q", "--cached", "a [b].txt");
		git("commit", "-qm", "x");
		write(["new"]);
		expect(changePrompt("a", (await diff()) ?? "")).toContain("+new");
	});

	test("is said to be too large where Git's answer names only the file, and to be none where there is none", async () => {
		const { git, write, diff } = createRepository();
		git("rm", "-q", "--cached", "a [b].txt");
		git("commit", "-qm", "x");
		write(["x".repeat(1024 * 1024)]);
		const range = { startLine: 0, endLine: 0 };
		const message = "The change of a can't be shown: it has no text, or is too large.";
		expect(noChangeMessage("a", (await diff()) ?? "")).toBe(message);
		expect(noChangeMessage("a", (await diff()) ?? "", range)).toBe(message);
		expect(noChangeMessage("a", "")).toBe("a hasn't changed since the last commit.");
		expect(noChangeMessage("a", "@@ -9 +9 @@\n-a\n+b", range)).toContain("The selected lines");
	});

	test("is narrowed to the hunks that the selection touches", async () => {
		const { git, write, diff } = createRepository();
		git("commit", "-qm", "x");
		write(edited);
		const text = (await diff()) ?? "";
		const hunks = (startLine: number, endLine: number): readonly string[] =>
			changePrompt("a", text, { startLine, endLine })?.match(/\+line \d+/g) ?? [];
		expect(hunks(4, 4)).toEqual(["+line 5"]);
		expect(hunks(8, 26)).toEqual(["+line 30"]);
		expect(hunks(0, 59)).toEqual(["+line 5", "+line 30", "+line 55"]);
		expect(hunks(10, 20)).toEqual([]);
		expect(changePrompt("a", text, { startLine: 10, endLine: 20 })).toBeUndefined();
	});

	test("that only removes lines is touched from both sides", () => {
		const diff = "@@ -5,2 +4,0 @@\n-a\n-b";
		const isTouched = (line: number): boolean =>
			changePrompt("a", diff, { startLine: line, endLine: line }) !== undefined;
		expect([2, 3, 4, 5].map(isTouched)).toEqual([false, true, true, false]);
	});

	test.each(["", "diff --git a/x b/x\nold mode 100644\nnew mode 100755\n"])(
		"is none where no line changed: %j",
		diff => {
			expect(changePrompt("a", diff)).toBeUndefined();
		},
	);

	test("is known by its file in a list", () => {
		expect(promptTitle(changePrompt("total.ts", "@@ -1 +1 @@\n-a\n+b") ?? "")).toBe("total.ts");
		expect(promptTitle("```js\nlet a;\n```")).toContain("let a;");
	});
});

describe("a change that is too long", () => {
	const hunk = (index: number): string => `@@ -${index} +${index} @@\n-a${index}\n+b🚣${index}`;
	const prompt =
		changePrompt("a.ts", Array.from({ length: 20 }, (_, index) => hunk(index)).join("\n")) ?? "";

	test("ends with a whole hunk, and is as long as it may be", () => {
		for (let max = 60; max < [...prompt].length; max += 7) {
			const { text, end } = shortenPrompt(prompt, max) ?? { text: "", end: "" };
			expect(end).toBe("change");
			expect([...text].length).toBeLessThanOrEqual(max);
			const count = text.split("\n@@ ").length - 1;
			const whole = Array.from({ length: count }, (_, index) => hunk(index));
			expect(text).toBe(changePrompt("a.ts", whole.join("\n")));
			const more = changePrompt("a.ts", [...whole, hunk(count)].join("\n")) ?? "";
			expect([...more].length).toBeGreaterThan(max);
		}
	});

	test("is cut elsewhere when not even its first hunk fits", () => {
		expect(shortenChange(prompt, 30)).toBeUndefined();
		expect(shortenPrompt(prompt, 30)?.end).toBe("line");
	});

	test("is not what another text is", () => {
		expect(shortenChange("Words.\n@@ -1 +1 @@\n-a\n+b\n@@ -2 +2 @@\n-a", 30)).toBeUndefined();
	});
});

test.each([
	["an environment's file", "/w/.env", true],
	["a key below a folder of keys", "/home/a/.ssh/id_ed25519", true],
	["a program", "/w/src/total.ts", false],
])("the change of %s is told apart by its name", (_name, path, isSecret) => {
	expect(secretOf(["/w/a.ts", path], "@@ -1 +1 @@\n+a") !== undefined).toBe(isSecret);
});

test.each([
	["a token", "+const token = 'ghp_aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5';", true],
	["lines of a private key", `-${"MIIEpAIBAAKCAQEA7bq".repeat(4).slice(0, 64)}`, true],
	["ordinary code", "+const total = sum(prices);", false],
])("a change that shows %s is told apart", (_name, line, isSecret) => {
	expect(secretOf([], `@@ -1 +1 @@\n${line}`) !== undefined).toBe(isSecret);
});

test.each([
	["@@ -1,5 +1,5 @@\n a\n b\n-c\n+d\n e", 2],
	["@@ -20,3 +22,2 @@\n a\n-b\n c", 22],
	["@@ -20,2 +22,1 @@\n a\n-b", 20],
	["@@ -0,0 +1 @@\n+a", 0],
])("a change's place is its first changed line: %j", (hunk, line) => {
	expect(changedLine(`cart.ts\n\`\`\`diff\n${hunk}\n\`\`\``)).toBe(line);
});
