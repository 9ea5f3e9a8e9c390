import { describe, expect, test } from "vitest";
import { Draft } from "../../../../../media/chat/draft/draft.ts";
import { ViewMemory } from "../../../../../media/chat/base/viewMemory.ts";

/** A host that keeps nothing. */
const noHost = { kept: "", keep: () => undefined };

/** A draft over a host that takes, refuses or keeps waiting. */
function createScene(answer: () => Promise<{ turnId: string }>, before?: unknown) {
	const sent: unknown[] = [];
	const methods: string[] = [];
	let kept: unknown = before;
	const memory = new ViewMemory(
		{ getState: () => kept, setState: state => (kept = state) },
		noHost,
	);
	const host = {
		call: (method: string, params: unknown) => {
			sent.push(params);
			methods.push(method);
			return answer();
		},
	};
	const draft = new Draft(host as ConstructorParameters<typeof Draft>[0], memory, () => undefined);
	return { draft, sent, methods, kept: () => kept };
}

/** What a page remembers that has done nothing yet. */
const empty = {
	keptAt: expect.any(Number) as number,
	typed: [],
	draftOf: null,
	drafts: [],
	unsent: "",
	asked: [],
	sending: "",
	running: "",
	queueing: "",
	sentAfter: "",
	queueEdits: [],
	edits: [],
	collapsed: [],
	settings: null,
	scroll: null,
};

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

	test("while an answer is being written puts it into the queue, also while another one is being sent", async () => {
		const { draft, sent, methods } = createScene(taken);
		draft.set("First");
		const sending = draft.send(false);
		draft.set("Next");
		await Promise.all([sending, draft.send(true)]);
		expect(draft.text).toBe("");
		expect(sent).toEqual([{ text: "First" }, { text: "Next" }]);
		expect(methods).toEqual(["sendPrompt", "queueMessage"]);
	});

	test("into a queue that refuses it keeps the words", async () => {
		const { draft } = createScene(refused);
		draft.set("Next");
		await draft.send(true);
		expect(draft.text).toBe("Next");
		expect(draft.hint).toBe("The disk is full.");
	});
});

test("A draft is kept with every change", () => {
	const { draft, kept } = createScene(taken);
	draft.set("Half a thought");
	expect(kept()).toEqual({ draft: "Half a thought", ...empty });
});

test("A place in a form that is not known costs nobody a draft", () => {
	const state = { draft: "Half a thought", scroll: { chatId: "chat", fromEnd: 700 } };
	const memory = new ViewMemory({ getState: () => state, setState: () => undefined }, noHost);
	expect(memory.current).toEqual({ draft: "Half a thought", ...empty });
});

test.each([undefined, null, 7, "text", {}, { draft: 1, scroll: null }])(
	"A memory that cannot be read counts as empty: %j",
	state => {
		const memory = new ViewMemory({ getState: () => state, setState: () => undefined }, noHost);
		expect(memory.current).toEqual({ draft: "", ...empty });
	},
);

describe("Every chat has a draft of its own", () => {
	test("which is there again when the chat is, over a reload as well", () => {
		const { draft, kept } = createScene(taken);
		draft.follow({ chatId: "a", isEmpty: false });
		draft.set("About a");
		draft.follow({ chatId: "b", isEmpty: false });
		expect(draft.text).toBe("");
		draft.set("About b");
		draft.follow({ chatId: "a", isEmpty: false });
		expect(draft.text).toBe("About a");
		const later = createScene(taken, kept()).draft;
		later.follow({ chatId: "a", isEmpty: false });
		expect(later.text).toBe("About a");
		later.follow({ chatId: "b", isEmpty: false });
		expect(later.text).toBe("About b");
	});

	test.each([true, false])(
		"in which what a command says of the chat it began is read, shown before it is heard or after (%s)",
		isShownFirst => {
			const { draft } = createScene(taken);
			draft.follow({ chatId: "a", isEmpty: false });
			const show = (): void => draft.follow({ chatId: "b", isEmpty: true });
			if (isShownFirst) {
				show();
			}
			draft.sayInNext("The previous one is in the history.", "a");
			if (!isShownFirst) {
				show();
			}
			expect(draft.hint).toBe("The previous one is in the history.");
			draft.follow({ chatId: "a", isEmpty: false });
			expect(draft.hint).toBe("");
		},
	);

	test("that stays with a chat when its first question is asked", () => {
		const { draft } = createScene(taken);
		draft.follow({ chatId: "a", isEmpty: true });
		draft.set("The next one");
		draft.follow({ chatId: "a", isEmpty: false });
		expect(draft.text).toBe("The next one");
		draft.follow({ chatId: "b", isEmpty: true });
		expect(draft.text).toBe("");
	});

	test("and chats in which nothing was asked share one, whatever their id", () => {
		const { draft } = createScene(taken);
		draft.follow({ chatId: "a", isEmpty: true });
		draft.set("Not asked yet");
		draft.follow({ chatId: "b", isEmpty: true });
		expect(draft.text).toBe("Not asked yet");
		draft.follow({ chatId: "c", isEmpty: false });
		expect(draft.text).toBe("");
		draft.follow({ chatId: "d", isEmpty: true });
		expect(draft.text).toBe("Not asked yet");
	});

	test("and what was written before chats had drafts is not lost", () => {
		const { draft } = createScene(taken, { draft: "Old words", scroll: null });
		draft.follow({ chatId: "a", isEmpty: false });
		expect(draft.text).toBe("Old words");
	});
});

test("Questions that were sent are remembered, the latest first and each once", async () => {
	const { draft, kept } = createScene(taken);
	for (const text of ["one", "two", "one", "x".repeat(6000)]) {
		draft.set(text);
		await draft.send(false);
	}
	expect(kept()).toMatchObject({ asked: ["one", "two"] });
});

describe("A page made again while words were on their way", () => {
	const never = (): Promise<never> => new Promise(() => undefined);

	const earlier = { id: "a", prompt: "An earlier question" };

	function reloaded(text = "With a file") {
		const first = createScene(never);
		first.draft.set(text);
		void first.draft.send(false, earlier.id);
		return createScene(taken, first.kept());
	}

	test("waits while the host still prepares the question", () => {
		const { draft } = reloaded();
		draft.recover(true, [], []);
		expect(draft.text).toBe("");
	});

	test("puts them back, once, when the host does not have them", () => {
		const { draft } = reloaded();
		draft.set("Typed since");
		draft.recover(false, [earlier], []);
		expect(draft.text).toBe("With a file\nTyped since");
		expect(draft.hint).toContain("Not sent");
		draft.set("");
		draft.recover(false, [], []);
		expect(draft.text).toBe("");
	});

	test("lets go of them when the question was asked", () => {
		const { draft } = reloaded();
		draft.recover(false, [earlier, { id: "b", prompt: "With a file" }], []);
		draft.recover(false, [], []);
		expect(draft.text).toBe("");
	});

	test("lets go of them when a queued message was asked after them, or when they wait in the queue", () => {
		const { draft } = reloaded();
		const turns = [earlier, { id: "b", prompt: "With a file" }, { id: "c", prompt: "Queued" }];
		draft.recover(false, turns, []);
		expect(draft.text).toBe("");
		const again = reloaded();
		again.draft.recover(false, [earlier], ["With a file"]);
		expect(again.draft.text).toBe("");
	});

	test("puts them back where only an earlier question had the same words", () => {
		const { draft } = reloaded(earlier.prompt);
		draft.recover(false, [earlier], []);
		expect(draft.text).toBe(earlier.prompt);
	});

	test("puts a command back that was on its way, and says that it may have run", () => {
		const first = createScene(taken);
		first.draft.set("/review these many words");
		void first.draft.run(never);
		expect(first.draft.text).toBe("");
		first.draft.recover(false, [], []);
		expect(first.draft.text).toBe("");
		const { draft, kept } = createScene(taken, first.kept());
		draft.recover(false, [], []);
		expect(draft.text).toBe("/review these many words");
		expect(draft.hint).toContain("may have run");
		expect(kept()).toMatchObject({ running: "" });
	});

	test("has nothing to put back of a command that the host has answered, or refused", async () => {
		const first = createScene(taken);
		first.draft.set("/new");
		await first.draft.run(() => Promise.resolve());
		first.draft.set("/export");
		await expect(first.draft.run(() => Promise.reject(new Error("Disk full")))).rejects.toThrow();
		const { draft } = createScene(taken, first.kept());
		draft.recover(false, [], []);
		expect(draft.text).toBe("");
	});

	test("leaves the page alone that is sending", () => {
		const { draft } = createScene(never);
		draft.set("Hello");
		void draft.send(false);
		draft.recover(false, [], []);
		expect(draft.text).toBe("");
	});
});

describe("T36: web addresses in a draft", () => {
	const quoted = "Read https://quoted.example/";

	test("are typed where the user wrote them, and not where something put them", async () => {
		const { draft, sent } = createScene(taken);
		draft.set(quoted);
		draft.edit(`${quoted} and https://typed.example/`);
		await draft.send(false);
		expect(sent).toEqual([
			{
				text: `${quoted} and https://typed.example/`,
				typed: ["https://typed.example/"],
			},
		]);
	});

	test("that are part of what was put there are not typed by words written around them", async () => {
		const { draft, sent } = createScene(taken);
		draft.prepend(quoted);
		draft.edit(`${quoted} please`);
		await draft.send(true);
		expect(sent).toEqual([{ text: `${quoted} please` }]);
	});

	test("stay typed when the words come back, after a failure and after a reload", async () => {
		const { draft, kept } = createScene(refused);
		draft.edit("https://typed.example/");
		await draft.send(false);
		const after = createScene(taken, kept());
		await after.draft.send(false);
		expect(after.sent).toEqual([
			{ text: "https://typed.example/", typed: ["https://typed.example/"] },
		]);
	});

	test("that were written and taken out again are not remembered", async () => {
		const { draft, sent } = createScene(taken);
		draft.edit("https://typed.example/");
		draft.edit("");
		draft.set("https://typed.example/");
		await draft.send(false);
		expect(sent).toEqual([{ text: "https://typed.example/" }]);
	});
});
