import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import {
	embeddedServerName,
	type EngineKind,
	type ModelInfo,
	type ModelPlaces,
	type PullFailure,
	type PullProgress,
	type PullRequest,
	type ServerListing,
} from "../../common/models.ts";
import type { Log } from "../../common/log.ts";
import type { ServiceConnection } from "../connection/connection.ts";
import type { ApiKeys } from "../connection/secrets.ts";
import type { Settings } from "../base/settings.ts";
import { editorRow, embeddedRow, type ModelRow, modelRows } from "./modelRows.ts";
import { type ModelServer, modelServers, originOf } from "./modelServers.ts";
import type { KeptValue } from "../base/keptValue.ts";

/** The files of the models that run on this machine. */
export interface ModelFiles {
	/** The folder of those that were downloaded. */
	readonly modelsFolder: string;
	/** Lists a file of the user's own among them; gives the model's id. */
	useModelFile(path: string): Promise<string>;
	/** Deletes one of them, by the name of its file. */
	removeModel(file: string): Promise<void>;
}

/** Dependencies of choosing a model. */
export interface ModelChoiceDependencies {
	readonly settings: Settings;
	readonly keys: ApiKeys;
	readonly connection: ServiceConnection;
	/** Asks servers for their models, by way of the local service. */
	readonly listModels: (places: ModelPlaces) => Promise<readonly ServerListing[]>;
	/** The models the editor has; asks none of them. */
	readonly editorModels: () => Promise<readonly ModelInfo[]>;
	/** The providers of the editor's models that get messages without a question. */
	readonly allowedProviders: KeptValue;
	/** Has a model downloaded, by way of the local service; resolves with the reason when that fails. */
	readonly pullModel: (
		request: PullRequest,
		onProgress: (progress: PullProgress) => void,
		signal: AbortSignal,
	) => Promise<PullFailure | undefined>;
	/** The files of the models that run on this machine. */
	readonly modelFiles: ModelFiles;
	/** Makes a model the one that answers in the chat that is shown, and in the next ones. */
	readonly setModel: (model: string) => Promise<void>;
	readonly log: Log;
}

/** Whether the user wants one of these kinds of engines. */
export function isWanted(
	settings: Pick<Settings, "get">,
	...kinds: readonly EngineKind[]
): boolean {
	const engine = settings.get("localService.engine");
	return engine === "auto" || kinds.includes(engine);
}

/** Everything there is to choose from of the engines the user wants, the servers that did not answer, and an Ollama that did. */
export async function findModels(
	context: Pick<ModelChoiceDependencies, "settings" | "listModels" | "editorModels" | "log">,
): Promise<{
	readonly rows: readonly ModelRow[];
	readonly silent: readonly ServerListing[];
	readonly ollama: ModelServer | undefined;
	/** The models whose files are here; undefined where none can run. */
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

/**
 * Makes a model the one that answers, and writes its server into the settings where it was only seen. A service the user
 * connected to is left only after a question.
 */
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

/** Writes a server into the settings, behind those that are there. */
export async function addServer(settings: Settings, server: ModelRow["server"]): Promise<void> {
	await settings.set("localService.servers", [...settings.get("localService.servers"), server]);
}

/** Goes back to the local service, which asks the servers of models; false when the user would rather stay. */
export async function leaveService({
	settings,
	connection,
}: Pick<ModelChoiceDependencies, "settings" | "connection">): Promise<boolean> {
	const target = connection.target();
	if (target.kind === "local") {
		return true;
	}
	const yes = l10n.t("Use the Local Service");
	const choice = await vscode.window.showWarningMessage(
		target.kind === "remote"
			? l10n.t(
					"Cutaway is connected to {0}. This model answers through the local service.",
					target.label,
				)
			: l10n.t("The setting cutaway.endpoint isn't valid. {0}", target.sentence),
		{ modal: true },
		yes,
	);
	if (choice !== yes) {
		return false;
	}
	await settings.set("endpoint", "");
	return true;
}
