import { expect, test } from "vitest";
import { Completion } from "../../../../../media/chat/composer/completion.ts";
import type { AttachmentOffer } from "../../../../../src/shared/attachments.ts";

function offer(label: string): AttachmentOffer {
	return { id: label, kind: "file", label, detail: "", matches: [] };
}

/** A completion over a host whose answers a test gives one by one. */
function createScene() {
	const asked: { query: string; answer: (labels: readonly string[]) => Promise<void> }[] = [];
	let changes = 0;
	const host = {
		call: (_method: string, { query }: { query: string }) =>
			new Promise(resolve => {
				asked.push({
					query,
					answer: async labels => {
						resolve({ offers: labels.map(offer) });
						await new Promise(done => setImmediate(done));
					},
				});
			}),
	};
	const completion = new Completion(host as ConstructorParameters<typeof Completion>[0], () => {
		changes++;
	});
	return { asked, completion, changes: () => changes };
}

test("An @ opens the list with the first offer active, and the arrows go around its ends", async () => {
	const { asked, completion } = createScene();
	completion.follow("@", 1);
	expect(completion.list).toBeUndefined();
	await asked[0]?.answer(["a", "b", "c"]);
	expect(completion.list?.active).toBe(0);
	completion.move(-1);
	expect(completion.list?.active).toBe(2);
	completion.move(1);
	completion.move(1);
	expect(completion.list?.active).toBe(1);
});

test("While an answer is on its way only the latest query waits", async () => {
	const { asked, completion } = createScene();
	for (const text of ["@", "@o", "@or", "@ord"]) {
		completion.follow(text, text.length);
	}
	expect(asked.map(({ query }) => query)).toEqual([""]);
	await asked[0]?.answer(["a"]);
	expect(asked.map(({ query }) => query)).toEqual(["", "ord"]);
	await asked[1]?.answer(["orders.csv"]);
	expect(completion.list).toMatchObject({ mention: { query: "ord" }, active: 0 });
	expect(asked).toHaveLength(2);
});

test("An answer that comes after the arrows leaves their choice, wherever it is by then", async () => {
	const { asked, completion } = createScene();
	completion.follow("@", 1);
	await asked[0]?.answer(["a.ts", "b.ts", "c.ts"]);
	completion.follow("@t", 2);
	completion.follow("@ts", 3);
	completion.move(1);
	completion.move(1);
	await asked[1]?.answer(["c.ts", "a.ts", "b.ts"]);
	expect(completion.list?.active).toBe(0);
	await asked[2]?.answer(["b.ts", "c.ts"]);
	expect(completion.list).toMatchObject({ mention: { query: "ts" }, active: 1 });
});

test("A choice that is offered no more, or that more was written after, gives way to the best offer", async () => {
	const { asked, completion } = createScene();
	completion.follow("@", 1);
	await asked[0]?.answer(["a.ts", "b.ts"]);
	completion.follow("@t", 2);
	completion.move(1);
	await asked[1]?.answer(["a.ts", "t.ts"]);
	expect(completion.list?.active).toBe(0);
	completion.move(1);
	completion.follow("@ts", 3);
	await asked[2]?.answer(["a.ts", "t.ts"]);
	expect(completion.list?.active).toBe(0);
});

test("What Enter takes replaces all that was written, even before its own answer came", async () => {
	const { asked, completion } = createScene();
	completion.follow("@o", 2);
	await asked[0]?.answer(["orders.csv"]);
	completion.follow("@ord", 4);
	expect(completion.list?.mention).toEqual({ start: 0, query: "ord", trigger: "@" });
});

test("What waits for the list waits until it answers all that is written, and no longer than that is written", async () => {
	const { asked, completion } = createScene();
	const taken: (string | undefined)[] = [];
	const take = (): void =>
		completion.whenCurrent(() => taken.push(completion.list?.offers[0]?.label));
	completion.follow("@", 1);
	await asked[0]?.answer(["a.ts", "orders.csv"]);
	expect(completion.list?.isCurrent).toBe(true);
	completion.follow("@o", 2);
	completion.follow("@or", 3);
	expect(completion.list?.isCurrent).toBe(false);
	take();
	await asked[1]?.answer(["todo.md", "orders.csv"]);
	expect(taken).toEqual([]);
	await asked[2]?.answer(["orders.csv"]);
	expect(taken).toEqual(["orders.csv"]);
	completion.follow("@ord", 4);
	take();
	completion.follow("@orde", 5);
	await asked[3]?.answer(["orders.csv"]);
	await asked[4]?.answer(["orders.csv"]);
	expect(taken).toEqual(["orders.csv"]);
});

test("Escape closes the list for this @ and not for the next one", async () => {
	const { asked, completion } = createScene();
	completion.follow("@o", 2);
	await asked[0]?.answer(["orders.csv"]);
	completion.dismiss();
	completion.follow("@or", 3);
	expect(completion.list).toBeUndefined();
	expect(asked).toHaveLength(1);
	completion.follow("@or and @", 9);
	await asked[1]?.answer(["x"]);
	expect(completion.list?.offers).toHaveLength(1);
});

test("An answer that comes after the cursor has left opens nothing", async () => {
	const { asked, completion, changes } = createScene();
	completion.follow("@o", 2);
	completion.follow("@o ", 3);
	await asked[0]?.answer(["orders.csv"]);
	expect(completion.list).toBeUndefined();
	expect(changes()).toBe(0);
});

test("A list of nothing has no active offer, so that Enter sends", async () => {
	const { asked, completion } = createScene();
	completion.follow("@zz", 3);
	await asked[0]?.answer([]);
	expect(completion.list).toMatchObject({ offers: [], active: -1 });
	completion.move(1);
	expect(completion.list?.active).toBe(-1);
});

test("After its word was taken the same place can hold another @", async () => {
	const { asked, completion } = createScene();
	completion.follow("@", 1);
	await asked[0]?.answer(["a"]);
	completion.close();
	expect(completion.list).toBeUndefined();
	completion.follow("@", 1);
	await asked[1]?.answer(["b"]);
	expect(completion.list?.offers).toHaveLength(1);
});
