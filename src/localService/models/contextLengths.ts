import { type Clock, delay } from "../../common/async.ts";
import type { ServerKind, ServerSetup } from "../../common/models.ts";
import { ollamaDetails } from "../ollama/ollamaDetails.ts";
import { listOpenAiModels } from "../openai/listModels.ts";

/** How long a length counts, in milliseconds: a model of Ollama may be loaded again with another one. */
const knownMs = 60_000;
/** The longest that the end of an answer waits for it, in milliseconds. */
const waitMs = 500;
const listMs = 10_000;

/** The contexts in effect of models, as their servers tell them. */
export class ContextLengths {
	private readonly clock: Clock;
	private readonly known = new Map<
		string,
		{ readonly until: number; readonly length: Promise<number | undefined> }
	>();

	/** Makes the memory; servers are asked when a length is first wanted. */
	constructor(clock: Clock) {
		this.clock = clock;
	}

	/**
	 * The context of a model in tokens; undefined where its server does not tell or is slow, which counts from the answer after
	 * its reply. Never rejects.
	 */
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
			// The answer was left, and with it the wish to know.
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

/** Of Ollama's models only its own interface tells the context they were loaded with. Never rejects. */
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
		// A server without a list of its models still answered.
		return undefined;
	}
}
