/** How often a page is asked while text flows into it, and otherwise; the second costs nothing to speak of. */
const hurriedBeatMs = 100;
const calmBeatMs = 2000;

/** How long after the last text a page counts as one that text flows into. */
const hurriedForMs = 3000;

/** How long a page that has been quick so far may be silent, likewise. */
const hurriedPatienceMs = 350;
const calmPatienceMs = 2000;

/** A page that was excused counts as one that takes so long to answer, in ms: four times that is what it may be silent next. */
export const excusedAnswerMs = 150;

/** A page counts as quick once it has answered so often: the window around it may have only just begun. */
const provenAnswers = 3;

/** How many times as long it may be silent after each new page of the last minute. */
const leniency = 2.5;

/** How soon a page in which a script broke off is asked, and how long it may be silent then, likewise, for so long. */
export const erredPause = 50;
const erredPatienceMs = 300;
const erredForMs = 1000;

/** No page is waited for longer than this once a ping was handed to it, whatever it was sent. */
const longestPatienceMs = 15_000;

/** How long a document may take to load: the first one, over a slow connection too, and the ones after it at least. */
const firstLoadMs = 10_000;
const shortestLoadMs = 1000;

/** How long a frame may take that was made in place of another until it takes a word, in ms: five times what is measured. */
export const reachPatienceMs = 500;

/** What a page may take for text it has to show: 4 ms for 1000 characters, ten times what is measured. */
const msPerCharacter = 0.004;

/** The pause between an answer and the next ping, in ms, so long after the page was last sent something to show. */
export function beatPause(sinceWorkMs: number): number {
	return sinceWorkMs < hurriedForMs ? hurriedBeatMs : calmBeatMs;
}

/** What a page may take for so much text, in ms. */
export function workAllowance(characters: number): number {
	return characters * msPerCharacter;
}

/** How long a document may take to load, in ms: four times what the last one took, and twice as long after each that failed. */
export function loadAllowance(lastLoadMs: number | undefined, revivals: number): number {
	const usual = lastLoadMs === undefined ? firstLoadMs : 4 * lastLoadMs;
	const failures = Math.max(0, revivals - 1);
	return Math.min(firstLoadMs, Math.max(shortestLoadMs, usual) * 2 ** failures);
}

/** Whether a page that is silent so long after an error is silent because of that. */
export function isErred(sinceErrorMs: number): boolean {
	return sinceErrorMs < erredForMs;
}

/**
 * How long a page may be silent, in ms. One that was slow before is given four times that; and longer after each new page of the last
 * minute, so that a page that is merely slow is soon left in peace.
 */
export function patience(page: {
	readonly answers: number;
	readonly slowestMs: number;
	readonly workMs: number;
	readonly sinceWorkMs: number;
	readonly sinceErrorMs: number;
	readonly revivals: number;
}): number {
	const isHurried = page.sinceWorkMs < hurriedForMs && page.answers >= provenAnswers;
	const calm = isHurried ? hurriedPatienceMs : calmPatienceMs;
	const usual = (isErred(page.sinceErrorMs) ? erredPatienceMs : calm) * leniency ** page.revivals;
	return Math.min(longestPatienceMs, Math.max(usual, 4 * page.slowestMs) + page.workMs);
}

/** How long to wait, in ms, before a script is asked for again that could not be loaded after so many tries. */
export function scriptPause(tries: number): number {
	return tries === 1 ? 1000 : 5000;
}
