import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import {
	embeddedServerName,
	type EngineKind,
	hubModels,
	type ModelInfo,
} from "../../common/modelSetup.ts";
import { formatSize } from "../base/amounts.ts";
import { mayReach } from "../connection/askPlainHost.ts";
import { parseEndpoint } from "../connection/endpoint.ts";
import { namedModels, type Settings } from "../base/settings.ts";
import { addByAddress } from "./addByAddress.ts";
import { addProvider, unusedProviders } from "./addProvider.ts";
import {
	findModels,
	isWanted,
	leaveService,
	type ModelChoiceDependencies,
	takeModel,
} from "./modelChoice.ts";
import { ollamaPage } from "./modelDownload.ts";
import { getModel } from "./getModel.ts";
import { type ModelListEntry, type Outcome, removal, section, showModelList } from "./modelList.ts";
import { type ModelRow, serverTitle } from "./modelRows.ts";
import {
	chooseModelFile,
	deleteModel,
	describeNeeds,
	describeUse,
	fitsHere,
	getModelHere,
	roomFor,
} from "./runHere.ts";
import { type ModelServer, modelServers, originOf } from "./serverSettings.ts";
import { providersIn, withdrawProvider } from "./allowedProviders.ts";

export type ModelWay = "here" | "ollama" | "server" | "editor";

/** Lists the models by server, and ways to get more. Selecting one makes it the chat's model. A `way` runs before the list is shown. */
export async function chooseModel(
	dependencies: ModelChoiceDependencies,
	way?: ModelWay,
): Promise<void> {
	const ways = {
		here: getModelHere,
		ollama: getModel,
		server: chooseProvider,
		editor: manageEditorModels,
	};
	let outcome: Outcome = way !== undefined && (await ways[way](dependencies));
	while (outcome !== true) {
		const added = outcome;
		const chosen = await showModelList(() =>
			added === false ? entries(dependencies) : entriesOf(dependencies, added),
		);
		outcome = (await chosen?.run?.()) ?? true;
	}
}

/** Asks for a provider, and continues with its models, or with all if none was added. Resolves to true if the user cancels. */
async function chooseProvider(dependencies: ModelChoiceDependencies): Promise<Outcome> {
	const placeholder = l10n.t("Whose key do you have?");
	const rows = (): Promise<readonly ModelListEntry[]> =>
		Promise.resolve(serverEntries(dependencies));
	return (await (await showModelList(rows, placeholder))?.run?.()) ?? true;
}

/** Returns the providers that aren't set up, and an item for any other address. */
function serverEntries(dependencies: ModelChoiceDependencies): readonly ModelListEntry[] {
	return !isWanted(dependencies.settings, "openai")
		? []
		: [
				...unusedProviders(dependencies).map(provider => ({
					label: `$(key) ${provider.title}`,
					description: l10n.t("with your key"),
					run: () => addProvider(dependencies, provider),
				})),
				{
					label: `$(add) ${l10n.t("Other address…")}`,
					detail: l10n.t("Any OpenAI-compatible server: LM Studio, llama.cpp, vLLM and others"),
					run: () => addByAddress(dependencies),
				},
			];
}

/** Returns the models of a server that was just added, and a way to all; all if it has none. */
async function entriesOf(
	dependencies: ModelChoiceDependencies,
	server: string,
): Promise<ModelListEntry[]> {
	const found = await findModels(dependencies);
	const rows = found.rows.filter(row => row.server.name === server);
	return rows.length === 0
		? entries(dependencies, found)
		: [
				...modelEntries(dependencies, rows),
				{ label: "", kind: vscode.QuickPickItemKind.Separator },
				{ label: `$(blank) ${l10n.t("Other Models…")}`, run: () => Promise.resolve(false) },
			];
}

function modelEntries(
	dependencies: ModelChoiceDependencies,
	rows: readonly ModelRow[],
): readonly ModelListEntry[] {
	const current = dependencies.settings.get("chat.model");
	return rows.flatMap((row, index) => [
		...(rows[index - 1]?.server.name === row.server.name ? [] : [separator(row)]),
		modelEntry(dependencies, row, {
			isCurrent: row.id === current,
			hasNamesake: rows.some(({ label, id }) => label === row.label && id !== row.id),
		}),
	]);
}

async function entries(
	dependencies: ModelChoiceDependencies,
	found?: Awaited<ReturnType<typeof findModels>>,
): Promise<ModelListEntry[]> {
	const all = found ?? (await findModels(dependencies));
	const { rows, silent } = all;
	const servers = modelServers(dependencies.settings, dependencies.log);
	return [
		...modelEntries(dependencies, rows),
		...silent.map(({ server, failure }) => ({
			...removable(dependencies, server),
			label: `$(warning) ${server}`,
			detail: failure,
			description: l10n.t("Set API Key…"),
			run: () =>
				setServerKey(
					dependencies,
					servers.find(({ name }) => name === server),
				),
		})),
		...plainEntries(dependencies),
		...invalidEntries(dependencies),
		...section(
			l10n.t("Run here"),
			rows.length === 0 ? await downloadEntries(dependencies, all) : downloadsEntry(dependencies),
		),
		...section(l10n.t("Use a key or an address"), serverEntries(dependencies)),
		...section(l10n.t("More ways"), moreWays(dependencies)),
	];
}

/** Returns the way to the downloads, which aren't among the user's own models. */
function downloadsEntry(dependencies: ModelChoiceDependencies): readonly ModelListEntry[] {
	const rows = async (): Promise<readonly ModelListEntry[]> =>
		downloadEntries(dependencies, await findModels(dependencies));
	return !isWanted(dependencies.settings, "embedded", "ollama")
		? []
		: [
				{
					label: `$(cloud-download) ${l10n.t("Get a Model…")}`,
					detail: l10n.t("Downloads that run on this machine, without an account"),
					run: async () =>
						(await (
							await showModelList(rows, l10n.t("Which model should run on this machine?"))
						)?.run?.()) ?? true,
				},
			];
}

async function downloadEntries(
	dependencies: ModelChoiceDependencies,
	{ ollama, embedded }: Pick<Awaited<ReturnType<typeof findModels>>, "ollama" | "embedded">,
): Promise<readonly ModelListEntry[]> {
	return [
		...(await hereEntries(dependencies, embedded)),
		...ollamaEntry(dependencies, ollama !== undefined),
	];
}

/** Returns the models that can be downloaded to run here, and an item for choosing a file; or why none can run. */
async function hereEntries(
	dependencies: ModelChoiceDependencies,
	embedded: readonly ModelInfo[] | undefined,
): Promise<readonly ModelListEntry[]> {
	if (!isWanted(dependencies.settings, "embedded")) {
		return [];
	}
	if (!embedded) {
		return [
			{
				label: `$(info) ${l10n.t("Run a model here")}`,
				detail: l10n.t(
					"This package of Cutaway can't run models. Install the one for your platform.",
				),
				run: () => Promise.resolve(false),
			},
		];
	}
	const missing = hubModels.filter(
		({ file }) => !embedded.some(({ id }) => id === `${embeddedServerName}/${file}`),
	);
	const { modelsFolder } = dependencies.modelFiles;
	const rooms = missing.map(async model => ({ model, room: await roomFor(model, modelsFolder) }));
	return [
		...(await Promise.all(rooms)).map(({ model, room }) => {
			const fits = fitsHere(model, room);
			return {
				label: `$(${fits ? "cloud-download" : "warning"}) ${model.name}`,
				// The heading takes a part of the first row's width, so the detail is short.
				description: [formatSize(room.needed), model.licence, describeNeeds(model, room)]
					.join(" · ")
					.replace(/[.。]$/, ""),
				detail: describeUse(model),
				...(room.part === 0 || room.isDownloading
					? {}
					: deletable(dependencies, model.file, model.name, room.part)),
				run: () => (fits ? getModelHere(dependencies, model) : Promise.resolve(false)),
			};
		}),
		{
			label: `$(file) ${l10n.t("Use a model file…")}`,
			detail: l10n.t("Any .gguf file on this machine"),
			run: () => chooseModelFile(dependencies),
		},
	];
}

/** Returns the button that deletes a model's file, or the part of it that is downloaded. */
function deletable(
	dependencies: ModelChoiceDependencies,
	file: string,
	label: string,
	sizeBytes = 0,
): Pick<ModelListEntry, "buttons" | "remove"> {
	return removal(l10n.t("Delete {0}", `${label} (${formatSize(sizeBytes)})`), () =>
		deleteModel(dependencies, file),
	);
}

/** Returns the way to models of Ollama; nothing if it is disabled. */
function ollamaEntry(
	dependencies: ModelChoiceDependencies,
	hasOllama: boolean,
): readonly ModelListEntry[] {
	const entry = hasOllama
		? {
				label: `$(cloud-download) ${l10n.t("Get a Model with Ollama…")}`,
				detail: l10n.t("Models on this machine, without an account, by size and memory"),
				run: () => getModel(dependencies),
			}
		: {
				label: `$(link-external) ${l10n.t("Get Ollama")}`,
				detail: l10n.t("Models on this machine, without an account. Opens {0}.", ollamaPage),
				run: async () => vscode.env.openExternal(vscode.Uri.parse(ollamaPage)),
			};
	return isWanted(dependencies.settings, "ollama") ? [entry] : [];
}

/** Returns the other ways to models, for the enabled engines, and the consents that can be withdrawn. */
function moreWays(dependencies: ModelChoiceDependencies): readonly ModelListEntry[] {
	const ways: readonly (ModelListEntry & { readonly engine: EngineKind })[] = [
		{
			engine: "vscode",
			label: `$(vscode) ${l10n.t("Use VS Code's Models…")}`,
			detail: l10n.t("GitHub Copilot's, those of other extensions, or with your own keys"),
			run: () => manageEditorModels(),
		},
		{
			engine: "demo",
			label: `$(beaker) ${l10n.t("Demo")}`,
			detail: l10n.t("Fixed answers that show what the chat can do; not a language model"),
			run: async () => {
				if (await leaveService(dependencies)) {
					await dependencies.setModel(namedModels[0]);
				}
				return true;
			},
		},
	];
	return [
		...ways.filter(({ engine }) => isWanted(dependencies.settings, engine)),
		{
			label: `$(cloud) ${l10n.t("A service with Cutaway's own interface…")}`,
			detail: l10n.t("By its address, such as one of your company"),
			run: async () => {
				await vscode.commands.executeCommand("cutaway.connect");
				return true;
			},
		},
		...providersIn(dependencies.allowedProviders).map(provider => ({
			label: `$(circle-slash) ${l10n.t("Ask again before sending to {0}", provider)}`,
			detail: l10n.t("You allowed messages to this provider of VS Code's models."),
			run: async () => {
				withdrawProvider(dependencies.allowedProviders, provider);
				return await Promise.resolve(false);
			},
		})),
		...dependencies.keys.plain.hosts.map(host => ({
			label: `$(circle-slash) ${l10n.t("Ask again before sending to {0}", host)}`,
			detail: l10n.t("You allowed this host to be reached without encryption."),
			run: async () => {
				dependencies.keys.plain.withdraw(host);
				return await Promise.resolve(false);
			},
		})),
	];
}

function separator({ server, isFound }: ModelRow): ModelListEntry {
	const title = serverTitle(server);
	const label = isFound ? l10n.t("{0}, found on this machine", title) : title;
	return { label, kind: vscode.QuickPickItemKind.Separator };
}

function modelEntry(
	dependencies: ModelChoiceDependencies,
	row: ModelRow,
	{ isCurrent, hasNamesake }: { readonly isCurrent: boolean; readonly hasNamesake: boolean },
): ModelListEntry {
	return {
		label: `$(${isCurrent ? "check" : "blank"}) ${row.label}`,
		// The heading names the server, but VS Code hides headings while the user filters the list.
		description: hasNamesake ? serverTitle(row.server) : "",
		detail: row.detail,
		...(row.id.startsWith(`${embeddedServerName}/`)
			? deletable(
					dependencies,
					row.id.slice(embeddedServerName.length + 1),
					row.label,
					row.sizeBytes,
				)
			: removable(dependencies, row.server.name)),
		run: async () => {
			await takeModel(dependencies, row);
			return true;
		},
	};
}

/** Returns rows for configured servers that are reached without encryption, which the user hasn't allowed. */
function plainEntries(dependencies: ModelChoiceDependencies): ModelListEntry[] {
	const { settings, keys, log } = dependencies;
	return modelServers(settings, log)
		.filter(({ baseUrl }) => !keys.plain.allows(baseUrl))
		.map(({ name, baseUrl }) => ({
			...removable(dependencies, name),
			label: `$(unlock) ${name}`,
			description: baseUrl,
			detail: l10n.t("Reached without encryption. Choose it to allow that."),
			run: async () => {
				await mayReach(keys, baseUrl);
				return false;
			},
		}));
}

/** Returns rows for configured servers with an invalid address, which aren't shown elsewhere. */
function invalidEntries(dependencies: ModelChoiceDependencies): ModelListEntry[] {
	return dependencies.settings.get("localService.servers").flatMap(({ name, baseUrl }) => {
		const checked = parseEndpoint(baseUrl, true);
		return checked.ok
			? []
			: [
					{
						...removable(dependencies, name),
						label: `$(warning) ${name}`,
						description: baseUrl,
						detail: checked.sentence,
						run: () => Promise.resolve(false),
					},
				];
	});
}

function removable(
	{ settings }: ModelChoiceDependencies,
	name: string,
): Pick<ModelListEntry, "buttons" | "remove"> {
	const servers = settings.get("localService.servers");
	if (!servers.some(server => server.name === name)) {
		return {};
	}
	return removal(l10n.t("Remove {0} from the settings", name), async () => {
		const others = servers.filter(server => server.name !== name);
		await settings.set("localService.servers", others);
		void offerUndo(settings, name, servers);
	});
}

async function offerUndo(
	settings: Settings,
	name: string,
	before: readonly ModelServer[],
): Promise<void> {
	const undo = l10n.t("Undo");
	const choice = await vscode.window.showInformationMessage(
		l10n.t("{0} was removed from the settings.", name),
		undo,
	);
	if (choice === undo) {
		await settings.set("localService.servers", [...before]);
	}
}

/** Opens VS Code's own list of language models, where Copilot and other providers are configured. */
async function manageEditorModels(): Promise<boolean> {
	await vscode.commands.executeCommand("workbench.action.chat.manage");
	return true;
}

/** Asks for a server's key and saves it for that server's origin. The list is shown again. */
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

/** Asks for the key of the current model's server. Resolves to false if there is none. */
export async function setModelKey(dependencies: ModelChoiceDependencies): Promise<boolean> {
	const server = answeringServer(dependencies);
	await setServerKey(dependencies, server);
	return server !== undefined;
}

/** Removes the key of the current model's server. Resolves to false if there is none. */
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
