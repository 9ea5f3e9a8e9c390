import { beforeEach, expect, test, vi } from "vitest";
import type { ChatSummary } from "../../../../src/chat/library/chatSummary.ts";
import { Lazy } from "../../../../src/common/async.ts";
import { Emitter } from "../../../../src/common/disposable.ts";
import { numberLines } from "../../../../src/ui/scm/reviewedLines.ts";
import { waitUntil } from "../../../helpers/chatBench.ts";

class Range {
	readonly start: { readonly line: number };
	readonly end: { readonly line: number };
	constructor(first: number, _: number, last: number) {
		this.start = { line: first };
		this.end = { line: last };
	}
}

interface Thread {
	readonly range: Range;
	label: string;
	contextValue: string;
	readonly dispose: () => void;
}

/** The comments in the editor. */
const threads = new Set<Thread>();
const file = { text: "" };
const visibleTextEditors: object[] = [];
const showTextDocument = vi.fn((_: unknown, _options?: { readonly selection?: Range }) =>
	Promise.resolve({ revealRange: () => undefined }),
);
vi.mock("vscode", () => {
	const openTextDocument = () => {
		const lines = file.text.split("\n");
		const getText = (range = new Range(0, 0, lines.length)) =>
			lines
				.slice(range.start.line, range.end.line + 1)
				.join("\n")
				.replace(/\r$/, "");
		const validateRange = (range: Range) => range;
		return Promise.resolve({ lineCount: lines.length, getText, validateRange });
	};
	const createCommentThread = (_: unknown, range: Range): Thread => {
		const dispose = (): void => void threads.delete(thread);
		const thread: Thread = { range, label: "", contextValue: "", dispose };
		threads.add(thread);
		return thread;
	};
	const createCommentController = () => ({ createCommentThread, dispose: () => threads.clear() });
	const plain = vi.fn();
	return {
		Range,
		Selection: plain,
		MarkdownString: plain,
		CommentMode: {},
		CommentThreadCollapsibleState: {},
		TextEditorRevealType: {},
		comments: { createCommentController },
		window: {
			showTextDocument,
			visibleTextEditors,
			showInformationMessage: () => Promise.resolve(),
		},
		workspace: { openTextDocument },
	};
});
vi.mock("../../../../src/editor/workspaceFiles.ts", () => ({
	namedFiles: (paths: readonly string[]) =>
		Promise.resolve(paths.map(path => (path === "gone.ts" ? undefined : path))),
	namedFileUri: (label: string) => ({ path: label }),
}));
const { ReviewComments } = await import("../../../../src/ui/scm/reviewComments.ts");

beforeEach(() => {
	threads.clear();
	showTextDocument.mockClear();
	file.text = "one\ntwo\n}\nthree\n}\n";
});

const answer = [
	"- src/a.ts:2: wrong\n  ```ts\n  // src/a.ts\n  // src/b.ts\n  const two = 0;\n  ```",
	"- src/a.ts:4-5: odd\n- gone.ts:1: lost",
].join("\n");

/** Shows the findings of an answer in the chat `review`, of an attached diff. */
async function setUp(diff?: string) {
	const shown = { id: "review", isAnswering: false, turnCount: 1 };
	const deleted = new Emitter<undefined>();
	const get = vi.fn((): Promise<ChatSummary | undefined> => Promise.resolve(undefined));
	const warn = vi.fn();
	const open = vi.fn(() => Promise.resolve());
	const apply = vi.fn((_place: unknown, _block: unknown, onApplied?: () => void) =>
		Promise.resolve(onApplied?.()),
	);
	const turn = { id: "turn", messages: [{ text: answer }] };
	const attachments = diff === undefined ? [] : [{ kind: "text", text: numberLines(diff) }];
	const chat = {
		picture: () => ({ chatId: shown.id, turns: [turn] }),
		shown,
		open,
		codeBlocks: { apply },
		codeBlockOrigin: () => ({ turn: { attachments } }),
		answered: vi.fn(() => Promise.resolve(2)),
	};
	const comments = new ReviewComments({
		chat: new Lazy(() => Promise.resolve(chat as never)),
		chatView: { open: () => Promise.resolve() },
		library: { get, onDidChange: deleted.event },
		log: { warn },
	});
	await comments.show("turn");
	showTextDocument.mockClear();
	const [first, second] = threads;
	return { comments, chat, shown, deleted, get, warn, open, apply, first, second };
}

test("Findings become comments at their lines, until they are dismissed", async () => {
	const { comments, first } = await setUp();
	const shown = [...threads].map(({ label, range, contextValue }) => [
		label,
		range.start.line,
		range.end.line,
		contextValue,
	]);
	expect(shown).toEqual([
		["Finding 1 of 2", 1, 1, "fix"],
		["Finding 2 of 2", 3, 4, "note"],
	]);
	comments.dismiss(first);
	expect(threads.size).toBe(1);
	comments.dismissAll();
	expect(threads.size).toBe(0);
});

test("The findings of a complete review show by themselves, and take no editor from a user who may be writing", async () => {
	const { comments, chat } = await setUp();
	comments.dismissAll();
	await comments.showOnceComplete("turn");
	expect(threads.size).toBe(2);
	expect(showTextDocument).toHaveBeenLastCalledWith(expect.anything(), { preserveFocus: true });
	showTextDocument.mockClear();
	visibleTextEditors.push({});
	await comments.showOnceComplete("turn");
	expect(threads.size).toBe(2);
	expect(showTextDocument).not.toHaveBeenCalled();
	visibleTextEditors.pop();
	comments.dismissAll();
	chat.answered.mockResolvedValue(0);
	await comments.showOnceComplete("turn");
	expect(threads.size).toBe(0);
});

test("Comments go with their chat, and stay where the chats can't be read", async () => {
	const { deleted, get, warn } = await setUp();
	get.mockRejectedValueOnce(new Error("EIO"));
	deleted.fire(undefined);
	await waitUntil(() => warn.mock.calls.length > 0);
	expect(threads.size).toBe(2);
	deleted.fire(undefined);
	await waitUntil(() => threads.size === 0);
});

test("The code of a finding is applied to the file of the finding, at its lines as they are now", async () => {
	const { comments, apply, first } = await setUp();
	file.text = `new\n${file.text}`;
	await comments.apply(first);
	expect(showTextDocument.mock.lastCall?.[1]?.selection).toMatchObject({ start: { line: 2 } });
	expect(apply.mock.lastCall?.[1]).toEqual({
		text: "// src/b.ts\nconst two = 0;\n",
		info: "ts",
		path: "src/a.ts",
	});
	expect(threads.size).toBe(1);
});

test("No lines are selected for a finding whose lines changed or are in two places", async () => {
	const { comments, first } = await setUp();
	file.text = `two\n${file.text}`;
	await comments.apply(first);
	expect(showTextDocument.mock.lastCall?.[1]).toEqual({});
});

test("The code of a finding is not applied while another chat receives an answer, which would stop", async () => {
	const { comments, shown, open, apply, first } = await setUp();
	Object.assign(shown, { id: "other", isAnswering: true });
	await expect(comments.apply(first)).rejects.toThrow("An answer is still running.");
	expect(open).not.toHaveBeenCalled();
	expect(threads.size).toBe(2);
	shown.isAnswering = false;
	await comments.apply(first);
	expect(apply).toHaveBeenCalledOnce();
});

test("A review of another state of the files has its comments where the reviewed lines are now, and says where they are no more", async () => {
	const lines = ["+one", "+two", "+}", "+tree", "+}"];
	const diff = ["+++ b/src/a.ts", "@@ -0,0 +1,5 @@", ...lines].join("\n");
	file.text = "new\r\none\r\ntwo\r\n}\r\nthree\r\n}\r\n";
	const { comments, apply, first } = await setUp(diff);
	expect([...threads].map(({ label, range }) => [label, range.start.line])).toEqual([
		["Finding 1 of 2", 2],
		["Finding 2 of 2, but these aren't the reviewed lines", 3],
	]);
	await comments.apply(first);
	expect(showTextDocument.mock.lastCall?.[1]?.selection).toMatchObject({ start: { line: 2 } });
	expect(apply).toHaveBeenCalledOnce();
});

test("No lines are selected for a finding whose reviewed lines are no more", async () => {
	const { comments, first } = await setUp("+++ b/src/a.ts\n@@ -0,0 +1,2 @@\n+one\n+2");
	await comments.apply(first);
	expect(showTextDocument.mock.lastCall?.[1]).toEqual({});
});
