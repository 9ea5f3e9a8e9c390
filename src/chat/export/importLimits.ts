import { type ChatRecord, turnNumberOf } from "../log/chatRecord.ts";
import { placeOfCall } from "../turn/toolRecord.ts";
import { callIdOf } from "../turn/turn.ts";

/** Questions of an imported chat: several times what a year of work asks. */
const maxTurns = 10_000;

/** The highest number of a question; numbers of questions that were lost are not given again. */
const maxTurnNumber = 1_000_000;

const maxRecords = 200_000;

/** Records and attempts of one question, and changes of the branch that is shown: each costs as much as what it changes is long. */
const maxRecordsOfTurn = 5_000;
const maxAttempts = 100;
const maxBranches = 300;

/** The records of an import so far: reading them, now and at every opening of their chat, takes a bounded time and amount of memory. */
export class ImportLimits {
	private records = 0;
	private turns = 0;
	private branches = 0;
	private readonly recordsByTurn = new Map<number | string, number>();
	private readonly attemptsByTurn = new Map<number | string, number>();

	/** Counts one more record; false when that is too much. */
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

/** Counts one more of a key, and returns how many there are; nothing is counted without one. */
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
