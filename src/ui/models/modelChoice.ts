import * as l10n from "@vscode/l10n";
import {
	embeddedServerName,
	type EngineKind,
	type ModelInfo,
	type ModelPlaces,
	type PullFailure,
	type PullProgress,
	type PullRequest,
	type ServerListing,
} from "../../common/modelSetup.ts";
import type { Emitter } from "../../common/disposable.ts";
import type { Log } from "../../common/log.ts";
import type { ServiceConnection } from "../connection/connection.ts";
import type { ApiKeys } from "../connection/secrets.ts";
import type { Settings } from "../base/settings.ts";
import { editorRow, embeddedRow, type ModelRow, modelRows } from "./modelRows.ts";
import { type ModelServer, modelServers, originOf } from "./serverSettings.ts";
import { isConfirmed } from "../base/dialogs.ts";
import type { StoredValue } from "../base/keptValue.ts";

/** The files of the models that run on this machine. */
export interface ModelFiles {
	readonly modelsFolder: string;
	/** Adds a file of the user's. Resolves to the model's id. */
	useModelFile(path: string): Promise<string>;
	removeModel(file: string): Promise<void>;
}

/** A model's download, for the chat. */
export interface ShownDownload {
	readonly model: string;
	/** Whole percent. */
	readonly percent: number;
	/** What has come, the rate and the time left. */
	readonly detail: string;
	cancel(): void;
}

export interface ModelChoiceDependencies {
	readonly settings: Settings;
	readonly keys: ApiKeys;
	readonly connection: ServiceConnection;
	readonly listModels: (places: ModelPlaces) => Promise<readonly ServerListing[]>;
	/** Lists the editor's models. Sends no requests to models. */
	readonly editorModels: () => Promise<readonly ModelInfo[]>;
	/** The providers of the editor's models that receive messages without asking. */
	readonly allowedProviders: StoredValue;
	/** Downloads a model through the local service. Resolves to the reason if that fails. */
	readonly pullModel: (
		request: PullRequest,
		onProgress: (progress: PullProgress) => void,
		signal: AbortSignal,
	) => Promise<PullFailure | undefined>;
	readonly modelFiles: ModelFiles;
	/** The downloads that the user agreed to, by hub and file. */
	readonly agreedDownloads: StoredValue;
	/** Fires at each step of a download, with the oldest running download. Fires with undefined when the last one ends. */
	readonly downloads?: Emitter<ShownDownload | undefined>;
	/** Selects a model for the shown chat and later ones. */
	readonly setModel: (model: string) => Promise<void>;
	readonly log: Log;
}

/** Whether one of these kinds of engines is enabled. */
export function isWanted(
	settings: Pick<Settings, "get">,
	...kinds: readonly EngineKind[]
): boolean {
	const engine = settings.get("localService.engine");
	return engine === "auto" || kinds.includes(engine);
}

/** Finds all available models of the enabled engines, the servers that failed, and a running Ollama. */
export async function findModels(
	context: Pick<ModelChoiceDependencies, "settings" | "listModels" | "editorModels" | "log">,
): Promise<{
	readonly rows: readonly ModelRow[];
	readonly silent: readonly ServerListing[];
	readonly ollama: ModelServer | undefined;
	/** The models whose files are here. Undefined if none can run. */
	readonly embedded: readonly ModelInfo[] | undefined;
}> {
	const servers = modelServers(context.settings, context.log);
	const { settings } = context;
	const asksServers = isWanted(settings, "openai", "ollama");
	const list = async (places: ModelPlaces): Promise<readonly ServerListing[]> =>
		(await context.listModels(places)).filter(
			({ kind, failure }) => failure !== undefined || isWanted(settings, kind ?? "openai"),
		);
	const [configured, found, editors, here] = await Promise.all([
		asksServers && servers.length > 0 ? list("configured") : [],
		asksServers ? list("found") : [],
		isWanted(settings, "vscode") ? context.editorModels() : [],
		isWanted(settings, "embedded") ? context.listModels("embedded") : [],
	]);
	const embedded = here.find(({ server }) => server === embeddedServerName)?.models;
	return {
		rows: [
			...modelRows(servers, configured, found),
			...editors.map(editorRow),
			...(embedded ?? []).map(embeddedRow),
		],
		silent: configured.filter(({ failure }) => failure !== undefined),
		ollama: ollamaIn(servers, [...configured, ...found]),
		embedded,
	};
}

function ollamaIn(
	servers: readonly ModelServer[],
	listings: readonly ServerListing[],
): ModelServer | undefined {
	const listing = listings.find(({ kind, failure }) => kind === "ollama" && failure === undefined);
	const baseUrl = listing?.baseUrl;
	return listing && baseUrl !== undefined
		? (servers.find(server => originOf(server) === originOf({ name: "", baseUrl })) ?? {
				name: listing.server,
				baseUrl,
			})
		: undefined;
}

/** Selects a model, and saves its server if it was only discovered. Asks before disconnecting from a service. */
export async function takeModel(
	dependencies: ModelChoiceDependencies,
	row: ModelRow,
): Promise<boolean> {
	if (!(await leaveService(dependencies))) {
		return false;
	}
	if (row.isFound) {
		await addServer(dependencies.settings, row.server);
	}
	await dependencies.setModel(row.id);
	return true;
}

/** Appends a server to the settings. */
export async function addServer(settings: Settings, server: ModelRow["server"]): Promise<void> {
	await settings.set("localService.servers", [...settings.get("localService.servers"), server]);
}

/** Switches to the local service, which uses the model servers. Resolves to false if the user declines. */
export async function leaveService({
	settings,
	connection,
}: Pick<ModelChoiceDependencies, "settings" | "connection">): Promise<boolean> {
	const target = connection.target();
	if (target.kind === "local") {
		return true;
	}
	const isLeft = await isConfirmed(
		target.kind === "remote"
			? l10n.t(
					"Cutaway is connected to {0}. This model answers through the local service.",
					target.label,
				)
			: l10n.t("The setting cutaway.endpoint isn't valid. {0}", target.sentence),
		l10n.t("Use the Local Service"),
	);
	if (isLeft) {
		await settings.set("endpoint", "");
	}
	return isLeft;
}
