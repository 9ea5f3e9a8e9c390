import { expect, test, vi } from "vitest";
import type { Turn } from "../../../../src/chat/contract/turn.ts";

vi.mock("vscode", () => ({}));
const { statusView, usageView } = await import("../../../../src/ui/chat/chatViewModel.ts");

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
	const entry = { callId: "c", tool: "apply_edit", fingerprint: "f" };
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

test("an answer's details are its tokens and the instructions that were sent for it, as far as there are any", () => {
	const instructions = [
		{ name: "AGENTS.md", text: "a" },
		{ name: "web/AGENTS.md", text: "b" },
	];
	const options = { ...broken.options, instructions };
	const usage = { input: 1_200, output: 34 };
	expect(usageView(broken)).toEqual({});
	expect(usageView({ options })).toEqual({ usage: "Sent with AGENTS.md, web/AGENTS.md" });
	expect(usageView({ options: { ...options, isClaimed: true } })).toEqual({
		usage: "Sent with AGENTS.md, web/AGENTS.md, according to the imported file",
	});
	expect(usageView({ options, usage })).toEqual({
		usage: "1,200 tokens in · 34 tokens out · Sent with AGENTS.md, web/AGENTS.md",
	});
});

test("the findings of a review are counted once it has ended, and those of no other answer", () => {
	const text = "- src/a.ts:2: wrong\n- src/b.ts:3: odd";
	const message = {
		role: "assistant",
		text,
		isFinished: true,
		toolNames: [],
		raw: { role: "assistant", content: text },
	};
	const diff = {
		kind: "text",
		name: "changes.diff",
		text: "+one",
		source: "changes",
		hash: "",
		path: "changes.diff",
		size: 4,
		omitted: 0,
	} as unknown as Turn["attachments"][number];
	const review: Turn = { ...broken, messages: [message], attachments: [diff] };
	expect(statusView(review, false).findings).toBe(2);
	const running = { ...review, progress: { state: "streaming" } } as Turn;
	expect(statusView(running, false).findings).toBeUndefined();
	expect(statusView({ ...review, attachments: [] }, false).findings).toBeUndefined();
});
