import { assumptions, type ChatRequest } from "../../src/client/contract/schemas.ts";
import type {
	CallOptions,
	Connection,
	ServiceClient,
	ChatEvent,
	RequestNotice,
} from "../../src/client/contract/serviceClient.ts";
import {
	createServiceClient,
	type ServiceClientDependencies,
} from "../../src/client/createServiceClient.ts";
import { ServiceError } from "../../src/client/contract/serviceError.ts";
import { isAbortError } from "../../src/common/errors.ts";

/** A key that must never be seen outside a request's header. */
export const canaryKey = "sk-canary-7f3a91c25e";

/** A connection to a base address with the interface's settled defaults and the canary key. */
export function connectionTo(baseUrl: string, over: Partial<Connection> = {}): Connection {
	return {
		baseUrl,
		apiKey: canaryKey,
		auth: assumptions.auth,
		files: assumptions.files,
		network: "auto",
		...over,
	};
}

/** A client of one address whose repeats wait no time to speak of. */
export function clientOf(
	baseUrl: string,
	over: Partial<ServiceClientDependencies> & { readonly connect?: Partial<Connection> } = {},
): ServiceClient {
	const { connect, ...options } = over;
	return createServiceClient({
		connection: () => Promise.resolve(connectionTo(baseUrl, connect)),
		random: () => 0,
		...options,
	});
}

/** A question in the interface's words. */
export const question: ChatRequest = {
	model: "llm-4-turbo-tools",
	messages: [{ role: "user", content: "What is a cutaway?" }],
};

/** All that one streamed call gave. */
export interface StreamOutcome {
	readonly events: readonly ChatEvent[];
	/** What was thrown in place of an end, when it was a `ServiceError`. */
	readonly error: ServiceError | undefined;
	readonly isAborted: boolean;
	/** The text of every message, finished or not, by its index. */
	readonly texts: readonly string[];
	readonly notices: readonly RequestNotice[];
}

/** Runs a streamed call to its end, whatever that is. Anything thrown that the client does not promise fails the test. */
export async function ask(
	client: ServiceClient,
	options: CallOptions & { readonly onEvent?: (event: ChatEvent) => void } = {},
	request: ChatRequest = question,
): Promise<StreamOutcome> {
	const events: ChatEvent[] = [];
	const notices: RequestNotice[] = [];
	let error: unknown;
	const onNotice = (notice: RequestNotice): void => {
		notices.push(notice);
		options.onNotice?.(notice);
	};
	try {
		for await (const event of client.streamChat(request, { ...options, onNotice })) {
			events.push(event);
			options.onEvent?.(event);
		}
	} catch (thrown) {
		error = thrown;
	}
	if (error !== undefined && !(error instanceof ServiceError) && !isAbortError(error)) {
		throw new Error("Neither a ServiceError nor a cancellation was thrown", { cause: error });
	}
	return {
		events,
		error: error instanceof ServiceError ? error : undefined,
		isAborted: isAbortError(error),
		texts: textsOf(events),
		notices,
	};
}

/** The `ServiceError` a promise is rejected with; anything else fails the test. */
export async function failureOf(promise: Promise<unknown>): Promise<ServiceError> {
	const outcome = await promise.then(
		() => new Error("The call succeeded"),
		(error: unknown) => error,
	);
	if (outcome instanceof ServiceError) {
		return outcome;
	}
	throw new Error("No ServiceError was thrown", { cause: outcome });
}

/** The text of every message by its index. */
export function textsOf(events: readonly ChatEvent[]): string[] {
	const texts: string[] = [];
	for (const event of events) {
		if (event.type === "message-start") {
			texts[event.index] = "";
		} else if (event.type === "text-delta") {
			texts[event.index] += event.text;
		}
	}
	return texts;
}
