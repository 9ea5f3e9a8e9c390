import * as l10n from "@vscode/l10n";
import type * as vscode from "vscode";
import * as z from "zod/mini";
import { Disposable } from "../../common/disposable.ts";
import { toError } from "../../common/errors.ts";
import type { Log } from "../../common/log.ts";
import {
	maxMessageCharacters,
	type Reply,
	type RequestHandlers,
	requestSchema,
	type RequestTable,
} from "../../shared/rpc.ts";

type MessagePort = Pick<vscode.Webview, "onDidReceiveMessage" | "postMessage">;

/** The host's end of a webview connection. Messages are validated by the protocol's schemas, and every readable request gets exactly one reply. */
export class WebviewHost<
	Table extends RequestTable,
	Pushes extends Readonly<Record<string, z.ZodMiniType>>,
> extends Disposable {
	private readonly port: MessagePort;
	private readonly table: Table;
	private readonly handlers: RequestHandlers<Table>;
	private readonly log: Log;

	constructor(port: MessagePort, table: Table, handlers: RequestHandlers<Table>, log: Log) {
		super();
		this.port = port;
		this.table = table;
		this.handlers = handlers;
		this.log = log;
		this.register(port.onDidReceiveMessage((message: unknown) => void this.receive(message)));
	}

	/** Sends an event to the webview. Resolves to false if there is no live webview. */
	async push<Name extends keyof Pushes & string>(
		event: Name,
		data: z.infer<Pushes[Name]>,
	): Promise<boolean> {
		return !this.isDisposed && (await this.port.postMessage({ type: "push", event, data }));
	}

	private async receive(message: unknown): Promise<void> {
		const parsed = z.safeParse(requestSchema, message);
		if (!parsed.success || !isSmallEnough(message)) {
			this.log.warn("A webview message was not a request and was ignored");
			return;
		}
		const { id, method, params } = parsed.data;
		const reply = await this.answer(id, method, params);
		if (!this.isDisposed) {
			await this.port.postMessage(reply);
		}
	}

	private async answer(id: number, method: string, params: unknown): Promise<Reply> {
		const failed = (code: Extract<Reply, { ok: false }>["code"], text: string): Reply => ({
			type: "reply",
			replyTo: id,
			ok: false,
			code,
			message: text,
		});
		const refused = (code: "unknownMethod" | "invalidParams"): Reply => {
			this.log.warn("A request of the view was refused", { method: method.slice(0, 60), code });
			return failed(code, l10n.t("The action failed."));
		};
		if (!Object.hasOwn(this.table, method)) {
			return refused("unknownMethod");
		}
		const schemas = this.table[method];
		const handler = this.handlers[method];
		const parsed = schemas && z.safeParse(schemas.params, params);
		if (!parsed?.success || !handler) {
			return refused("invalidParams");
		}
		try {
			// oxlint-disable-next-line no-unsafe-type-assertion -- This very method's schema accepted the value, which the index loses.
			const result = await handler(parsed.data as never);
			return { type: "reply", replyTo: id, ok: true, result: result ?? {} };
		} catch (error) {
			this.log.error("A request of the view failed", { method, error: toError(error).message });
			return failed("failed", toError(error).message);
		}
	}
}

/** Counts names, texts and bytes and stops at the limit, so that what is too large, or holds itself, is never written as JSON. */
function isSmallEnough(message: unknown): boolean {
	const waiting: unknown[] = [message];
	let left = maxMessageCharacters;
	while (waiting.length > 0 && left >= 0) {
		const value = waiting.pop();
		left -= typeof value === "string" ? value.length : 1;
		if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) {
			left -= value.byteLength;
		} else if (typeof value === "object" && value !== null) {
			for (const [name, each] of Object.entries(value)) {
				left -= name.length;
				waiting.push(each);
			}
		}
	}
	return left >= 0 && (JSON.stringify(message) ?? "").length <= maxMessageCharacters;
}
