import { totalmem } from "node:os";
import { isLoopbackHost } from "../../client/transport/transport.ts";
import { type Clock, delay, nextTurn } from "../../common/async.ts";
import type { Log } from "../../common/log.ts";
import type { EngineKind, ModelSetup, ServerKind, ServerSetup } from "../../common/modelSetup.ts";
import { HttpFailure } from "../base/failureResponse.ts";
import type { CompletionBody } from "../openai/wireRequest.ts";
import { type CompletionOptions, streamCompletion } from "../openai/streamCompletion.ts";
import type { ModelPart } from "../openai/completionReader.ts";
import { ollamaDetails, type OllamaDetails } from "../ollama/ollamaDetails.ts";
import { ollamaWire } from "../ollama/ollamaWire.ts";
import { refusalIn } from "../openai/serverFailure.ts";
import { kindWithin } from "./findServers.ts";
import { holdImages } from "./images.ts";
import { listOpenAiModels } from "../openai/listModels.ts";

/** How long a length is valid, in milliseconds. Ollama may load a model again with another one. */
const knownMs = 60_000;
/** The longest delay of an answer's end, in milliseconds. */
const waitMs = 500;
const listMs = 10_000;

class ContextLengths {
	private readonly clock: Clock;
	private readonly known = new Map<
		string,
		{ readonly until: number; readonly length: Promise<number | undefined> }
	>();

	constructor(clock: Clock) {
		this.clock = clock;
	}

	/** Returns a model's context in tokens, or undefined if unknown or slow; then it serves the next answer. Never rejects. */
	async of(
		server: ServerSetup,
		kind: ServerKind,
		model: string,
		signal: AbortSignal,
	): Promise<number | undefined> {
		const late = new AbortController();
		try {
			return await Promise.race([
				this.lengthOf(server, kind, model),
				delay(waitMs, AbortSignal.any([signal, late.signal]), this.clock).then(() => undefined),
			]);
		} catch {
			// The request was aborted, so the length isn't needed.
			return undefined;
		} finally {
			late.abort();
		}
	}

	private lengthOf(
		server: ServerSetup,
		kind: ServerKind,
		model: string,
	): Promise<number | undefined> {
		const key = `${server.baseUrl} ${model}`;
		const known = this.known.get(key);
		if (known && this.clock.monotonic() < known.until) {
			return known.length;
		}
		const length = askLength(server, kind, model);
		this.known.set(key, { until: this.clock.monotonic() + knownMs, length });
		return length;
	}
}

/** Only Ollama's own API reports the context that a model was loaded with. Never rejects. */
async function askLength(
	server: ServerSetup,
	kind: ServerKind,
	model: string,
): Promise<number | undefined> {
	const signal = AbortSignal.timeout(listMs);
	try {
		if (kind === "ollama") {
			return (await ollamaDetails(server, signal)).get(model)?.contextLength;
		}
		return (await listOpenAiModels(server, signal)).find(({ id }) => id === model)?.contextLength;
	} catch {
		// Not every server can list its models.
		return undefined;
	}
}

/** How long an unresponsive server is treated as OpenAI-compatible, in milliseconds. */
const silentMs = 60_000;
/** How long Ollama's model details are valid, in milliseconds. */
const detailsMs = 60_000;

/** The configured model servers, each accessed through its own API. */
export class ModelServers {
	private readonly options: () => ModelSetup;
	private readonly clock: Clock;
	private readonly log: Log;
	private readonly memoryBytes: number;
	private readonly lengths: ContextLengths;
	private readonly kinds = new Map<
		string,
		{ readonly kind: ServerKind | undefined; readonly until: number }
	>();
	private readonly details = new Map<
		string,
		{ readonly until: number; readonly models: Promise<ReadonlyMap<string, OllamaDetails>> }
	>();

	/** Models of Ollama that are asked for with a longer context than Ollama chose, by URL and id. */
	private readonly longer = new Set<string>();

	/** Contacts no server before the first request. */
	constructor(options: () => ModelSetup, clock: Clock, log: Log, memoryBytes = totalmem()) {
		this.options = options;
		this.clock = clock;
		this.log = log;
		this.memoryBytes = memoryBytes;
		this.lengths = new ContextLengths(clock);
	}

	/** Requests an answer, from Ollama through its own API. Throws `HttpFailure` and `AbortError`. */
	async *ask(
		server: ServerSetup,
		body: CompletionBody,
		signal: AbortSignal,
	): AsyncGenerator<ModelPart> {
		const kind = await this.kindOf(server, signal);
		try {
			yield* this.askAs(kind, server, body, signal);
		} catch (error) {
			const refusal = refusalIn(error);
			if (kind === "ollama" && refusal && (await this.lengthens(server, body.model, error))) {
				yield* this.askAs(kind, server, body, signal);
				return;
			}
			// The response is about the URL itself.
			const isRefused = refusal !== undefined && [404, 405, 501].includes(refusal.status);
			if (kind === "ollama" && isRefused && !/\bmodel\b/i.test(refusal.words)) {
				// The server lacks Ollama's endpoint. Nothing was computed.
				this.kinds.set(server.baseUrl, { kind: "openai", until: Infinity });
				yield* this.askAs("openai", server, body, signal);
				return;
			}
			if (isRefused) {
				// Another server may use this address now.
				this.kinds.delete(server.baseUrl);
			}
			throw error;
		}
	}

	private async *askAs(
		kind: ServerKind | undefined,
		server: ServerSetup,
		body: CompletionBody,
		signal: AbortSignal,
	): AsyncGenerator<ModelPart> {
		// An unresponsive server may be of either kind. The request will report its problem.
		checkEngine(this.options(), kind ? [kind] : ["openai", "ollama"]);
		if (kind === "ollama" && holdImages(body.messages)) {
			await this.checkVision(server, body.model);
		}
		const ollama = kind === "ollama" ? await this.ollamaOptions(server, body.model) : undefined;
		const { clock, log } = this;
		let length: Promise<number | undefined> | undefined;
		const asked = { server, body, clock, log, signal, ...ollama };
		for await (const part of streamCompletion(asked)) {
			if (part.type === "progress" || part.type === "left-out") {
				yield part;
				continue;
			}
			if (!length && ollama?.isLoaded === false) {
				// The model is loaded only now.
				this.details.delete(server.baseUrl);
			}
			// Not before the first word has left, which it would delay.
			length ??= nextTurn().then(
				async () => await this.lengths.of(server, kind ?? "openai", body.model, signal),
			);
			const tokens = part.type === "end" ? await length : undefined;
			if (tokens !== undefined) {
				yield { type: "context", tokens };
			}
			yield part;
		}
	}

	/** Returns the context that a model will have, in tokens, or undefined if that isn't known before the request. */
	async contextOf(
		server: ServerSetup,
		model: string,
		signal: AbortSignal,
	): Promise<number | undefined> {
		const kind = await this.kindOf(server, signal);
		if (kind !== "ollama") {
			return await this.lengths.of(server, "openai", model, signal);
		}
		const named = await this.ollamaContext(server, model);
		const details = named > 0 || !isHere(server) ? undefined : await this.detailsOf(server, model);
		if (!details || details.isElsewhere) {
			return named || details?.maxContextLength;
		}
		return Math.max(details.contextLength ?? 0, this.fittingContext(details));
	}

	/** Detects the kind once per URL. Tries unresponsive servers again after a while. */
	private async kindOf(server: ServerSetup, signal: AbortSignal): Promise<ServerKind | undefined> {
		const { baseUrl } = server;
		const known = this.kinds.get(baseUrl);
		if (known && this.clock.monotonic() < known.until) {
			return known.kind;
		}
		const kind = await kindWithin(server, signal);
		const until = kind ? Infinity : this.clock.monotonic() + silentMs;
		this.kinds.set(baseUrl, { kind, until });
		return kind;
	}

	private async ollamaOptions(
		server: ServerSetup,
		model: string,
	): Promise<Pick<CompletionOptions, "wire" | "isLoaded">> {
		const contextLength = await this.ollamaContext(server, model);
		// Not for remote servers, because waiting for the details would delay every answer.
		const details = isHere(server) ? await this.detailsOf(server, model) : undefined;
		return { wire: ollamaWire(contextLength), isLoaded: details?.isLoaded !== false };
	}

	/** Returns the context length for Ollama in tokens; 0 lets Ollama choose, always on another machine, whose memory is unknown. */
	private async ollamaContext(server: ServerSetup, model: string): Promise<number> {
		const { contextLength } = this.options();
		if (contextLength > 0 || !isHere(server)) {
			return contextLength;
		}
		const details = await this.detailsOf(server, model);
		const isLonger = this.longer.has(`${server.baseUrl} ${model}`);
		return knownContext(details) || (details && isLonger ? this.fittingContext(details) : 0);
	}

	/** Asks for a longer context from now on, if Ollama refused a conversation for the shortest one, which it chose itself, and a longer one fits. */
	private async lengthens(server: ServerSetup, model: string, error: unknown): Promise<boolean> {
		const room =
			error instanceof HttpFailure && error.code === "context_length_exceeded"
				? (error.tokens?.room ?? shortestContext)
				: Infinity;
		if (
			room > shortestContext ||
			!isHere(server) ||
			(await this.ollamaContext(server, model)) > 0
		) {
			return false;
		}
		const details = await this.detailsOf(server, model);
		const isLonger =
			details !== undefined && !details.isElsewhere && this.fittingContext(details) > room;
		if (isLonger) {
			this.longer.add(`${server.baseUrl} ${model}`);
		}
		return isLonger;
	}

	private fittingContext(details: OllamaDetails): number {
		// Its user has chosen a length for all models.
		return process.env["OLLAMA_CONTEXT_LENGTH"]
			? shortestContext
			: fittingContext(details, this.memoryBytes);
	}

	/** Throws if an Ollama model doesn't support images, because some versions ignore them and the model invents their content. */
	private async checkVision(server: ServerSetup, model: string): Promise<void> {
		if ((await this.detailsOf(server, model))?.vision === false) {
			const words = "this model does not support images";
			const failure = new HttpFailure(400, "no_vision", words);
			failure.cause = { status: 400, words, body: "" };
			throw failure;
		}
	}

	private async detailsOf(server: ServerSetup, model: string): Promise<OllamaDetails | undefined> {
		const known = this.details.get(server.baseUrl);
		let models = known?.models;
		if (!known || !models || this.clock.monotonic() >= known.until) {
			models = ollamaDetails(server, AbortSignal.timeout(detailsWaitMs)).catch(() => new Map());
			const until = this.clock.monotonic() + detailsMs;
			this.details.set(server.baseUrl, { until, models });
		}
		const found = await models;
		const details = found.get(model) ?? found.get(`${model}:latest`);
		if (!details) {
			// The model may have been downloaded since.
			this.details.delete(server.baseUrl);
		}
		return details;
	}
}

/** The longest wait for Ollama's model details, in milliseconds. */
const detailsWaitMs = 2_000;

const shortestContext = 4_096;
const longestContext = 16_384;
/** The share of the machine's memory for a model and its context. */
const memoryShare = 0.75;
/** Number of tokens whose keys and values need as much memory as the weights, for common quantized models. */
const tokensPerModelSize = 40_000;

/** Returns a model's own context in tokens, or a long one that it is loaded with, because another one would reload it. Otherwise 0: Ollama chooses. */
export function knownContext({
	contextLength: loaded = 0,
	ownContextLength: own = 0,
}: Partial<OllamaDetails> = {}): number {
	return own || (loaded > shortestContext ? loaded : 0);
}

/** Returns a context in tokens that fits into memory with the model: a power of two, up to 16,384. At least the one that Ollama always has. */
export function fittingContext(
	{ sizeBytes = 0, maxContextLength = Infinity }: Partial<OllamaDetails>,
	memoryBytes: number,
): number {
	const room = memoryBytes * memoryShare - sizeBytes;
	const tokens = sizeBytes > 0 ? (room / sizeBytes) * tokensPerModelSize : shortestContext;
	let length = shortestContext;
	while (length < longestContext && length * 2 <= tokens) {
		length *= 2;
	}
	return Math.min(length, maxContextLength);
}

/** Throws if the user has selected another kind of engine. No model is contacted then. */
export function checkEngine({ engine = "auto" }: ModelSetup, kinds: readonly EngineKind[]): void {
	if (engine !== "auto" && !kinds.includes(engine)) {
		const sentence = `The setting cutaway.localService.engine is “${engine}”, which leaves this model out. Choose another model, or set it to “auto”.`;
		throw new HttpFailure(424, "engine_not_chosen", sentence);
	}
}

function isHere({ baseUrl }: ServerSetup): boolean {
	return isLoopbackHost(new URL(baseUrl).hostname);
}
