import { assumptions } from "../../client/contract/assumptions.ts";
import { editorServerName, type ModelSetup, type ServerSetup } from "../../common/models.ts";
import type { Log } from "../../common/log.ts";
import { type ApiKeys, KeyStoreError } from "../connection/secrets.ts";
import { parseEndpoint } from "../connection/endpoint.ts";
import type { Settings } from "../base/settings.ts";

const { auth } = assumptions;

/** A server of models, as the settings name it. */
export interface ModelServer {
	readonly name: string;
	readonly baseUrl: string;
	/** The header that carries its key, and the word before the key, where they are not those of most servers. */
	readonly header?: string;
	readonly scheme?: string;
}

/** The servers of the settings whose address may be asked, the first of those with the same name. */
export function modelServers(settings: Pick<Settings, "get">, log: Log): readonly ModelServer[] {
	const servers = new Map<string, ModelServer>();
	for (const server of settings.get("localService.servers")) {
		if (server.name === editorServerName) {
			log.warn("A server of models has the name of the editor's models and is left out");
		} else if (!parseEndpoint(server.baseUrl).ok) {
			log.warn("A server of models has no valid address and is left out", { name: server.name });
		} else if (!servers.has(server.name)) {
			servers.set(server.name, server);
		}
	}
	return [...servers.values()];
}

/** The origin that a server's key is bound to. */
export function originOf({ baseUrl }: ModelServer): string {
	return new URL(baseUrl).origin;
}

/** Servers the local service asks, each with the key of its own origin (threat T1). */
export async function readModelSetup(
	settings: Pick<Settings, "get">,
	keys: Pick<ApiKeys, "get">,
	log: Log,
): Promise<ModelSetup> {
	const servers = modelServers(settings, log).map(async server => {
		return setupOf(server, await readKey(keys, originOf(server), log));
	});
	return {
		servers: await Promise.all(servers),
		contextLength: settings.get("localService.contextLength"),
		engine: settings.get("localService.engine"),
	};
}

/** A server as the local service asks it, with its key if it has one. */
export function setupOf(server: ModelServer, key: string | undefined): ServerSetup {
	const { name, baseUrl, header = auth.header, scheme = auth.scheme } = server;
	const headers: Record<string, string> = key
		? { [header.toLowerCase()]: [scheme, key].join(" ").trim() }
		: {};
	return { name, baseUrl, headers };
}

/** Without its key a server answers 401, which the chat says; a broken key store keeps no other server from answering. */
export async function readKey(
	keys: Pick<ApiKeys, "get">,
	origin: string,
	log: Log,
): Promise<string | undefined> {
	try {
		return await keys.get(origin);
	} catch (error) {
		if (!(error instanceof KeyStoreError)) {
			throw error;
		}
		log.warn("The key store could not be read", { origin });
		return undefined;
	}
}
