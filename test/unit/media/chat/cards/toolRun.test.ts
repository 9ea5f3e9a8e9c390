import { describe, expect, test } from "vitest";
import { describeToolRun } from "../../../../../media/chat/cards/toolRun.ts";
import type { MessageView, TurnView } from "../../../../../src/shared/chat.ts";

function turnOf(...texts: readonly string[]): TurnView {
	return {
		id: "t",
		prompt: "Sum up",
		attachments: [],
		videos: [],
		model: "llm-4-turbo-tools",
		createdAt: 0,
		messages: texts.map((text, index): MessageView => {
			return { index, role: "assistant", text, isFinished: true, toolNames: [] };
		}),
		status: { state: "complete", actions: [] },
	};
}

/** What the cards of an answer say; nothing for a message that is no card. */
function titlesOf(...texts: readonly string[]): readonly (string | undefined)[] {
	const turn = turnOf(...texts);
	return turn.messages.map(message => {
		const run = describeToolRun(turn, message);
		return run && `${run.title}, ${run.detail}`;
	});
}

const code = "```python\nimport csv\nprint(1)\n```";

describe("A message is folded into a card", () => {
	test("when it is code that was run, or what the code wrote", () => {
		const output = "**Output**\n\n```text\n200 rows\n7 columns\n```";
		expect(titlesOf(code, output, "It has 200 rows.")).toEqual([
			"Ran Python, 2 lines",
			"Output, 2 lines",
			undefined,
		]);
	});

	test("with the error's name when the code failed, even when nothing follows", () => {
		const output =
			'**Output (error)**\n\n```text\nTraceback (most recent call last):\n  File "<cell>", line 1\nZeroDivisionError: division by zero\n```';
		expect(titlesOf(code, output)).toEqual([
			"Ran Python, 2 lines",
			"Python stopped, ZeroDivisionError",
		]);
	});

	test("when any service sends code in a message of its own", () => {
		expect(titlesOf("Result:\n```json\n{}\n```", "Done.")).toEqual(["Output, 1 line", undefined]);
	});
});

describe("A message stays as it is", () => {
	test("when it is the only one, though it be nothing but Python", () => {
		expect(titlesOf(code)).toEqual([undefined]);
	});

	test("when it is words, however many messages there are", () => {
		expect(titlesOf("I will look at it.", "And this is what I found.")).toEqual([
			undefined,
			undefined,
		]);
	});

	test("when it is the last and holds code for the user", () => {
		expect(titlesOf("Let me see.", "```ts\nlet a;\n```")).toEqual([undefined, undefined]);
	});
});
