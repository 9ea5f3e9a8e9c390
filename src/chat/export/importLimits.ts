import { type ChatRecord, turnNumberOf } from "../log/index.ts";
import { placeOfCall, callIdOf } from "../turn/index.ts";

/** Questions of an imported chat: several times what a year of work asks. */
const maxTurns = 10_000;

/** The highest number of a question; numbers of questions that were lost are not given again. */
const maxTurnNumber = 1_000_000;

const maxRecords = 200_000;

/** Records and attempts of one question, and changes of the branch that is shown: each costs as much as what it changes is long. */
const maxRecordsOfTurn = 5_000;
const maxAttempts = 100;
const maxBranches = 300;

/** Whether reading these records, now and at every opening of their chat, takes a bounded time and amount of memory. */
export function areWithinLimits(records: readonly ChatRecord[]): boolean {
	const numbers = records.map(record => turnNumberOf(record) ?? 0);
	return (
		records.length <= maxRecords &&
		numbers.every(number => number <= maxTurnNumber) &&
		most(records, ({ type }) => (type === "turn-started" ? "" : undefined)) <= maxTurns &&
		most(records, record => (changesBranch(record) ? "" : undefined)) <= maxBranches &&
		most(records, turnOf) <= maxRecordsOfTurn &&
		most(records, record => (isAttempt(record) ? turnOf(record) : undefined)) <= maxAttempts
	);
}

/** How many records have the commonest key. */
function most(
	records: readonly ChatRecord[],
	keyOf: (record: ChatRecord) => number | string | undefined,
): number {
	const counts = new Map<number | string, number>();
	let highest = 0;
	for (const record of records) {
		const key = keyOf(record);
		if (key !== undefined) {
			const count = (counts.get(key) ?? 0) + 1;
			counts.set(key, count);
			highest = Math.max(highest, count);
		}
	}
	return highest;
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
