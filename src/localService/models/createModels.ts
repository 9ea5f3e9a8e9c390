import { createHash } from "node:crypto";
import type { ChatRequest } from "../../client/index.ts";
import type { Clock } from "../../common/async.ts";
import { isAbortError } from "../../common/errors.ts";
import { type Log, silentLog } from "../../common/log.ts";
import type { ModelSetup, ServerListing } from "../../common/models.ts";
import { HttpFailure } from "../base/index.ts";
import type { Engine, EngineEvent } from "../http/index.ts";
import { createAnswering } from "./answering.ts";
import { kindWithin, listServer } from "./findServers.ts";

/** The engine that answers with models of the servers that are set up. */
export interface Models extends Engine {
	/** Asks every server which models it has. Never rejects for a server that fails. */
	list(signal: AbortSignal): Promise<readonly ServerListing[]>;
}

/** How long a server that did not say what it is counts as OpenAI's kind. */
const silentMs = 60_000;

/** Makes the engine. Requests whose model is not SERVER/MODEL go to `fallback`. */
export function createModels(
	options: () => ModelSetup,
	fallback: Engine,
	clock: Clock,
	log: Log = silentLog,
): Models {
	const answering = createAnswering(clock, log);
	const met = createMetFailures(clock);
	const kinds = new Map<string, { readonly isOllama: boolean; readonly until: number }>();
	/** Asked once for each address; a server that was silent is asked again after a while. */
	const isOllama = async (baseUrl: string, signal: AbortSignal): Promise<boolean> => {
		const known = kinds.get(baseUrl);
		if (known && clock.monotonic() < known.until) {
			return known.isOllama;
		}
		const kind = await kindWithin(baseUrl, signal);
		const until = kind ? Infinity : clock.monotonic() + silentMs;
		kinds.set(baseUrl, { isOllama: kind === "ollama", until });
		return kind === "ollama";
	};
	const answer: Engine["answer"] = async function* (request, signal, tools) {
		const server = serverOf(request, options());
		if (server === undefined) {
			yield* fallback.answer(request, signal, tools);
			return;
		}
		const earlier = met.take(request);
		if (earlier && request.stream !== true) {
			throw earlier;
		}
		let hasBegun = false;
		try {
			const ollama = (await isOllama(server.baseUrl, signal))
				? { contextLength: options().contextLength }
				: undefined;
			for await (const event of answering.answer({ ...server, ollama }, request, signal, tools)) {
				hasBegun = true;
				yield event;
			}
		} catch (error) {
			// A stream that has started can only end short; whoever asks for the words is not charged again.
			if (hasBegun && error instanceof HttpFailure && !isAbortError(error)) {
				met.remember(request, error);
			}
			// Another server may listen there now.
			if (isNotFound(error)) {
				kinds.delete(server.baseUrl);
			}
			throw error;
		}
	};
	return {
		answer: (...call): AsyncIterable<EngineEvent> => answer(...call),
		list: signal =>
			Promise.all(options().servers.map(server => listServer(server, signal, listTimeoutMs))),
	};
}

const listTimeoutMs = 10_000;

function isNotFound(error: unknown): boolean {
	const refusal: unknown = error instanceof HttpFailure ? error.cause : undefined;
	return (
		typeof refusal === "object" && refusal !== null && "status" in refusal && refusal.status === 404
	);
}

function serverOf(
	{ model }: ChatRequest,
	{ servers }: ModelSetup,
): ModelSetup["servers"][number] | undefined {
	const slash = model.indexOf("/");
	if (slash === -1) {
		return undefined;
	}
	const name = model.slice(0, slash);
	const server = servers.find(candidate => candidate.name === name);
	if (!server) {
		const sentence = `The model server ${name} is not set up any more.`;
		throw new HttpFailure(404, "unknown_model_server", sentence);
	}
	return server;
}

/** Why streams ended short, for the requests that ask for the words. */
interface MetFailures {
	remember(request: ChatRequest, failure: HttpFailure): void;
	/** Gives a failure of this conversation, once. */
	take(request: ChatRequest): HttpFailure | undefined;
}

const rememberedMs = 60_000;
const maxRemembered = 50;

/** Makes the memory. It keeps a failure for a minute. */
function createMetFailures(clock: Clock): MetFailures {
	let met: { readonly key: string; readonly at: number; readonly failure: HttpFailure }[] = [];
	return {
		remember: (request, failure) => {
			const entry = { key: keyOf(request), at: clock.monotonic(), failure };
			met = [...met, entry].slice(-maxRemembered);
		},
		take: request => {
			met = met.filter(({ at }) => clock.monotonic() - at < rememberedMs);
			const key = keyOf(request);
			const index = met.findIndex(entry => entry.key === key);
			return index === -1 ? undefined : met.splice(index, 1)[0]?.failure;
		},
	};
}

function keyOf({ model, messages }: ChatRequest): string {
	return createHash("sha256")
		.update(JSON.stringify([model, messages]))
		.digest("base64");
}
