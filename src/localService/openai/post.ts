import type { ClientRequest } from "node:http";
import type { Clock } from "../../common/async.ts";
import { ask } from "../base/network.ts";

interface Posted {
	readonly headers: Readonly<Record<string, string>>;
	readonly body: string;
	readonly clock: Clock;
	readonly signal: AbortSignal;
}

/** Time limit for connecting, in milliseconds. A remote computer may be off. */
const connectMs = 10_000;
/** Delay before TCP keep-alive probes on a silent connection, in milliseconds. */
const keepAliveMs = 60_000;

/**
 * Sends a request and resolves when the response headers have arrived, without following redirects. There is no time limit, because a model may read
 * a prompt for long, but a dead connection fails.
 */
export function post(url: string, { clock, ...posted }: Posted): Promise<Response> {
	const connected = url.startsWith("https:") ? "secureConnect" : "connect";
	return ask(new URL(url), { method: "POST", ...posted }, sent =>
		watchConnection(sent, connected, clock),
	);
}

/** Aborts a request that doesn't connect in time, and enables keep-alive to detect a dead connection. */
function watchConnection(sent: ClientRequest, connected: string, clock: Clock): void {
	const timer = clock.setTimer(connectMs, () => {
		sent.destroy(new Error(`no connection within ${connectMs / 1_000} s`));
	});
	sent.once("close", () => timer.dispose());
	sent.once("socket", socket => {
		socket.setKeepAlive(true, keepAliveMs);
		if (socket.connecting) {
			socket.once(connected, () => timer.dispose());
		} else {
			// A proxy has already connected it.
			timer.dispose();
		}
	});
}
