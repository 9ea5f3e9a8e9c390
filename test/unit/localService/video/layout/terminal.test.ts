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

const escape = "\u001B[";

describe("a prompt", () => {
	test.each([
		["➜  shop git:(main) npm test", "➜  shop git:(main) ", "npm test"],
		["➜  shop git:(main) ✗ git push", "➜  shop git:(main) ✗ ", "git push"],
		["➜  shop ls", "➜  shop ", "ls"],
		["λ cargo build", "λ ", "cargo build"],
		["» cargo build", "» ", "cargo build"],
		["❯ npm run dev", "❯ ", "npm run dev"],
		["~/app main ❯ git status", "~/app main ❯ ", "git status"],
		["~/dev/shop on main ❯", "~/dev/shop on main ❯ ", ""],
		["ada@mac ~ % brew update", "ada@mac ~ % ", "brew update"],
		["ada@mac shop % ls -la", "ada@mac shop % ", "ls -la"],
		["ada@host ~/app> ls", "ada@host ~/app> ", "ls"],
		["[ada@host app]$ ls", "[ada@host app]$ ", "ls"],
		["(.venv) ada@host:~/app$ pytest", "(.venv) ada@host:~/app$ ", "pytest"],
		["root@box:/etc# cat hosts", "root@box:/etc# ", "cat hosts"],
		["bash-5.2$ exit", "bash-5.2$ ", "exit"],
		["PS > Get-ChildItem", "PS > ", "Get-ChildItem"],
		["PS C:\\Users\\Ada> dir", "PS C:\\Users\\Ada> ", "dir"],
		["PS /home/ada> ls", "PS /home/ada> ", "ls"],
		["C:\\work> dir", "C:\\work> ", "dir"],
		[">>> 1 + 1", ">>> ", "1 + 1"],
		[`${escape}1;34m~/shop${escape}0m ${escape}35m❯${escape}0m npm test`, "~/shop ❯ ", "npm test"],
		[`${escape}36mada${escape}0m ${escape}33m|>${escape}0m ls -la`, "ada |> ", "ls -la"],
	])("is told from its command: %j", (line, prompt, text) => {
		expect(readTerminal(`${line}\noutput`, "console")?.[0]).toMatchObject({
			kind: "command",
			prompt,
			text,
		});
	});

	test.each([
		["~/dev/shop main*", "❯ npm test"],
		["shop on \uE0A0 main [!] via v20.1.0", "❯ npm test"],
		["╭─ada@host ~/app ‹main›", "╰─$ make"],
		["┌──(kali㉿kali)-[~]", "└─$ nmap -sV host"],
		[`${escape}34mshop${escape}0m 12:04`, "❯ npm test"],
	])("may have a line above: %j", (head, command) => {
		const [first, second, third] = readTerminal(`${head}\n${command}\nout`, "console") ?? [];
		expect([first?.kind, second?.kind, third?.kind]).toEqual(["command", "command", "output"]);
		expect(first?.text).toBe("");
		expect(second?.text).toBe(command.replace(/^\S+ /, ""));
	});

	test.each([
		"no prompt at all",
		"100 % done",
		"> output",
		"  ➜  Local:   http://localhost:5173/",
		"➜  Local:   http://localhost:5173/",
		`${escape}32m✓${escape}0m 3 passed`,
		`${escape}31merror${escape}0m: message`,
	])("is not seen in output: %j", line => {
		expect(readTerminal(line, "console")).toMatchObject([{ kind: "output" }]);
		const session = readTerminal(`$ run\n${line}\n# a comment\n${line}\n$ exit`, "console");
		expect(session?.map(({ kind }) => kind)).toEqual([
			"command",
			"output",
			"output",
			"output",
			"command",
		]);
	});

	test.each([
		["zsh", "➜  shop git:(main) ls"],
		["fish", "ada@host ~/app> ls"],
		["powershell", "PS > dir"],
		["", "➜  shop git:(main) npm test\nok"],
	])("makes a block of the language %j a session: %j", (language, code) => {
		expect(readTerminal(code, language)?.[0]?.kind).toBe("command");
	});

	test("keeps its colors, or has those of its shell", () => {
		const colorsOf = (line: string): readonly string[] =>
			(readTerminal(line, "console") ?? [])
				.flatMap(terminalTokens)
				.map(({ text, color = "" }) => `${color}:${text}`);
		expect(colorsOf("➜  shop git:(main) npm")).toEqual([
			"green:➜",
			"dim:  ",
			"cyan:shop",
			"dim: ",
			"blue:git:(",
			"magenta:main",
			"blue:)",
			"dim: ",
			":npm",
		]);
		expect(colorsOf(`${escape}31mx${escape}0m ${escape}33m❯${escape}0m ls`)).toEqual([
			"red:x",
			": ",
			"yellow:❯",
			": ",
			":ls",
		]);
		expect(colorsOf("$ git push --force -u")).toContain("cyan:--force");
	});
});

test.each([
	[" Tests  1 failed | 4 passed (5)", ["red:1 failed", "green:4 passed"]],
	["12 passed, 0 failed, 2 skipped in 3.21s", ["green:12 passed", "yellow:2 skipped", "dim:3.21s"]],
	[" M src/cart.ts", ["yellow:M ", "cyan:src/cart.ts"]],
	["?? notes.md", ["red:?? ", "cyan:notes.md"]],
	[" × src/total.test.ts (1 test) 8ms", ["red:×", "cyan:src/total.test.ts", "dim:8ms"]],
	["at src/main.rs:12:9", ["cyan:src/main.rs:12:9"]],
	["  Local: http://localhost:5173/", ["blue:http://localhost:5173/"]],
	["usage: git [-v | --version]", ["cyan:--version"]],
	["a run of 3 failures and/or errors", ["red:3 failures", "cyan:and/or"]],
])("output without colors has those of its results, paths and times: %j", (line, pieces) => {
	const [printed] = printedLines([line]);
	const colored = printed?.pieces?.filter(({ color }) => color !== undefined) ?? [];
	expect(colored.map(({ text, color }) => `${color}:${text}`)).toEqual(pieces);
	expect(printed?.pieces?.map(({ text }) => text).join("")).toBe(printed?.text);
});

test.each([
	["\u001B[1;32m✓\u001B[0m 3 passed", ["green:✓", ": 3 passed"]],
	[String.raw`\x1b[31mfailed\x1b[39m: \e[90mlib.ts\e[m`, ["red:failed", ":: ", "dim:lib.ts"]],
	["\u001B[38;5;4mblue\u001B[2K", ["blue:blue"]],
	["  ✗ one test", [":  ", "red:✗", ": one test"]],
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
