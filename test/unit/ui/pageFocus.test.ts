import { beforeEach, expect, test, vi } from "vitest";

const executeCommand = vi.fn(() => Promise.resolve());
vi.mock("vscode", () => ({ commands: { executeCommand } }));
const { createPageFocus } = await import("../../../src/ui/pageFocus.ts");

beforeEach(() => executeCommand.mockClear());

test("keys are bound to the chat while its page has the focus, and it is said once", () => {
	const focus = createPageFocus();
	focus.note(false);
	focus.note(true);
	focus.note(true);
	focus.note(false);
	expect(executeCommand.mock.calls).toEqual([
		["setContext", "cutaway.chatFocused", true],
		["setContext", "cutaway.chatFocused", false],
	]);
});

test("a view whose page has the focus is not given it once more", async () => {
	const focus = createPageFocus();
	await focus.take();
	expect(executeCommand.mock.calls).toEqual([["cutaway.chat.focus"]]);
	focus.note(true);
	executeCommand.mockClear();
	await focus.take();
	expect(executeCommand).not.toHaveBeenCalled();
});
