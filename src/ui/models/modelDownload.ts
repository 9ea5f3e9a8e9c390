import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import { systemClock } from "../../common/async.ts";
import { isAbortError, toError } from "../../common/errors.ts";
import type { PullFailure, PullProgress, PullRequest } from "../../common/modelSetup.ts";
import { formatSize, spokenElapsed } from "../base/amounts.ts";
import {
	findModels,
	type ModelChoiceDependencies,
	type ShownDownload,
	takeModel,
} from "./modelChoice.ts";
import type { ModelRow } from "./modelRows.ts";
import { type ModelServer, originOf } from "./serverSettings.ts";

export const ollamaPage = "https://ollama.com/download";

/** A download: what is requested, and its words for the user. */
export interface ModelDownload {
	readonly name: string;
	/** Identifies it among the downloads of this window. */
	readonly key: string;
	readonly request: PullRequest;
	readonly failureWords: (failure: PullFailure) => string;
	/** Describes an error other than those that the local service reports. */
	readonly errorWords: (message: string) => string;
	/** Returns what helps after a failure, in place of Retry. */
	readonly stepFor: (
		reason: PullFailure["reason"],
	) => { readonly label: string; take(): Thenable<unknown> } | undefined;
	readonly isRow: (row: ModelRow) => boolean;
}

/** The downloads of this window, by their keys. */
const running = new Map<string, ShownDownload>();

/** Whether this window downloads a model. */
export function isDownloadedHere(key: string): boolean {
	return running.has(key);
}

/**
 * Downloads a model. The status bar shows the progress, and the chat as well where it has no model; both cancel it. Selects the model afterwards,
 * unless the user selected another one meanwhile.
 */
export async function download(
	dependencies: ModelChoiceDependencies,
	asked: ModelDownload,
): Promise<void> {
	const { name, key } = asked;
	const { settings, log } = dependencies;
	if (running.has(key)) {
		void vscode.window.showInformationMessage(l10n.t("{0} is already being downloaded.", name));
		return;
	}
	const before = settings.get("chat.model");
	void vscode.window.showInformationMessage(
		l10n.t("Downloading {0}. The status bar shows the progress.", name),
	);
	try {
		const pulled = await pullWithProgress(dependencies, asked);
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
		log.error("A model could not be downloaded", { model: name, error: message });
		void vscode.window.showErrorMessage(asked.errorWords(message));
	}
}

/** Resolves to undefined if the user cancels. */
async function pullWithProgress(
	{ pullModel, downloads }: ModelChoiceDependencies,
	{ name, key, request }: ModelDownload,
): Promise<{ readonly failure: PullFailure | undefined } | undefined> {
	const stopper = new AbortController();
	const cancel = (): void => stopper.abort();
	const item = showInStatusBar(key, cancel);
	let first: { readonly bytes: number; readonly at: number } | undefined;
	const show = (progress: PullProgress): void => {
		if (stopper.signal.aborted) {
			// The local service may have sent it before the cancellation arrived.
			return;
		}
		const { stage, completedBytes, totalBytes } = progress;
		const now = systemClock.monotonic();
		if (stage === "downloading") {
			first ??= { bytes: completedBytes, at: now };
		}
		const detail = progressWords(progress, first?.bytes ?? 0, now - (first?.at ?? now));
		// The total grows as Ollama discovers files, so the share may fall.
		const percent = totalBytes > 0 ? Math.floor((100 * completedBytes) / totalBytes) : 0;
		running.set(key, { model: name, percent, detail, cancel });
		downloads?.fire(firstShown());
		item.status.text = `$(cloud-download) ${l10n.t("{0} {1}%", name, percent)}`;
		item.status.tooltip = `${detail}\n${l10n.t("Click to cancel.")}`;
	};
	try {
		// Until the local service has started and checked this machine, it sends no progress.
		show({ stage: "starting", completedBytes: 0, totalBytes: 0 });
		return { failure: await pullModel(request, show, stopper.signal) };
	} catch (error) {
		if (isAbortError(error)) {
			return undefined;
		}
		throw error;
	} finally {
		item.dispose();
		running.delete(key);
		downloads?.fire(firstShown());
	}
}

/** Shows an item whose click cancels a download. */
function showInStatusBar(
	key: string,
	cancel: () => void,
): { readonly status: vscode.StatusBarItem; dispose(): void } {
	const status = vscode.window.createStatusBarItem(vscode.StatusBarAlignment.Left, 0);
	status.command = `cutaway.cancelDownload.${key}`;
	const command = vscode.commands.registerCommand(status.command, cancel);
	status.show();
	return {
		status,
		dispose: () => {
			status.dispose();
			command.dispose();
		},
	};
}

/** Returns the download to show in the chat: the one that was started first. */
function firstShown(): ShownDownload | undefined {
	return running.values().next().value;
}

/** Formats a download's progress with its rate and remaining time: `120 MB of 530 MB · 12 MB/s · 34 seconds left`. */
export function progressWords(
	{ stage, completedBytes, totalBytes }: PullProgress,
	firstBytes: number,
	elapsedMs: number,
): string {
	if (stage !== "downloading") {
		return {
			starting: l10n.t("Looking for the model…"),
			verifying: l10n.t("Verifying…"),
			writing: l10n.t("Writing…"),
		}[stage];
	}
	const rate = ((completedBytes - firstBytes) / Math.max(1, elapsedMs)) * 1000;
	const amount = l10n.t("{0} of {1}", formatSize(completedBytes), formatSize(totalBytes));
	if (elapsedMs < 1_000 || rate < 1_000) {
		return amount;
	}
	const left = spokenElapsed(((totalBytes - completedBytes) / rate) * 1000);
	return l10n.t("{0} · {1}/s · {2} left", amount, formatSize(rate), left);
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
		request: { kind: "ollama", baseUrl: server.baseUrl, model },
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
		refused: other,
		wrongFile: other,
		otherHash: other,
		elsewhere: other,
		cannotRun: other,
		unchecked: other,
	}[reason]();
}
