import { expect, test } from "vitest";
import { createEmitter } from "../../../../src/common/emitter.ts";
import type { ChatChange, TurnView } from "../../../../src/shared/index.ts";
import { followAnswers } from "../../../../src/ui/app/walkthroughTicks.ts";

function turnOf(id: string, kind?: "selection" | "data"): ChatChange {
	const file = { name: "a.ts", path: "", size: 1, use: "read" as const, isLost: false };
	const turn: TurnView = {
		...{ id, prompt: "Explain", model: "llm-4-turbo", createdAt: 0, messages: [], videos: [] },
		attachments: kind ? [{ ...file, kind }] : [],
		status: { state: "streaming", actions: [] },
	};
	return { type: "turn-added", turn };
}

function endOf(turnId: string, state: "complete" | "stopped"): ChatChange {
	return { type: "status", turnId, status: { state, actions: [] } };
}

test("a step about answers is done by a complete answer, not by a message that was sent or stopped", () => {
	const changed = createEmitter<readonly ChatChange[]>();
	const results: string[] = [];
	followAnswers(changed.event, result => results.push(result));
	changed.fire([turnOf("1", "selection")]);
	changed.fire([endOf("1", "stopped")]);
	expect(results).toEqual([]);
	changed.fire([turnOf("2", "data"), endOf("2", "complete")]);
	expect(results).toEqual(["cutaway.hasAnswer"]);
	changed.fire([turnOf("3", "selection")]);
	changed.fire([endOf("3", "complete")]);
	expect(results.slice(1)).toEqual(["cutaway.hasAnswer", "cutaway.hasAnswerAboutSelection"]);
});
