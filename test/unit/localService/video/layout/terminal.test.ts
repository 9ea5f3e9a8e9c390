import { describe, expect, test } from "vitest";
import { readPrompt } from "../../../../../src/localService/video/layout/promptContent.ts";
import {
	readTerminal,
	terminalAt,
	terminalTokens,
} from "../../../../../src/localService/video/layout/terminalLines.ts";

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
		const steps = Array.from({ length: 200 }, (_, index) => (index + 1) / 200);
		for (const share of steps) {
			const now = terminalAt(lines, share);
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
