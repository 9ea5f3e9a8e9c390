import { delay, throwIfAborted, untilAborted } from "../../common/async.ts";
import { isAbortError, toError } from "../../common/errors.ts";
import { ServiceError } from "../contract/serviceError.ts";
import { maxDetailCharacters, plainText, withoutKey } from "./redact.ts";
import {
	BrokenBodyError,
	type ResponseStream,
	interrupted,
	openExchange,
	type RequestDependencies,
	type ServiceRequest,
} from "./request.ts";
import { noRepeats, planRepeat, type RepeatClass } from "./retry.ts";
import type { CallOptions, Connection } from "../contract/serviceClient.ts";

export interface CallDependencies extends RequestDependencies {
	/** Returns the address and credentials; called before every attempt. */
	readonly connection: () => Promise<Connection>;
	/** Returns a number from 0 to 1, for jitter. */
	readonly random: () => number;
}

export interface ServiceCall {
	readonly name: string;
	readonly repeatClass: RepeatClass;
	/** Creates the request; called once per attempt. */
	readonly request: (connection: Connection) => ServiceRequest;
}

/**
 * Sends a request, passes its 2xx response to `use` and closes it. Retries as its class allows. Throws `ServiceError` or `AbortError`.
 * docs/faults.md.
 */
export function callService<T>(
	dependencies: CallDependencies,
	call: ServiceCall,
	options: CallOptions,
	use: (exchange: ResponseStream) => Promise<T>,
): Promise<T> {
	return repeatedly(dependencies, call, options, async connection => {
		const exchange = await openExchange(
			dependencies,
			connection,
			call.request(connection),
			options,
		);
		try {
			return await use(exchange);
		} catch (error) {
			throw error instanceof BrokenBodyError ? interrupted(exchange, error) : error;
		} finally {
			exchange.close();
		}
	});
}

/**
 * Runs attempts until one succeeds or the class allows no more. Throws the last failure, without the key. Throws `invalidRequest` if the connection
 * can't be determined; nothing was sent.
 */
export async function repeatedly<T>(
	dependencies: CallDependencies,
	call: ServiceCall,
	options: CallOptions,
	attempt: (connection: Connection) => Promise<T>,
): Promise<T> {
	let history = noRepeats;
	for (;;) {
		const result = await attemptOnce(dependencies, options, attempt);
		if (result.ok) {
			return result.value;
		}
		const { failure } = result;
		const plan = options.isSingleAttempt
			? undefined
			: planRepeat(call.repeatClass, failure, history, dependencies.random);
		dependencies.log.warn("A request failed", {
			call: call.name,
			kind: failure.kind,
			status: failure.status,
			charge: failure.charge,
			repeatInMs: plan?.delayMs,
		});
		if (!plan) {
			throw failure;
		}
		history = plan.history;
		options.onNotice?.({
			type: "retrying",
			attempt: history.repeats + 1,
			delayMs: plan.delayMs,
			reason: plan.reason,
		});
		await delay(plan.delayMs, options.signal, dependencies.clock);
	}
}

type AttemptResult<T> =
	{ readonly ok: true; readonly value: T } | { readonly ok: false; readonly failure: ServiceError };

async function attemptOnce<T>(
	dependencies: CallDependencies,
	options: CallOptions,
	attempt: (connection: Connection) => Promise<T>,
): Promise<AttemptResult<T>> {
	throwIfAborted(options.signal);
	const connection = await resolveConnection(dependencies, options.signal);
	try {
		return { ok: true, value: await attempt(connection) };
	} catch (error) {
		if (error instanceof ServiceError) {
			return { ok: false, failure: withoutKey(error, connection.apiKey) };
		}
		throw error;
	}
}

async function resolveConnection(
	dependencies: CallDependencies,
	signal: AbortSignal | undefined,
): Promise<Connection> {
	try {
		const connection = dependencies.connection();
		return await (signal ? untilAborted(connection, signal) : connection);
	} catch (error) {
		if (error instanceof ServiceError || isAbortError(error)) {
			throw error;
		}
		const cause = toError(error);
		const detail = plainText(cause.message, maxDetailCharacters);
		throw new ServiceError("invalidRequest", { charge: "notSent", detail, cause });
	}
}
