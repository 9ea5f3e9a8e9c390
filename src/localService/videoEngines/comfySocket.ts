import * as z from "zod/mini";
import { type IDisposable, toDisposable } from "../../common/disposable.ts";
import { isProxied } from "../base/network.ts";

/** The server and client id to follow. */
export interface ComfyListener {
	readonly baseUrl: string;
	readonly headers: Readonly<Record<string, string>>;
	/** The client id of the prompt. Only it receives the progress. */
	readonly clientId: string;
}

const count = z.number().check(z.minimum(0));
const messageSchema = z.discriminatedUnion("type", [
	z.looseObject({
		type: z.literal("progress"),
		data: z.looseObject({ value: count, max: count, prompt_id: z.optional(z.string()) }),
	}),
	z.looseObject({
		type: z.literal("executing"),
		data: z.looseObject({
			node: z.nullish(z.string()),
			prompt_id: z.optional(z.string()),
		}),
	}),
	z.looseObject({
		type: z.enum(["execution_success", "execution_error", "execution_interrupted"]),
		data: z.looseObject({ prompt_id: z.optional(z.string()) }),
	}),
]);

const maxMessageCharacters = 1024 * 1024;

/**
 * Follows a prompt's progress by ComfyUI's WebSocket until disposed. The progress is that of the longest step, the sampling. Completion is determined
 * by the history alone, so without a socket only the progress is missing. Doesn't connect through a proxy.
 */
export function followComfy(
	{ baseUrl, headers, clientId }: ComfyListener,
	promptId: string,
	{ onShare, onEnd }: { readonly onShare: (share: number) => void; readonly onEnd: () => void },
): IDisposable {
	if (isProxied(new URL(baseUrl))) {
		return toDisposable(() => {});
	}
	const url = new URL(`${baseUrl.replace(/^http/, "ws")}/ws`);
	url.searchParams.set("clientId", clientId);
	const socket = open(url, headers);
	socket.addEventListener("message", ({ data }: { readonly data: unknown }) => {
		// Preview images arrive as bytes.
		if (typeof data !== "string" || data.length > maxMessageCharacters) {
			return;
		}
		const message = read(data);
		// Older servers don't name the prompt; this client id has only one.
		if (!message || (message.data.prompt_id ?? promptId) !== promptId) {
			return;
		}
		if (message.type === "progress") {
			onShare(message.data.max > 0 ? Math.min(1, message.data.value / message.data.max) : 0);
		} else if (message.type !== "executing" || !message.data.node) {
			onEnd();
		}
	});
	// Without a listener, the error would be thrown.
	socket.addEventListener("error", () => {});
	return toDisposable(() => socket.close());
}

/** Node's WebSocket supports headers, unlike a browser's, whose types some builds have. */
function open(url: URL, headers: Readonly<Record<string, string>>): WebSocket {
	const socket: unknown = Reflect.construct(WebSocket, [url, { headers: { ...headers } }]);
	if (socket instanceof WebSocket) {
		return socket;
	}
	throw new TypeError("No WebSocket");
}

function read(text: string): z.infer<typeof messageSchema> | undefined {
	try {
		const parsed = z.safeParse(messageSchema, JSON.parse(text));
		return parsed.success ? parsed.data : undefined;
	} catch {
		return undefined;
	}
}
