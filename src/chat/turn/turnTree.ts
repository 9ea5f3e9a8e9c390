import type { Turn } from "./turn.ts";

/** A turn and where it is in its chat. */
interface PlacedTurn {
	/** Counted from 1 over all turns of the chat, in the order they were asked. */
	readonly number: number;
	/** The number of the turn it follows; 0 for one that begins the chat. */
	readonly after: number;
	readonly turn: Turn;
}

/** Everything asked in a chat, as it is handed on. Two turns that follow the same one are versions of each other. */
export interface TurnTreeState {
	readonly placed: readonly PlacedTurn[];
	/** Which turn is shown behind a turn, by their numbers; the last one asked where this does not say. */
	readonly chosen: ReadonlyMap<number, number>;
}

/** A chat in which nothing was asked. */
export const emptyTree: TurnTreeState = { placed: [], chosen: new Map() };

/** The versions of a question, oldest first, and which of them is meant. */
export interface TurnVersions {
	readonly ids: readonly string[];
	/** Counted from 0. */
	readonly index: number;
}

/**
 * All turns of a chat, and the path through them that is shown: from a first turn down to one that nothing follows. Turns
 * off the path stay as they are (nothing a user asked is ever dropped). Changing the last turn costs the same however
 * many there are.
 */
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

	/** The turns that are shown, in order. */
	get turns(): readonly Turn[] {
		return this.shown;
	}

	/** All turns, those that are not shown included, in the order they were asked. */
	get everyTurn(): readonly Turn[] {
		return [...this.nodes.values()].map(({ turn }) => turn);
	}

	/** The number of the last turn that is shown; 0 when there is none. */
	get lastNumber(): number {
		return this.path.at(-1) ?? 0;
	}

	/** The number of the turn asked next. */
	get nextNumber(): number {
		return this.lastAdded + 1;
	}

	/** A copy that nothing changes any more. */
	get state(): TurnTreeState {
		return { placed: [...this.nodes.values()], chosen: new Map(this.chosen) };
	}

	/** The turn of a number, shown or not. */
	get(number: number): Turn | undefined {
		return this.nodes.get(number)?.turn;
	}

	/** The number of a turn; undefined when it is not in the chat. */
	numberOf(turnId: string): number | undefined {
		return this.numbers.get(turnId);
	}

	/** The number of the turn that one follows; 0 for one that begins the chat. */
	afterOf(number: number): number {
		return this.nodes.get(number)?.after ?? 0;
	}

	/**
	 * Takes a turn and shows it. Without `after`, or where that turn was lost, it follows the one asked before it, as every
	 * turn does in a log that knows no versions.
	 */
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

	/** Changes a turn, shown or not; returns what became of it, and undefined when there is none of this number. */
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

	/** Changes every turn, shown or not. */
	changeAll(change: (turn: Turn, number: number) => Turn): void {
		for (const [number, node] of this.nodes) {
			this.nodes.set(number, { ...node, turn: change(node.turn, number) });
		}
		this.walk();
	}

	/** Shows the path that leads to a turn and on from it as it was shown last; does nothing for a number without a turn. */
	show(number: number): void {
		for (let node = this.nodes.get(number); node; node = this.nodes.get(node.after)) {
			this.chosen.set(node.after, node.number);
		}
		this.walk();
	}

	/** The versions of a turn, itself among them; none when it is not in the chat. */
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
