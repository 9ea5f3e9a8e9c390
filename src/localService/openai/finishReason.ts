/** How an answer ended: by itself, at a limit of length, by a filter, or because the server could not go on. */
export type AnswerEnd = "complete" | "cut" | "filtered" | "failed";

/** The ends that are not complete, by words of the reasons that servers give. */
const ends: readonly (readonly [end: AnswerEnd, words: RegExp])[] = [
	["failed", /error|abort|insufficient|cancel|malformed|unexpected|timeout|^other$|^language$/],
	["filtered", /filter|safety|recitation|blocklist|prohibited|spii|sensitive|guardrail|refusal/],
	["cut", /length|max_?(?:output_?|new_?|completion_?)?tokens|token_limit|context_window|^limit$/],
];

/** Reads the reason that a server gives for the end of an answer, in any case and spelling. */
export function endOf(reason: string): AnswerEnd {
	const plain = reason.toLowerCase().replaceAll(/[\s.-]+/g, "_");
	return ends.find(([, words]) => words.test(plain))?.[0] ?? "complete";
}
