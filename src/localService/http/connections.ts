import type { Server } from "node:http";
import type { Socket } from "node:net";

/** The connections of a server. */
export interface Connections {
	/** A request that came on this connection has the token. */
	trust(socket: Socket): void;
}

/**
 * Keeps at most `max` connections open. One too many costs the oldest that has not shown the token, so that connections
 * which anybody on the machine can open do not keep out the user's own.
 */
export function limitConnections(server: Server, max: number): Connections {
	const open = new Set<Socket>();
	const strangers = new Set<Socket>();
	const forget = (socket: Socket): void => {
		open.delete(socket);
		strangers.delete(socket);
	};
	server.on("connection", (socket: Socket) => {
		open.add(socket);
		strangers.add(socket);
		socket.once("close", () => forget(socket));
		if (open.size > max) {
			const [oldest = socket] = strangers;
			forget(oldest);
			oldest.destroy();
		}
	});
	return { trust: socket => void strangers.delete(socket) };
}
