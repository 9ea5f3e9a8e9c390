/** Where a call is: of which turn, in which attempt and round, under which id of the model. */
interface CallKey {
	readonly turnId: string;
	/** Counted from 1, as `Turn.attempt`. */
	readonly attempt: number;
	/** Counted from 1; `clickRound` of a call that a user made. */
	readonly round: number;
	/** The model's id for it, which is its card's id as well. */
	readonly cardId: string;
}

/** The round of calls that no answer made, but a click on one of its code blocks. */
export const clickRound = 0;

/** A call's id for all time: a second call with it never runs. */
export function toolCallId({ turnId, attempt, round, cardId }: CallKey): string {
	return `${turnId}:${attempt}:${round}:${cardId}`;
}

/** The place a call's id was made of; whatever the model's id holds, even colons, comes back. */
export function placeOfCall(callId: string): CallKey {
	const [turnId = "", attempt, round, ...rest] = callId.split(":");
	return { turnId, attempt: Number(attempt), round: Number(round), cardId: rest.join(":") };
}
