import { describe, expect, test } from "vitest";
import { ViewMemory } from "../../../../../media/chat/base/viewMemory.ts";
import { InputHistory } from "../../../../../media/chat/draft/inputHistory.ts";

const noHost = { kept: "", keep: () => undefined };
const createMemory = (state?: unknown): ViewMemory =>
	new ViewMemory({ getState: () => state, setState: () => undefined }, noHost);

function createScene(questions: readonly string[], written = "", memory = createMemory()) {
	const draft = {
		text: written,
		set: (text: string) => {
			draft.text = text;
		},
	};
	const history = new InputHistory(draft, memory, () => questions);
	const up = (cursor = 0): string => (history.move(-1, cursor) ? draft.text : "(stays)");
	const down = (cursor = 0): string => (history.move(1, cursor) ? draft.text : "(stays)");
	return { draft, memory, up, down };
}

describe("The history of questions", () => {
	test("goes back through all of them and brings the draft back on the way forth", () => {
		const { up, down, draft } = createScene(["third", "second", "first"], "a draft");
		expect([up(), up(), up(), up()]).toEqual(["third", "second", "first", "(stays)"]);
		expect([down(), down(6), down(), down()]).toEqual(["second", "third", "a draft", "(stays)"]);
		expect(draft.text).toBe("a draft");
	});

	test("says nothing twice, and not what is written already", () => {
		const { up } = createScene(["same", "same", "other", "same"], "other");
		expect([up(), up()]).toEqual(["same", "(stays)"]);
	});

	test("leaves the arrows to the text unless the cursor is at its very start", () => {
		const { up, down } = createScene(["a question\nof two lines"], "draft");
		expect(up(3)).toBe("(stays)");
		expect(down(5)).toBe("(stays)");
		expect(up()).toBe("a question\nof two lines");
		expect(down(4)).toBe("(stays)");
		expect(down(23)).toBe("draft");
	});

	test("takes a changed question for a draft", () => {
		const { up, down, draft } = createScene(["second", "first"]);
		up();
		draft.set("second, changed");
		expect(down(0)).toBe("(stays)");
		expect(up()).toBe("second");
		expect(down()).toBe("second, changed");
	});

	test("holds the draft that a changed question replaced, in the next page too", () => {
		const before = createScene(["second", "first"], "a long draft");
		before.up();
		before.draft.set("second, changed");
		const { up, down } = createScene(["second", "first"], "", createMemory(before.memory.current));
		expect([up(), up(), down(), down()]).toEqual(["a long draft", "second", "a long draft", ""]);
		const later = createScene(["a long draft", "second"], "", before.memory);
		expect([later.up(), later.up(), later.up()]).toEqual(["a long draft", "second", "(stays)"]);
	});

	test("is done with a draft that was brought back, corrected and sent", () => {
		const { up, down, draft, memory } = createScene(["second", "first"], "fix teh bug");
		expect([up(), down()]).toEqual(["second", "fix teh bug"]);
		draft.set("");
		const later = createScene(["fix the bug", "second", "first"], "", memory);
		expect(later.up()).toBe("fix the bug");
		expect(createScene(["second"], "", memory).up()).toBe("second");
	});

	test("is done with a draft that was recalled, improved and sent", () => {
		const memory = createMemory();
		createScene(["second", "first"], "a draft", memory).up();
		expect(createScene(["second", "first"], "", memory).up()).toBe("a draft");
		expect(createScene(["a better draft", "second"], "", memory).up()).toBe("a better draft");
	});

	test("holds a recalled draft that an older question or the composer's text replaces", () => {
		const memory = createMemory();
		createScene(["second", "first"], "a draft", memory).up();
		const { up, down } = createScene(["second", "first"], "", memory);
		expect([up(), up()]).toEqual(["a draft", "second"]);
		expect(createScene(["second, changed", "second"], "", memory).up()).toBe("a draft");
		expect([down(), down()]).toEqual(["a draft", ""]);
		expect(createScene(["second"], "", memory).up()).toBe("a draft");
	});

	test("holds a draft while a changed question is left for it and brought back", () => {
		const { up, down, draft, memory } = createScene(["second", "first"], "a draft");
		up();
		draft.set("second, changed");
		expect([up(), down()]).toEqual(["a draft", "second, changed"]);
		expect(createScene(["second, changed", "second"], "", memory).up()).toBe("a draft");
	});

	test("of a chat without questions leaves the draft alone", () => {
		const { up, draft } = createScene([], "draft");
		expect(up()).toBe("(stays)");
		expect(draft.text).toBe("draft");
	});
});
