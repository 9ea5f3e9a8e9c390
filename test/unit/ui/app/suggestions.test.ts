import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { Emitter } from "../../../../src/common/disposable.ts";
import type { ChatEnvironment } from "../../../../src/ui/composer/chatSettings.ts";
import type { ChatChange } from "../../../../src/shared/chat.ts";
import { createFakeClock } from "../../../helpers/fakeClock.ts";
import { createFakeSettings } from "../../../helpers/fakeSettings.ts";

const state = vi.hoisted(() => ({
	editor: undefined as unknown,
	diff: "",
	path: "/shop/cart.ts",
	scheme: "file",
	languageId: "typescript",
	text: "buy(1);",
	asked: 0,
	executed: [] as string[],
	moved: (): void => undefined,
	isExcluded: false,
	tables: [] as object[],
	shownRange: undefined as unknown,
	exclude: (): void => undefined,
}));
vi.mock("../../../../src/editor/workspaceFiles.ts", () => ({
	findFiles: () => Promise.resolve(state.tables),
}));
vi.mock("vscode", () => ({
	CancellationTokenSource: Object,
	Position: class {
		readonly line: number;
		constructor(line: number) {
			this.line = line;
		}
	},
	Range: class {
		readonly lines: readonly number[];
		constructor(start: { readonly line: number }, end: { readonly line: number }) {
			this.lines = [start.line, end.line];
		}
	},
	commands: {
		executeCommand: async (command: string) =>
			await Promise.resolve(void state.executed.push(command)),
	},
	window: {
		get activeTextEditor() {
			return state.editor;
		},
		onDidChangeActiveTextEditor: () => ({ dispose: () => undefined }),
		showTextDocument: async (document: object, options?: { readonly selection: unknown }) => {
			state.shownRange = options?.selection;
			return await Promise.resolve((state.editor = { document }));
		},
		onDidChangeTextEditorSelection: (listener: () => void) => {
			state.moved = listener;
			return { dispose: () => undefined };
		},
	},
	workspace: {
		workspaceFolders: [{}],
		openTextDocument: async () => await Promise.resolve(editorOf().document),
		onDidSaveTextDocument: () => ({ dispose: () => undefined }),
		onDidChangeConfiguration: (listener: (change: unknown) => void) => {
			state.exclude = () => {
				state.isExcluded = true;
				listener({ affectsConfiguration: (name: string) => name === "files.exclude" });
			};
			return { dispose: () => undefined };
		},
	},
}));
vi.mock("../../../../src/editor/gitChanges.ts", () => ({
	gitFileDiff: () => {
		state.asked += 1;
		return Promise.resolve(state.diff);
	},
}));
vi.mock("../../../../src/ui/base/excludedPaths.ts", () => ({
	isExcludedPath: () => state.isExcluded,
}));
vi.mock("../../../../src/editor/selection.ts", async original => ({
	...(await original<object>()),
	selectedText: (editor: { readonly selected?: object }) => editor.selected,
}));
const askWith = vi.hoisted(() => vi.fn<(...question: unknown[]) => Promise<void>>());
vi.mock("../../../../src/ui/editor/quickActions.ts", () => ({ askWith }));
const { openOwnDocument } = await import("../../../../src/editor/userDocuments.ts");
const { changedLines, Suggestions } = await import("../../../../src/ui/app/suggestions.ts");

beforeEach(() => {
	state.editor = undefined;
	state.diff = "";
	state.path = "/shop/cart.ts";
	state.scheme = "file";
	state.languageId = "typescript";
	state.text = "buy(1);";
	state.asked = 0;
	state.isExcluded = false;
	state.tables = [];
	state.executed = [];
	askWith.mockReset();
});

const change = "--- a/cart.ts\n+++ b/cart.ts\n@@ -1,3 +1,3 @@\n-a\n-b\n+A\n+B\n+C\n";

function editorOf(selected?: { readonly startLine: number; readonly endLine: number }) {
	const { path, scheme, text } = state;
	const uri = { scheme, path, fsPath: path, toString: () => `file://${path}` };
	const document = {
		uri,
		languageId: state.languageId,
		isUntitled: scheme === "untitled",
		getText: () => text,
		lineCount: text.split("\n").length,
		lineAt: (line: number) => ({ range: { end: { line } } }),
	};
	return { document, selected: selected && { name: "cart.ts", ...selected } };
}

const review = {
	get: () => Promise.resolve({ shown: { isAnswering: false }, newChat: () => Promise.resolve() }),
};

async function open(isNew = true, model: object = { "chat.model": "ollama/qwen3" }) {
	const told: ChatEnvironment["suggestions"][] = [];
	const settings = createFakeSettings(model);
	const clock = createFakeClock();
	const sent: string[] = [];
	const controller = {
		settings: {
			...settings,
			isNew,
			setEnvironment: ({ suggestions = [] }: Partial<ChatEnvironment>) =>
				void told.push(suggestions),
		},
		onDidChange: new Emitter<readonly ChatChange[]>().event,
		send: async (text: string) => await Promise.resolve(String(sent.push(text))),
	};
	const suggestions = new Suggestions({ chat: review } as never, controller as never, clock);
	onTestFinished(() => suggestions.dispose());
	await vi.waitFor(() => expect(told).toHaveLength(isNew ? 1 : 0));
	const labels = (): string[] => (told.at(-1) ?? []).map(({ label }) => label);
	const run = async (id: string): Promise<void> =>
		await told
			.at(-1)
			?.find(suggestion => suggestion.id === id)
			?.run();
	return { clock, told, labels, run, sent };
}

test("a selection and a change are suggested by their place and their size (ux 7, 9)", async () => {
	state.editor = editorOf({ startLine: 35, endLine: 41 });
	state.diff = change;
	const { labels, run } = await open();
	expect(labels()).toEqual([
		"Explain cart.ts:36-42",
		"Review 3 changed lines",
		"Make a clip of this change",
	]);
	await run("explain");
	await run("clip");
	expect(state.executed).toEqual(["cutaway.explainSelection", "cutaway.generateVideoOfChange"]);
	await run("review");
	expect(askWith).toHaveBeenCalledOnce();
});

test("a review of a file that may hold secrets is not suggested, and a secret in another is masked", async () => {
	state.path = "/shop/.env";
	state.editor = editorOf();
	state.diff = change;
	const secret = await open();
	expect(secret.labels().join()).not.toContain("Review");
	state.path = "/shop/cart.ts";
	state.editor = editorOf();
	const key = `ghp_${"a1B2c3D4e5".repeat(4).slice(0, 36)}`;
	state.diff = `${change}+const key = "${key}";\n`;
	const masked = await open();
	await masked.run("review");
	const attach = askWith.mock.lastCall?.[2];
	const addText = vi.fn<(text: { readonly text: string }) => void>();
	if (typeof attach === "function") {
		attach({ addText });
	}
	expect(addText.mock.lastCall?.[0].text).toContain("[masked]");
	expect(addText.mock.lastCall?.[0].text).not.toContain(key);
});

test("the change of a file that the settings exclude meanwhile is no longer offered for a review", async () => {
	state.editor = editorOf();
	state.diff = change;
	const { clock, told, labels } = await open();
	expect(labels()).toContain("Review 3 changed lines");
	state.exclude();
	await clock.advance(150);
	await vi.waitFor(() => expect(told).toHaveLength(2));
	expect(labels()).toEqual([
		"Explain cart.ts",
		"Write tests for cart.ts",
		"Make a clip of this change",
	]);
});

test("a change that is too large to read is not suggested as a clip", async () => {
	state.editor = editorOf({ startLine: 2, endLine: 2 });
	state.diff = 'Untracked, without its text: "cart.ts"';
	expect((await open()).labels().at(-1)).toBe("Make a clip of cart.ts:3");
});

test("without a change the selection itself becomes the clip, and without an editor the sample does", async () => {
	state.editor = editorOf({ startLine: 2, endLine: 2 });
	const some = await open();
	expect(some.labels()).toEqual([
		"Explain cart.ts:3",
		"Write tests for cart.ts:3",
		"Make a clip of cart.ts:3",
	]);
	await some.run("clip");
	state.editor = undefined;
	const none = await open();
	expect(none.labels()).toEqual([
		"Explain this project",
		"What can you do?",
		"Make a clip of a sample",
	]);
	await none.run("clip");
	expect(state.executed).toEqual([
		"cutaway.generateVideoFromSelection",
		"cutaway.openSample",
		"cutaway.generateVideoFromSelection",
	]);
	await none.run("help");
	expect(none.sent).toEqual(["What can you do?"]);
});

const withoutCode = ["Explain this project", "What can you do?", "Make a clip of a sample"];

test("without a model nothing is suggested that needs one: a clip of the open file, Python on a table of the workspace", async () => {
	const none = await open(true, {});
	expect(none.labels()).toEqual([
		"Make a clip of a sample",
		"Run Python on a table",
		"What can you do?",
	]);
	state.text = "buy(1);\n".repeat(40);
	state.editor = editorOf();
	state.diff = "";
	const table = { path: "/shop/orders.csv" };
	state.tables = [table];
	const some = await open(true, {});
	expect(some.labels()).toEqual([
		"Make a clip of cart.ts",
		"Run Python on orders.csv",
		"What can you do?",
	]);
	await some.run("clip");
	expect(state.shownRange).toMatchObject({ lines: [0, 23] });
	expect(state.executed).toEqual(["cutaway.generateVideoFromSelection"]);
	await some.run("python");
	const attach = askWith.mock.lastCall?.[2];
	const addUris = vi.fn<(uris: unknown) => void>();
	if (typeof attach === "function") {
		attach({ addUris });
	}
	expect(addUris).toHaveBeenCalledExactlyOnceWith([table]);
});

test("a document that Cutaway wrote for editing, such as a storyboard, is not to be explained", async () => {
	state.path = "Untitled-1";
	state.scheme = "untitled";
	state.text = "--- Scene: 2 s, motion 3\n\nA coin falls";
	await openOwnDocument(state.text, "markdown");
	expect((await open()).labels()).toEqual(withoutCode);
	state.editor = editorOf();
	expect((await open()).labels()[0]).toBe("Explain Untitled-1");
});

test.each([
	"output",
	"cutaway-report",
	"cutaway-help",
	"cutaway-edit",
	"vscode-userdata",
	"comment",
])("a document of the scheme %s holds no text of the user to be explained", async scheme => {
	state.scheme = scheme;
	state.editor = editorOf();
	expect((await open()).labels()).toEqual(withoutCode);
});

test.each(["vsls", "sftp", "memfs", "vscode-vfs", "cutaway-sample"])(
	"a file of the file system %s is to be explained",
	async scheme => {
		state.scheme = scheme;
		state.editor = editorOf();
		expect((await open()).labels()[0]).toBe("Explain cart.ts");
	},
);

test("tests are suggested for code alone", async () => {
	state.languageId = "markdown";
	state.editor = editorOf();
	expect((await open()).labels()).toEqual(["Explain cart.ts", "Make a clip of cart.ts"]);
});

test("an unsaved document without text is not to be explained", async () => {
	state.scheme = "untitled";
	state.text = "\n";
	state.editor = editorOf();
	expect((await open()).labels()).toEqual(withoutCode);
});

test("a selection that moves changes the suggestions once it rests, and runs no Git again", async () => {
	state.editor = editorOf();
	const { clock, told, labels } = await open();
	expect(labels()[0]).toBe("Explain cart.ts");
	state.editor = editorOf({ startLine: 0, endLine: 1 });
	state.moved();
	state.moved();
	await clock.advance(150);
	await vi.waitFor(() => expect(told).toHaveLength(2));
	expect(labels()[0]).toBe("Explain cart.ts:1-2");
	expect(state.asked).toBe(1);
});

test("a chat with questions that a model answers is left alone", async () => {
	state.editor = editorOf();
	await open(false);
	expect(state.asked).toBe(0);
});

test("a line that became another one counts once", () => {
	expect(changedLines(change)).toBe(3);
	expect(changedLines("")).toBe(0);
});
