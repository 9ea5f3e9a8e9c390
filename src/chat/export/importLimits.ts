import { type ChatRecord, turnNumberOf } from "../log/chatRecord.ts";
import { placeOfCall } from "../turn/toolRecord.ts";
import { callIdOf } from "../turn/turn.ts";

/** The most turns of an imported chat, several times the number of a year. */
const maxTurns = 10_000;

/** The highest turn number. Numbers of lost turns aren't reused. */
const maxTurnNumber = 1_000_000;

const maxRecords = 200_000;

/** The most records and attempts of a turn, and changes of the shown branch. The cost of each depends on the length of what it changes. */
const maxRecordsOfTurn = 5_000;
const maxAttempts = 100;
const maxBranches = 300;

/** Limits the records of an import, so that reading them takes bounded time and memory, also whenever the chat is opened. */
export class ImportLimits {
	private records = 0;
	private turns = 0;
	private branches = 0;
	private readonly recordsByTurn = new Map<number | string, number>();
	private readonly attemptsByTurn = new Map<number | string, number>();

	/** Counts a record. Returns false if there are too many. */
	take(record: ChatRecord): boolean {
		const turn = turnOf(record);
		this.records += 1;
		this.turns += record.type === "turn-started" ? 1 : 0;
		this.branches += changesBranch(record) ? 1 : 0;
		return (
			this.records <= maxRecords &&
			this.turns <= maxTurns &&
			this.branches <= maxBranches &&
			(turnNumberOf(record) ?? 0) <= maxTurnNumber &&
			countOne(this.recordsByTurn, turn) <= maxRecordsOfTurn &&
			(!isAttempt(record) || countOne(this.attemptsByTurn, turn) <= maxAttempts)
		);
	}
}

/** Increments the count of a key and returns it. Returns 0 without a key. */
function countOne(counts: Map<number | string, number>, key: number | string | undefined): number {
	if (key === undefined) {
		return 0;
	}
	const count = (counts.get(key) ?? 0) + 1;
	counts.set(key, count);
	return count;
}

function turnOf(record: ChatRecord): number | string | undefined {
	switch (record.type) {
		case "tool-started":
		case "block-called":
		case "tool-ended":
			return placeOfCall(callIdOf(record)).turnId;
		default:
			return turnNumberOf(record);
	}
}

function changesBranch(record: ChatRecord): boolean {
	return (
		record.type === "branch-shown" || (record.type === "turn-started" && record.after !== undefined)
	);
}

function isAttempt({ type }: ChatRecord): boolean {
	return type.startsWith("attempt-");
}
