import * as l10n from "@vscode/l10n";
import * as z from "zod/mini";
import {
	maxMessageCharacters,
	pushSchema,
	replySchema,
	type RequestTable,
} from "../../src/shared/rpc.ts";

/** The page's part of VS Code's webview API, which `acquireVsCodeApi()` returns once. */
export interface VsCodeApi {
	postMessage(message: unknown): void;
	getState(): unknown;
	setState(state: unknown): void;
}

/** A protocol's events: the schema of the data by event name. */
export type PushTable = Readonly<Record<string, z.ZodMiniType>>;

/** Why a call to the host failed. `gone` means that the page was closed or hidden before the reply. */
export type HostCallFailure =
	"unknownMethod" | "invalidParams" | "failed" | "tooLarge" | "invalidReply" | "gone";

/** Error of a failed call to the host, with a message for the user. */
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

/** Source of the host's messages; `window` in a page. */
export type MessageSource = Pick<Window, "addEventListener"> & { readonly origin: string };

/**
 * The page's connection to the host. Messages in both directions are validated by their schemas. Ignores invalid messages and those from another
 * origin.
 */
export class Host<Requests extends RequestTable, Pushes extends PushTable> {
	private readonly api: Pick<VsCodeApi, "postMessage">;
	private readonly requests: Requests;
	private readonly pushes: Pushes;
	private readonly pending = new Map<number, PendingCall>();
	private readonly listeners: Listeners = new Map();
	private nextId = 0;

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
	 * Calls a method of the host. Rejects with `HostCallError` if the host fails, if the parameters or the reply are invalid, or if the page is closed.
	 */
	call<Method extends keyof Requests & string>(
		method: Method,
		params: z.infer<Requests[Method]["params"]>,
	): Promise<z.infer<Requests[Method]["result"]>> {
		return new Promise((resolve, reject) => {
			const fail: PendingCall["fail"] = (failure, message) =>
				reject(new HostCallError(failure, message));
			const request = { type: "request", id: this.nextId, method, params };
			// Checked first, because a text that its schema refuses as too long gets no reason.
			if (JSON.stringify(request).length > maxMessageCharacters) {
				fail("tooLarge", l10n.t("This is too long to send."));
				return;
			}
			const table: Requests[Method] | undefined = this.requests[method];
			if (!table?.params || !z.safeParse(table.params, params).success) {
				fail("invalidParams", l10n.t("The action failed."));
				return;
			}
			this.pending.set(this.nextId++, {
				succeed: resolveWith<Requests[Method]["result"]>(table.result, resolve, fail),
				fail,
			});
			this.api.postMessage(request);
		});
	}

	/** Adds a listener for an event. Events with invalid data are dropped. Returns a function that removes the listener. */
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

/** Resolves a call if the result is valid. */
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
			fail("invalidReply", l10n.t("The action failed."));
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
			call.fail("gone", l10n.t("The action failed."));
		}
		pending.clear();
	});
}

/** Settles the call that a reply belongs to. Ignores repeated and unknown replies. */
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

/** Passes an event to its listeners, which validate its data. */
function deliverPush(listeners: Listeners, data: unknown): void {
	const push = z.safeParse(pushSchema, data);
	if (push.success) {
		for (const listener of Array.from(listeners.get(push.data.event) ?? [])) {
			listener(push.data.data);
		}
	}
}
