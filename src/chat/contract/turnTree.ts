import type { Turn } from "./turn.ts";

interface PlacedTurn {
	/** Counted from 1 over all turns of the chat, in the order they were asked. */
	readonly number: number;
	/** The number of the turn it follows; 0 for a first turn. */
	readonly after: number;
	readonly turn: Turn;
}

/** All turns of a chat. Turns that follow the same one are versions of each other. */
export interface TurnTreeState {
	readonly placed: readonly PlacedTurn[];
	/** The number of the turn shown after a turn, by its number. Defaults to the last one asked. */
	readonly chosen: ReadonlyMap<number, number>;
}

/** A chat without turns. */
export const emptyTree: TurnTreeState = { placed: [], chosen: new Map() };

/** The versions of a question, oldest first, and the current one. */
export interface TurnVersions {
	readonly ids: readonly string[];
	/** Counted from 0. */
	readonly index: number;
}

/** All turns of a chat and the shown path through them. Keeps hidden turns. Changing the last turn takes constant time. */
export class TurnTree {
	private readonly nodes = new Map<number, PlacedTurn>();
	private readonly numbers = new Map<string, number>();
	private readonly followers = new Map<number, number[]>();
	private readonly chosen = new Map<number, number>();
	private path: number[] = [];
	private shown: Turn[] = [];
	private lastAdded = 0;

	constructor({ placed, chosen }: TurnTreeState = emptyTree) {
		placed.forEach(({ number, after, turn }) => this.add(number, turn, after));
		chosen.forEach((number, after) => this.chosen.set(after, number));
		this.walk();
	}

	get turns(): readonly Turn[] {
		return this.shown;
	}

	/** All turns including hidden ones, in the order they were asked. */
	get everyTurn(): readonly Turn[] {
		return [...this.nodes.values()].map(({ turn }) => turn);
	}

	/** The number of the last shown turn; 0 if there is none. */
	get lastNumber(): number {
		return this.path.at(-1) ?? 0;
	}

	get nextNumber(): number {
		return this.lastAdded + 1;
	}

	get state(): TurnTreeState {
		return { placed: [...this.nodes.values()], chosen: new Map(this.chosen) };
	}

	get(number: number): Turn | undefined {
		return this.nodes.get(number)?.turn;
	}

	numberOf(turnId: string): number | undefined {
		return this.numbers.get(turnId);
	}

	/** Returns the number of the turn before one; 0 for a first turn. */
	afterOf(number: number): number {
		return this.nodes.get(number)?.after ?? 0;
	}

	/** Adds a turn and shows it. Without `after`, or if that turn was lost, it follows the previously asked one, as in logs without versions. */
	add(number: number, turn: Turn, after = this.lastAdded): void {
		const known = this.nodes.get(number);
		if (known) {
			this.change(number, () => turn);
			return;
		}
		const isThere = after === 0 || (after < number && this.nodes.has(after));
		const parent = isThere ? after : this.lastAdded;
		this.nodes.set(number, { number, after: parent, turn });
		this.numbers.set(turn.id, number);
		this.followers.set(parent, [...(this.followers.get(parent) ?? []), number]);
		this.lastAdded = Math.max(this.lastAdded, number);
		if (parent === this.lastNumber) {
			this.path.push(number);
			this.shown.push(turn);
			this.chosen.delete(parent);
		} else {
			this.show(number);
		}
	}

	/** Changes a turn, shown or hidden. Returns the new turn, or undefined if the number doesn't exist. */
	change(number: number, change: (turn: Turn) => Turn): Turn | undefined {
		const node = this.nodes.get(number);
		if (!node) {
			return undefined;
		}
		const turn = change(node.turn);
		this.nodes.set(number, { ...node, turn });
		const index = this.path.lastIndexOf(number);
		if (index !== -1) {
			this.shown[index] = turn;
		}
		return turn;
	}

	changeAll(change: (turn: Turn, number: number) => Turn): void {
		for (const [number, node] of this.nodes) {
			this.nodes.set(number, { ...node, turn: change(node.turn, number) });
		}
		this.walk();
	}

	/** Shows the path to a turn, and the turns last shown after it. Does nothing for an unknown number. */
	show(number: number): void {
		for (let node = this.nodes.get(number); node; node = this.nodes.get(node.after)) {
			this.chosen.set(node.after, node.number);
		}
		this.walk();
	}

	/** Returns the versions of a turn including itself; none if it isn't in the chat. */
	versionsOf(turnId: string): TurnVersions {
		const number = this.numbers.get(turnId);
		const node = number === undefined ? undefined : this.nodes.get(number);
		const siblings = (node && this.followers.get(node.after)) ?? [];
		const ids = siblings.flatMap(each => this.nodes.get(each)?.turn.id ?? []);
		return { ids, index: ids.indexOf(turnId) };
	}

	private walk(): void {
		this.path = [];
		for (let next = this.choiceAfter(0); next !== undefined; next = this.choiceAfter(next)) {
			this.path.push(next);
		}
		this.shown = this.path.flatMap(number => this.nodes.get(number)?.turn ?? []);
	}

	private choiceAfter(number: number): number | undefined {
		const followers = this.followers.get(number) ?? [];
		const chosen = this.chosen.get(number);
		return chosen !== undefined && followers.includes(chosen) ? chosen : followers.at(-1);
	}
}
