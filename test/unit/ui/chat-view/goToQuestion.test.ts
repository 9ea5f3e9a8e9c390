import { expect, test, vi } from "vitest";
import { turnOf } from "../../../webview/states.ts";

vi.mock("vscode", () => ({}));
const { questionItems } = await import("../../../../src/ui/chat-view/goToQuestion.ts");

test("the questions of a chat are listed in order, each in one line and without icons or links", () => {
	const turns = [
		{ ...turnOf("Why\n\n  is it slow?", []), id: "a" },
		{ ...turnOf("$(trash) [x](command:y)", []), id: "b" },
	];
	expect(questionItems(turns)).toEqual([
		{ turnId: "a", label: "Why is it slow?", description: "1" },
		{ turnId: "b", label: "$ (trash) [x] (command:y)", description: "2" },
	]);
});
