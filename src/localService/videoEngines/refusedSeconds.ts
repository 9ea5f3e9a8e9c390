import { secondsToAsk } from "../../common/videoEngines.ts";
import { wordsOf } from "../openai/serverFailure.ts";

const lists =
	/(?:\bone of|\bvalues? (?:are|is)|\bshould be|\bmust be|\ballowed|\bvalid|\bsupports?)([^.}]*)/gi;

/** The lengths that a refusal names, as the one to ask for instead; undefined where it is about something else. */
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
