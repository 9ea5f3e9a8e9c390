import { beforeEach, expect, test, vi } from "vitest";

const runs: (() => void)[] = [];
const applyEdit = vi.fn(() => Promise.resolve(true));
const close = vi.fn((..._: readonly unknown[]) => Promise.resolve(true));
const disposable = { dispose: () => undefined };
let content = "";
const document = {
	uri: { scheme: "untitled", toString: () => "untitled:1" },
	isClosed: false,
	lineCount: 1,
	getText: () => content,
};
vi.mock("vscode", () => ({
	Range: vi.fn(),
	TabInputText: vi.fn(),
	WorkspaceEdit: class {
		delete = vi.fn();
	},
	commands: {
		registerCommand: (_: string, run: () => void) => {
			runs.push(run);
			return disposable;
		},
	},
	languages: { registerCodeLensProvider: () => disposable },
	window: {
		showTextDocument: () => Promise.resolve(),
		tabGroups: { all: [], close },
	},
	workspace: {
		openTextDocument: () => Promise.resolve(document),
		onDidCloseTextDocument: () => disposable,
		applyEdit,
	},
}));
const { editPrompt } = await import("../../../../../src/ui/video/request/videoPromptDocument.ts");

beforeEach(() => {
	runs.length = 0;
	vi.clearAllMocks();
	content = "A paper boat";
});

test("the document of a prompt is closed once its video was started", async () => {
	const edited = editPrompt(content, "Make Clip", text => Promise.resolve(text === "A paper boat"));
	await vi.waitFor(() => expect(runs).toHaveLength(1));
	runs[0]?.();
	await edited;
	expect(applyEdit).toHaveBeenCalledOnce();
	expect(close).toHaveBeenCalledOnce();
});

test("a document that was written in while its video was started stays, with what was written", async () => {
	const edited = editPrompt(content, "Make Clip", () => {
		content = "A paper boat, and a gull";
		return Promise.resolve(true);
	});
	await vi.waitFor(() => expect(runs).toHaveLength(1));
	runs[0]?.();
	await edited;
	expect(applyEdit).not.toHaveBeenCalled();
	expect(close).not.toHaveBeenCalled();
});
