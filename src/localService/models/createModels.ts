import type { ChatRequest } from "../../client/index.ts";
import type { Clock } from "../../common/async.ts";
import { isAbortError } from "../../common/errors.ts";
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

/** How long the words of a broken answer are kept for the request that asks for them. */
const rememberedMs = 60_000;

/** Makes the engine. Requests whose model is not SERVER/MODEL go to `fallback`. */
export function createModels(options: () => ModelSetup, fallback: Engine, clock: Clock): Models {
	const answering = createAnswering(clock);
	const isOllama = createKinds(clock);
	const met = createMetFailures(clock);
	const answer: Engine["answer"] = async function* (request, signal, tools) {
		const server = serverOf(request, options());
		if (server === undefined) {
			yield* fallback.answer(request, signal, tools);
			return;
		}
		const key = JSON.stringify([request.model, request.messages]);
		const earlier = met.take(key);
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
			// A stream that has begun can only end short; whoever asks for the words is not charged again.
			if (hasBegun && error instanceof HttpFailure && !isAbortError(error)) {
				met.keep(key, error);
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

/** Failures that ended a stream short, each kept for the one request that asks for its words. */
interface MetFailures {
	keep(key: string, failure: HttpFailure): void;
	/** Gives a failure once. */
	take(key: string): HttpFailure | undefined;
}

function createMetFailures(clock: Clock): MetFailures {
	const kept = new Map<string, { readonly until: number; readonly failure: HttpFailure }>();
	return {
		keep: (key, failure) => {
			const now = clock.monotonic();
			for (const [other, { until }] of kept) {
				if (until <= now) {
					kept.delete(other);
				}
			}
			kept.set(key, { until: now + rememberedMs, failure });
		},
		take: key => {
			const entry = kept.get(key);
			kept.delete(key);
			return entry && entry.until > clock.monotonic() ? entry.failure : undefined;
		},
	};
}

/** Makes what tells Ollama from other servers: asked once for each address, and a silent one again after a minute. */
function createKinds(clock: Clock): (baseUrl: string, signal: AbortSignal) => Promise<boolean> {
	const kinds = new Map<string, { readonly isOllama: boolean; readonly until: number }>();
	return async (baseUrl, signal) => {
		const known = kinds.get(baseUrl);
		if (known && known.until > clock.monotonic()) {
			return known.isOllama;
		}
		const kind = await kindWithin(baseUrl, signal);
		const isOllama = kind === "ollama";
		kinds.set(baseUrl, { isOllama, until: kind ? Infinity : clock.monotonic() + rememberedMs });
		return isOllama;
	};
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
