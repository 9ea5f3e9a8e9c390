import { describe, expect, test } from "vitest";
import { createDraft } from "../../../../media/chat/draft.ts";
import { createViewMemory } from "../../../../media/chat/viewMemory.ts";

/** A draft over a host that takes, refuses or keeps waiting. */
function createScene(answer: () => Promise<{ turnId: string }>) {
	const sent: unknown[] = [];
	let kept: unknown;
	const memory = createViewMemory({ getState: () => kept, setState: state => (kept = state) });
	const host = {
		call: (_method: string, params: unknown) => {
			sent.push(params);
			return answer();
		},
	};
	const draft = createDraft(host as Parameters<typeof createDraft>[0], memory, () => undefined);
	return { draft, sent, kept: () => kept };
}

const taken = (): Promise<{ turnId: string }> => Promise.resolve({ turnId: "t" });
const refused = (): Promise<never> => Promise.reject(new Error("The disk is full."));

describe("Sending a draft", () => {
	test("empties it and keeps what is typed meanwhile", async () => {
		const { draft, sent } = createScene(taken);
		draft.set("Hello");
		const sending = draft.send(false);
		expect(draft.text).toBe("");
		draft.set("And");
		await sending;
		expect(draft.text).toBe("And");
		expect(sent).toEqual([{ text: "Hello" }]);
	});

	test("that fails puts the words before what was typed since, and says why", async () => {
		const { draft } = createScene(refused);
		draft.set("Hello");
		const sending = draft.send(false);
		draft.set("later");
		await sending;
		expect(draft.text).toBe("Hello\nlater");
		expect(draft.hint).toBe("The disk is full.");
		draft.set("Hello!");
		expect(draft.hint).toBe("");
	});

	test("twice sends it once", async () => {
		const { draft, sent } = createScene(taken);
		draft.set("Hello");
		const first = draft.send(false);
		draft.set("Hello again");
		await Promise.all([first, draft.send(false)]);
		expect(sent).toEqual([{ text: "Hello" }]);
		expect(draft.text).toBe("Hello again");
	});

	test.each(["", " ", "\n\t"])("does nothing without words: %j", async text => {
		const { draft, sent } = createScene(taken);
		draft.set(text);
		await draft.send(false);
		expect(sent).toEqual([]);
	});

	test("while an answer is being written loses nothing and says why it waits", async () => {
		const { draft, sent } = createScene(taken);
		draft.set("Next");
		await draft.send(true);
		expect(draft.text).toBe("Next");
		expect(draft.hint).toMatch(/still being written/);
		expect(sent).toEqual([]);
	});
});

test("A draft is kept with every change", () => {
	const { draft, kept } = createScene(taken);
	draft.set("Half a thought");
	expect(kept()).toEqual({ draft: "Half a thought", scroll: null });
});

test.each([undefined, null, 7, "text", {}, { draft: 1, scroll: null }, { draft: "a", scroll: {} }])(
	"A memory that cannot be read counts as empty: %j",
	state => {
		const memory = createViewMemory({ getState: () => state, setState: () => undefined });
		expect(memory.current).toEqual({ draft: "", scroll: null });
	},
);
