import type { ChatSettings } from "../composer/index.ts";
import { isServerModel } from "../../client/index.ts";
import { toError } from "../../common/errors.ts";
import { findModels, type ModelsContext, takeModel } from "./modelChoice.ts";

/** So many models are offered; the list has them all. */
const maxOffers = 4;

/**
 * Looks once for servers of models on this machine and offers what they have in the empty chat, where nobody chose who answers.
 * Nothing is asked of a model.
 */
export async function offerModels(
	context: ModelsContext,
	chat: Pick<ChatSettings, "offer">,
): Promise<void> {
	const { settings, connection, log } = context;
	const isChosen =
		connection.target().kind !== "local" ||
		settings.get("localService.servers").length > 0 ||
		isServerModel(settings.get("chat.model"));
	if (isChosen) {
		return;
	}
	try {
		const { rows } = await findModels(context);
		chat.offer(
			rows.slice(0, maxOffers).map(row => ({
				id: row.id,
				label: [row.label, row.server.name, row.detail].filter(part => part !== "").join(" · "),
				take: async () => {
					if (await takeModel(context, row)) {
						chat.offer([]);
					}
				},
			})),
		);
	} catch (error) {
		log.info("Servers of models could not be looked for", { error: toError(error).message });
	}
}
