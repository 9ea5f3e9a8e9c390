import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import { whileAsking } from "./addByAddress.ts";
import { type ModelProvider, modelProviders } from "./modelProviders.ts";
import { addServer, type ModelChoiceDependencies } from "./modelChoice.ts";
import { modelServers, originOf, setupOf } from "./serverSettings.ts";

/** Returns the providers whose address isn't configured yet. */
export function unusedProviders(dependencies: ModelChoiceDependencies): readonly ModelProvider[] {
	const servers = modelServers(dependencies.settings, dependencies.log);
	const used = new Set(servers.flatMap(server => [originOf(server), server.name]));
	return modelProviders.filter(
		provider => !used.has(originOf(provider)) && !used.has(provider.name),
	);
}

/** Asks for a provider's key, and saves the provider once it has listed its models. Resolves to its name, or to false if it wasn't added. */
export async function addProvider(
	{ settings, keys, listModels }: ModelChoiceDependencies,
	provider: ModelProvider,
): Promise<string | false> {
	const { title, name, baseUrl } = provider;
	let failure: string | undefined;
	for (;;) {
		const key = await askForProviderKey(provider, failure);
		if (!key) {
			return false;
		}
		const server = { name, baseUrl };
		const [listing] = await whileAsking(title, () => listModels(setupOf(server, key)));
		failure = listing?.failure;
		if (failure === undefined) {
			const { keepKey } = await import("../connection/connect.ts");
			if (await keepKey(keys, originOf(server), key)) {
				await addServer(settings, server);
				return name;
			}
			return false;
		}
	}
}

/** Asks for a key, with a button that opens the provider's page for keys. Resolves to undefined if the user cancels. */
async function askForProviderKey(
	{ title, keysPage }: ModelProvider,
	failure: string | undefined,
): Promise<string | undefined> {
	const box = vscode.window.createInputBox();
	box.title = title;
	box.prompt = l10n.t("Paste your {0} key", title);
	box.password = true;
	box.ignoreFocusOut = true;
	box.buttons = [
		{
			iconPath: new vscode.ThemeIcon("link-external"),
			tooltip: l10n.t("Get a key at {0}", keysPage),
		},
	];
	if (failure !== undefined) {
		box.validationMessage = failure;
	}
	try {
		return await new Promise(resolve => {
			box.onDidChangeValue(value => {
				box.validationMessage = /^[\x21-\x7e]*$/.test(value.trim())
					? ""
					: l10n.t("A key has no spaces and only plain characters.");
			});
			box.onDidTriggerButton(() => void vscode.env.openExternal(vscode.Uri.parse(keysPage)));
			box.onDidAccept(() => {
				const key = box.value.trim();
				if (/^[\x21-\x7e]+$/.test(key)) {
					resolve(key);
				}
			});
			box.onDidHide(() => resolve(undefined));
			box.show();
		});
	} finally {
		box.dispose();
	}
}
