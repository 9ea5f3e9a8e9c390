import { expect, test } from "vitest";
import { questionAbove } from "../../../../../media/chat/scroll/stickyQuestion.ts";

const turns = (...ends: readonly (readonly [question: number, turn: number])[]) =>
	ends.map(([question, turn], index) => ({ turnId: `t${index + 1}`, question, turn }));

test.each([
	["none while the first question is in sight", turns([40, 400]), undefined],
	["none while a part of the question is", turns([-900, -400], [5, 400]), undefined],
	["that of the answer at the top", turns([-900, -400], [-300, 200], [250, 600]), "t2"],
	["none once the next question comes to the bar", turns([-300, 20], [50, 600]), undefined],
	["none in a chat without turns", [], undefined],
] as const)("the question in the bar is %s", (_, ends, turnId) => {
	expect(questionAbove(ends, 28)).toBe(turnId);
});
