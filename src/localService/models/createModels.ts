import { createHash } from "node:crypto";
import type { ChatRequest } from "../../client/index.ts";
import type { Clock } from "../../common/async.ts";
import { isAbortError } from "../../common/errors.ts";
import { type Log, silentLog } from "../../common/log.ts";
import {
	editorServerName,
	type EngineKind,
	type ModelSetup,
	type ServerListing,
} from "../../common/models.ts";
import { HttpFailure } from "../base/index.ts";
import type { EditorLink } from "../editorModels/index.ts";
import { type Engine, type EngineEvent, isDetail } from "../http/index.ts";
import {
	type CompletionBody,
	type ModelPart,
	ollamaDetails,
	streamCompletion,
} from "../openai/index.ts";
import { createAnswering, type ModelSource } from "./answering.ts";
import { CallMemory } from "./callMemory.ts";
import { ContextLengths } from "./contextLengths.ts";
import { holdImages } from "./images.ts";
import { kindWithin, listServer } from "./findServers.ts";

/** The engine that answers with models of the servers that are set up. */
export interface Models extends Engine {
	/** Asks every server which models it has. Never rejects for a server that fails. */
	list(signal: AbortSignal): Promise<readonly ServerListing[]>;
}

type Server = ModelSetup["servers"][number];

/** How long a server that did not say what it is counts as OpenAI's kind. */
const silentMs = 60_000;

/**
 * Makes the engine. Requests whose model is not SERVER/MODEL go to `fallback`. What models want back with their calls is kept in
 * `callsFolder`, or without one as long as the engine. Without an `editor` its models are those of a server that is not set up.
 */
export function createModels(
	options: () => ModelSetup,
	fallback: Engine,
	clock: Clock,
	log: Log = silentLog,
	callsFolder?: string,
	editor?: EditorLink,
): Models {
	const answering = createAnswering(log, new CallMemory(callsFolder, clock, log));
	const met = new MetFailures(clock);
	const askServer = createServerAsking(options, clock, log);
	const sourceOf = ({ model }: ChatRequest): ModelSource | undefined => {
		if (editor && model.startsWith(`${editorServerName}/`)) {
			checkEngine(options(), ["vscode"]);
			return { name: "VS Code", ask: (...asked) => editor.ask(...asked) };
		}
		const server = serverOf(model, options());
		if (server) {
			checkEngine(options(), ["openai", "ollama"]);
		}
		return server && { name: server.name, ask: (...asked) => askServer(server, ...asked) };
	};
	const answer: Engine["answer"] = async function* (request, signal, tools) {
		const source = sourceOf(request);
		if (source === undefined) {
			checkEngine(options(), ["demo"]);
			yield* fallback.answer(request, signal, tools);
			return;
		}
		const earlier = met.take(request);
		if (earlier && request.stream !== true) {
			throw earlier;
		}
		let hasStarted = false;
		try {
			for await (const event of answering.answer(source, request, signal, tools)) {
				hasStarted ||= !isDetail(event);
				yield event;
			}
		} catch (error) {
			// A stream that has started can only end short; whoever asks for the words is not charged again.
			if (hasStarted && error instanceof HttpFailure && !isAbortError(error)) {
				met.remember(request, error);
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

/** Throws when the user wants another kind of engine than these; nothing is asked of a model then. */
function checkEngine({ engine = "auto" }: ModelSetup, kinds: readonly EngineKind[]): void {
	if (engine !== "auto" && !kinds.includes(engine)) {
		const sentence = `The setting cutaway.localService.engine is “${engine}”, which leaves this model out. Choose another model, or set it to “auto”.`;
		throw new HttpFailure(424, "engine_not_chosen", sentence);
	}
}

type AskServer = (
	server: Server,
	...asked: Parameters<ModelSource["ask"]>
) => AsyncIterable<ModelPart>;

/** Makes what asks a server, in Ollama's own way where it is one. */
function createServerAsking(options: () => ModelSetup, clock: Clock, log: Log): AskServer {
	type Kind = "openai" | "ollama" | undefined;
	const kinds = new Map<string, { readonly kind: Kind; readonly until: number }>();
	const lengths = new ContextLengths(clock);
	/** Asked once for each address; a server that was silent is asked again after a while. */
	const kindOf = async (baseUrl: string, signal: AbortSignal): Promise<Kind> => {
		const known = kinds.get(baseUrl);
		if (known && clock.monotonic() < known.until) {
			return known.kind;
		}
		const kind = await kindWithin(baseUrl, signal);
		const until = kind ? Infinity : clock.monotonic() + silentMs;
		kinds.set(baseUrl, { kind, until });
		return kind;
	};
	return async function* (server, body, signal) {
		const kind = await kindOf(server.baseUrl, signal);
		// One that is silent may be of either kind; the request tells its trouble.
		checkEngine(options(), kind ? [kind] : ["openai", "ollama"]);
		const ollama = kind === "ollama" ? { contextLength: options().contextLength } : undefined;
		if (kind === "ollama") {
			await checkVision(server, body, signal);
		}
		try {
			let length: Promise<number | undefined> | undefined;
			for await (const part of streamCompletion({ server, ollama, body, clock, log, signal })) {
				// Only now has Ollama loaded the model, with the context it has from then on.
				length ??= lengths.of(server, kind ?? "openai", body.model, signal);
				const tokens = part.type === "end" ? await length : undefined;
				if (tokens !== undefined) {
					yield { type: "context", tokens };
				}
				yield part;
			}
		} catch (error) {
			// Another server may listen there now.
			if (isNotFound(error)) {
				kinds.delete(server.baseUrl);
			}
			throw error;
		}
	};
}

/** Throws for images to a model of Ollama that has no eyes: some versions leave them out, and the model makes up what it sees. */
async function checkVision(
	server: Server,
	{ model, messages }: CompletionBody,
	signal: AbortSignal,
): Promise<void> {
	if (!holdImages(messages)) {
		return;
	}
	const details = await ollamaDetails(server, signal).catch(() => undefined);
	const { vision } = details?.get(model) ?? details?.get(`${model}:latest`) ?? {};
	if (vision === false) {
		const words = "this model does not support images";
		const failure = new HttpFailure(400, "no_vision", words);
		failure.cause = { status: 400, words, body: "" };
		throw failure;
	}
}

function isNotFound(error: unknown): boolean {
	const refusal: unknown = error instanceof HttpFailure ? error.cause : undefined;
	return (
		typeof refusal === "object" && refusal !== null && "status" in refusal && refusal.status === 404
	);
}

function serverOf(model: string, { servers }: ModelSetup): Server | undefined {
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

const rememberedMs = 60_000;
const maxRemembered = 50;

/** Why streams ended short, for the requests that ask for the words. */
class MetFailures {
	private readonly clock: Clock;
	private met: { readonly key: string; readonly at: number; readonly failure: HttpFailure }[] = [];

	/** Makes the memory. It keeps a failure for a minute. */
	constructor(clock: Clock) {
		this.clock = clock;
	}

	remember(request: ChatRequest, failure: HttpFailure): void {
		const entry = { key: keyOf(request), at: this.clock.monotonic(), failure };
		this.met = [...this.met, entry].slice(-maxRemembered);
	}

	/** Gives a failure of this conversation, once. */
	take(request: ChatRequest): HttpFailure | undefined {
		this.met = this.met.filter(({ at }) => this.clock.monotonic() - at < rememberedMs);
		const key = keyOf(request);
		const index = this.met.findIndex(entry => entry.key === key);
		return index === -1 ? undefined : this.met.splice(index, 1)[0]?.failure;
	}
}

function keyOf({ model, messages }: ChatRequest): string {
	return createHash("sha256")
		.update(JSON.stringify([model, messages]))
		.digest("base64");
}
