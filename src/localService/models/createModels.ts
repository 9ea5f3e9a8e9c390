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
	const kinds = new Map<string, "openai" | "ollama">();
	/** Asked once for each address; a server that does not answer now is asked again. */
	const isOllama = async (baseUrl: string, signal: AbortSignal): Promise<boolean> => {
		const known = kinds.get(baseUrl) ?? (await kindWithin(baseUrl, signal));
		if (known) {
			kinds.set(baseUrl, known);
		}
		return known === "ollama";
	};
	let met: { readonly key: string; readonly at: number; readonly failure: HttpFailure } | undefined;
	const answer: Engine["answer"] = async function* (request, signal, tools) {
		const server = serverOf(request, options());
		if (server === undefined) {
			yield* fallback.answer(request, signal, tools);
			return;
		}
		const key = JSON.stringify([request.model, request.messages]);
		const earlier = met?.key === key && clock.monotonic() - met.at < rememberedMs ? met : undefined;
		met = undefined;
		if (earlier && request.stream !== true) {
			throw earlier.failure;
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
				met = { key, at: clock.monotonic(), failure: error };
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
