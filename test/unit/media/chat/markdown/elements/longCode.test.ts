// @vitest-environment happy-dom
import { expect, test } from "vitest";
import { createFinishedAnswer } from "../../../../../../media/chat/markdown/answer.ts";
import {
	maxLinesShown,
	toggleFold,
} from "../../../../../../media/chat/markdown/elements/longCode.ts";
import { createTools } from "../rendering.ts";

function codeOf(lines: number): HTMLElement {
	const code = Array.from({ length: lines }, (_, index) => `line ${index}\n`).join("");
	const { element } = createFinishedAnswer(`\`\`\`ts\n${code}\`\`\`\n`, createTools());
	const block = element.querySelector<HTMLElement>(".code-block");
	if (!block) {
		throw new Error("There is no code block.");
	}
	return block;
}

test("Code of up to 40 lines is shown whole", () => {
	const block = codeOf(maxLinesShown);
	expect(block.classList.contains("folded")).toBe(false);
	expect(block.querySelector(".show-lines")).toBeNull();
});

test("Longer code is shown in part, all of it still being there, until its button is pressed", () => {
	const block = codeOf(120);
	const button = block.querySelector(".show-lines");
	expect(block.classList.contains("folded")).toBe(true);
	expect(button?.textContent).toBe("Show all 120 lines");
	expect(block.querySelector("code")?.textContent).toContain("line 119\n");
	toggleFold(block);
	expect(block.classList.contains("folded")).toBe(false);
	expect(button?.textContent).toBe("Show the first 20 lines");
	toggleFold(block);
	expect(button?.textContent).toBe("Show all 120 lines");
});
