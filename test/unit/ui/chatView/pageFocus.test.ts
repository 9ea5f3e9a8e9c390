import { beforeEach, expect, test, vi } from "vitest";

const executeCommand = vi.fn(() => Promise.resolve());
vi.mock("vscode", () => ({ commands: { executeCommand } }));
const { PageFocus } = await import("../../../../src/ui/chatView/pageFocus.ts");

const focusView = vi.fn(() => Promise.resolve());

beforeEach(() => {
	executeCommand.mockClear();
	focusView.mockClear();
});

test("keys are bound to the chat while its page has the focus, and that is reported once", () => {
	const focus = new PageFocus(focusView);
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
	const focus = new PageFocus(focusView);
	await focus.take();
	expect(focusView).toHaveBeenCalledOnce();
	focus.note(true);
	await focus.take();
	expect(focusView).toHaveBeenCalledOnce();
});
