import { assumptions } from "../../client/contract/schemas.ts";
import { editorServerName, type ModelSetup, type ServerSetup } from "../../common/modelSetup.ts";
import type { Log } from "../../common/log.ts";
import { type ApiKeys, keyHeader, readKey } from "../connection/secrets.ts";
import { parseEndpoint } from "../connection/endpoint.ts";
import type { Settings } from "../base/settings.ts";

const { auth } = assumptions;

export interface ModelServer {
	readonly name: string;
	readonly baseUrl: string;
	/** The header and scheme for its key, if they differ from the defaults. */
	readonly header?: string;
	readonly scheme?: string;
}

/** Returns the configured servers with a valid address. Of servers with the same name, returns the first. */
export function modelServers(settings: Pick<Settings, "get">, log: Log): readonly ModelServer[] {
	const servers = new Map<string, ModelServer>();
	for (const server of settings.get("localService.servers")) {
		if (server.name === editorServerName) {
			log.warn("A server of models has the name of the editor's models and is left out");
		} else if (!parseEndpoint(server.baseUrl, true).ok) {
			log.warn("A server of models has no valid address and is left out", { name: server.name });
		} else if (!servers.has(server.name)) {
			servers.set(server.name, server);
		}
	}
	return [...servers.values()];
}

/** Returns the origin that a server's key is bound to. */
export function originOf({ baseUrl }: ModelServer): string {
	return new URL(baseUrl).origin;
}

/** Returns the servers that requests may go to, each with the key of its own origin, for the local service (docs/security.md). */
export async function readModelSetup(
	settings: Pick<Settings, "get">,
	keys: Pick<ApiKeys, "get" | "plain">,
	log: Log,
): Promise<ModelSetup> {
	const reachable = modelServers(settings, log).filter(({ baseUrl }) => keys.plain.allows(baseUrl));
	const servers = reachable.map(async server => {
		return setupOf(server, await readKey(keys, originOf(server), log));
	});
	return {
		servers: await Promise.all(servers),
		contextLength: settings.get("localService.contextLength"),
		engine: settings.get("localService.engine"),
	};
}

/** Converts a server for the local service, with its key if it has one. */
export function setupOf(server: ModelServer, key: string | undefined): ServerSetup {
	const { name, baseUrl, header = auth.header, scheme = auth.scheme } = server;
	return { name, baseUrl, headers: keyHeader({ header, scheme }, key) };
}
