import { expect, test } from "vitest";
import {
	createCollapsedAnswers,
	isLongAnswer,
} from "../../../../../media/chat/messages/longAnswer.ts";
import { ViewMemory } from "../../../../../media/chat/base/viewMemory.ts";

/** A host that keeps nothing. */
const noHost = { kept: "", keep: () => undefined };

const createScene = () => {
	let kept: unknown;
	const memory = new ViewMemory(
		{ getState: () => kept, setState: state => (kept = state) },
		noHost,
	);
	const button = { getBoundingClientRect: () => ({ top: 0 }) } as HTMLElement;
	const scroller = { style: {}, scrollTop: 0 } as HTMLElement;
	const pin = { letGo: () => undefined };
	const collapsed = createCollapsedAnswers({ memory, scroller, pin, onChange: () => undefined });
	return { collapsed, memory, button };
};

test("An answer is long by its lines, or by the running text that makes as many", () => {
	expect(isLongAnswer("")).toBe(false);
	expect(isLongAnswer("line\n".repeat(60))).toBe(false);
	expect(isLongAnswer("line\n".repeat(61))).toBe(true);
	expect(isLongAnswer("x".repeat(4200))).toBe(false);
	expect(isLongAnswer("x".repeat(4300))).toBe(true);
});

test("An answer is collapsed by a click and whole after another", () => {
	const { collapsed, button } = createScene();
	expect(collapsed.is("turn", 0)).toBe(false);
	collapsed.toggle("turn", 0, button);
	expect([collapsed.is("turn", 0), collapsed.is("turn", 1), collapsed.is("turn-2", 0)]).toEqual([
		true,
		false,
		false,
	]);
	expect(collapsed.of("turn")).not.toBe(collapsed.of("turn-2"));
	collapsed.toggle("turn", 0, button);
	expect(collapsed.is("turn", 0)).toBe(false);
});

test("What is remembered is bounded, the oldest goes first", () => {
	const { collapsed, memory, button } = createScene();
	for (let index = 0; index < 250; index++) {
		collapsed.toggle("turn", index, button);
	}
	expect(memory.current.collapsed).toHaveLength(200);
	expect([collapsed.is("turn", 49), collapsed.is("turn", 50)]).toEqual([false, true]);
});
