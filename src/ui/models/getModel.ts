import { totalmem } from "node:os";
import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import { availableMemory } from "../../common/modelSetup.ts";
import { formatSize } from "../base/amounts.ts";
import { findModels, type ModelChoiceDependencies } from "./modelChoice.ts";
import { downloadModel, ollamaPage } from "./modelDownload.ts";
import { describeMemory, type MachineMemory } from "./runHere.ts";

/** Well-known models with tool support, and their download size in bytes. */
const knownModels: readonly (readonly [model: string, bytes: number])[] = [
	["qwen3:0.6b", 0.52e9],
	["qwen3:1.7b", 1.4e9],
	["llama3.2:3b", 2e9],
	["qwen3:4b", 2.5e9],
	["qwen3:8b", 5.2e9],
	["qwen3:14b", 9.3e9],
	["gpt-oss:20b", 14e9],
	["qwen3:30b", 19e9],
];

/** Memory required per byte of a model's file. */
const memoryPerByte = 1.15;
/** Share of the memory available to a model; the rest is for the system and the editor. */
const usableShare = 0.6;

export interface KnownModel {
	readonly model: string;
	readonly description: string;
	readonly detail: string;
	readonly fits: boolean;
}

/** Returns the well-known models: those that fit into memory first, largest first, then the others. */
export function knownModelsFor(memory: MachineMemory): readonly KnownModel[] {
	const rows = knownModels.map(([model, bytes]) => {
		const needed = Math.max(1, Math.round((bytes * memoryPerByte) / 1e9));
		const fits = needed * 1e9 <= memory.total * usableShare;
		return {
			model,
			fits,
			description: l10n.t("{0} to download", formatSize(bytes)),
			detail: describeMemory(l10n.t("{0} GB", needed), needed * 1e9, fits, memory),
		};
	});
	return [...rows.filter(({ fits }) => fits).toReversed(), ...rows.filter(({ fits }) => !fits)];
}

/** Model names that Ollama accepts: `NAME:TAG`, optionally with a namespace or host. */
const modelName = /^(?:[\w.-]+(?::\d+)?\/)?(?:[\w.-]+\/)*[\w.-]+(?::[\w.-]+)?$/;

/** Asks which model to download with Ollama and downloads it. Offers to install Ollama if it is missing. Resolves to false if the user goes back. */
export async function getModel(dependencies: ModelChoiceDependencies): Promise<boolean> {
	const { ollama } = await findModels(dependencies);
	if (!ollama) {
		await offerOllama(dependencies);
		return true;
	}
	const model = await chooseKnownModel();
	if (model === undefined) {
		return false;
	}
	// The list is closed; the chat and the status bar show the progress.
	void downloadModel(dependencies, ollama, model);
	return true;
}

/** Asks for a model by list or by name. Resolves to undefined if the user cancels. */
async function chooseKnownModel(): Promise<string | undefined> {
	const other = { label: `$(edit) ${l10n.t("Another model…")}`, model: undefined };
	const rows = knownModelsFor({ total: totalmem(), free: availableMemory() }).map(
		({ model, description, detail, fits }, index) => ({
			label: fits ? model : `$(warning) ${model}`,
			description:
				index === 0 && fits
					? `${description} · ${l10n.t("recommended for this machine")}`
					: description,
			detail,
			model,
		}),
	);
	const picked = await vscode.window.showQuickPick([...rows, other], {
		title: l10n.t("Get a Model with Ollama"),
		placeHolder: l10n.t("Which model should Ollama download?"),
		matchOnDetail: true,
	});
	if (picked !== other) {
		return picked?.model;
	}
	const name = await vscode.window.showInputBox({
		title: l10n.t("Get a Model with Ollama"),
		prompt: l10n.t("Name of the model in Ollama's library, with a tag if you want a certain one"),
		placeHolder: "mistral-small3.2:24b",
		ignoreFocusOut: true,
		validateInput: text =>
			text.trim() === "" || modelName.test(text.trim())
				? undefined
				: l10n.t("A name has letters, digits, dots and hyphens, and a tag after a colon."),
	});
	return name?.trim() || undefined;
}

/** Shows that Ollama doesn't respond, with actions. */
async function offerOllama(dependencies: ModelChoiceDependencies): Promise<void> {
	const get = l10n.t("Get Ollama");
	const again = l10n.t("Retry");
	const choice = await vscode.window.showInformationMessage(
		l10n.t("Ollama isn't running on this machine. Install or start it, then retry."),
		get,
		again,
	);
	if (choice === get) {
		await vscode.env.openExternal(vscode.Uri.parse(ollamaPage));
	} else if (choice === again) {
		await getModel(dependencies);
	}
}
