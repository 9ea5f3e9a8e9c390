import { type Clock, delay, throwIfAborted } from "../../common/async.ts";
import { isAbortError, toError } from "../../common/errors.ts";
import { HttpFailure } from "../base/index.ts";
import { completionsUrl } from "./listModels.ts";
import { ollamaBody, ollamaChatUrl } from "./ollamaWire.ts";
import { type CompletionPart, readCompletion } from "./readCompletion.ts";
import { postTo } from "./serverRequest.ts";
import { failureOf, overflowOf, type Refusal, wordsOf } from "./serverFailure.ts";

export type { CompletionPart } from "./readCompletion.ts";

/** What is asked of a server. */
export interface CompletionOptions {
	readonly server: {
		readonly name: string;
		readonly baseUrl: string;
		readonly headers: Readonly<Record<string, string>>;
	};
	/** Ollama is asked in its own way, for so many tokens of context, or 0 for its choice; absent for any other server. */
	readonly ollama: { readonly contextLength: number } | undefined;
	/** The body without `stream`. */
	readonly body: Readonly<Record<string, unknown>>;
	/** Parameters that the server is known to refuse. */
	readonly refused: ReadonlySet<string>;
	/** Whether the model's answers may begin inside a thought. */
	readonly mayLackOpening: boolean;
	readonly clock: Clock;
	readonly signal: AbortSignal;
}

/** How often a parameter that the server refuses is left out before its refusal counts. */
const maxChanges = 4;
const loadingPollMs = 1_000;
const maxLoadingMs = 10 * 60 * 1_000;
const maxErrorBytes = 64 * 1024;

/**
 * Asks for an answer and yields its parts as they come. Throws `HttpFailure` in the server's words, a `Refusal` still inside its
 * cause, for everything but an answer that came to its end, and `AbortError` when the signal fires.
 */
export async function* streamCompletion(
	options: CompletionOptions,
): AsyncGenerator<CompletionPart, void, undefined> {
	const { server, signal } = options;
	try {
		const { response, leftOut } = await openAccepted(options);
		for (const name of leftOut) {
			yield { type: "left-out", name };
		}
		yield* readCompletion(response, server.name, options.mayLackOpening);
	} catch (error) {
		// Stopped in mid-answer, the connection tells only that it was closed.
		throwIfAborted(signal);
		if (isAbortError(error) || error instanceof HttpFailure) {
			throw error;
		}
		throw new HttpFailure(502, "model_server_lost", sentenceOf(server.name, toError(error)));
	}
}

function sentenceOf(name: string, error: Error): string {
	const { cause } = error;
	const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
	return code === "ECONNREFUSED"
		? `${name} is not running: nothing listens at its address.`
		: `The connection to ${name} broke: ${code || error.message}.`;
}

/** Repeats a request that was refused before anything was computed: while the model loads, and without what the server does not know. */
async function openAccepted(
	options: CompletionOptions,
): Promise<{ readonly response: Response; readonly leftOut: readonly string[] }> {
	const { server, clock, signal } = options;
	const loadingUntil = clock.monotonic() + maxLoadingMs;
	const url = options.ollama ? ollamaChatUrl(server.baseUrl) : completionsUrl(server.baseUrl);
	const headers = {
		...server.headers,
		"Content-Type": "application/json",
		Accept: "text/event-stream",
	};
	let body = options.ollama
		? ollamaBody(options.body, options.ollama.contextLength)
		: { ...options.body, stream: true, stream_options: { include_usage: true } };
	body = Object.fromEntries(Object.entries(body).filter(([name]) => !options.refused.has(name)));
	const leftOut: string[] = [];
	for (let changes = 0; ;) {
		const response = await postTo(new URL(url), headers, JSON.stringify(body), signal);
		if (response.ok) {
			return { response, leftOut };
		}
		const refusal = await readRefusal(response);
		const name = changes < maxChanges ? refusedParameter(body, refusal) : undefined;
		if (name !== undefined) {
			changes += 1;
			const { [name]: value, ...rest } = body;
			const isRenamed = name === "max_tokens" && refusal.body.includes("max_completion_tokens");
			body = isRenamed ? { ...rest, max_completion_tokens: value } : rest;
			leftOut.push(...(isRenamed ? [] : [name]));
		} else if (isLoading(refusal) && clock.monotonic() < loadingUntil) {
			await delay(loadingPollMs, signal, clock);
		} else {
			throw failed(server.name, response, refusal);
		}
	}
}

async function readRefusal(response: Response): Promise<Refusal> {
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

function failed(name: string, response: Response, refusal: Refusal): HttpFailure {
	const wait = response.headers.get("retry-after");
	const failure = failureOf(name, refusal, wait === null ? {} : { "Retry-After": wait });
	failure.cause = refusal;
	return failure;
}

function isLoading({ status, words }: Refusal): boolean {
	return status === 503 && /loading model|model is loading/i.test(words);
}

/**
 * The parameter that a refusal is about: named as one, and said to be unknown or not allowed. A value of a user may hold the same
 * word, and some refusals repeat the whole request.
 */
function refusedParameter(
	body: Readonly<Record<string, unknown>>,
	refusal: Refusal,
): string | undefined {
	const { status, body: text } = refusal;
	if ((status !== 400 && status !== 422) || overflowOf(text) || !unknownWords.test(text)) {
		return undefined;
	}
	const names = Object.keys(body).filter(key => /^\w+$/.test(key) && !required.has(key));
	return names.find(name => isNamedIn(text, name));
}

const unknownWords =
	/un(?:known|supported|recogni[sz]ed|expected|permitted)|not (?:supported|permitted|allowed)|(?:does not|doesn't) support|extra_forbidden|extra inputs|invalid (?:parameter|argument|field)|use 'max_completion_tokens'/i;

/** Whether a refusal names a parameter: in quotes, as `param`, at the end of a path, or behind the word «parameter» or its like. */
function isNamedIn(text: string, name: string): boolean {
	const plain = text.replaceAll(String.raw`\"`, '"');
	return new RegExp(
		`['"\`]${name}['"\`](?!\\s*:)|(?:parameters?|arguments?|fields?|supplied|inputs?|permitted):?\\s+${name}\\b`,
		"i",
	).test(plain);
}

const required = new Set(["model", "messages", "stream", "tools"]);
