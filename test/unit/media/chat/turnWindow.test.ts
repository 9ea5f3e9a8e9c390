import { expect, test } from "vitest";
import { createTurnWindow } from "../../../../media/chat/turnWindow.ts";

test("A short chat is shown whole", () => {
	const turns = createTurnWindow();
	turns.open(7);
	expect(turns.first).toBe(0);
});

test("Of a long chat the last turns are shown, and more of it step by step to its beginning", () => {
	const turns = createTurnWindow();
	turns.open(50);
	const shown = [turns.first];
	for (let steps = 0; steps < 3; steps++) {
		turns.extend();
		shown.push(turns.first);
	}
	expect(shown).toEqual([30, 10, 0, 0]);
});
