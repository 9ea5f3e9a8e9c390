import { expect, test, vi } from "vitest";
import type { Turn } from "../../../src/chat/turn.ts";

vi.mock("vscode", () => ({}));
const { statusView } = await import("../../../src/ui/chatViewModel.ts");

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
