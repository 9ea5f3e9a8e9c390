import { ServiceError } from "../../client/contract/serviceError.ts";
import type { ServiceClient } from "../../client/contract/serviceClient.ts";
import { untilAborted } from "../../common/async.ts";
import type { Log } from "../../common/log.ts";
import type { Settings } from "../base/settings.ts";
import { mayReach } from "../connection/askPlainHost.ts";
import { plainSentence, type ServiceConnection } from "../connection/connection.ts";
import type { ApiKeys } from "../connection/secrets.ts";
import { modelServers } from "./serverSettings.ts";

interface AskingDependencies {
	readonly settings: Pick<Settings, "get">;
	readonly keys: ApiKeys;
	readonly connection: Pick<ServiceConnection, "target">;
	readonly log: Log;
}

/** Returns a client that asks before the first message to a model whose server is reached without encryption. */
export function askingClient(
	client: ServiceClient,
	{ settings, keys, connection, log }: AskingDependencies,
): ServiceClient {
	const check = async (model: string, signal?: AbortSignal): Promise<void> => {
		const server = modelServers(settings, log).find(({ name }) => model.startsWith(`${name}/`));
		if (!server || connection.target().kind !== "local") {
			return;
		}
		const asked = mayReach(keys, server.baseUrl);
		if (!(await (signal ? untilAborted(asked, signal) : asked))) {
			const detail = plainSentence(server.baseUrl);
			throw new ServiceError("notReady", { charge: "notSent", detail });
		}
	};
	return {
		...client,
		streamChat: async function* (request, options) {
			await check(request.model, options?.signal);
			yield* client.streamChat(request, options);
		},
		chat: async (request, options) => {
			await check(request.model, options?.signal);
			return await client.chat(request, options);
		},
	};
}
