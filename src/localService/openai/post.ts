import type { ClientRequest } from "node:http";
import type { Clock } from "../../common/async.ts";
import { ask } from "../base/network.ts";

interface Posted {
	readonly headers: Readonly<Record<string, string>>;
	readonly body: string;
	readonly clock: Clock;
	readonly signal: AbortSignal;
}

/** How long a connection may take, in milliseconds; the computer of a server elsewhere may be off. */
const connectMs = 10_000;
/** How long a connection is silent before its other end is asked for a sign of life, in milliseconds. */
const keepAliveMs = 60_000;

/**
 * Sends a request and gives the answer once its head is there; redirects are not followed. A model may read a prompt for as long
 * as it takes; a connection whose other end is gone fails.
 */
export function post(url: string, { clock, ...posted }: Posted): Promise<Response> {
	const connected = url.startsWith("https:") ? "secureConnect" : "connect";
	return ask(new URL(url), { method: "POST", ...posted }, sent =>
		watchConnection(sent, connected, clock),
	);
}

/** Ends a request whose connection is not there in time, and has the system notice when its other end is gone. */
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
			// A proxy has connected it.
			timer.dispose();
		}
	});
}
