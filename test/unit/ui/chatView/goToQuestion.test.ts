import { expect, test, vi } from "vitest";
import { Emitter } from "../../../../src/common/disposable.ts";
import { turnOf } from "../../../webview/states.ts";

const accepted = new Emitter<void>();
vi.mock("vscode", () => ({
	window: {
		createQuickPick: () => ({
			items: [],
			activeItems: [],
			selectedItems: [],
			onDidAccept: accepted.event,
			onDidHide: () => undefined,
			show: () => undefined,
			dispose: () => undefined,
		}),
	},
}));
const { goToQuestion, questionItems } = await import("../../../../src/ui/chatView/goToQuestion.ts");

test("the questions of a chat are listed in order, each in one line after its number and without icons or links", () => {
	const turns = [
		{ ...turnOf("Why\n\n  is it slow?", []), id: "a" },
		{ ...turnOf("$(trash) [x](command:y)", []), id: "b" },
	];
	expect(questionItems(turns)).toEqual([
		{ turnId: "a", label: "1. Why is it slow?" },
		{ turnId: "b", label: "2. $ (trash) [x] (command:y)" },
	]);
});

test("Enter in a chat without messages closes the list", async () => {
	const showTurn = vi.fn<(turnId: string) => Promise<void>>();
	const going = goToQuestion({ picture: () => ({ turns: [] }) } as never, { showTurn });
	accepted.fire();
	await going;
	expect(showTurn).not.toHaveBeenCalled();
});
