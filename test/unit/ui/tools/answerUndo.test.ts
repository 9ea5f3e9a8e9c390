import { writeFileSync } from "node:fs";
import { expect, test, vi } from "vitest";
import { allow, createToolBench } from "../../../helpers/toolBench.ts";

const showWarningMessage = vi.fn((..._: readonly unknown[]) =>
	Promise.resolve<string | undefined>(undefined),
);
vi.mock("vscode", () => ({ window: { showWarningMessage } }));
const { AnswerUndo } = await import("../../../../src/ui/tools/answerUndo.ts");

test("a file that changed since is named before anything is undone: Compare shows it, Undo the Others leaves it, and closing the question does nothing", async () => {
	const bench = await createToolBench("linux");
	bench.decide = allow;
	bench.put("ws/a.txt", "one");
	const b = bench.put("ws/b.txt", "one");
	const edits = [{ find: "one", replace: "two" }];
	const files = ["a.txt", "b.txt"].map(path => ({ path, edits }));
	const ids = { callId: "one:1:1:c1", chatId: "chat", turnId: "one" };
	const call = { ...ids, name: "apply_edit", arguments: JSON.stringify({ files }) };
	await bench.gate.run(call, bench.ledger, new AbortController().signal);
	writeFileSync(b, "mine");
	const compare = vi.fn((..._: readonly unknown[]) => Promise.resolve());
	const run = vi.fn((..._: readonly unknown[]) => Promise.resolve({ state: "done" }));
	const undo = new AnswerUndo({
		journal: bench.journal,
		editor: bench.editor,
		paths: () => ({ roots: bench.roots, platform: "linux" }),
		previews: { compare },
		calls: { run: run as never },
	});
	const place = { chatId: "chat" } as never;

	expect(await undo.undo(place, ["one"])).toBe(false);
	expect(showWarningMessage.mock.calls[0]?.slice(1)).toEqual([
		{ modal: true, detail: "Changed since: b.txt" },
		"Undo the Others",
		"Compare",
	]);
	showWarningMessage.mockResolvedValueOnce("Compare");
	expect(await undo.undo(place, ["one"])).toBe(false);
	expect(compare.mock.calls).toEqual([["b.txt", "one", b, "b.txt (before ↔ now)"]]);
	expect(run).not.toHaveBeenCalled();
	showWarningMessage.mockResolvedValueOnce("Undo the Others");
	expect(await undo.undo(place, ["one"])).toBe(true);
	const input = { questions: ["one"], files: ["a.txt"] };
	expect(run.mock.calls).toEqual([[place, "undo_answer", input]]);
});
