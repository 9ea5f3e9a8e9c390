import { HttpFailure } from "../base/httpFailure.ts";
import { overflowOf } from "./contextOverflow.ts";
import { parsed } from "./plainText.ts";

/** A refusal of a server of models. */
export interface Refusal {
	readonly status: number;
	/** In the server's own words. */
	readonly words: string;
	readonly body: string;
}

const maxErrorBytes = 64 * 1024;

/** Reads what a server says about a request that it refused, at most the beginning. */
export async function readRefusal(response: Response): Promise<Refusal> {
	if (response.status >= 300 && response.status < 400) {
		await response.body?.cancel();
		return { status: response.status, words: "it redirects to another address.", body: "" };
	}
	const chunks: Uint8Array[] = [];
	let size = 0;
	for await (const chunk of response.body ?? []) {
		chunks.push(chunk);
		size += chunk.length;
		if (size > maxErrorBytes) {
			break;
		}
	}
	const body = Buffer.concat(chunks).toString();
	return { status: response.status, words: wordsOf(body), body };
}

/** The words in an error body: a string, `{error: …}`, `{message}`, a list of these, or a page. */
export function wordsOf(body: string): string {
	const value = parsed(body);
	const words = value === undefined ? textOfPage(body) : (wordsIn(value) ?? body);
	return words.replaceAll(/\s+/g, " ").trim().slice(0, 500);
}

/** The words of an error inside parsed JSON, or undefined where there is none. */
export function wordsIn(value: unknown): string | undefined {
	if (typeof value === "string") {
		return value === "" ? undefined : value;
	}
	if (Array.isArray(value)) {
		return value.map(wordsIn).find(words => words !== undefined);
	}
	if (typeof value !== "object" || value === null) {
		return undefined;
	}
	const fields = new Map(Object.entries(value));
	return ["error", "message", "detail", "msg"]
		.map(name => wordsIn(fields.get(name)))
		.find(words => words !== undefined);
}

/** The title of a page, or its text without tags, scripts and styles. Each character is looked at once. */
function textOfPage(body: string): string {
	const [start = "", ...pieces] = body.slice(0, maxErrorBytes).split("<");
	const texts = [start];
	let hidden = "";
	for (const piece of pieces) {
		const name = /^\/?[a-z]{0,10}/i.exec(piece)?.[0].toLowerCase() ?? "";
		const text = piece.includes(">") ? piece.slice(piece.indexOf(">") + 1) : "";
		if (name === "title" && text.trim() !== "") {
			return text;
		}
		if (hidden === "" || name === `/${hidden}`) {
			hidden = name === "script" || name === "style" ? name : "";
			texts.push(hidden === "" ? text : "");
		}
	}
	return texts.join(" ");
}

/** Statuses that mean the same to the caller of the local service; the key and the address that others tell of are not its own. */
const passedOn = new Map([
	[400, 400],
	[402, 402],
	[413, 400],
	[422, 400],
	[429, 429],
]);

/** Words for the caller about a refusal. */
export function failureOf(
	server: string,
	refusal: Refusal,
	headers: Readonly<Record<string, string>> = {},
): HttpFailure {
	const { status, words } = refusal;
	const overflow = status === 429 ? undefined : overflowOf(refusal.body);
	if (overflow) {
		return overflow;
	}
	const ownStatus = passedOn.get(status) ?? (status >= 500 ? 502 : 424);
	return new HttpFailure(
		ownStatus,
		"model_server_refused",
		`${server} answered ${status}: ${words === "" ? "(no words)" : words}`,
		headers,
	);
}

/** Whether a server refuses a request because what its model sent with an earlier call did not come back. */
export function wantsLostState({ status, body }: Refusal): boolean {
	return (status === 400 || status === 422) && /reasoning_content|thought_?signature/i.test(body);
}

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
