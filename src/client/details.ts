import { delay } from "../common/async.ts";
import { isAbortError, toError } from "../common/errors.ts";
import { type ChatDetail, chatDetailSchema } from "./contract/details.ts";
import type { CallOptions, Connection } from "./contract/serviceClient.ts";
import type { CallDependencies } from "./request/attempts.ts";
import { type ResponseStream, openExchange } from "./request/request.ts";
import { FrameDecoder } from "./stream/frameDecoder.ts";

/** Listener beside one answer. */
export interface DetailStream {
	/** Id by which the chat request names it. */
	readonly id: string;
	/** Resolves once everything was told, or soon after the answer. Never rejects. */
	settled(): Promise<void>;
	close(): void;
}

/** How long the service may take to listen, in milliseconds. */
const openMs = 1_000;
/** How long it may take to tell the rest when the answer is over, in milliseconds. */
const settleMs = 300;

/**
 * Listens to what the local service tells beside the answer to the request that follows. An answer does not depend on it: nothing is
 * returned where it cannot be had, or where another service answers, which never hears of it.
 */
export async function listenToDetails(
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
		return {
			id,
			settled: () =>
				Promise.race([told, delay(settleMs, ending.signal, dependencies.clock).catch(noop)]),
			close: () => {
				ending.abort();
				exchange.close();
			},
		};
	} catch (error) {
		dependencies.log.debug("An answer goes without details", { error: toError(error).message });
		return undefined;
	} finally {
		timer.dispose();
	}
}

async function tellAll(
	{ log }: CallDependencies,
	exchange: ResponseStream,
	tell: (detail: ChatDetail) => void,
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

function readDetail(data: string): ChatDetail | undefined {
	try {
		return chatDetailSchema.safeParse(JSON.parse(data)).data;
	} catch {
		return undefined;
	}
}

/** That the wait was cut short is as good as its end. */
function noop(): void {}
