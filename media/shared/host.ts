import * as l10n from "@vscode/l10n";
import * as z from "zod/mini";
import {
	maxMessageCharacters,
	pushSchema,
	replySchema,
	type RequestTable,
} from "../../src/shared/rpc.ts";

/** The half of VS Code's webview API a page may use; `acquireVsCodeApi()` hands it out once. */
export interface VsCodeApi {
	postMessage(message: unknown): void;
	getState(): unknown;
	setState(state: unknown): void;
}

/** The events of a protocol the host may fire unasked: per name the schema of what comes along. */
export type PushTable = Readonly<Record<string, z.ZodMiniType>>;

/** Why a call to the host came to nothing. `gone` means the page was closed or hidden before the reply. */
export type HostCallFailure =
	"unknownMethod" | "invalidParams" | "failed" | "tooLarge" | "invalidReply" | "gone";

/** The error every failed call to the host rejects with; `message` is a sentence for a user. */
export class HostCallError extends Error {
	override readonly name = "HostCallError";
	readonly failure: HostCallFailure;

	constructor(failure: HostCallFailure, message: string) {
		super(message);
		this.failure = failure;
	}
}

interface PendingCall {
	succeed(result: unknown): void;
	fail(failure: HostCallFailure, message: string): void;
}

type Listeners = Map<string, Set<(data: unknown) => void>>;

/** Where messages come in; `window` in a page. */
export type MessageSource = Pick<Window, "addEventListener"> & { readonly origin: string };

/**
 * The host, seen from the page. Both directions of `postMessage` pass their zod schema; a message that matches none, or that came
 * from another origin, is ignored (threat T19).
 */
export class Host<Requests extends RequestTable, Pushes extends PushTable> {
	private readonly api: Pick<VsCodeApi, "postMessage">;
	private readonly requests: Requests;
	private readonly pushes: Pushes;
	private readonly pending = new Map<number, PendingCall>();
	private readonly listeners: Listeners = new Map();
	private nextId = 0;

	/** Connects the page whose messages come in at `source`. */
	constructor(
		api: Pick<VsCodeApi, "postMessage">,
		source: MessageSource,
		requests: Requests,
		pushes: Pushes,
	) {
		this.api = api;
		this.requests = requests;
		this.pushes = pushes;
		listenToHost(source, this.pending, this.listeners);
	}

	/**
	 * Asks the host and resolves with its reply. Rejects with `HostCallError` when the host refuses or fails, when the
	 * parameters or the reply do not match their schema, and when the page goes away.
	 */
	call<Method extends keyof Requests & string>(
		method: Method,
		params: z.infer<Requests[Method]["params"]>,
	): Promise<z.infer<Requests[Method]["result"]>> {
		return new Promise((resolve, reject) => {
			const fail: PendingCall["fail"] = (failure, message) =>
				reject(new HostCallError(failure, message));
			const table: Requests[Method] | undefined = this.requests[method];
			if (!table?.params || !z.safeParse(table.params, params).success) {
				fail("invalidParams", l10n.t("This can't be sent."));
				return;
			}
			const request = { type: "request", id: this.nextId, method, params };
			if (JSON.stringify(request).length > maxMessageCharacters) {
				fail("tooLarge", l10n.t("This is too long to send."));
				return;
			}
			this.pending.set(this.nextId++, {
				succeed: resolveWith<Requests[Method]["result"]>(table.result, resolve, fail),
				fail,
			});
			this.api.postMessage(request);
		});
	}

	/** Listens to an event; what matches no schema never reaches a listener. The function returned stops listening. */
	on<Event extends keyof Pushes & string>(
		event: Event,
		listener: (data: z.infer<Pushes[Event]>) => void,
	): () => void {
		const schema: Pushes[Event] = this.pushes[event];
		const set = this.listeners.get(event) ?? new Set();
		this.listeners.set(event, set);
		const entry = (data: unknown): void => {
			const content = z.safeParse(schema, data);
			if (content.success) {
				listener(content.data);
			}
		};
		set.add(entry);
		return () => set.delete(entry);
	}
}

/** Resolves a call with a result that matches its schema. */
function resolveWith<Schema extends z.ZodMiniType>(
	schema: Schema,
	resolve: (result: z.infer<Schema>) => void,
	fail: PendingCall["fail"],
): (result: unknown) => void {
	return result => {
		const parsed = z.safeParse(schema, result);
		if (parsed.success) {
			resolve(parsed.data);
		} else {
			fail("invalidReply", l10n.t("Couldn't understand the answer."));
		}
	};
}

function listenToHost(
	source: MessageSource,
	pending: Map<number, PendingCall>,
	listeners: Listeners,
): void {
	source.addEventListener("message", event => {
		if (event.origin === source.origin) {
			settleReply(pending, event.data);
			deliverPush(listeners, event.data);
		}
	});
	source.addEventListener("pagehide", () => {
		for (const call of pending.values()) {
			call.fail("gone", l10n.t("The view was closed."));
		}
		pending.clear();
	});
}

/** Settles the one call a reply answers; a second reply, or one to nothing, is ignored. */
function settleReply(pending: Map<number, PendingCall>, data: unknown): void {
	const reply = z.safeParse(replySchema, data);
	const call = reply.success ? pending.get(reply.data.replyTo) : undefined;
	if (!reply.success || !call) {
		return;
	}
	pending.delete(reply.data.replyTo);
	if (reply.data.ok) {
		call.succeed(reply.data.result);
	} else {
		call.fail(reply.data.code, reply.data.message);
	}
}

/** Hands an event to its listeners, which look at its data themselves. */
function deliverPush(listeners: Listeners, data: unknown): void {
	const push = z.safeParse(pushSchema, data);
	if (push.success) {
		for (const listener of [...(listeners.get(push.data.event) ?? [])]) {
			listener(push.data.data);
		}
	}
}
