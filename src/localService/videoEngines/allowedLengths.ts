import { serverMessage } from "../openai/serverFailure.ts";
import { EngineFailure, type EngineServer } from "./engineServer.ts";
import type { AcceptedOrder } from "./videoEngine.ts";

/** The shortest and longest video that a server may name, in seconds. Other numbers mean something else. */
const minSeconds = 1;
const maxSeconds = 60;

/** A number that has no other unit than seconds. */
const otherUnit = String.raw`\s?(?:credits?|tokens?|frames?|characters?|images?|videos?|minutes?|USD|fps)\b|\s?[%$€]`;
const count = String.raw`["'\`]?(\d{1,2})(?:\.0+)?(?:\s?s(?:ec(?:ond)?s?)?\b|(?!${otherUnit}))["'\`]?(?!\w|\.\d)`;

const ranges = [
	String.raw`\bbetween ${count} and ${count}`,
	String.raw`\brange[^\d]{0,12}?${count}\s*,\s*${count}`,
	String.raw`(?<![\w.-])${count}\s*(?:to|through|-|–|—|\.{2,3}|…)\s*${count}`,
].map(pattern => new RegExp(pattern, "i"));

/** What a bound is of, between its word and its number. */
const subject = String.raw`(?: allowed| supported)?(?: video| clip)?(?: duration| length| seconds)?(?: is| of|:)?`;
const least = new RegExp(
	String.raw`(?:\bat least|\bmin(?:imum)?${subject}|\bno (?:less|shorter) than|\bgreater than or equal to|>=|≥)\s*${count}`,
	"i",
);
const most = new RegExp(
	String.raw`(?:\bat most|\bmax(?:imum)?${subject}|\bno (?:more|longer) than|\bup to|\bless than or equal to|\bexceed|<=|≤)\s*${count}`,
	"i",
);
const lists =
	/(?:\bone of|\bvalues? (?:are|is)|\bshould be|\bmust be|\ballowed|\bvalid|\bsupports?)([^.}]*)/gi;

interface AllowedLengths {
	/** In ascending order. */
	readonly seconds: readonly number[];
	readonly words: string;
}

/**
 * Returns the longest allowed length below a refused one, if the refusal names the allowed ones, and undefined if it is about something else. A longer
 * video may cost more than what was shown, so if all are longer, throws an `EngineFailure` that names them.
 */
export function shorterLength(
	server: EngineServer,
	body: string,
	seconds: number,
): number | undefined {
	const allowed = /seconds|duration/i.test(body) ? allowedLengths(serverMessage(body)) : undefined;
	if (!allowed || allowed.seconds.includes(seconds)) {
		return undefined;
	}
	const shorter = allowed.seconds.findLast(value => value <= seconds);
	if (shorter === undefined) {
		throw new EngineFailure(
			`${server.name} makes videos of ${allowed.words} s, not of ${seconds} s. Nothing was ordered, because a longer video may cost more. Choose one of its lengths, or set them in “cutaway.localService.video.durations”, and generate the video again.`,
			{ charge: "refused" },
		);
	}
	return shorter;
}

/** Returns the length that a server accepted, with a note for the user if it is shorter than asked for. */
export function acceptedLength(
	server: EngineServer,
	asked: number,
	seconds: number,
): Pick<AcceptedOrder, "seconds" | "note"> {
	return seconds === asked
		? { seconds }
		: {
				seconds,
				note: `The video has ${seconds} s, because ${server.name} makes none of ${asked} s and a longer one may cost more.`,
			};
}

function allowedLengths(words: string): AllowedLengths | undefined {
	const [from, to] = rangeIn(words);
	if (from !== undefined || to !== undefined) {
		const seconds = Array.from({ length: maxSeconds }, (_, index) => index + 1).filter(
			value => value >= (from ?? minSeconds) && value <= (to ?? maxSeconds),
		);
		const named =
			from === undefined
				? `at most ${to}`
				: to === undefined
					? `at least ${from}`
					: `${from} to ${to}`;
		return { seconds, words: named };
	}
	const seconds = [...words.matchAll(lists)]
		.map(([, list = ""]) => [...list.matchAll(/\d+/g)].map(([digits]) => Number(digits)))
		.find(found => found.length > 1)
		?.filter(isLength)
		.toSorted((left, right) => left - right);
	return seconds === undefined || seconds.length < 2
		? undefined
		: { seconds, words: seconds.join(", ") };
}

function rangeIn(words: string): readonly [from: number | undefined, to: number | undefined] {
	for (const range of ranges) {
		const [from = 0, to = 0] = (range.exec(words) ?? []).slice(1).map(Number);
		if (isLength(from) && isLength(to) && from < to) {
			return [from, to];
		}
	}
	const [from, to] = [least, most].map(bound => Number(bound.exec(words)?.[1]));
	return [
		from !== undefined && isLength(from) ? from : undefined,
		to !== undefined && isLength(to) ? to : undefined,
	];
}

function isLength(value: number): boolean {
	return value >= minSeconds && value <= maxSeconds;
}
