import * as z from "zod/mini";
import { type IDisposable, toDisposable } from "../../common/disposable.ts";
import { isProxied } from "../base/network.ts";

/** Whom to follow, under which name. */
export interface ComfyListener {
	readonly baseUrl: string;
	readonly headers: Readonly<Record<string, string>>;
	/** The name that the prompt was sent under: its progress goes to this one alone. */
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
 * Follows a prompt by ComfyUI's WebSocket until disposed. The share is of the step that runs longest, the sampling; what is done counts by
 * the history alone, so a socket that fails or is not there costs nothing but the progress. Where a proxy is in the way there is none.
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
		// Pictures of what is under way come as bytes.
		if (typeof data !== "string" || data.length > maxMessageCharacters) {
			return;
		}
		const message = read(data);
		// Older servers name no prompt; this name has but one.
		if (!message || (message.data.prompt_id ?? promptId) !== promptId) {
			return;
		}
		if (message.type === "progress") {
			onShare(message.data.max > 0 ? Math.min(1, message.data.value / message.data.max) : 0);
		} else if (message.type !== "executing" || !message.data.node) {
			onEnd();
		}
	});
	// Without a listener an error would be thrown.
	socket.addEventListener("error", () => {});
	return toDisposable(() => socket.close());
}

/** Node's WebSocket takes headers; that of browsers, whose types some builds have, does not. */
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
