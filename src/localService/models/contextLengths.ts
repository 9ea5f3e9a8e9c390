import { type Clock, delay } from "../../common/async.ts";
import type { ServerKind, ServerSetup } from "../../common/models.ts";
import { ollamaDetails } from "../ollama/ollamaDetails.ts";
import { listOpenAiModels } from "../openai/listModels.ts";

/** How long a length is valid, in milliseconds. Ollama may load a model again with another one. */
const knownMs = 60_000;
/** The longest delay of an answer's end, in milliseconds. */
const waitMs = 500;
const listMs = 10_000;

/** Finds the effective context lengths of models by asking their servers. */
export class ContextLengths {
	private readonly clock: Clock;
	private readonly known = new Map<
		string,
		{ readonly until: number; readonly length: Promise<number | undefined> }
	>();

	constructor(clock: Clock) {
		this.clock = clock;
	}

	/**
	 * Returns a model's context length in tokens, or undefined if the server doesn't report it or is slow. A late reply is used for the next answer.
	 * Never rejects.
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
