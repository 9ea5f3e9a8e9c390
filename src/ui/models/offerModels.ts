import * as l10n from "@vscode/l10n";
import type {
	ChatSettings,
	ChatEnvironment,
	ModelOffer,
	ModelSearch,
} from "../composer/chatSettings.ts";
import { isLoopbackHost } from "../../client/transport/transport.ts";
import { isServerModel } from "../../client/contract/schemas.ts";
import type { Clock } from "../../common/async.ts";
import { Disposable } from "../../common/disposable.ts";
import { toError } from "../../common/errors.ts";
import { editorServerName, hubModels, type ModelInfo } from "../../common/modelSetup.ts";
import { formatSize } from "../base/amounts.ts";
import { readKey } from "../connection/secrets.ts";
import type { ModelWay } from "./chooseModel.ts";
import {
	findModels,
	isWanted,
	type ModelChoiceDependencies,
	type ShownDownload,
	takeModel,
} from "./modelChoice.ts";
import { type ModelRow, serverTitle } from "./modelRows.ts";
import { modelServers, originOf, setupOf } from "./serverSettings.ts";

const maxOffers = 20;

/** How long results are cached, in milliseconds. A window may get the focus every other second. */
const foundMs = 5_000;

export interface ModelOffersDependencies extends ModelChoiceDependencies {
	readonly clock: Clock;
}

type OfServer = Pick<ChatEnvironment, "serverModels" | "listedContext">;

/** Available models, or other models of the current server. */
type FoundModels = Parameters<ChatSettings["setEnvironment"]>[0];

/**
 * Offers models: until one is selected, those of local servers and the editor, or a way to get one; afterwards the other models of the current server
 * if it is on this machine or the editor.
 */
export class ModelOffers extends Disposable {
	private readonly dependencies: ModelOffersDependencies;
	private readonly chat: Pick<ChatSettings, "setEnvironment" | "get">;
	private nextLook = 0;
	private looks = 0;
	private shown = "";
	private found: FoundModels | undefined;
	private download: ShownDownload | undefined;

	/** Searches nothing before the first `look`. */
	constructor(
		dependencies: ModelOffersDependencies,
		chat: Pick<ChatSettings, "setEnvironment" | "get" | "onDidChange">,
	) {
		super();
		this.dependencies = dependencies;
		this.chat = chat;
		let model = chat.get("chat.model");
		this.register(
			dependencies.settings.onDidChange(() => {
				if (this.isChosen()) {
					this.show({ search: undefined });
				}
			}),
		);
		this.register(
			chat.onDidChange(() => {
				const isOther = chat.get("chat.model") !== model;
				model = chat.get("chat.model");
				if (isOther) {
					this.nextLook = 0;
					// Few tools until the list is there, as the model may be a small one.
					const isLocal = this.dependencies.connection.target().kind === "local";
					this.show({ listedContext: isLocal ? 0 : undefined });
					void this.look();
				}
			}),
		);
		const { downloads } = dependencies;
		if (downloads) {
			this.register(downloads.event(download => this.showDownload(download)));
		}
		if (!this.isChosen()) {
			this.show({ search: { isLooking: true, heading: "", found: [] } });
		}
	}

	/** Searches for models, unless the last search was just before. Sends no requests to models. Never rejects. */
	async look(): Promise<void> {
		const { clock, log } = this.dependencies;
		if (clock.monotonic() < this.nextLook) {
			return;
		}
		this.nextLook = Infinity;
		this.looks += 1;
		const look = this.looks;
		try {
			const found: FoundModels = this.isChosen()
				? { search: undefined, ...(await this.ofServer(this.chat.get("chat.model"))) }
				: { search: await this.search(), serverModels: [], listedContext: undefined };
			if (look === this.looks && this.isChosen() !== Boolean(found.search)) {
				this.show(found);
			}
		} catch (error) {
			log.info("Servers of models could not be looked for", { error: toError(error).message });
		} finally {
			if (look === this.looks) {
				this.nextLook = clock.monotonic() + foundMs;
			}
		}
	}

	private async search(): Promise<ModelSearch> {
		const { rows, ollama, embedded } = await findModels(this.dependencies);
		const best = rows.toSorted((a, b) => rankOf(b) - rankOf(a)).slice(0, maxOffers);
		const isOfEditor = best[0]?.id.startsWith(`${editorServerName}/`) === true;
		const has = { ollama: ollama !== undefined, embedded: embedded !== undefined };
		const ways = best.length > 0 ? {} : await waysToModel(this.dependencies, has);
		return {
			isLooking: false,
			heading: ways.way
				? ""
				: isOfEditor
					? l10n.t("Found in VS Code")
					: l10n.t("Found on this machine"),
			found: best.map(row => ({
				id: row.id,
				name: row.label,
				detail: [serverTitle(row.server), row.detail].filter(part => part !== "").join(" · "),
				take: async () => void (await takeModel(this.dependencies, row)),
			})),
			...ways,
		};
	}

	/**
	 * Returns the other models of the current server and the model's context. The list of a remote server is requested only when the user opens it.
	 */
	private async ofServer(model: string): Promise<OfServer> {
		const { settings, keys, log, listModels, editorModels, connection } = this.dependencies;
		if (connection.target().kind !== "local") {
			return fromList([], undefined);
		}
		if (model.startsWith(`${editorServerName}/`)) {
			const models = await editorModels();
			return fromList(models, models.find(({ id }) => id === model)?.maxContextLength);
		}
		const server = modelServers(settings, log).find(({ name }) => model.startsWith(`${name}/`));
		if (!server || !isLoopbackHost(new URL(server.baseUrl).hostname)) {
			return fromList([], undefined);
		}
		const key = await readKey(keys, originOf(server), log);
		const [listing] = await listModels(setupOf(server, key));
		const models = listing?.models ?? [];
		return fromList(models, models.find(({ id }) => id === model)?.contextLength ?? 0);
	}

	private isChosen(): boolean {
		const { settings, connection } = this.dependencies;
		return (
			connection.target().kind !== "local" ||
			settings.get("localService.engine") === "demo" ||
			settings.get("localService.servers").length > 0 ||
			isServerModel(this.chat.get("chat.model"))
		);
	}

	/** Updates the page if the result differs from what it shows. While a model is downloaded, the page shows the progress instead of the offer. */
	private show(found: FoundModels): void {
		this.found = found;
		const { search } = found;
		const { download } = this;
		const isDownloading = search?.found.length === 0 && download;
		const all = isDownloading
			? { ...found, search: { ...search, ...downloadOffer(download) } }
			: found;
		const shown = JSON.stringify(all);
		if (shown !== this.shown) {
			this.shown = shown;
			this.chat.setEnvironment(all);
		}
	}

	private showDownload(download: ShownDownload | undefined): void {
		this.download = download;
		if (this.found?.search) {
			this.show(this.found);
			if (!download) {
				// A part of it may be there now.
				this.nextLook = 0;
				void this.look();
			}
		}
	}
}

/** Returns a download, with its cancellation as the offer. */
function downloadOffer(download: ShownDownload): Omit<ModelSearch, "found"> {
	const { model, percent, detail, cancel } = download;
	return {
		isLooking: false,
		heading: l10n.t("Downloading {0}… {1}%", model, percent),
		way: {
			id: "cancel",
			name: l10n.t("Cancel Download"),
			detail,
			take: () => Promise.resolve(cancel()),
		},
	};
}

function fromList(models: readonly ModelInfo[], listedContext: number | undefined): OfServer {
	return { serverModels: models.map(({ id }) => id).slice(0, maxOffers), listedContext };
}

/** Prefers loaded models, which answer at once, then those with tools. */
function rankOf({ isLoaded, tools }: ModelRow): number {
	return (isLoaded === true ? 2 : 0) + (tools === true ? 1 : 0);
}

/** Returns the simplest way to get a model for the enabled engines, and beside one that downloads that of users with a key. */
async function waysToModel(
	dependencies: ModelChoiceDependencies,
	has: { readonly ollama: boolean; readonly embedded: boolean },
): Promise<Pick<ModelSearch, "way" | "key">> {
	const { settings, modelFiles } = dependencies;
	const way = (id: ModelWay, name: string, detail = ""): ModelOffer => ({
		id,
		name,
		detail,
		take: async () => {
			const { chooseModel } = await import("./chooseModel.ts");
			await chooseModel(dependencies, id);
		},
	});
	const hasServers = isWanted(settings, "openai");
	const key = hasServers ? { key: way("server", l10n.t("I Have a Key…")) } : {};
	if (has.ollama && isWanted(settings, "ollama")) {
		return { way: way("ollama", l10n.t("Get a Model with Ollama…")), ...key };
	}
	if (has.embedded) {
		const { roomFor } = await import("./runHere.ts");
		const { part, needed } = await roomFor(hubModels[0], modelFiles.modelsFolder);
		const detail = needed > 0 ? l10n.t("{0} left", formatSize(needed)) : "";
		return {
			way:
				part > 0
					? way("here", l10n.t("Continue Download"), detail)
					: way(
							"here",
							l10n.t("Get a Model ({0})…", formatSize(needed)),
							l10n.t("One runs here, without an account"),
						),
			...key,
		};
	}
	if (hasServers) {
		return { way: way("server", l10n.t("Use a Key…"), l10n.t("Of OpenRouter, OpenAI or another")) };
	}
	return isWanted(settings, "vscode")
		? { way: way("editor", l10n.t("Use VS Code's Models…")) }
		: {};
}
