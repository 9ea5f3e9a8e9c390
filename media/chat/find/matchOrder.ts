/** One match: the turn it is in, and its number among the matches there, counted from 0. */
export interface MatchLocation {
	readonly turnId: string;
	readonly ordinal: number;
}

/** How many matches each turn has that was searched. */
export type MatchCounts = ReadonlyMap<string, number>;

/** The first match in the turn with number `from` or behind it; past the end it goes on at the beginning. */
export function firstMatch(
	turnIds: readonly string[],
	counts: MatchCounts,
	from: number,
): MatchLocation | undefined {
	const ids = [...turnIds.slice(from), ...turnIds.slice(0, from)];
	const turnId = ids.find(id => (counts.get(id) ?? 0) > 0);
	return turnId === undefined ? undefined : { turnId, ordinal: 0 };
}

/** The match after or before one, around the ends of the chat. */
export function adjacentMatch(
	turnIds: readonly string[],
	counts: MatchCounts,
	{ turnId, ordinal }: MatchLocation,
	direction: 1 | -1,
): MatchLocation | undefined {
	const next = ordinal + direction;
	if (next >= 0 && next < (counts.get(turnId) ?? 0)) {
		return { turnId, ordinal: next };
	}
	const index = Math.max(0, turnIds.indexOf(turnId));
	if (direction === 1) {
		return firstMatch(turnIds, counts, index + 1);
	}
	const found = firstMatch([...turnIds].reverse(), counts, turnIds.length - index);
	return found && { ...found, ordinal: (counts.get(found.turnId) ?? 1) - 1 };
}

/** Which of how many a match is, counted from 1; 0 when it is none. */
export function numberOf(
	turnIds: readonly string[],
	counts: MatchCounts,
	current: MatchLocation | undefined,
): { readonly current: number; readonly total: number } {
	let [number, total] = [0, 0];
	for (const id of turnIds) {
		if (id === current?.turnId) {
			number = total + current.ordinal + 1;
		}
		total += counts.get(id) ?? 0;
	}
	return { current: Math.min(number, total), total };
}
