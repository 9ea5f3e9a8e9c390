import { expect, test } from "vitest";
import { reviewQuestion, shownPromptLength } from "../../../../src/ui/chat/reviewQuestion.ts";

const diff =
	"diff --git a/a.ts b/a.ts\n--- a/a.ts\n+++ b/a.ts\n@@ -1,2 +1,3 @@\n same\n-one\n+two\n+three\n";

test("The question for a review begins with what is reviewed; what the model is told besides is folded", () => {
	const question = reviewQuestion(diff);
	expect(question.slice(0, shownPromptLength(question))).toBe("Review: 3 changed lines");
	expect(question).toContain("path:line");
	expect(reviewQuestion("+++ b/a.ts\n+one\n")).toMatch(/^Review: 1 changed line\n/);
	expect(shownPromptLength("Review: 3 changed lines")).toBeUndefined();
	expect(shownPromptLength(`${question}\nAnd more`)).toBeUndefined();
});
