import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import { parseEndpoint } from "../connection/index.ts";
import { namedModels } from "../base/settings.ts";
import {
	addServer,
	findModels,
	leaveService,
	type ModelsContext,
	takeModel,
} from "./modelChoice.ts";
import { freeName, type ModelRow } from "./modelRows.ts";
import { type ModelServer, modelServers, originOf } from "./modelServers.ts";

/** A row of the list, with what choosing it does; false shows the list again. */
interface Entry extends vscode.QuickPickItem {
	readonly run?: () => Promise<boolean>;
}

const ollamaPage = "https://ollama.com/download";

/** Lists the models there are by their servers, with the ways to get more; choosing one makes it answer. */
export async function chooseModel(context: ModelsContext): Promise<void> {
	let isDone = false;
	while (!isDone) {
		const chosen = await vscode.window.showQuickPick<Entry>(entries(context), {
			title: l10n.t("Choose Model"),
			placeHolder: l10n.t("Which model should answer?"),
			matchOnDescription: true,
			matchOnDetail: true,
		});
		isDone = (await chosen?.run?.()) ?? true;
	}
}

async function entries(context: ModelsContext): Promise<Entry[]> {
	const { rows, silent } = await findModels(context);
	const current = context.settings.get("chat.model");
	const servers = modelServers(context.settings, context.log);
	return [
		...rows.flatMap((row, index) => [
			...(rows[index - 1]?.server.name === row.server.name ? [] : [separator(row)]),
			modelEntry(context, row, row.id === current),
		]),
		...silent.map(({ server, failure }) => ({
			label: `$(warning) ${server}`,
			...(failure === undefined ? {} : { detail: failure }),
			description: l10n.t("Set API Key…"),
			run: () =>
				setServerKey(
					context,
					servers.find(({ name }) => name === server),
				),
		})),
		{ label: "", kind: vscode.QuickPickItemKind.Separator },
		{
			label: `$(add) ${l10n.t("OpenAI-compatible server…")}`,
			detail: l10n.t("LM Studio, llama.cpp, vLLM, OpenRouter and others, by address"),
			run: () => addByAddress(context),
		},
		{
			label: `$(link-external) ${l10n.t("Get Ollama…")}`,
			detail: l10n.t("Models on this machine, without an account. Opens {0}.", ollamaPage),
			run: async () => vscode.env.openExternal(vscode.Uri.parse(ollamaPage)),
		},
		{
			label: `$(beaker) ${l10n.t("Demo")}`,
			detail: l10n.t(
				"Fixed rules on this machine that show what the chat can do; not a language model",
			),
			run: async () => {
				if (await leaveService(context)) {
					await context.setModel(namedModels[0]);
				}
				return true;
			},
		},
	];
}

function separator({ server, isFound }: ModelRow): Entry {
	const label = isFound ? l10n.t("{0}, found on this machine", server.name) : server.name;
	return { label, kind: vscode.QuickPickItemKind.Separator };
}

function modelEntry(context: ModelsContext, row: ModelRow, isCurrent: boolean): Entry {
	return {
		label: isCurrent ? `$(check) ${row.label}` : row.label,
		description: row.server.name,
		detail: row.detail,
		run: async () => {
			await takeModel(context, row);
			return true;
		},
	};
}

/** Asks for an address, and for a key where the server wants one; then the list is shown again with what it has. */
async function addByAddress(context: ModelsContext): Promise<boolean> {
	const { settings, log } = context;
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
	const listing = (await context.listModels("configured")).find(
		({ server: name }) => name === server.name,
	);
	return listing?.failure !== undefined && /\b40[13]\b|key/i.test(listing.failure)
		? setServerKey(context, server)
		: false;
}

/** Asks for the key of a server and keeps it for that server's origin; the list is shown again. */
async function setServerKey(
	{ keys }: ModelsContext,
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
export async function setModelKey(context: ModelsContext): Promise<boolean> {
	const server = answeringServer(context);
	await setServerKey(context, server);
	return server !== undefined;
}

/** Forgets the key of the server whose model answers; false when no such server does. */
export async function removeModelKey(context: ModelsContext): Promise<boolean> {
	const server = answeringServer(context);
	if (server) {
		await context.keys.remove(originOf(server));
		void vscode.window.showInformationMessage(l10n.t("Key for {0} removed.", server.name));
	}
	return server !== undefined;
}

function answeringServer({ settings, connection, log }: ModelsContext): ModelServer | undefined {
	const model = settings.get("chat.model");
	return connection.target().kind === "local"
		? modelServers(settings, log).find(({ name }) => model.startsWith(`${name}/`))
		: undefined;
}
