import { type Clock, delay } from "../common/async.ts";
import { isAbortError, toError } from "../common/errors.ts";
import { type ChatDetail, type DetailFrame, detailFrameSchema } from "./contract/details.ts";
import { ServiceError } from "./contract/errors.ts";
import type { CallOptions, Connection } from "./contract/serviceClient.ts";
import type { CallDependencies } from "./request/attempts.ts";
import { type ResponseStream, openExchange } from "./request/request.ts";
import { maxMessageCharacters, plainText } from "./request/redact.ts";
import { messageOf } from "./request/serviceMessage.ts";
import { FrameDecoder } from "./stream/frameDecoder.ts";

/** How long the service may take to listen, in milliseconds. */
const openMs = 1_000;
/** How long it may take to tell the rest when the answer is over, in milliseconds. */
const settleMs = 1_000;

/** Listener beside one answer. */
export class DetailStream {
	/** Id by which the chat request names it. */
	readonly id: string;
	private readonly clock: Clock;
	private readonly exchange: ResponseStream;
	private readonly told: Promise<string | undefined>;
	private readonly ending: AbortController;

	/**
	 * Listens to what the local service tells beside the answer to the request that follows. An answer does not depend on it: nothing is
	 * returned where it cannot be had, or where another service answers, which never hears of it.
	 */
	static async open(
		dependencies: CallDependencies,
		connection: Connection,
		{ signal, onDetail }: CallOptions,
		heard: () => void,
	): Promise<DetailStream | undefined> {
		if (connection.hasDetails !== true || !onDetail) {
			return undefined;
		}
		const id = crypto.randomUUID();
		const ending = new AbortController();
		const timer = dependencies.clock.setTimer(openMs, () => ending.abort());
		try {
			const request = {
				method: "GET",
				path: `/v1/cutaway/details/${id}`,
				accept: "text/event-stream",
			} as const;
			const exchange = await openExchange(dependencies, connection, request, {
				signal: signal ? AbortSignal.any([signal, ending.signal]) : ending.signal,
			});
			const told = tellAll(dependencies, exchange, detail => {
				heard();
				onDetail(detail);
			});
			return new DetailStream({ id, clock: dependencies.clock, exchange, told, ending });
		} catch (error) {
			dependencies.log.debug("An answer goes without details", { error: toError(error).message });
			return undefined;
		} finally {
			timer.dispose();
		}
	}

	private constructor({ id, clock, exchange, told, ending }: OpenDetails) {
		this.id = id;
		this.clock = clock;
		this.exchange = exchange;
		this.told = told;
		this.ending = ending;
	}

	/**
	 * Resolves once everything was told, or soon after the answer, with the words for why the answer broke off where they were
	 * told. Never rejects.
	 */
	settled(): Promise<string | undefined> {
		const soon = delay(settleMs, this.ending.signal, this.clock).then(noop, noop);
		return Promise.race([this.told, soon]);
	}

	close(): void {
		this.ending.abort();
		this.exchange.close();
	}
}

interface OpenDetails {
	readonly id: string;
	readonly clock: Clock;
	readonly exchange: ResponseStream;
	/** Resolves once everything was told, with the words for why the answer broke off. */
	readonly told: Promise<string | undefined>;
	readonly ending: AbortController;
}

/** The error that ended an answer, with the service's words about it where the error has none. */
export function withWords(error: ServiceError, words: string | undefined): ServiceError {
	if (words === undefined || error.serviceMessage !== undefined) {
		return error;
	}
	const { kind, charge, status, host } = error;
	return new ServiceError(kind, {
		charge,
		status,
		host,
		serviceMessage: plainText(words, maxMessageCharacters),
	});
}

async function tellAll(
	{ log }: CallDependencies,
	exchange: ResponseStream,
	tell: (detail: ChatDetail) => void,
): Promise<string | undefined> {
	let words: string | undefined;
	const decoder = new FrameDecoder({
		onFrame: data => {
			const detail = readDetail(data);
			if (detail?.type === "failed") {
				words = messageOf(detail);
			} else if (detail) {
				tell(detail);
			}
		},
		onTooLong: () => exchange.close(),
	});
	try {
		for (let bytes = await exchange.read(); bytes; bytes = await exchange.read()) {
			decoder.push(bytes);
		}
	} catch (error) {
		if (!isAbortError(error)) {
			log.debug("The details of an answer broke off", { error: toError(error).message });
		}
	} finally {
		exchange.close();
	}
	return words;
}

function readDetail(data: string): DetailFrame | undefined {
	try {
		return detailFrameSchema.safeParse(JSON.parse(data)).data;
	} catch {
		return undefined;
	}
}

/** Nothing more was told; that the wait was cut short is as good as its end. */
function noop(): undefined {}
