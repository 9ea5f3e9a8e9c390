import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import type { EngineKind } from "../../common/models.ts";
import { parseEndpoint } from "../connection/index.ts";
import { namedModels } from "../base/settings.ts";
import {
	addServer,
	findModels,
	isWanted,
	leaveService,
	type ModelChoiceDependencies,
	takeModel,
} from "./modelChoice.ts";
import { ollamaPage } from "./downloadModel.ts";
import { getModel } from "./getModel.ts";
import { freeName, type ModelRow } from "./modelRows.ts";
import { type ModelServer, modelServers, originOf } from "./modelServers.ts";
import { providersIn, withdrawProvider } from "./providerMemory.ts";

/** A row of the list, with what choosing it does; false shows the list again. */
interface ModelListEntry extends vscode.QuickPickItem {
	readonly run?: () => Promise<boolean>;
}

/** A way to get a model, gone before the list is shown. */
export type ModelWay = "ollama" | "server" | "editor";

/** Lists the models there are by their servers, with the ways to get more; choosing one makes it answer. A `way` is gone first. */
export async function chooseModel(
	dependencies: ModelChoiceDependencies,
	way?: ModelWay,
): Promise<void> {
	const ways = { ollama: getModel, server: addByAddress, editor: manageEditorModels };
	let isDone = way !== undefined && (await ways[way](dependencies));
	while (!isDone) {
		const chosen = await vscode.window.showQuickPick<ModelListEntry>(entries(dependencies), {
			title: l10n.t("Choose Model"),
			placeHolder: l10n.t("Which model should answer?"),
			matchOnDescription: true,
			matchOnDetail: true,
		});
		isDone = (await chosen?.run?.()) ?? true;
	}
}

async function entries(dependencies: ModelChoiceDependencies): Promise<ModelListEntry[]> {
	const { rows, silent, ollama } = await findModels(dependencies);
	const current = dependencies.settings.get("chat.model");
	const servers = modelServers(dependencies.settings, dependencies.log);
	return [
		...rows.flatMap((row, index) => [
			...(rows[index - 1]?.server.name === row.server.name ? [] : [separator(row)]),
			modelEntry(dependencies, row, row.id === current),
		]),
		...silent.map(({ server, failure }) => ({
			label: `$(warning) ${server}`,
			...(failure === undefined ? {} : { detail: failure }),
			description: l10n.t("Set API Key…"),
			run: () =>
				setServerKey(
					dependencies,
					servers.find(({ name }) => name === server),
				),
		})),
		{ label: "", kind: vscode.QuickPickItemKind.Separator },
		...providersIn(dependencies.allowedProviders).map(provider => ({
			label: `$(circle-slash) ${l10n.t("Ask again before sending to {0}", provider)}`,
			detail: l10n.t("You allowed messages to this provider of VS Code's models."),
			run: async () => {
				withdrawProvider(dependencies.allowedProviders, provider);
				return await Promise.resolve(false);
			},
		})),
		...waysToMore(dependencies, ollama !== undefined),
	];
}

/** The ways to more models, of the engines the user wants. */
function waysToMore(
	dependencies: ModelChoiceDependencies,
	hasOllama: boolean,
): readonly ModelListEntry[] {
	const ways: readonly (ModelListEntry & { readonly kinds: readonly EngineKind[] })[] = [
		{
			kinds: ["openai"],
			label: `$(add) ${l10n.t("OpenAI-compatible server…")}`,
			detail: l10n.t("LM Studio, llama.cpp, vLLM, OpenRouter and others, by address"),
			run: () => addByAddress(dependencies),
		},
		hasOllama
			? {
					kinds: ["ollama"],
					label: `$(cloud-download) ${l10n.t("Get a model with Ollama…")}`,
					detail: l10n.t("Models on this machine, without an account, by size and memory"),
					run: () => getModel(dependencies),
				}
			: {
					kinds: ["ollama"],
					label: `$(link-external) ${l10n.t("Get Ollama…")}`,
					detail: l10n.t("Models on this machine, without an account. Opens {0}.", ollamaPage),
					run: async () => vscode.env.openExternal(vscode.Uri.parse(ollamaPage)),
				},
		{
			kinds: ["vscode"],
			label: `$(vscode) ${l10n.t("Use VS Code's models…")}`,
			detail: l10n.t("GitHub Copilot's, those of other extensions, or with your own keys"),
			run: () => manageEditorModels(),
		},
		{
			kinds: ["demo"],
			label: `$(beaker) ${l10n.t("Demo")}`,
			detail: l10n.t(
				"Fixed rules on this machine that show what the chat can do; not a language model",
			),
			run: async () => {
				if (await leaveService(dependencies)) {
					await dependencies.setModel(namedModels[0]);
				}
				return true;
			},
		},
	];
	return ways.filter(({ kinds }) => isWanted(dependencies.settings, ...kinds));
}

function separator({ server, isFound }: ModelRow): ModelListEntry {
	const label = isFound ? l10n.t("{0}, found on this machine", server.name) : server.name;
	return { label, kind: vscode.QuickPickItemKind.Separator };
}

function modelEntry(
	dependencies: ModelChoiceDependencies,
	row: ModelRow,
	isCurrent: boolean,
): ModelListEntry {
	return {
		label: isCurrent ? `$(check) ${row.label}` : row.label,
		description: row.server.name,
		detail: row.detail,
		run: async () => {
			await takeModel(dependencies, row);
			return true;
		},
	};
}

/** Shows VS Code's own list of language models, where Copilot and other providers are set up; what they bring is found afterwards. */
async function manageEditorModels(): Promise<boolean> {
	await vscode.commands.executeCommand("workbench.action.chat.manage");
	return true;
}

/** Asks for an address, and for a key where the server wants one; then the list is shown again with what it has. */
async function addByAddress(dependencies: ModelChoiceDependencies): Promise<boolean> {
	const { settings, log } = dependencies;
	const address = await vscode.window.showInputBox({
		title: l10n.t("OpenAI-compatible server"),
		prompt: l10n.t("The server's base address, with /v1 where it has one"),
		placeHolder: "http://127.0.0.1:1234/v1",
		ignoreFocusOut: true,
		validateInput: text => {
			const checked = parseEndpoint(text);
			return text.trim() === "" || checked.ok ? undefined : checked.sentence;
		},
	});
	const checked = address === undefined ? undefined : parseEndpoint(address);
	if (address === undefined || !checked?.ok) {
		return false;
	}
	const host = checked.label.replaceAll(/[^\w.-]/g, "-").slice(0, 36);
	const server = { name: freeName(host, modelServers(settings, log)), baseUrl: address.trim() };
	await addServer(settings, server);
	const listing = (await dependencies.listModels("configured")).find(
		({ server: name }) => name === server.name,
	);
	return listing?.failure !== undefined && /\b40[13]\b|key/i.test(listing.failure)
		? setServerKey(dependencies, server)
		: false;
}

/** Asks for the key of a server and keeps it for that server's origin; the list is shown again. */
async function setServerKey(
	{ keys }: ModelChoiceDependencies,
	server: ModelServer | undefined,
): Promise<boolean> {
	if (server) {
		const { askForKey, keepKey } = await import("../connection/connect.ts");
		const key = await askForKey(server.name, l10n.t("Set API Key"), false);
		if (key) {
			await keepKey(keys, originOf(server), key);
		}
	}
	return false;
}

/** Asks for the key of the server whose model answers; false when no such server does. */
export async function setModelKey(dependencies: ModelChoiceDependencies): Promise<boolean> {
	const server = answeringServer(dependencies);
	await setServerKey(dependencies, server);
	return server !== undefined;
}

/** Forgets the key of the server whose model answers; false when no such server does. */
export async function removeModelKey(dependencies: ModelChoiceDependencies): Promise<boolean> {
	const server = answeringServer(dependencies);
	if (server) {
		await dependencies.keys.remove(originOf(server));
		void vscode.window.showInformationMessage(l10n.t("Key for {0} removed.", server.name));
	}
	return server !== undefined;
}

function answeringServer({
	settings,
	connection,
	log,
}: ModelChoiceDependencies): ModelServer | undefined {
	const model = settings.get("chat.model");
	return connection.target().kind === "local"
		? modelServers(settings, log).find(({ name }) => model.startsWith(`${name}/`))
		: undefined;
}
