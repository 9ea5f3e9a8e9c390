import { expect, test, vi } from "vitest";
import type { Turn } from "../../../../src/chat/turn/turn.ts";

vi.mock("vscode", () => ({}));
const { statusView } = await import("../../../../src/ui/chat/chatViewModel.ts");

const broken: Turn = {
	id: "one",
	attachments: [],
	prompt: "Change it",
	createdAt: 0,
	options: { model: "m", serverTools: [], parameters: {} },
	attempt: 1,
	isStreamed: true,
	messages: [],
	progress: { state: "interrupted", failure: { kind: "interrupted" } },
};

test("U18: «Show the error» is offered only while no tool was about to change something", () => {
	const entry = { callId: "c", tool: "apply_edit", fingerprint: "f", files: [] };
	expect(statusView(broken, false).actions).toEqual(["showError", "sendAgain"]);
	expect(statusView({ ...broken, startedTools: [entry] }, false).actions).toEqual(["sendAgain"]);
});

test("U3: once a tool has answered, going on is offered in place of asking the whole question again", () => {
	const call = { id: "c1", type: "function", function: { name: "list_files", arguments: "{}" } };
	const part = { text: "", isFinished: true, toolNames: [] };
	const answered: Turn = {
		...broken,
		messages: [
			{ ...part, role: "assistant", raw: { role: "assistant", content: "", tool_calls: [call] } },
			{ ...part, role: "tool", raw: { role: "tool", tool_call_id: "c1", content: "a.txt" } },
		],
		progress: { state: "endedEarly", failure: { kind: "endedEarly" } },
	};
	expect(statusView({ ...answered, messages: [] }, false).actions).toEqual(["showError"]);
	expect(statusView(answered, false).actions).toEqual(["sendAgain"]);
	expect(statusView(answered, true).actions).toEqual(["tryAgain"]);
});
