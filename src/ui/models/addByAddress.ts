import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import { apiBase, type ServerListing } from "../../common/modelSetup.ts";
import { maySendKey, mayReach } from "../connection/askPlainHost.ts";
import { addressFault, parseEndpoint } from "../connection/endpoint.ts";
import { readKey } from "../connection/secrets.ts";
import { addServer, type ModelChoiceDependencies } from "./modelChoice.ts";
import { freeName, nameOfHost } from "./modelRows.ts";
import { type ModelServer, modelServers, originOf, setupOf } from "./serverSettings.ts";

/** A server's response, with the key that was entered for it. */
interface AskedServer {
	readonly server: ModelServer;
	readonly listing: ServerListing;
	readonly key?: string;
}

/**
 * Asks for an address, and for a key if the server requires one, and saves the server once it has listed its models. Resolves to its name, or to
 * false if none was added.
 */
export async function addByAddress(dependencies: ModelChoiceDependencies): Promise<string | false> {
	let address = await askForAddress("");
	while (address !== undefined && (await mayReach(dependencies.keys, apiBase(address)))) {
		const asked = await askForModels(dependencies, address);
		if (!asked) {
			return false;
		}
		const { server, listing, key } = asked;
		const isAdded = listing.failure === undefined || (await isWantedAnyway(listing.failure));
		if (isAdded === undefined) {
			return false;
		}
		if (isAdded) {
			if (key !== undefined) {
				const { keepKey } = await import("../connection/connect.ts");
				await keepKey(dependencies.keys, originOf(server), key);
			}
			await addServer(dependencies.settings, server);
			return server.name;
		}
		address = await askForAddress(address);
	}
	return false;
}

async function askForAddress(value: string): Promise<string | undefined> {
	const address = await vscode.window.showInputBox({
		title: l10n.t("OpenAI-compatible server"),
		prompt: l10n.t("The server's base address, with /v1 where it has one"),
		placeHolder: "http://127.0.0.1:1234/v1",
		value,
		ignoreFocusOut: true,
		validateInput: text => addressFault(text, true),
	});
	return address !== undefined && parseEndpoint(address, true).ok ? address : undefined;
}

/** Requests the models at the address, and at the usual paths below it. Resolves to undefined if the user cancels the prompt for a key. */
async function askForModels(
	{ settings, keys, listModels, log }: ModelChoiceDependencies,
	address: string,
): Promise<AskedServer | undefined> {
	const { host } = new URL(apiBase(address));
	const name = freeName(nameOfHost(host), modelServers(settings, log));
	const askAt = async (baseUrl: string, key: string | undefined): Promise<AskedServer> => {
		const server = { name, baseUrl, ...keyPlaceOf(baseUrl) };
		const [listing = { server: name, models: [] }] = await listModels(setupOf(server, key));
		return { server, listing };
	};
	const [base, ...others] = basesOf(address);
	const ask = async (key: string | undefined): Promise<AskedServer> => {
		const first = await askAt(base, key);
		let asked = first;
		for (const other of others) {
			asked = asked.listing.refused === "address" ? await askAt(other, key) : asked;
		}
		return asked.listing.refused === "address" ? first : asked;
	};
	const found = await whileAsking(host, async () =>
		ask(await readKey(keys, originOf({ name, baseUrl: base }), log)),
	);
	if (found.listing.refused !== "key") {
		return found;
	}
	const { askForKey } = await import("../connection/connect.ts");
	const key = await askForKey(name, l10n.t("Set API Key"), false);
	return key && (await maySendKey(keys, base))
		? { ...(await whileAsking(host, () => ask(key))), key }
		: undefined;
}

/** Returns where a server wants its key, if that isn't the usual header. */
function keyPlaceOf(baseUrl: string): Pick<ModelServer, "header" | "scheme"> {
	return new URL(baseUrl).hostname.endsWith(".openai.azure.com")
		? { header: "api-key", scheme: "" }
		: {};
}

/** Returns the entered address, and the usual base paths of such servers. */
function basesOf(address: string): readonly [string, ...string[]] {
	const base = apiBase(address);
	if (/\/v\d\w*$/i.test(base) || base.includes("?")) {
		return [base];
	}
	const isHost = new URL(base).pathname === "/";
	return [base, ...(isHost ? [`${base}/api/v1`, `${base}/api`] : [`${base}/v1`])];
}

/** Shows the list of models, busy, while a server is asked for its models. */
export async function whileAsking<Result>(
	host: string,
	ask: () => Promise<Result>,
): Promise<Result> {
	const pick = vscode.window.createQuickPick();
	pick.title = l10n.t("Choose Model");
	pick.placeholder = l10n.t("Asking {0} for its models…", host);
	pick.busy = true;
	pick.ignoreFocusOut = true;
	pick.show();
	try {
		return await ask();
	} finally {
		pick.dispose();
	}
}

/** Asks whether to add a server that didn't respond or to change its address. Resolves to undefined if the user cancels. */
async function isWantedAnyway(failure: string): Promise<boolean | undefined> {
	const change = l10n.t("Change Address…");
	const anyway = l10n.t("Add Anyway");
	const choice = await vscode.window.showWarningMessage(
		failure,
		{ modal: true, detail: l10n.t("Nothing was saved.") },
		change,
		anyway,
	);
	return choice === undefined ? undefined : choice === anyway;
}
