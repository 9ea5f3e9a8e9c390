import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import type { Log } from "../../common/log.ts";
import {
	engineName,
	remoteEngines,
	type RemoteEngineKind,
	type VideoEngineKind,
	videoEngineKinds,
	type VideoEngineSetup,
	type VideoModel,
	type VideoModelListing,
} from "../../common/videoEngines.ts";
import type { Settings } from "../base/settings.ts";
import type { ApiKeys } from "../connection/secrets.ts";
import type { ServiceConnection } from "../connection/connection.ts";
import { mayReach } from "../connection/askPlainHost.ts";
import { addressFault, parseEndpoint } from "../connection/endpoint.ts";
import { leaveService } from "../models/modelChoice.ts";
import { chooseWorkflow } from "./chooseWorkflow.ts";
import {
	headersFor,
	keySending,
	priceOfModel,
	type EngineMemory,
	rememberDurations,
} from "./videoSetup.ts";

export interface EngineChoiceDependencies {
	readonly settings: Settings;
	readonly keys: ApiKeys;
	readonly connection: ServiceConnection;
	readonly listVideoModels: (setup: VideoEngineSetup) => Promise<VideoModelListing>;
	/** Stores which model the durations in the settings belong to. */
	readonly memory: EngineMemory;
	readonly log: Log;
}

/** The settings to write after all prompts. */
type EngineChoice = Pick<
	VideoEngineSetup,
	"engine" | "baseUrl" | "model" | "durations" | "workflow"
>;

/** An address and its origin. The key is already saved. */
interface EngineAddress {
	readonly baseUrl: string;
	readonly origin: string;
	readonly name: string;
}

/** Asks which engine makes the local service's videos, and for its options. Canceling any prompt changes nothing except for an entered key. */
export async function chooseVideoEngine(dependencies: EngineChoiceDependencies): Promise<void> {
	const { settings } = dependencies;
	const current = settings.get("localService.video.engine");
	const row = await vscode.window.showQuickPick(engineRows(current), {
		title: l10n.t("Choose Video Engine"),
		placeHolder: l10n.t("What should make the local service's videos?"),
		matchOnDetail: true,
	});
	const choice = row && (await ways[row.engine](dependencies));
	if (!choice || !(await leaveService(dependencies))) {
		return;
	}
	await settings.set("localService.video.baseUrl", choice.baseUrl);
	await settings.set("localService.video.model", choice.model);
	const { model, durations } = choice;
	await settings.set("localService.video.durations", [...durations]);
	await rememberDurations(dependencies.memory, { model, durations: [...durations] });
	if (choice.workflow) {
		await settings.set("localService.video.workflow", { ...choice.workflow });
	}
	await settings.set("localService.video.engine", choice.engine);
	vscode.window.setStatusBarMessage(
		`$(check) ${
			choice.engine === "local"
				? l10n.t("Cutaway: videos are drawn on this machine")
				: l10n.t("Cutaway: videos are made by {0}", engineName(choice.engine, choice.baseUrl))
		}`,
		8000,
	);
}

type EngineRow = vscode.QuickPickItem & { readonly engine: VideoEngineKind };

function engineRows(current: VideoEngineKind): readonly EngineRow[] {
	const rows: Record<VideoEngineKind, { icon: string; label: string; detail: string }> = {
		local: {
			icon: "paintcan",
			label: l10n.t("Local renderer"),
			detail: l10n.t("Draws text, code and images on this machine; no model, no account, no cost"),
		},
		openrouter: {
			icon: "cloud",
			label: "OpenRouter",
			detail: l10n.t("Many video models with one key; shows the price before each video"),
		},
		"videos-api": {
			icon: "server",
			label: l10n.t("Server with /v1/videos…"),
			detail: l10n.t("vLLM-Omni, SGLang, NVIDIA Dynamo, LiteLLM, LocalAI and others, by address"),
		},
		comfyui: {
			icon: "type-hierarchy",
			label: "ComfyUI",
			detail: l10n.t("Runs one of your workflows, exported in the API format"),
		},
	};
	return videoEngineKinds.map(engine => {
		const { icon, label, detail } = rows[engine];
		return { engine, label: `$(${engine === current ? "check" : icon}) ${label}`, detail };
	});
}

type EngineWay = (dependencies: EngineChoiceDependencies) => Promise<EngineChoice | undefined>;

const ways: Readonly<Record<VideoEngineKind, EngineWay>> = {
	local: () => Promise.resolve({ engine: "local", baseUrl: "", model: "", durations: [] }),
	openrouter: async dependencies => {
		const { origin } = new URL(remoteEngines.openrouter.defaultUrl);
		const place = { baseUrl: "", origin, name: "OpenRouter" };
		if (!(await askKey(dependencies, place))) {
			return undefined;
		}
		const model = await chooseVideoModel(dependencies, "openrouter", place);
		return (
			model && { engine: "openrouter", baseUrl: "", model: model.id, durations: model.durations }
		);
	},
	"videos-api": async dependencies => {
		const place = await askAddress(dependencies, "videos-api", "http://127.0.0.1:8000/v1");
		if (!place || !(await askKey(dependencies, place))) {
			return undefined;
		}
		const model = await chooseVideoModel(dependencies, "videos-api", place);
		const { baseUrl } = place;
		return model && { engine: "videos-api", baseUrl, model: model.id, durations: model.durations };
	},
	comfyui: async dependencies => {
		const place = await askAddress(dependencies, "comfyui", "http://127.0.0.1:8188");
		const listing = place && (await listWithProgress(dependencies, "comfyui", place));
		if (!place || !listing) {
			return undefined;
		}
		if (listing.wantsKey === true && !(await askKey(dependencies, place))) {
			return undefined;
		}
		if (listing.failure !== undefined && listing.wantsKey !== true) {
			void vscode.window.showWarningMessage(
				l10n.t(
					"{0} You can continue; Cutaway connects when you make the first video.",
					listing.failure,
				),
			);
		}
		const workflow = await chooseWorkflow(dependencies.settings.get("localService.video.workflow"));
		const { baseUrl } = place;
		return workflow && { engine: "comfyui", baseUrl, model: "", durations: [], workflow };
	},
};

async function askAddress(
	{ settings, keys }: EngineChoiceDependencies,
	engine: RemoteEngineKind,
	example: string,
): Promise<EngineAddress | undefined> {
	const isCurrent = settings.get("localService.video.engine") === engine;
	const address = await vscode.window.showInputBox({
		title: l10n.t("Address of the Server"),
		prompt: l10n.t("The server's base address; on this machine or in your network, http is fine"),
		placeHolder: example,
		value: isCurrent ? settings.get("localService.video.baseUrl") : example,
		ignoreFocusOut: true,
		validateInput: text => addressFault(text),
	});
	const checked = address === undefined ? undefined : parseEndpoint(address);
	return address !== undefined && checked?.ok && (await mayReach(keys, checked.baseUrl))
		? { baseUrl: address.trim().replace(/\/+$/, ""), origin: checked.origin, name: checked.label }
		: undefined;
}

/** Asks for a server's key and saves it for that server's origin. Resolves to false if the user cancels. */
async function askKey(
	{ keys }: EngineChoiceDependencies,
	{ origin, name }: EngineAddress,
): Promise<boolean> {
	const { askForKey, hasKey, keepKey } = await import("../connection/connect.ts");
	const key = await askForKey(name, l10n.t("Set API Key"), await hasKey(keys, origin));
	return key !== undefined && (key === "" || (await keepKey(keys, origin, key)));
}

async function listWithProgress(
	dependencies: EngineChoiceDependencies,
	engine: RemoteEngineKind,
	{ baseUrl, origin, name }: EngineAddress,
): Promise<VideoModelListing> {
	const { keys, log, listVideoModels, settings } = dependencies;
	const title = l10n.t("Cutaway: asking {0}", name);
	return await vscode.window.withProgress(
		{ location: vscode.ProgressLocation.Window, title },
		async () =>
			listVideoModels({
				engine,
				baseUrl: baseUrl === "" ? remoteEngines[engine].defaultUrl : baseUrl,
				model: "",
				durations: [],
				motionPhrases: [],
				headers: { [origin]: await headersFor(origin, keys, keySending(settings), log) },
			}),
	);
}

/** Lists the models to choose from. Others can be entered by name. */
async function chooseVideoModel(
	dependencies: EngineChoiceDependencies,
	engine: RemoteEngineKind,
	place: EngineAddress,
): Promise<VideoModel | undefined> {
	const { models, failure } = await listWithProgress(dependencies, engine, place);
	const current = dependencies.settings.get("localService.video.model");
	if (models.length === 0) {
		return await askModel(current, failure);
	}
	const byName = { label: `$(edit) ${l10n.t("Another model, by its name…")}`, model: undefined };
	const rows = models.map(model => ({
		label: model.id === current ? `$(check) ${model.label}` : model.label,
		description: model.label === model.id ? "" : model.id,
		detail: modelDetail(model),
		model,
	}));
	const chosen = await vscode.window.showQuickPick([...rows, byName], {
		title: l10n.t("Choose Model"),
		placeHolder: l10n.t("Which model should make the videos?"),
		matchOnDescription: true,
		matchOnDetail: true,
		ignoreFocusOut: true,
	});
	return chosen && (chosen.model ?? (await askModel(current, undefined)));
}

function modelDetail({ durations, price }: VideoModel): string {
	const lengths = [...durations].sort((left, right) => left - right).join(", ");
	return [
		...(lengths === "" ? [] : [l10n.t("{0} s", lengths)]),
		...(price ? [priceOfModel(price)] : []),
	].join(" · ");
}

async function askModel(
	current: string,
	failure: string | undefined,
): Promise<VideoModel | undefined> {
	const name = await vscode.window.showInputBox({
		title: l10n.t("Name of the Model"),
		prompt:
			failure === undefined
				? l10n.t("Name of the model on the server. Leave empty if it has only one.")
				: l10n.t(
						"{0} Enter the name of the model, or leave it empty if there is only one.",
						failure,
					),
		value: current,
		ignoreFocusOut: true,
	});
	const id = name?.trim();
	return id === undefined ? undefined : { id, label: id, durations: [] };
}
