import { secondsToAsk } from "../../common/videoEngines.ts";
import { wordsOf } from "../openai/serverFailure.ts";

const lists =
	/(?:\bone of|\bvalues? (?:are|is)|\bshould be|\bmust be|\ballowed|\bvalid|\bsupports?)([^.}]*)/gi;

/** Returns the seconds to request instead, from the lengths that an error response lists. Returns undefined for other errors. */
export function secondsIn(body: string, seconds: number): number | undefined {
	if (!/seconds|duration/i.test(body)) {
		return undefined;
	}
	const numbers = [...wordsOf(body).matchAll(lists)]
		.map(([, list = ""]) => [...list.matchAll(/\d+/g)].map(([digits]) => Number(digits)))
		.find(found => found.length > 1)
		?.filter(value => value >= 1 && value <= 60);
	return numbers === undefined || numbers.length < 2 || numbers.includes(seconds)
		? undefined
		: secondsToAsk(seconds, numbers);
}
