/** A match: its turn, and its index among the turn's matches, from 0. */
export interface MatchLocation {
	readonly turnId: string;
	readonly ordinal: number;
}

export type MatchCounts = ReadonlyMap<string, number>;

/** Returns the first match in turn number `from` or after it. Wraps around at the end. */
export function firstMatch(
	turnIds: readonly string[],
	counts: MatchCounts,
	from: number,
): MatchLocation | undefined {
	const ids = [...turnIds.slice(from), ...turnIds.slice(0, from)];
	const turnId = ids.find(id => (counts.get(id) ?? 0) > 0);
	return turnId === undefined ? undefined : { turnId, ordinal: 0 };
}

/** Returns the next or previous match. Wraps around at the ends. */
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

/** Returns the number of a match, counted from 1, and the total; 0 for no match. */
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
