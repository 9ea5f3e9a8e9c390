import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import type { ModelPlaces, ServerListing } from "../../common/models.ts";
import type { Log } from "../../common/log.ts";
import type { ServiceConnection, ApiKeys } from "../connection/index.ts";
import type { Settings } from "../base/settings.ts";
import { type ModelRow, modelRows } from "./modelRows.ts";
import { modelServers } from "./modelServers.ts";

/** What choosing a model works with. */
export interface ModelsContext {
	readonly settings: Settings;
	readonly keys: ApiKeys;
	readonly connection: ServiceConnection;
	/** Asks servers for their models, by way of the local service. */
	readonly listModels: (places: ModelPlaces) => Promise<readonly ServerListing[]>;
	/** Makes a model the one that answers in the chat that is shown, and in the next ones. */
	readonly setModel: (model: string) => Promise<void>;
	readonly log: Log;
}

/** Everything there is to choose from, and the servers that did not answer. */
export async function findModels(context: Omit<ModelsContext, "setModel">): Promise<{
	readonly rows: readonly ModelRow[];
	readonly silent: readonly ServerListing[];
}> {
	const servers = modelServers(context.settings, context.log);
	const [configured, found] = await Promise.all([
		servers.length === 0 ? [] : context.listModels("configured"),
		context.listModels("found"),
	]);
	return {
		rows: modelRows(servers, configured, found),
		silent: configured.filter(({ failure }) => failure !== undefined),
	};
}

/**
 * Makes a model the one that answers, and writes its server into the settings where it was only seen. A service the user
 * connected to is left only after a question.
 */
export async function takeModel(context: ModelsContext, row: ModelRow): Promise<boolean> {
	if (!(await leaveService(context))) {
		return false;
	}
	if (row.isFound) {
		await addServer(context.settings, row.server);
	}
	await context.setModel(row.id);
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
}: Pick<ModelsContext, "settings" | "connection">): Promise<boolean> {
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
