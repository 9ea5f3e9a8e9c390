import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import type { ServiceClient } from "../../client/contract/serviceClient.ts";
import { toError } from "../../common/errors.ts";
import type { ServiceConnection } from "./connection.ts";
import { checkService, isServiceHealthy, showReport } from "./checkService.ts";
import { addressFault, parseEndpoint } from "./endpoint.ts";
import { maySendKey, mayReach } from "./askPlainHost.ts";
import { type ApiKeys, KeyStoreError } from "./secrets.ts";
import type { Settings } from "../base/settings.ts";

export interface ConnectDependencies {
	readonly settings: Settings;
	readonly keys: ApiKeys;
	readonly connection: ServiceConnection;
	readonly client: ServiceClient;
}

/** How long the status bar shows that a connection works, in milliseconds. */
const connectedMessageMs = 8000;

/** Asks for the address and the key, and connects. Canceling either prompt changes nothing. */
export async function connectToService(dependencies: ConnectDependencies): Promise<void> {
	const { settings, connection } = dependencies;
	const target = connection.target();
	const address = await vscode.window.showInputBox({
		title: l10n.t("Connect to a Service ({0}/2)", 1),
		prompt: l10n.t(
			"Address, without /v1, of a service that speaks Cutaway's interface. For Ollama and OpenAI-compatible servers, use “Choose Model…” instead.",
		),
		placeHolder: "https://service.example.com",
		value: target.kind === "local" ? "" : settings.get("endpoint"),
		ignoreFocusOut: true,
		validateInput: text => addressFault(text),
	});
	const endpoint = address === undefined ? undefined : parseEndpoint(address);
	if (!endpoint?.ok || !(await mayReach(dependencies.keys, endpoint.baseUrl))) {
		return;
	}
	const hadKey = await hasKey(dependencies.keys, endpoint.origin);
	const key = await askForKey(endpoint.label, l10n.t("Connect to a Service ({0}/2)", 2), hadKey);
	if (
		key === undefined ||
		(key !== "" && !(await keepKey(dependencies.keys, endpoint.origin, key)))
	) {
		return;
	}
	await settings.set("endpoint", endpoint.baseUrl);
	await greetService(dependencies, endpoint.label);
}

/** Checks a new service with a free request. Shows success in the status bar only, and problems in a notification. */
async function greetService(
	{ client, connection }: ConnectDependencies,
	label: string,
): Promise<void> {
	const view = await connection.view();
	const report = await vscode.window.withProgress(
		{ location: vscode.ProgressLocation.Window, title: l10n.t("Cutaway: asking {0}", label) },
		() => checkService(client, label, view.hasKey),
	);
	if (isServiceHealthy(report)) {
		vscode.window.setStatusBarMessage(
			`$(check) ${l10n.t("Cutaway: connected to {0}", label)}`,
			connectedMessageMs,
		);
	} else {
		await showReport(report);
	}
}

/** Switches to the local service. Keys of other services are kept. */
export async function useLocalService({
	settings,
	connection,
}: ConnectDependencies): Promise<void> {
	if (connection.target().kind !== "local") {
		await settings.set("endpoint", "");
	}
	vscode.window.setStatusBarMessage(
		`$(check) ${l10n.t("Cutaway: using the local service; saved keys are kept")}`,
		connectedMessageMs,
	);
}

/** Asks for a key for the current service and saves it. */
export async function setApiKey(dependencies: ConnectDependencies): Promise<void> {
	const target = dependencies.connection.target();
	if (target.kind !== "remote") {
		await offerToConnect(l10n.t("The local service needs no key."));
		return;
	}
	const key = await askForKey(target.label, l10n.t("Set API Key"), false);
	if (key && (await keepKey(dependencies.keys, target.origin, key))) {
		void vscode.window.showInformationMessage(l10n.t("Key for {0} saved.", target.label));
	}
}

export async function removeApiKey(dependencies: ConnectDependencies): Promise<void> {
	const target = dependencies.connection.target();
	if (target.kind !== "remote") {
		await offerToConnect(l10n.t("The local service needs no key."));
		return;
	}
	try {
		await dependencies.keys.remove(target.origin);
		void vscode.window.showInformationMessage(l10n.t("Key for {0} removed.", target.label));
	} catch (error) {
		void vscode.window.showErrorMessage(
			l10n.t("Couldn't remove the key for {0}: {1}.", target.label, toError(error).message),
		);
	}
}

async function offerToConnect(sentence: string): Promise<void> {
	const choice = await vscode.window.showInformationMessage(
		sentence,
		l10n.t("Connect to a Service…"),
	);
	if (choice) {
		await vscode.commands.executeCommand("cutaway.connect");
	}
}

/** Asks for a key. Resolves to an empty string to use none or keep the saved one, and to undefined if the user canceled. */
export async function askForKey(
	label: string,
	title: string,
	canKeep: boolean,
): Promise<string | undefined> {
	const key = await vscode.window.showInputBox({
		title,
		prompt: canKeep
			? l10n.t("API key for {0}. Leave empty to keep the saved one.", label)
			: l10n.t("API key for {0}. Leave empty if the service needs none.", label),
		password: true,
		ignoreFocusOut: true,
		validateInput: text =>
			/^[\x21-\x7e]*$/.test(text.trim())
				? undefined
				: l10n.t("A key has no spaces and only plain characters."),
	});
	return key?.trim();
}

/** Whether there is a key for an origin. False if the key store can't be read. */
export async function hasKey(keys: ApiKeys, origin: string): Promise<boolean> {
	try {
		return (await keys.get(origin)) !== undefined;
	} catch (error) {
		if (error instanceof KeyStoreError) {
			return false;
		}
		throw error;
	}
}

/** Saves a key, unless it would travel unencrypted and the user declines that. If the key store fails, offers to keep it for this session only. */
export async function keepKey(keys: ApiKeys, origin: string, key: string): Promise<boolean> {
	if (!(await maySendKey(keys, origin))) {
		return false;
	}
	try {
		await keys.set(origin, key);
		return true;
	} catch (error) {
		if (!(error instanceof KeyStoreError)) {
			throw error;
		}
		const choice = await vscode.window.showWarningMessage(
			l10n.t(
				"Couldn't write to this machine's key store. The key can be kept in memory until this window closes.",
			),
			l10n.t("Keep for This Session"),
		);
		if (choice) {
			keys.setForSession(origin, key);
		}
		return choice !== undefined;
	}
}
