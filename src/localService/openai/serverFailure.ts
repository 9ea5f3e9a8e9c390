import * as z from "zod/mini";
import { type FailureReason, ServiceError } from "../../client/contract/serviceError.ts";
import { planRepeat, type PlannedRepeat, type RepeatHistory } from "../../client/request/retry.ts";
import { retryHint } from "../../client/request/retryAfter.ts";
import { type Clock, systemClock } from "../../common/async.ts";
import { HttpFailure } from "../base/failureResponse.ts";
import { overflowAtOnce, overflowOf } from "./contextOverflow.ts";
import { parseJson } from "../../common/json.ts";

const refusalSchema = z.object({
	status: z.number(),
	words: z.string(),
	body: z.string(),
	/** The wait that the server asked for, in milliseconds. */
	retryAfterMs: z.optional(z.number()),
});

/** An error response of a model server. */
export type Refusal = Readonly<z.infer<typeof refusalSchema>>;

/** Returns the error response that caused a failure, if there was one. */
export function refusalIn(error: unknown): Refusal | undefined {
	return error instanceof HttpFailure ? refusalSchema.safeParse(error.cause).data : undefined;
}

/** Reads an error that came with this status in another way than as a response. */
export function refusalOf(status: number, body: string, clock: Clock = systemClock): Refusal {
	const retryAfterMs = retryHint(status, () => undefined, body, clock.now());
	return { status, words: serverMessage(body), body, retryAfterMs };
}

const maxErrorBytes = 64 * 1024;

/** Reads the start of an error response. */
export async function readRefusal(
	response: Response,
	clock: Clock = systemClock,
): Promise<Refusal> {
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
	const { status, headers } = response;
	const retryAfterMs = retryHint(status, name => headers.get(name) ?? undefined, body, clock.now());
	return { status, words: serverMessage(body), body, retryAfterMs };
}

/** What a provider answered to a gateway, whose own message is only that it failed. Used by OpenRouter. */
const quotedSchema = z.object({ metadata: z.object({ raw: z.string() }) });

/** Returns the message in an error body: a string, `{error: …}`, `{message}`, a list of these, or a page. */
export function serverMessage(body: string): string {
	return onOneLine(messageIn(body) ?? body);
}

/** Returns the text of a page or of plain text, or the message in JSON, if it has one. */
function messageIn(body: string): string | undefined {
	const value = parseJson(body);
	return value === undefined ? textOfPage(body) : wordsIn(value);
}

function onOneLine(words: string): string {
	return words.replaceAll(/\s+/g, " ").trim().slice(0, 500);
}

/** Returns the error message in parsed JSON, or undefined. */
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
	const raw = quotedSchema.safeParse(value).data?.metadata.raw ?? "";
	const quoted = onOneLine(messageIn(raw) ?? "");
	if (quoted !== "") {
		return quoted;
	}
	const fields = new Map(Object.entries(value));
	return ["error", "message", "detail", "msg", "error_message"]
		.map(name => wordsIn(fields.get(name)))
		.find(words => words !== undefined);
}

/** Returns a page's title, or its text without tags, scripts and styles. Takes linear time. */
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

/** Statuses passed on to the local service's client. Others concern a key and a URL that aren't the client's own. */
const passedOn = new Map([
	[400, 400],
	[402, 402],
	[413, 400],
	[422, 400],
	[429, 429],
]);

const reasons = new Map<number, FailureReason>([
	[401, "model_server_refused_key"],
	[403, "model_server_refused_key"],
	[404, "model_missing"],
]);

/** Words of a server that can't answer yet, before it has begun. */
const busyWords =
	/overload|\bbusy\b|capacity|loading|starting up|scaling up|warming up|not ready|try again|retry|too many|temporarily/i;
/** The wait for a server that is busy and doesn't say for how long, in milliseconds. */
const busyMs = 2_000;

/**
 * Plans the next of at most two repeats of a request that a server rejected because of a rate limit or because it is busy. Nothing was computed, so
 * nothing is charged twice. Returns undefined for other refusals, and for waits of more than a minute.
 */
export function planWait(refusal: Refusal, history: RepeatHistory): PlannedRepeat | undefined {
	const { status, words, body, retryAfterMs } = refusal;
	const isLimited = status === 429 && !overflowAtOnce(body);
	const isBusy =
		(status === 503 || status === 529) && (retryAfterMs !== undefined || busyWords.test(words));
	const ms = retryAfterMs ?? (isBusy ? busyMs : undefined);
	const wait = ms === undefined ? {} : { retryAfterMs: ms };
	return isLimited || isBusy
		? planRepeat(
				"paid",
				new ServiceError("rateLimited", { charge: "refused", status, ...wait }),
				history,
				Math.random,
			)
		: undefined;
}

/** Converts an error response to a failure for the client, with the response as its cause. */
export function serverFailure(server: string, refusal: Refusal): HttpFailure {
	const failure = failureIn(server, refusal);
	failure.cause = refusal;
	return failure;
}

function failureIn(server: string, refusal: Refusal): HttpFailure {
	const { status, words, retryAfterMs: wait } = refusal;
	const overflow = status === 429 ? overflowAtOnce(refusal.body) : overflowOf(refusal.body);
	if (overflow) {
		return overflow;
	}
	const ownStatus = passedOn.get(status) ?? (status >= 500 ? 502 : 424);
	return new HttpFailure(
		ownStatus,
		reasons.get(status) ?? (status >= 500 ? "model_server_failed" : "model_server_refused"),
		`${server} answered ${status}: ${words === "" ? "(no message)" : words}`,
		wait === undefined ? {} : { "Retry-After": String(Math.ceil(wait / 1_000)) },
	);
}

/** Whether a server rejects a request because data that the model sent with an earlier call is missing. */
export function wantsLostState({ status, body }: Refusal): boolean {
	return (status === 400 || status === 422) && /reasoning_content|thought_?signature/i.test(body);
}

/** How an answer ended: complete, at a length limit, by a content filter, or by a server error. */
export type AnswerEnd = "complete" | "cut" | "filtered" | "failed";

/** Patterns of the reasons for incomplete answers. */
const ends: readonly (readonly [end: AnswerEnd, words: RegExp])[] = [
	["failed", /error|abort|insufficient|cancel|malformed|unexpected|timeout|^other$|^language$/],
	["filtered", /filter|safety|recitation|blocklist|prohibited|spii|sensitive|guardrail|refusal/],
	["cut", /length|max_?(?:output_?|new_?|completion_?)?tokens|token_limit|context_window|^limit$/],
];

/** Interprets a server's reason for the end of an answer, in any letter case and spelling. */
export function endOf(reason: string): AnswerEnd {
	const plain = reason.toLowerCase().replaceAll(/[\s.-]+/g, "_");
	return ends.find(([, words]) => words.test(plain))?.[0] ?? "complete";
}
