import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import { isAbortError, toError } from "../../common/errors.ts";
import type { PullFailure, PullProgress, PullRequest } from "../../common/models.ts";
import { formatSize } from "../base/amounts.ts";
import { whileCancellable } from "../base/dialogs.ts";
import { findModels, type ModelChoiceDependencies, takeModel } from "./modelChoice.ts";
import type { ModelRow } from "./modelRows.ts";
import { type ModelServer, originOf } from "./modelServers.ts";

export const ollamaPage = "https://ollama.com/download";

/** A download: what is requested, and its words for the user. */
export interface ModelDownload {
	readonly name: string;
	/** Identifies it among the downloads of this window. */
	readonly key: string;
	/** Title of a notification that shows the progress and cancels; undefined if `onProgress` does both. */
	readonly title: string | undefined;
	readonly request: PullRequest;
	readonly progressWords: (progress: PullProgress) => string;
	/** Called with the share, 0 to 1, and its words whenever they change, and with what cancels a download without a title. */
	readonly onProgress?: (share: number, words: string, cancel: () => void) => void;
	readonly onEnd?: () => void;
	readonly failureWords: (failure: PullFailure) => string;
	/** Describes an error other than those that the local service reports. */
	readonly errorWords: (message: string) => string;
	/** Returns what helps after a failure, in place of Retry. */
	readonly stepFor: (
		reason: PullFailure["reason"],
	) => { readonly label: string; take(): Thenable<unknown> } | undefined;
	readonly isRow: (row: ModelRow) => boolean;
}

/** The keys of this window's downloads. */
const running = new Set<string>();

/** Downloads a model, with progress and Cancel. Selects it afterwards, unless the user selected another model meanwhile. */
export async function download(
	dependencies: ModelChoiceDependencies,
	asked: ModelDownload,
): Promise<void> {
	const { name, key } = asked;
	if (running.has(key)) {
		void vscode.window.showInformationMessage(l10n.t("{0} is already being downloaded.", name));
		return;
	}
	running.add(key);
	const before = dependencies.settings.get("chat.model");
	try {
		const pulled = await pullWithProgress(dependencies, asked).finally(() => {
			running.delete(key);
			asked.onEnd?.();
		});
		if (!pulled) {
			const kept = l10n.t(
				"Canceled. The downloaded part of {0} is kept; the next download continues from there.",
				name,
			);
			if (await vscode.window.showInformationMessage(kept, l10n.t("Continue"))) {
				await download(dependencies, asked);
			}
		} else if (pulled.failure) {
			await tellFailure(dependencies, asked, pulled.failure);
		} else {
			await use(dependencies, asked, before);
		}
	} catch (error) {
		const { message } = toError(error);
		dependencies.log.error("A model could not be downloaded", { model: name, error: message });
		void vscode.window.showErrorMessage(asked.errorWords(message));
	}
}

/** Resolves to undefined if the user cancels. */
async function pullWithProgress(
	{ pullModel }: ModelChoiceDependencies,
	{ title, request, progressWords: wordsOf, onProgress }: ModelDownload,
): Promise<{ readonly failure: PullFailure | undefined } | undefined> {
	const stopper = new AbortController();
	const cancel = (): void => stopper.abort();
	const pull = async (
		signal: AbortSignal,
		report: (share: number, words: string) => void,
	): Promise<{ readonly failure: PullFailure | undefined }> => {
		const show = (pulled: PullProgress): void => {
			if (signal.aborted) {
				// The local service may have sent it before the cancellation arrived.
				return;
			}
			// The total grows as Ollama discovers files, so the share may fall.
			const share = pulled.totalBytes > 0 ? pulled.completedBytes / pulled.totalBytes : 0;
			const words = wordsOf(pulled);
			report(share, words);
			onProgress?.(share, words, cancel);
		};
		// Until the local service has started and checked this machine, it sends no progress.
		show({ stage: "starting", completedBytes: 0, totalBytes: 0 });
		return { failure: await pullModel(request, show, signal) };
	};
	if (title !== undefined) {
		return await whileCancellable(title, pull);
	}
	try {
		return await pull(stopper.signal, () => {});
	} catch (error) {
		if (isAbortError(error)) {
			return undefined;
		}
		throw error;
	}
}

async function tellFailure(
	dependencies: ModelChoiceDependencies,
	asked: ModelDownload,
	failure: PullFailure,
): Promise<void> {
	dependencies.log.warn("A model could not be downloaded", { model: asked.name, ...failure });
	const again = l10n.t("Retry");
	const step = asked.stepFor(failure.reason);
	const choice = await vscode.window.showErrorMessage(
		asked.failureWords(failure),
		step?.label ?? again,
	);
	if (choice === again) {
		await download(dependencies, asked);
	} else if (choice !== undefined) {
		await step?.take();
	}
}

/** Selects a downloaded model. Asks first if the user selected another one during the download. */
async function use(
	dependencies: ModelChoiceDependencies,
	{ name, isRow }: ModelDownload,
	before: string,
): Promise<void> {
	const { settings, connection } = dependencies;
	const { rows } = await findModels(dependencies);
	const row = rows.find(isRow);
	// Another window that shared the download may have selected it already.
	const isUndisturbed =
		[before, row?.id].includes(settings.get("chat.model")) && connection.target().kind === "local";
	const isDownloaded = l10n.t("{0} is downloaded.", name);
	if (!row) {
		void vscode.window.showInformationMessage(isDownloaded);
	} else if (isUndisturbed) {
		await takeModel(dependencies, row);
		void vscode.window.showInformationMessage(l10n.t("{0} is downloaded and answers now.", name));
	} else if (await vscode.window.showInformationMessage(isDownloaded, l10n.t("Use"))) {
		await takeModel(dependencies, row);
	}
}

/** Downloads a model with Ollama. */
export async function downloadModel(
	dependencies: ModelChoiceDependencies,
	server: ModelServer,
	model: string,
): Promise<void> {
	const label = model.includes(":") ? model : `${model}:latest`;
	await download(dependencies, {
		name: label,
		key: `${originOf(server)} ${label}`,
		title: l10n.t("Downloading {0} with Ollama", model),
		request: { kind: "ollama", baseUrl: server.baseUrl, model },
		progressWords,
		failureWords: failure => pullFailureWords(model, failure),
		errorWords: message => l10n.t("Ollama couldn't download {0}: {1}", model, message),
		stepFor: reason =>
			reason === "tooOld"
				? pageStep(l10n.t("Get Ollama"), ollamaPage)
				: reason === "unknownModel"
					? pageStep(l10n.t("Open Library"), "https://ollama.com/library")
					: undefined,
		isRow: row => row.label === label && originOf(row.server) === originOf(server),
	});
}

function pageStep(label: string, url: string): ReturnType<ModelDownload["stepFor"]> {
	return { label, take: () => vscode.env.openExternal(vscode.Uri.parse(url)) };
}

/** Formats a download's progress, such as “1.2 GB of 5.2 GB”. */
function progressWords({ stage, completedBytes, totalBytes }: PullProgress): string {
	return {
		starting: () => l10n.t("Looking for the model…"),
		downloading: () => l10n.t("{0} of {1}", formatSize(completedBytes), formatSize(totalBytes)),
		verifying: () => l10n.t("Verifying…"),
		writing: () => l10n.t("Writing…"),
	}[stage]();
}

/** Returns why a download failed, for the user. */
function pullFailureWords(model: string, { reason, words }: PullFailure): string {
	const other = (): string => l10n.t("Ollama couldn't download {0}: {1}", model, words);
	return {
		unknownModel: () =>
			l10n.t("Ollama has no model named “{0}”. Check the name and its tag.", model),
		noSpace: () =>
			l10n.t(
				"No space left where Ollama keeps its models. The downloaded part of {0} is kept. Free up space, then retry.",
				model,
			),
		tooOld: () => l10n.t("{0} needs a newer version of Ollama. Update Ollama, then retry.", model),
		lost: () =>
			l10n.t(
				"Ollama stopped while downloading {0}. The downloaded part is kept. Start Ollama, then retry.",
				model,
			),
		silent: () =>
			l10n.t(
				"Ollama stopped responding while downloading {0}. The downloaded part is kept. Retry to continue.",
				model,
			),
		...{ refused: other, wrongFile: other, elsewhere: other, cannotRun: other },
	}[reason]();
}
