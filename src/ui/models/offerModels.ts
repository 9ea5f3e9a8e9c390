import * as l10n from "@vscode/l10n";
import type { ChatSettings } from "../composer/index.ts";
import { isServerModel } from "../../client/index.ts";
import { toError } from "../../common/errors.ts";
import type { ModelWay } from "./chooseModel.ts";
import { findModels, isWanted, type ModelChoiceDependencies, takeModel } from "./modelChoice.ts";

type EmptyChatOffer = ChatSettings["offers"][number];

/** So many models are offered; the list has them all. */
const maxOffers = 4;

/**
 * Looks once for servers of models on this machine and offers what they have in the empty chat, or else the ways to get a model,
 * until somebody chooses who answers. Nothing is asked of a model.
 */
export async function offerModels(
	dependencies: ModelChoiceDependencies,
	chat: Pick<ChatSettings, "offer">,
): Promise<void> {
	const { settings, connection, log } = dependencies;
	const isChosen = (): boolean =>
		connection.target().kind !== "local" ||
		settings.get("localService.engine") === "demo" ||
		settings.get("localService.servers").length > 0 ||
		isServerModel(settings.get("chat.model"));
	if (isChosen()) {
		return;
	}
	try {
		const { rows } = await findModels(dependencies);
		const offers = rows.slice(0, maxOffers).map(row => ({
			id: row.id,
			label: [row.label, row.server.name, row.detail].filter(part => part !== "").join(" · "),
			take: async () => void (await takeModel(dependencies, row)),
		}));
		chat.offer(offers.length > 0 ? offers : waysToModels(dependencies));
		const choosing = settings.onDidChange(() => {
			if (isChosen()) {
				choosing.dispose();
				chat.offer([]);
			}
		});
	} catch (error) {
		log.info("Servers of models could not be looked for", { error: toError(error).message });
	}
}

/** Offers where no model was found. */
function waysToModels(dependencies: ModelChoiceDependencies): readonly EmptyChatOffer[] {
	const way = (id: ModelWay, label: string): EmptyChatOffer => ({
		id,
		label,
		take: async () => {
			const { chooseModel } = await import("./chooseModel.ts");
			await chooseModel(dependencies, id);
		},
	});
	const { settings } = dependencies;
	return [
		...(isWanted(settings, "ollama") ? [way("ollama", l10n.t("Get a model with Ollama…"))] : []),
		...(isWanted(settings, "openai")
			? [way("server", l10n.t("Use a key for an OpenAI-compatible service…"))]
			: []),
	];
}
