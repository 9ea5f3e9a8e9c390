import { type Clock, delay } from "../common/async.ts";
import { isAbortError, toError } from "../common/errors.ts";
import { type ToldDetail, toldDetailSchema } from "./contract/details.ts";
import { ServiceError } from "./contract/errors.ts";
import type { CallOptions, Connection } from "./contract/serviceClient.ts";
import type { CallDependencies } from "./request/attempts.ts";
import { type ResponseStream, openExchange } from "./request/request.ts";
import { maxMessageCharacters, plainText } from "./request/plainText.ts";
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
	private readonly told: Promise<void>;
	private readonly ending: AbortController;
	private readonly failure: ToldFailure;

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
			const failure: ToldFailure = {};
			const told = tellAll(dependencies, exchange, detail => {
				heard();
				if (detail.type === "failed") {
					failure.words = messageOf(detail);
				} else {
					onDetail(detail);
				}
			});
			return new DetailStream({ id, clock: dependencies.clock, exchange, told, ending, failure });
		} catch (error) {
			dependencies.log.debug("An answer goes without details", { error: toError(error).message });
			return undefined;
		} finally {
			timer.dispose();
		}
	}

	private constructor({ id, clock, exchange, told, ending, failure }: OpenDetails) {
		this.id = id;
		this.clock = clock;
		this.exchange = exchange;
		this.told = told;
		this.ending = ending;
		this.failure = failure;
	}

	/** Resolves once everything was told, or soon after the answer. Never rejects. */
	settled(): Promise<void> {
		const soon = delay(settleMs, this.ending.signal, this.clock).catch(noop);
		return Promise.race([this.told, soon]);
	}

	/** The error that ended the answer, with the service's words where it told them here and nowhere else. */
	explained(error: ServiceError): ServiceError {
		const { words } = this.failure;
		if (words === undefined || error.serviceMessage !== undefined) {
			return error;
		}
		const { kind, charge, status, host } = error;
		return new ServiceError(kind, {
			charge,
			...(status === undefined ? {} : { status }),
			...(host === undefined ? {} : { host }),
			serviceMessage: plainText(words, maxMessageCharacters),
		});
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
	/** Resolves once everything was told. */
	readonly told: Promise<void>;
	readonly ending: AbortController;
	readonly failure: ToldFailure;
}

/** Why the answer broke off, once that was told. */
interface ToldFailure {
	words?: string | undefined;
}

async function tellAll(
	{ log }: CallDependencies,
	exchange: ResponseStream,
	tell: (detail: ToldDetail) => void,
): Promise<void> {
	const decoder = new FrameDecoder({
		onFrame: data => {
			const detail = readDetail(data);
			if (detail) {
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
}

function readDetail(data: string): ToldDetail | undefined {
	try {
		return toldDetailSchema.safeParse(JSON.parse(data)).data;
	} catch {
		return undefined;
	}
}

/** That the wait was cut short is as good as its end. */
function noop(): void {}
