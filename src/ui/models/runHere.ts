import { stat, statfs } from "node:fs/promises";
import { totalmem } from "node:os";
import { dirname, join } from "node:path";
import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import * as z from "zod/mini";
import { knownModelFiles } from "../../common/knownModelFiles.ts";
import { isLoopbackHost } from "../../client/transport/transport.ts";
import { systemClock } from "../../common/async.ts";
import {
	availableMemory,
	defaultHub,
	embeddedServerName,
	type HubModel,
	hubModels,
	type PullFailure,
} from "../../common/modelSetup.ts";
import { nodeFileSystem } from "../../storage/fileSystem.ts";
import { isLeaseHeld } from "../../storage/lease.ts";
import { formatSize } from "../base/amounts.ts";
import type { StoredValue } from "../base/keptValue.ts";
import type { Settings } from "../base/settings.ts";
import { download, isDownloadedHere } from "./modelDownload.ts";
import { findModels, type ModelChoiceDependencies, takeModel } from "./modelChoice.ts";

/** The room for a model's file, in bytes. */
export interface DiskRoom {
	readonly part: number;
	readonly needed: number;
	readonly free: number;
	readonly isDownloading: boolean;
}

async function isDownloading(folder: string, file: string): Promise<boolean> {
	const lease = join(folder, `${file}.lock`);
	return isDownloadedHere(file) || (await isLeaseHeld(nodeFileSystem, lease, systemClock));
}

/** Returns the room for a model's file in a folder, which may not exist yet. */
export async function roomFor({ file, sizeBytes }: HubModel, folder: string): Promise<DiskRoom> {
	const part = await stat(join(folder, `${file}.part`)).catch(() => ({ size: 0 }));
	return {
		part: part.size,
		// The hub's file may be larger than listed.
		needed: Math.max(0, sizeBytes - part.size),
		free: await freeDisk(folder),
		isDownloading: await isDownloading(folder, file),
	};
}

async function freeDisk(folder: string): Promise<number> {
	try {
		const { bavail, bsize } = await statfs(folder);
		return bavail * bsize;
	} catch {
		const parent = dirname(folder);
		return parent === folder ? Infinity : await freeDisk(parent);
	}
}

/** Whether a model fits into this machine's free memory, and on its disk. */
export function fitsHere(
	{ memoryBytes }: HubModel,
	{ needed, free }: Pick<DiskRoom, "needed" | "free">,
	freeMemory = availableMemory(),
): boolean {
	return memoryBytes <= freeMemory && needed <= free;
}

/** Describes a model's requirements, and first its purpose unless the disk is too full for it. */
function describeHubModel(model: HubModel, room: DiskRoom): string {
	const needs = describeNeeds(model, room);
	return room.needed > room.free ? needs : `${describeUse(model)} ${needs}`;
}

/** Describes what a model is good for. */
export function describeUse(model: HubModel): string {
	switch (model) {
		case hubModels[0]:
			return l10n.t("For short questions; often wrong in details.");
		case hubModels.at(-1):
			return l10n.t("Much better answers, but slow. Still a small model.");
		default:
			return l10n.t("Better answers, more slowly; still small.");
	}
}

/** Describes a model's requirements: room on the disk if that is too little, else memory. */
export function describeNeeds(model: HubModel, room: DiskRoom): string {
	const { needed, free } = room;
	if (needed > free) {
		return l10n.t("Needs {0} on disk; {1} is free.", formatSize(needed), formatSize(free));
	}
	const memory = { total: totalmem(), free: availableMemory() };
	const { memoryBytes } = model;
	const couldFit = memoryBytes <= memory.total * 0.7;
	return describeMemory(formatSize(memoryBytes), memoryBytes, couldFit, memory);
}

/** The memory of this machine, in bytes. */
export interface MachineMemory {
	readonly total: number;
	readonly free: number;
}

/** Describes how much memory a model needs, and how much there is if that isn't enough. `amount` is `bytes` in words. */
export function describeMemory(
	amount: string,
	bytes: number,
	fits: boolean,
	{ total, free }: MachineMemory,
): string {
	return !fits
		? l10n.t(
				"Needs about {0} of memory. This machine has {1}, and the editor needs some of it.",
				amount,
				formatSize(total),
			)
		: bytes > free
			? l10n.t("Needs about {0} of memory; {1} is free now.", amount, formatSize(free))
			: l10n.t("Needs about {0} of memory.", amount);
}

/**
 * Asks whether to download a model, with all consequences: once, and whenever it doesn't fit. Downloads it, and selects it afterwards. Downloads
 * nothing without consent. Resolves to false if the user goes back.
 */
export async function getModelHere(
	dependencies: ModelChoiceDependencies,
	model: HubModel = hubModels[0],
): Promise<boolean> {
	const hub = hubOf(dependencies.settings);
	if (hub === undefined) {
		void vscode.window.showErrorMessage(
			l10n.t("The setting cutaway.localService.modelHub isn't an https address."),
		);
		return true;
	}
	const { agreedDownloads, modelFiles } = dependencies;
	const agreed = agreedIn(agreedDownloads);
	const agreement = `${hub.href} ${model.file}`;
	const room = await roomFor(model, modelFiles.modelsFolder);
	if (!agreed.includes(agreement) || !fitsHere(model, room)) {
		if (!(await agreesTo(model, hub, modelFiles.modelsFolder, room))) {
			return false;
		}
		agreedDownloads.set([...new Set([...agreed, agreement])]);
	}
	// The list is closed; the chat and the status bar show the progress.
	void downloadHere(dependencies, model, hub);
	return true;
}

function agreedIn(agreedDownloads: StoredValue): readonly string[] {
	return z.array(z.string()).safeParse(agreedDownloads.get()).data ?? [];
}

/** Deletes a model or its part, unless that is being downloaded. The next download of it asks again. */
export async function deleteModel(
	{ modelFiles, agreedDownloads }: ModelChoiceDependencies,
	file: string,
): Promise<void> {
	if (await isDownloading(modelFiles.modelsFolder, file)) {
		return;
	}
	await modelFiles.removeModel(file);
	agreedDownloads.set(agreedIn(agreedDownloads).filter(each => !each.endsWith(` ${file}`)));
}

async function agreesTo(
	model: HubModel,
	hub: URL,
	modelsFolder: string,
	room: DiskRoom,
): Promise<boolean> {
	const download = l10n.t("Download");
	const choice = await vscode.window.showInformationMessage(
		l10n.t("Download {0} and run it on this machine?", model.name),
		{
			modal: true,
			detail: [
				l10n.t("{0} from {1}, license {2}.", formatSize(model.sizeBytes), hub.host, model.licence),
				describeHash(model, hub),
				l10n.t("Folder: {0}", modelsFolder),
				describeHubModel(model, room),
				l10n.t(
					"It runs offline and without an account. It can use only a few of the editor's tools.",
				),
			].join("\n\n"),
		},
		download,
	);
	return choice === download;
}

/** Returns whose word the hash is that the file is checked against. */
function describeHash({ file }: HubModel, hub: URL): string {
	const origin = new URL(defaultHub);
	if (knownModelFiles[file]) {
		return l10n.t("The file is checked against a hash that Cutaway brings with it.");
	}
	return hub.host === origin.host
		? l10n.t("The file is checked against the hash that {0} itself names.", hub.host)
		: l10n.t(
				"The file is checked against the hash that {0} names, which is asked for it, or that of {1} itself if {0} doesn't answer.",
				origin.host,
				hub.host,
			);
}

/** Returns the configured hub, or that of the environment variable that Hugging Face's programs use. Returns undefined if it can't be used. */
export function hubOf(settings: Pick<Settings, "get">): URL | undefined {
	const set = settings.get("localService.modelHub") || process.env["HF_ENDPOINT"] || defaultHub;
	const url = URL.parse(set);
	const isSafe =
		url?.protocol === "https:" || (url?.protocol === "http:" && isLoopbackHost(url.hostname));
	return url && isSafe ? url : undefined;
}

async function downloadHere(
	dependencies: ModelChoiceDependencies,
	model: HubModel,
	hub: URL,
	isUnchecked = false,
): Promise<void> {
	const { name, file } = model;
	await download(dependencies, {
		name,
		key: file,
		request: { kind: "hub", baseUrl: hub.href, model: file, isUnchecked },
		failureWords: failure => hubFailureWords(model, hub, failure),
		errorWords: message => l10n.t("{0} couldn't be downloaded: {1}", name, message),
		stepFor: reason =>
			reason === "unchecked"
				? {
						label: l10n.t("Download Unchecked"),
						take: () => downloadHere(dependencies, model, hub, true),
					}
				: ["cannotRun", "unknownModel"].includes(reason)
					? {
							label: l10n.t("Choose Model…"),
							take: () => vscode.commands.executeCommand("cutaway.chooseModel"),
						}
					: undefined,
		isRow: ({ id }) => id === `${embeddedServerName}/${file}`,
	});
}

/** Returns why a download failed, for the user. */
export function hubFailureWords(model: HubModel, hub: URL, { reason, words }: PullFailure): string {
	const { host } = hub;
	switch (reason) {
		case "unknownModel":
			return l10n.t("{0} no longer has {1}. Choose another model.", host, model.name);
		case "noSpace":
			return l10n.t(
				"Not enough disk space for {0}, which needs {1}. The downloaded part is kept. Free up space, then retry.",
				model.name,
				formatSize(model.sizeBytes),
			);
		case "wrongFile":
			return l10n.t(
				"The file from {0} is not the expected one and was deleted. Retry to download it again.",
				host,
			);
		case "otherHash":
			return l10n.t(
				"{0} offers another file as {1} than {2} does. Nothing was downloaded.",
				host,
				model.name,
				words,
			);
		case "unchecked":
			return l10n.t(
				"{0} doesn't name the hash of {1}, so the file can't be checked. Nothing was downloaded.",
				host,
				model.name,
			);
		case "elsewhere":
			return l10n.t("{0} redirects to {1}. Nothing was downloaded.", host, words);
		case "refused":
		case "tooOld":
			return l10n.t(
				"{0} refused the download ({1}). A proxy or a sign-in page may be in the way.",
				host,
				words,
			);
		case "lost":
		case "silent":
			return l10n.t(
				"The connection to {0} was lost ({1}). The downloaded part is kept. Retry to continue.",
				host,
				words,
			);
		case "cannotRun":
			return l10n.t(
				"llama.cpp doesn't run on this machine, so nothing was downloaded ({0}). Use Ollama, a key or one of VS Code's models instead.",
				words.slice(0, 200),
			);
	}
}

/** Asks for a GGUF file and selects it as the model. Resolves to false if the user cancels. */
export async function chooseModelFile(dependencies: ModelChoiceDependencies): Promise<boolean> {
	const [file] =
		(await vscode.window.showOpenDialog({
			title: l10n.t("Use a Model File"),
			openLabel: l10n.t("Use"),
			filters: { [l10n.t("Models in GGUF")]: ["gguf"] },
		})) ?? [];
	if (file?.scheme !== "file") {
		return false;
	}
	const id = await dependencies.modelFiles.useModelFile(file.fsPath);
	const { rows } = await findModels(dependencies);
	const row = rows.find(found => found.id === id);
	if (row) {
		await takeModel(dependencies, row);
	}
	return true;
}
