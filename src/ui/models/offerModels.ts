import * as l10n from "@vscode/l10n";
import type { ChatSettings, ModelOffer } from "../composer/index.ts";
import { isServerModel } from "../../client/index.ts";
import type { Clock } from "../../common/async.ts";
import { Disposable } from "../../common/disposable.ts";
import { toError } from "../../common/errors.ts";
import type { ModelWay } from "./chooseModel.ts";
import { findModels, isWanted, type ModelChoiceDependencies, takeModel } from "./modelChoice.ts";

/** So many models are offered; the list has them all. */
const maxOffers = 4;

/** How long what was found counts, in milliseconds: a window may get the focus every other second. */
const foundMs = 5_000;

/** Dependencies of the offers. */
export interface ModelOffersDependencies extends ModelChoiceDependencies {
	readonly clock: Clock;
}

/**
 * Offers what servers of models on this machine and the editor have in the empty chat, or else the ways to get a model, until
 * somebody chooses who answers.
 */
export class ModelOffers extends Disposable {
	private readonly dependencies: ModelOffersDependencies;
	private readonly chat: Pick<ChatSettings, "offer">;
	private nextLook = 0;
	private shown = "[]";

	/** Makes them; nothing is looked for before the first `look`. */
	constructor(dependencies: ModelOffersDependencies, chat: Pick<ChatSettings, "offer">) {
		super();
		this.dependencies = dependencies;
		this.chat = chat;
		const { settings } = dependencies;
		this.register(
			settings.onDidChange(() => {
				if (this.isChosen()) {
					this.show([]);
				}
			}),
		);
	}

	/** Looks for models, unless one was chosen or the last look was a moment ago. Nothing is asked of a model. Never rejects. */
	async look(): Promise<void> {
		const { clock, log } = this.dependencies;
		if (this.isChosen() || clock.monotonic() < this.nextLook) {
			return;
		}
		this.nextLook = Infinity;
		try {
			const { rows } = await findModels(this.dependencies);
			const offers = rows.slice(0, maxOffers).map(row => ({
				id: row.id,
				label: [row.label, row.server.name, row.detail].filter(part => part !== "").join(" · "),
				take: async () => void (await takeModel(this.dependencies, row)),
			}));
			if (!this.isChosen()) {
				this.show(offers.length > 0 ? offers : waysToModels(this.dependencies));
			}
		} catch (error) {
			log.info("Servers of models could not be looked for", { error: toError(error).message });
		} finally {
			this.nextLook = clock.monotonic() + foundMs;
		}
	}

	private isChosen(): boolean {
		const { settings, connection } = this.dependencies;
		return (
			connection.target().kind !== "local" ||
			settings.get("localService.engine") === "demo" ||
			settings.get("localService.servers").length > 0 ||
			isServerModel(settings.get("chat.model"))
		);
	}

	/** The page hears of offers that differ from those it shows. */
	private show(offers: readonly ModelOffer[]): void {
		const shown = JSON.stringify(offers.map(({ id, label }) => [id, label]));
		if (shown !== this.shown) {
			this.shown = shown;
			this.chat.offer(offers);
		}
	}
}

/** Offers where no model was found. */
function waysToModels(dependencies: ModelChoiceDependencies): readonly ModelOffer[] {
	const way = (id: ModelWay, label: string): ModelOffer => ({
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
		...(isWanted(settings, "vscode") ? [way("editor", l10n.t("Use VS Code's models…"))] : []),
	];
}
