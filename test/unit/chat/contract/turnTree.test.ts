import { describe, expect, test } from "vitest";
import type { ChatRecord } from "../../../../src/chat/log/chatRecord.ts";
import { replayChat } from "../../../../src/chat/log/chatReplay.ts";
import { startTurn } from "../../../../src/chat/contract/turn.ts";
import { TurnTree } from "../../../../src/chat/contract/turnTree.ts";
import { plainOptions } from "../../../helpers/chatBench.ts";
import { createRandom, type Random } from "../../../helpers/random.ts";

const options = { ...plainOptions, serverTools: [] };

function turnOf(id: string) {
	return startTurn({ id, prompt: id, createdAt: 0, options });
}

function asked(turn: number, after?: number): ChatRecord {
	return {
		type: "turn-started",
		at: turn,
		turn,
		id: `t${turn}`,
		prompt: `${turn}`,
		options: { model: "m", serverTools: [], parameters: {} },
		...(after === undefined ? {} : { after }),
	};
}

function idsOf(records: readonly ChatRecord[]): string[] {
	return replayChat(records).turns.map(({ id }) => id);
}

/** A chat in the simplest form there is: every turn knows its parent, and the path is looked for again every time. */
class Model {
	readonly parents = new Map<number, number>();
	readonly chosen = new Map<number, number>();

	get path(): number[] {
		const path: number[] = [];
		for (;;) {
			const last = path.at(-1) ?? 0;
			const followers = [...this.parents].filter(([, parent]) => parent === last);
			const next = this.chosen.get(last) ?? followers.at(-1)?.[0];
			if (next === undefined) {
				return path;
			}
			path.push(next);
		}
	}

	show(number: number): void {
		for (let at = number; at !== 0; at = this.parents.get(at) ?? 0) {
			this.chosen.set(this.parents.get(at) ?? 0, at);
		}
	}

	ask(after: number): number {
		const number = this.parents.size + 1;
		this.parents.set(number, after);
		this.show(number);
		return number;
	}
}

/** Asks, asks other versions and goes back and forth at random; returns the records of it and what must be shown. */
function randomChat(random: Random): { records: ChatRecord[]; model: Model } {
	const model = new Model();
	const records: ChatRecord[] = [];
	for (let step = random.below(40); step >= 0; step -= 1) {
		const { path } = model;
		const place = random.below(path.length + 1);
		const action = random.below(4);
		if (action < 2 || path.length === 0) {
			const after = path.at(-1) ?? 0;
			const number = model.ask(after);
			records.push(
				asked(number, after === number - 1 && random.below(2) === 0 ? undefined : after),
			);
		} else if (action === 2) {
			const after = path[place - 1] ?? 0;
			records.push(asked(model.ask(after), after));
		} else {
			const number = 1 + random.below(model.parents.size);
			model.show(number);
			records.push({ type: "branch-shown", at: 0, shown: number });
		}
	}
	return { records, model };
}

describe("The turns of a chat", () => {
	test("are one line in a log that knows no versions", () => {
		const records = [asked(1), asked(2), asked(3)];
		expect(idsOf(records)).toEqual(["t1", "t2", "t3"]);
		expect(replayChat(records).nextTurn).toBe(4);
	});

	test("show the version that was asked last, and another one when it was chosen", () => {
		const records = [asked(1), asked(2), asked(3), asked(4, 1)];
		expect(idsOf(records)).toEqual(["t1", "t4"]);
		const back: ChatRecord = { type: "branch-shown", at: 0, shown: 2 };
		expect(idsOf([...records, back])).toEqual(["t1", "t2", "t3"]);
		expect(idsOf([...records, back, asked(5, 3)])).toEqual(["t1", "t2", "t3", "t5"]);
		expect(idsOf([...records, back, { ...back, shown: 4 }, back])).toEqual(["t1", "t2", "t3"]);
	});

	test("are all there whatever is shown", () => {
		const { tree } = replayChat([asked(1), asked(2), asked(3, 0)]);
		expect(tree.placed.map(({ number, after }) => [number, after])).toEqual([
			[1, 0],
			[2, 1],
			[3, 0],
		]);
		const again = new TurnTree(tree);
		expect(again.turns.map(({ id }) => id)).toEqual(["t3"]);
		expect(again.versionsOf("t3")).toEqual({ ids: ["t1", "t3"], index: 1 });
		expect(again.versionsOf("t2")).toEqual({ ids: ["t2"], index: 0 });
		expect(again.versionsOf("other")).toEqual({ ids: [], index: -1 });
	});

	test("follow what is left when the turn they followed was lost, or is none", () => {
		expect(idsOf([asked(1), { type: "gap" }, asked(3), asked(4, 2)])).toEqual(["t1", "t3", "t4"]);
		expect(idsOf([asked(1), asked(2, 2), asked(3, 9)])).toEqual(["t1", "t2", "t3"]);
		expect(idsOf([asked(1), { type: "branch-shown", at: 0, shown: 7 }])).toEqual(["t1"]);
	});

	test("are, over random chats, what the simplest form of the same chat shows", () => {
		const first = Date.now() % 1_000_000;
		console.log(`chats from seed ${first}`);
		for (let seed = first; seed < first + 2000; seed += 1) {
			const { records, model } = randomChat(createRandom(seed));
			const replayed = replayChat(records);
			const shown = model.path.map(number => `t${number}`);
			expect({ seed, shown: replayed.turns.map(({ id }) => id) }).toEqual({ seed, shown });
			expect(replayed.tree.placed).toHaveLength(model.parents.size);
			const handedOn = new TurnTree(new TurnTree(replayed.tree).state);
			expect({ seed, shown: handedOn.turns.map(({ id }) => id) }).toEqual({ seed, shown });
		}
	});

	test("change in place, shown or not", () => {
		const tree = new TurnTree();
		tree.add(1, turnOf("a"));
		tree.add(2, turnOf("b"), 0);
		tree.change(1, turn => ({ ...turn, prompt: "A" }));
		tree.change(2, turn => ({ ...turn, prompt: "B" }));
		expect(tree.turns.map(({ prompt }) => prompt)).toEqual(["B"]);
		tree.show(1);
		expect(tree.turns.map(({ prompt }) => prompt)).toEqual(["A"]);
		expect(tree.change(3, turn => turn)).toBeUndefined();
	});
});
