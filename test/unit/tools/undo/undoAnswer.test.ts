import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ToolRegistry } from "../../../../src/tools/catalog/toolRegistry.ts";
import type { WorkspacePaths } from "../../../../src/paths/resolveTarget.ts";
import {
	changedFiles,
	isOtherEncoding,
	netChange,
} from "../../../../src/tools/undo/changedFiles.ts";
import { isWhole, maxKeptBytes } from "../../../../src/tools/undo/changeJournal.ts";
import { type KeptFile, effectiveChanges } from "../../../../src/tools/undo/keptChange.ts";
import { answerChanges, createUndoAnswer } from "../../../../src/tools/undo/undoAnswer.ts";
import { planUndo } from "../../../../src/tools/undo/undoPlan.ts";
import { pathsBelow } from "../../../helpers/pathsBelow.ts";
import { allow, createToolBench, type ToolBench } from "../../../helpers/toolBench.ts";

interface AnswerBench extends ToolBench {
	/** Every file of the workspace and its bytes; null for a folder. */
	files(): Record<string, string | null>;
	/** Runs calls of the answer to question `one` or another. */
	answer(calls: readonly (readonly [string, unknown])[], turn?: string): Promise<void>;
	/** Undoes what the answers changed, all of it or these files; what the call's card says. */
	undo(files?: readonly string[], turns?: readonly string[]): Promise<string>;
	/** Undoes the last undo, and says why not where it could not. */
	redo(): Promise<string>;
	found(): Promise<Record<"ready" | "movedOn" | "notKept", readonly string[]>>;
}

async function createBench(): Promise<AnswerBench> {
	const paths = (): WorkspacePaths => ({ roots: bench.roots, platform: "linux" });
	const late = { list: (chatId: string) => bench.journal.list(chatId) };
	const tools = [...new ToolRegistry().tools, createUndoAnswer(late, paths)];
	const bench = await createToolBench("linux", new ToolRegistry(tools));
	bench.decide = allow;
	let count = 0;
	let lastUndo = "";
	const run = (turn: string, name: string, input: unknown) =>
		bench.gate.run(
			{
				callId: (lastUndo = `${turn}:1:1:call-${(count += 1)}`),
				chatId: "chat",
				turnId: turn,
				name,
				arguments: JSON.stringify(input),
			},
			bench.ledger,
			new AbortController().signal,
		);
	return Object.assign(bench, {
		files: () =>
			Object.fromEntries(
				pathsBelow(bench.workspace).map(({ path, isFile }) => [
					path.slice(bench.workspace.length + 1),
					isFile ? readFileSync(path, "latin1") : null,
				]),
			),
		answer: async (calls: readonly (readonly [string, unknown])[], turn = "one") => {
			for (const [name, input] of calls) {
				expect(await run(turn, name, input)).toMatchObject({ state: "done" });
				await bench.clock.advance(1);
			}
		},
		undo: async (files?: readonly string[], turns: readonly string[] = ["one"]) => {
			const input = { questions: turns, ...(files ? { files } : {}) };
			return (await run("one", "undo_answer", input)).content;
		},
		redo: async () => {
			const call = { chatId: "chat", callId: lastUndo };
			const kept = await bench.journal.find(call);
			const plan = kept && (await planUndo(kept, { editor: bench.editor, paths }));
			if (plan?.type !== "changes") {
				return plan?.reason ?? "nothing";
			}
			await bench.editor.change(plan.changes);
			await bench.journal.undone(call);
			return "Redone";
		},
		found: async () => {
			const {
				ready,
				changedSince: movedOn,
				notKept,
			} = await answerChanges(
				bench.journal,
				{ chatId: "chat", turnIds: ["one"] },
				{ editor: bench.editor, paths },
			);
			const labels = ({ label }: { readonly label: string }): string => label;
			return {
				ready: ready.map(({ file }) => file.label),
				movedOn: movedOn.map(labels),
				notKept: notKept.map(labels),
			};
		},
	});
}

const edit = (path: string, find: string, replace: string) =>
	["apply_edit", { files: [{ path, edits: [{ find, replace }] }] }] as const;
const create = (path: string, text: string) => ["create_file", { path, text }] as const;
const rename = (path: string, newPath: string) => ["rename_file", { path, newPath }] as const;
const remove = (path: string) => ["delete_file", { path }] as const;

describe("what an answer changed is undone at once, and redone, where it", () => {
	test.each([
		["edited a file twice", [edit("a.txt", "one", "two"), edit("a.txt", "two", "three")]],
		["edited two files", [edit("a.txt", "one", "two"), edit("b.txt", "\u00e9", "e")]],
		["made a file and edited it", [create("deep/er/n.txt", "1"), edit("deep/er/n.txt", "1", "2")]],
		["edited a file and renamed it", [edit("a.txt", "one", "two"), rename("a.txt", "c/d.txt")]],
		["renamed a file and edited it", [rename("a.txt", "c.txt"), edit("c.txt", "one", "two")]],
		["renamed a file twice", [rename("a.txt", "c.txt"), rename("c.txt", "d.txt")]],
		["edited a file and deleted it", [edit("a.txt", "one", "two"), remove("a.txt")]],
		["renamed a file and deleted it", [rename("a.txt", "c.txt"), remove("c.txt")]],
		["deleted a file and made it again", [remove("a.txt"), create("a.txt", "new\r\n")]],
		[
			"made a file that it deleted, and edited another",
			[create("n.txt", "1"), remove("n.txt"), edit("a.txt", "one", "two")],
		],
		["made a file and renamed it", [create("n.txt", "1"), rename("n.txt", "x/m.txt")]],
	])("%s", async (_, calls) => {
		const bench = await createBench();
		bench.put("ws/a.txt", "\r\none\r\n");
		bench.put("ws/b.txt", "caf\u00e9\n");
		const before = bench.files();
		await bench.answer(calls);
		const after = bench.files();
		bench.asked.length = 0;
		expect(await bench.undo()).toBe("Undone");
		expect(bench.files()).toEqual(before);
		expect(bench.asked).toHaveLength(1);
		expect(effectiveChanges(await bench.journal.list("chat"))).toEqual([]);
		expect(await bench.redo()).toBe("Redone");
		expect(bench.files()).toEqual(after);
		expect(await bench.undo()).toBe("Undone");
		expect(bench.files()).toEqual(before);
	});
});

describe("undoing an answer", () => {
	test("changes nothing while a file is no longer as the answer left it, and then the others alone", async () => {
		const bench = await createBench();
		const [a, b] = [bench.put("ws/a.txt", "one"), bench.put("ws/b.txt", "one")];
		await bench.answer([edit("a.txt", "one", "two"), edit("b.txt", "one", "two")]);
		writeFileSync(b, "mine");
		expect(await bench.undo()).toBe("Error: Nothing was undone: b.txt was changed since.");
		expect(await bench.found()).toEqual({ ready: ["a.txt"], movedOn: ["b.txt"], notKept: [] });
		expect(readFileSync(a, "utf8")).toBe("two");
		expect(await bench.undo(["a.txt"])).toBe("Undone");
		expect([a, b].map(path => readFileSync(path, "utf8"))).toEqual(["one", "mine"]);
		expect(await bench.found()).toEqual({ ready: [], movedOn: ["b.txt"], notKept: [] });
	});

	test("names all files that are in the way, and of one the reason", async () => {
		const bench = await createBench();
		const [a, b] = [bench.put("ws/a.txt", "one"), bench.put("ws/b.txt", "one")];
		await bench.answer([edit("a.txt", "one", "two"), edit("b.txt", "one", "two")]);
		rmSync(a);
		expect(await bench.undo()).toBe("Error: Nothing was undone: a.txt no longer exists.");
		writeFileSync(b, "mine");
		expect(await bench.undo()).toBe(
			"Error: Nothing was undone: a.txt, b.txt aren't as the answer left them.",
		);
		expect(readFileSync(b, "utf8")).toBe("mine");
	});

	test("names a file over 1 MiB and leaves it as it is", async () => {
		const bench = await createBench();
		bench.put("ws/a.txt", "one");
		const big = bench.put("ws/big.txt", `one${"x".repeat(maxKeptBytes)}`);
		await bench.answer([edit("a.txt", "one", "two"), edit("big.txt", "one", "two")]);
		expect(await bench.found()).toEqual({ ready: ["a.txt"], movedOn: [], notKept: ["big.txt"] });
		expect(await bench.undo(["a.txt"])).toBe("Undone");
		expect(readFileSync(big, "utf8").slice(0, 3)).toBe("two");
	});

	test("names a file that it edited and deleted in another encoding than UTF-8, and tells it from one that was too large", () => {
		const kinds = [Buffer.from([0x63, 0xe9]), Buffer.from("c\u00e9")].map(bytes => {
			const place = { label: "a.txt", path: "/ws/a.txt" };
			const [file] = changedFiles([
				{
					callId: "c",
					index: 0,
					file: {
						type: "edit",
						...place,
						before: "a",
						after: "cé",
					},
				},
				{
					callId: "c",
					index: 1,
					file: {
						type: "delete",
						...place,
						bytes: bytes.toString("base64"),
					},
				},
			]);
			return file && [isOtherEncoding(file), isWhole({ files: netChange(file) })];
		});
		expect(kinds).toEqual([
			[true, false],
			[false, true],
		]);
	});

	test("leaves a file that the user took out, which can be undone later", async () => {
		const bench = await createBench();
		const [a, b] = [bench.put("ws/a.txt", "one"), bench.put("ws/b.txt", "one")];
		await bench.answer([edit("a.txt", "one", "two"), edit("b.txt", "one", "two")]);
		bench.decide = request => ({ ...allowing(request.fingerprint), hunks: new Set([1]) });
		await bench.undo();
		expect([a, b].map(path => readFileSync(path, "utf8"))).toEqual(["two", "one"]);
		expect(await bench.found()).toEqual({ ready: ["a.txt"], movedOn: [], notKept: [] });
	});

	test("leaves what other answers changed, unless they are meant as well", async () => {
		const bench = await createBench();
		const [a, b] = [bench.put("ws/a.txt", "one"), bench.put("ws/b.txt", "one")];
		await bench.answer([edit("a.txt", "one", "two")]);
		await bench.answer([edit("a.txt", "two", "three"), edit("b.txt", "one", "two")], "two");
		expect(await bench.found()).toEqual({ ready: [], movedOn: ["a.txt"], notKept: [] });
		expect(await bench.undo(undefined, ["one", "two"])).toBe("Undone");
		expect([a, b].map(path => readFileSync(path, "utf8"))).toEqual(["one", "one"]);
	});

	test("does nothing when the user denies it", async () => {
		const bench = await createBench();
		const a = bench.put("ws/a.txt", "one");
		await bench.answer([edit("a.txt", "one", "two")]);
		bench.decide = () => ({ type: "deny" });
		expect(await bench.undo()).toMatch(/^Denied/);
		expect(readFileSync(a, "utf8")).toBe("two");
		expect((await bench.found()).ready).toEqual(["a.txt"]);
	});

	test("tells the calls whose changes it undid, and again when it is redone", async () => {
		const bench = await createBench();
		bench.put("ws/a.txt", "one");
		await bench.answer([edit("a.txt", "one", "two")]);
		const told: string[] = [];
		bench.journal.onDidChange(({ callId, state }) => told.push(`${callId} ${state}`));
		await bench.undo();
		await bench.redo();
		expect(told).toEqual([
			"one:1:1:call-2 applied",
			"one:1:1:call-1 undone",
			"one:1:1:call-2 undone",
			"one:1:1:call-1 applied",
		]);
	});

	test("writes nothing over what is there again where the answer deleted a file", async () => {
		const bench = await createBench();
		const a = bench.put("ws/a.txt", "one");
		await bench.answer([remove("a.txt")]);
		writeFileSync(a, "mine");
		expect(await bench.undo()).toBe("Error: Nothing was undone: a.txt exists again.");
		expect(readFileSync(a, "utf8")).toBe("mine");
		expect(existsSync(join(bench.workspace, "a.txt"))).toBe(true);
	});
});

test("a deleted file that was no text is another one than what is made in its place", () => {
	const bytes = Buffer.from([0xff, 0xfe, 0]).toString("base64");
	const file = { label: "a", path: "/a" };
	const files: readonly KeptFile[] = [
		{ type: "delete", ...file, bytes },
		{ type: "create", ...file, after: "new", madeFolders: [] },
	];
	const made = files.map((each, index) => ({ callId: "c", index, file: each }));
	expect(changedFiles(made).map(netChange)).toEqual(files.map(each => [each]));
});

function allowing(fingerprint: string) {
	return { type: "allow", fingerprint, scope: "once" } as const;
}
