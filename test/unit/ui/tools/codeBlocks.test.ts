import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test, vi } from "vitest";
import type { RequestedCall } from "../../../../src/chat/toolLoop/requestedCalls.ts";
import type { CallState } from "../../../../src/chat/toolLoop/toolLoop.ts";
import { startTurn, type Turn } from "../../../../src/chat/contract/turn.ts";
import { CancellableCalls } from "../../../../src/tools/gate/toolGate.ts";
import { applyCode } from "../../../../src/tools/catalog/write/applyCode.ts";
import { ToolRegistry } from "../../../../src/tools/catalog/toolRegistry.ts";
import { plainOptions, waitUntil } from "../../../helpers/chatBench.ts";
import { allow, createToolBench, type Decision } from "../../../helpers/toolBench.ts";

interface InputOptions {
	readonly value: string;
	readonly validateInput: (value: string) => string | undefined;
}

interface PickItem {
	readonly label: string;
	readonly answer: string;
}

const editors: { activeTextEditor: unknown; visibleTextEditors: unknown[] } = {
	activeTextEditor: undefined,
	visibleTextEditors: [],
};
const showInputBox = vi.fn((_: InputOptions): Promise<string | undefined> => Promise.resolve(""));
const showQuickPick = vi.fn((items: readonly PickItem[]) =>
	Promise.resolve(items.find(({ answer }) => answer === "end")),
);
vi.mock("vscode", () => ({ window: { ...editors, showInputBox, showQuickPick } }));
const vscode = await import("vscode");
const { CodeBlocks } = await import("../../../../src/ui/tools/codeBlocks.ts");

beforeEach(() => {
	Object.assign(vscode.window, editors);
	showInputBox.mockClear();
	showQuickPick.mockClear();
});

const block = (path: string) => ({ text: "two\n", info: `txt ${path}` });

async function setUp(decide: Decision = allow) {
	const registry = new ToolRegistry([...new ToolRegistry().tools, applyCode]);
	const bench = await createToolBench("linux", registry);
	bench.decide = decide;
	bench.put("ws/a.txt", "one\n");
	const calls = new CancellableCalls(bench.gate);
	const states: CallState[] = [];
	const heard: string[] = [];
	const compared: (readonly string[])[] = [];
	const blocks = new CodeBlocks({
		gate: calls,
		cards: { note: (_turn: Turn, _call: RequestedCall, state) => states.push(state) },
		paths: () => ({ roots: bench.roots, platform: "linux" }),
		editor: bench.editor,
		compare: (...sides) => Promise.resolve(void compared.push(sides)),
		clock: bench.clock,
	});
	const place = {
		chatId: "chat",
		turn: startTurn({ id: "turn", prompt: "?", createdAt: 0, options: plainOptions }),
		log: {
			add: ({ callId, name }: { callId: string; name: string }) => {
				expect(callId).toMatch(/^turn:1:0:code-/);
				heard.push(`add ${name}`);
			},
			begin: ({ tool }: { tool: string }) => Promise.resolve(void heard.push(`begin ${tool}`)),
			end: ({ state }: { state: string }) => heard.push(`end ${state}`),
		},
	};
	const names = (): string[] => states.map(({ state }) => state);
	const isOver = (): boolean =>
		["done", "denied", "failed", "refused", "cancelled", "stopped"].includes(names().at(-1) ?? "");
	return {
		bench,
		calls,
		blocks,
		place,
		states,
		heard,
		compared,
		names,
		over: () => waitUntil(isOver),
		text: (path = "a.txt") => readFileSync(join(bench.workspace, path), "utf8"),
	};
}

describe("Apply", () => {
	test("asks on a card and changes the file the block names; the chat keeps the click, its record and its end", async () => {
		const { blocks, place, names, heard, over, text, bench, states } = await setUp();
		await blocks.apply(place, block("a.txt"));
		await over();
		expect(names()).toEqual(["waiting", "asking", "running", "done"]);
		expect(states.at(-1)).toMatchObject({ durationMs: expect.any(Number) });
		expect(heard).toEqual(["add apply_code", "begin apply_code", "end done"]);
		expect(bench.asked).toHaveLength(1);
		expect(text()).toContain("two");
	});

	test("changes the open file when the block names none, and says so when none is open", async () => {
		const { blocks, place, over, text, bench } = await setUp();
		const unnamed = { text: "two\n", info: "txt" };
		await expect(blocks.apply(place, unnamed)).rejects.toThrow("Open the file to change");
		const untitled = { document: { uri: { scheme: "untitled" }, isUntitled: true } };
		Object.assign(vscode.window, { activeTextEditor: untitled });
		await expect(blocks.apply(place, unnamed)).rejects.toThrow("Save the file in an open folder");
		const cell = { document: { uri: { scheme: "vscode-notebook-cell" }, isUntitled: false } };
		Object.assign(vscode.window, { activeTextEditor: cell });
		await expect(blocks.apply(place, unnamed)).rejects.toThrow("Apply doesn't change notebooks");
		// With an image active, the file beside it counts, and never the output panel.
		const output = { document: { uri: { scheme: "output" } } };
		const uri = { scheme: "file", fsPath: join(bench.workspace, "a.txt") };
		Object.assign(vscode.window, {
			activeTextEditor: undefined,
			visibleTextEditors: [output, { document: { uri } }],
		});
		await blocks.apply(place, unnamed);
		await over();
		expect(text()).toContain("two");
	});

	test("offers to make the file that the block names and that is not there", async () => {
		const { blocks, place, over, text, heard } = await setUp();
		showInputBox.mockResolvedValueOnce("lib/new.txt");
		await blocks.apply(place, block("lib/new.txt"));
		await over();
		expect(showInputBox.mock.lastCall?.[0]).toMatchObject({ value: "lib/new.txt" });
		expect(heard[0]).toBe("add create_file");
		expect(text("lib/new.txt")).toBe("two\n");
	});

	test("makes a new file of a patch's new side, and no file of a patch of lines that aren't there", async () => {
		const { blocks, place, over, text, heard } = await setUp();
		showInputBox.mockResolvedValueOnce("lib/new.txt");
		const head = "--- /dev/null\n+++ b/lib/new.txt\n";
		await blocks.apply(place, { text: `${head}@@ -0,0 +1,2 @@\n+one\n+two\n`, info: "diff" });
		await over();
		expect(text("lib/new.txt")).toBe("one\ntwo\n");
		showInputBox.mockResolvedValueOnce("lib/other.txt");
		const torn = { text: "<<<<<<< SEARCH\none\n=======\ntwo\n", info: "" };
		await expect(blocks.createFile(place, torn)).rejects.toThrow(
			"patch of lines that aren't there",
		);
		expect(heard.filter(line => line.startsWith("add"))).toEqual(["add create_file"]);
	});

	test("reads what the answer calls a diff as one, and offers no place for one that fits nowhere", async () => {
		const { blocks, place, over, text, bench } = await setUp();
		bench.put("ws/b.yml", "on:\n  push:\n");
		const path = join(bench.workspace, "b.yml");
		Object.assign(vscode.window, {
			activeTextEditor: { document: { uri: { scheme: "file", fsPath: path } } },
		});
		await blocks.apply(place, { text: "on:\n-  push:\n+  pull_request:\n", info: "diff" });
		await over();
		expect(text("b.yml")).toBe("on:\n  pull_request:\n");
		showQuickPick.mockImplementationOnce(() => Promise.resolve(undefined));
		await blocks.apply(place, { text: "jobs:\n-  a:\n+  b:\n", info: "diff" });
		expect(showQuickPick.mock.lastCall?.[0].map(({ answer }) => answer)).toEqual(["compare"]);
	});

	test.each([
		["// src/app/[id]/page.tsx\ntwo\n", ""],
		["// [id]/page.tsx\ntwo\n", ""],
		["two\n", 'tsx title="src/app/[id]/page.tsx"'],
		["two\n", "tsx src\\app\\[id]\\page.tsx"],
		["// /src/app/[id]/page.tsx:1-2\ntwo\n", ""],
	])("changes the file that %j names, or the end of the open file's path", async (code, info) => {
		const { blocks, place, over, text, bench } = await setUp();
		const page = bench.put("ws/src/app/[id]/page.tsx", "");
		const uri = {
			scheme: "file",
			fsPath: code.startsWith("// [") ? page : bench.put("ws/a.txt", ""),
		};
		Object.assign(vscode.window, { activeTextEditor: { document: { uri } } });
		await blocks.apply(place, { text: code, info });
		await over();
		expect(text("src/app/[id]/page.tsx")).toBe("two\n");
	});

	test("keeps a first line that names a technology, in the open file", async () => {
		const { blocks, place, over, text, bench } = await setUp();
		const uri = { scheme: "file", fsPath: bench.put("ws/a.txt", "") };
		Object.assign(vscode.window, { activeTextEditor: { document: { uri } } });
		await blocks.apply(place, { text: "// Node.js\ntwo\n", info: "js" });
		await over();
		expect(text()).toBe("// Node.js\ntwo\n");
	});

	test("changes the file it is for, whatever file the code names", async () => {
		const { blocks, place, over, text, bench } = await setUp();
		bench.put("ws/b.txt", "one\n");
		const code = "// b.txt\ntwo\n";
		await blocks.apply(place, { text: code, info: "txt b.txt", path: "a.txt" });
		await over();
		expect(text("b.txt")).toBe("one\n");
		expect(text()).toContain(code);
	});

	test("changes nothing that was denied", async () => {
		const { blocks, place, over, text, names, heard } = await setUp(() => ({ type: "deny" }));
		await blocks.apply(place, block("a.txt"));
		await over();
		expect(names().at(-1)).toBe("denied");
		expect(heard).toEqual(["add apply_code", "end denied"]);
		expect(text()).toBe("one\n");
	});

	test("is not asked about once more for a path that is refused: the gate says why", async () => {
		const { blocks, place, over, states, bench } = await setUp();
		const uri = { scheme: "file", fsPath: "/etc/passwd" };
		Object.assign(vscode.window, { activeTextEditor: { document: { uri } } });
		await blocks.apply(place, { text: "x\n", info: "" });
		await over();
		expect(states.at(-1)).toMatchObject({ state: "refused" });
		expect(bench.asked).toEqual([]);
	});

	test("is ended by Cancel, alone", async () => {
		const { blocks, place, over, names, calls, bench } = await setUp();
		bench.editor.change = () => new Promise(() => undefined);
		await blocks.apply(place, block("a.txt"));
		await waitUntil(() => names().at(-1) === "running");
		calls.cancel(callId => callId.startsWith("turn:1:0:code-"));
		await over();
		expect(names().at(-1)).toBe("cancelled");
	});

	test("that waits is taken back when the chat is left, and has no end on record", async () => {
		const { blocks, place, over, names, heard, text } = await setUp(
			() => new Promise(() => undefined),
		);
		await blocks.apply(place, block("a.txt"));
		await waitUntil(() => names().at(-1) === "asking");
		blocks.stop();
		await over();
		expect(names().at(-1)).toBe("stopped");
		expect(heard).toEqual(["add apply_code"]);
		expect(text()).toBe("one\n");
	});
});

describe("code whose place is not clear", () => {
	const labels = (): readonly string[] =>
		showQuickPick.mock.lastCall?.[0].map(({ label }) => label) ?? [];
	const choose = (answer: string): void => {
		showQuickPick.mockImplementationOnce(items =>
			Promise.resolve(items.find(item => item.answer === answer)),
		);
	};
	const statement = { text: "run();\n", info: "ts b.ts" };
	const source = "function a() {\n\treturn 1;\n}\n";

	test("is asked about, and goes where the user says", async () => {
		const { blocks, place, over, text, bench } = await setUp();
		bench.put("ws/b.ts", source);
		choose("end");
		await blocks.apply(place, statement);
		await over();
		expect(labels()).toEqual([
			"At the end of the file",
			"As a new file…",
			"Compare with the whole file",
			"Replace the whole file",
		]);
		expect(text("b.ts")).toBe(`${source}run();\n`);
	});

	test("keeps a second line that names a file, in a new file as well", async () => {
		const { blocks, place, over, text, bench } = await setUp();
		bench.put("ws/b.ts", source);
		choose("newFile");
		showInputBox.mockResolvedValueOnce("new.ts");
		await blocks.apply(place, { text: "// b.ts\n// c.ts\nrun();\n", info: "ts" });
		await over();
		expect(showInputBox.mock.lastCall?.[0]).toMatchObject({ value: "untitled.ts" });
		expect(text("new.ts")).toBe("// c.ts\nrun();\n");
	});

	test("may go to the cursor, or in place of the selection, of the file that is open", async () => {
		const { blocks, place, over, text, bench } = await setUp();
		const path = bench.put("ws/b.ts", source);
		const start = source.indexOf("return 1;");
		const named = { path, name: "b.ts", languageId: "typescript" };
		const active = { ...named, text: source, notes: [], isView: false };
		bench.editor.active = { ...active, selection: { start, end: start } };
		choose("cursor");
		await blocks.apply(place, statement);
		await over();
		expect(labels()[0]).toBe("At the cursor");
		expect(text("b.ts")).toBe("function a() {\n\treturn 1;\n\trun();\n}\n");
		bench.editor.active = { ...active, selection: { start, end: start + 9 } };
		choose("");
		await blocks.apply(place, { ...statement, text: "other();\n" });
		expect(labels()[0]).toBe("In place of the selection");
	});

	test("changes nothing when the question is turned away, nor by a comparison", async () => {
		const { blocks, place, states, compared, text, bench } = await setUp();
		const path = bench.put("ws/b.ts", source);
		choose("");
		await blocks.apply(place, statement);
		choose("compare");
		await blocks.apply(place, statement);
		expect(compared).toEqual([["b.ts", "run();\n", path, "Code block ↔ b.ts"]]);
		expect(states).toEqual([]);
		expect(text("b.ts")).toBe(source);
	});

	test("can become a file of its own", async () => {
		const { blocks, place, over, text, bench } = await setUp();
		bench.put("ws/b.ts", source);
		choose("newFile");
		showInputBox.mockResolvedValueOnce("c.ts");
		await blocks.apply(place, statement);
		await over();
		expect(showInputBox.mock.lastCall?.[0]).toMatchObject({ value: "untitled.ts" });
		expect([text("b.ts"), text("c.ts")]).toEqual([source, "run();\n"]);
	});

	test("can only be compared when it leaves code out", async () => {
		const { blocks, place, bench } = await setUp();
		bench.put("ws/b.ts", source);
		choose("");
		await blocks.apply(place, { ...statement, text: "run();\n// ... existing code ...\n" });
		expect(labels()).toEqual(["Compare with the whole file"]);
	});

	test("is not asked about once the chat was left", async () => {
		const { blocks, place, states, bench } = await setUp();
		bench.put("ws/b.ts", source);
		showQuickPick.mockImplementationOnce(items => {
			blocks.stop();
			return Promise.resolve(items[0]);
		});
		await blocks.apply(place, statement);
		expect(states).toEqual([]);
	});
});

test("Apply doesn't wait long for the editor's symbols, nor fail without them", async () => {
	const { blocks, place, over, text, bench } = await setUp();
	bench.put("ws/b.js", "function a() {\n\treturn 1;\n}\n");
	const code = { text: "function a() {\n\treturn 2;\n}\n", info: "js b.js" };
	bench.editor.symbols = () => Promise.reject(new Error("The language server is gone."));
	await blocks.apply(place, code);
	await over();
	expect(text("b.js")).toBe(code.text);
	bench.editor.symbols = () => new Promise(() => undefined);
	const applied = blocks.apply(place, { ...code, text: code.text.replace("2", "3") });
	await bench.clock.advance(1500);
	await applied;
	await bench.clock.advance(1500);
	await waitUntil(() => text("b.js").includes("3"));
});

describe("New file", () => {
	test("asks for a path that is free and inside the workspace, and does nothing without one", async () => {
		const { blocks, place, states, bench } = await setUp();
		showInputBox.mockResolvedValueOnce(undefined);
		await blocks.createFile(place, { text: "x", info: "python" });
		const { value, validateInput } = showInputBox.mock.lastCall?.[0] ?? {};
		expect(value).toBe("untitled.py");
		expect(validateInput?.("../a.py")).toContain("leads out of the workspace");
		expect(validateInput?.("a.txt")).toContain("already");
		expect(validateInput?.("b.py")).toBeUndefined();
		expect(states).toEqual([]);
		expect(bench.asked).toEqual([]);
	});

	test("ends the file with a line end", async () => {
		const { blocks, place, over, text } = await setUp();
		showInputBox.mockResolvedValueOnce("b.py");
		await blocks.createFile(place, { text: "x", info: "python" });
		await over();
		expect(text("b.py")).toBe("x\n");
	});
});
