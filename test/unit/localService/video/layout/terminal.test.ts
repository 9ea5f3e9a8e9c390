import { terminalTokens } from "../../../../../src/localService/video/layout/terminalTokens.ts";
import { describe, expect, test } from "vitest";
import { readPrompt } from "../../../../../src/clip/promptContent.ts";
import {
	printedLines,
	readTerminal,
	terminalAt,
	sessionSeconds,
} from "../../../../../src/clip/terminalLines.ts";

const session =
	"$ npm test\n\n ok 1\n # a comment it prints\nuser@host:~/app$ git \\\n  status\nPS C:\\Users\\a b> dir\n100 % done\n> output";

const lines = readTerminal(session, "console") ?? [];

describe("a terminal's session", () => {
	test("has commands behind their prompts, and output", () => {
		expect(lines.map(({ kind, prompt, text }) => `${kind} ${prompt}|${text}`)).toEqual([
			"command $ |npm test",
			"output |",
			"output | ok 1",
			"output | # a comment it prints",
			"command user@host:~/app$ |git \\",
			"command |  status",
			"command PS C:\\Users\\a b> |dir",
			"output |100 % done",
			"output |> output",
		]);
	});

	test("loses no letter, whatever its colors", () => {
		for (const line of lines) {
			const text = terminalTokens(line).map(token => token.text);
			expect(text.join("")).toBe(line.prompt + line.text);
		}
	});

	test("comes letter by letter and line by line, never less than before, and whole in the end", () => {
		const whole = lines.map(({ prompt, text }) => (prompt + text).length);
		let before = terminalAt(lines, 0);
		const seconds = sessionSeconds(lines);
		const steps = Array.from({ length: 200 }, (_, index) => ((index + 1) / 200) * seconds);
		for (const moment of steps) {
			const now = terminalAt(lines, moment);
			const firstMissing = now.indexOf(undefined);
			expect(now.slice(0, firstMissing === -1 ? undefined : firstMissing)).not.toContain(undefined);
			expect(now.every((columns, index) => (columns ?? 0) >= (before[index] ?? 0))).toBe(true);
			before = now;
		}
		expect(before).toEqual(whole);
		expect(terminalAt(lines, 0)[0]).toBe(2);
		expect(terminalAt(lines, 0.1)[1]).toBeUndefined();
	});
});

test.each([
	["\u001B[1;32m✓\u001B[0m 3 passed", ["green:✓", ": 3 passed"]],
	[String.raw`\x1b[31mfailed\x1b[39m: \e[90mlib.ts\e[m`, ["red:failed", ":: ", "dim:lib.ts"]],
	["\u001B[38;5;4mblue\u001B[2K", ["blue:blue"]],
	["  ✗ one test", ["red:  ✗", ": one test"]],
	["Warning: old", ["yellow:Warning:", ": old"]],
	["error in no color? no", ["red:error", ": in no color? no"]],
	["12 files", [":12 files"]],
])("the output %j has its colors and no signs", (line, pieces) => {
	const [printed] = printedLines([line]);
	expect(printed?.pieces?.map(({ text, color = "" }) => `${color}:${text}`)).toEqual(pieces);
	expect(printed?.pieces?.map(({ text }) => text).join("")).toBe(printed?.text);
});

describe("a prompt is a session", () => {
	test.each([
		["console", "$ ls\na.txt"],
		["shell-session", "no prompt at all"],
		["bash", "$ ls\na.txt"],
	])("in a block of %s: %j", (language, code) => {
		expect(readPrompt(`Look\n\`\`\`${language}\n${code}\n\`\`\``)).toMatchObject({
			type: "terminal",
			caption: "Look",
		});
	});

	test.each([
		["bash", "set -e\necho $HOME\n# a comment"],
		["ts", "$ ls"],
	])("not in a block of %s: %j", (language, code) => {
		expect(readPrompt(`\`\`\`${language}\n${code}\n\`\`\``).type).toBe("code");
	});
});

test("output keeps its last state, whatever returned to the line's start", () => {
	const block = "```console\n$ get\r\n10%\r50%\r100% done\r\nold\rn\n```";
	const content = readPrompt(block);
	const printed = content.type === "terminal" ? content.lines.map(({ text }) => text) : [];
	expect(printed).toEqual(["get", "100% done", "nld"]);
	const code = readPrompt("```ts\nlet a = 1;\n```\n```output\n10%\r100%\n```");
	expect(code).toMatchObject({ type: "code", output: "10%\r100%" });
	expect(readPrompt("```ts\rlet a = 1;\rlet b = 2;\r```")).toMatchObject({
		code: "let a = 1;\nlet b = 2;",
	});
});

test("a style goes on in the next line of output, and ends at a command", () => {
	const session = ["$ a", "\u001B[31mone", "two\u001B[0m", "\u001B[1mthree", "$ b", "four"].join(
		"\n",
	);
	const printed = (readTerminal(session, "console") ?? []).flatMap(({ pieces = [] }) => pieces);
	expect(printed).toMatchObject([
		{ text: "one", color: "red" },
		{ text: "two", color: "red" },
		{ text: "three", isBold: true },
		{ text: "four" },
	]);
	expect(printed[3]?.isBold).toBeUndefined();
});
