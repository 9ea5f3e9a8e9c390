import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import { isAbortError, toError } from "../../common/errors.ts";
import type { PullFailure, PullProgress } from "../../common/models.ts";
import { formatSize } from "../base/amounts.ts";
import { findModels, type ModelChoiceDependencies, takeModel } from "./modelChoice.ts";
import { type ModelServer, originOf } from "./modelServers.ts";

export const ollamaPage = "https://ollama.com/download";

/** The downloads of this window, by server and model. */
const running = new Set<string>();

/** Downloads a model with Ollama, with progress and Cancel. Selects it afterwards, unless the user selected another model meanwhile. */
export async function downloadModel(
	dependencies: ModelChoiceDependencies,
	server: ModelServer,
	model: string,
): Promise<void> {
	const label = model.includes(":") ? model : `${model}:latest`;
	const key = `${originOf(server)} ${label}`;
	if (running.has(key)) {
		void vscode.window.showInformationMessage(l10n.t("{0} is already being downloaded.", model));
		return;
	}
	running.add(key);
	const before = dependencies.settings.get("chat.model");
	try {
		const outcome = await pullWithProgress(dependencies, server, model);
		running.delete(key);
		if (outcome === "canceled") {
			const kept = l10n.t(
				"Canceled. The downloaded part of {0} is kept; the next download continues from there.",
				model,
			);
			void vscode.window.showInformationMessage(kept);
		} else if (outcome) {
			await tellFailure(dependencies, server, model, outcome);
		} else {
			await use(dependencies, server, label, before);
		}
	} catch (error) {
		const { message } = toError(error);
		dependencies.log.error("A model could not be downloaded", { model, error: message });
		void vscode.window.showErrorMessage(
			l10n.t("Ollama couldn't download {0}: {1}", model, message),
		);
	} finally {
		running.delete(key);
	}
}

async function pullWithProgress(
	{ pullModel }: ModelChoiceDependencies,
	{ baseUrl }: ModelServer,
	model: string,
): Promise<PullFailure | "canceled" | undefined> {
	const options = {
		location: vscode.ProgressLocation.Notification,
		title: l10n.t("Downloading {0} with Ollama", model),
		cancellable: true,
	};
	return await vscode.window.withProgress(options, async (progress, token) => {
		const stopper = new AbortController();
		token.onCancellationRequested(() => stopper.abort());
		let shown = 0;
		const show = (pulled: PullProgress): void => {
			const share = pulled.totalBytes > 0 ? pulled.completedBytes / pulled.totalBytes : 0;
			// The total grows as Ollama discovers files, so the share may fall. The bar then waits.
			const increment = Math.max(0, 100 * share - shown);
			shown += increment;
			progress.report({ increment, message: progressWords(pulled) });
		};
		try {
			return await pullModel({ kind: "ollama", baseUrl, model }, show, stopper.signal);
		} catch (error) {
			if (isAbortError(error)) {
				return "canceled";
			}
			throw error;
		}
	});
}

/** Formats a download's progress, such as “1.2 GB of 5.2 GB”. */
export function progressWords({ stage, completedBytes, totalBytes }: PullProgress): string {
	return {
		starting: () => l10n.t("Looking for the model…"),
		downloading: () => l10n.t("{0} of {1}", formatSize(completedBytes), formatSize(totalBytes)),
		verifying: () => l10n.t("Verifying…"),
		writing: () => l10n.t("Writing…"),
	}[stage]();
}

/** Returns why a download failed, for the user. */
export function pullFailureWords(model: string, { reason, words }: PullFailure): string {
	return {
		unknownModel: () =>
			l10n.t("Ollama has no model named “{0}”. Check the name and its tag.", model),
		noSpace: () =>
			l10n.t(
				"No space left where Ollama keeps its models. The downloaded part of {0} is kept.",
				model,
			),
		tooOld: () => l10n.t("{0} needs a newer version of Ollama.", model),
		lost: () =>
			l10n.t(
				"Ollama stopped while downloading {0}. The downloaded part is kept. Start Ollama, then retry.",
				model,
			),
		silent: () => l10n.t("Ollama stopped responding while downloading {0}.", model),
		refused: () => l10n.t("Ollama couldn't download {0}: {1}", model, words),
		wrongFile: () => l10n.t("Ollama couldn't download {0}: {1}", model, words),
		elsewhere: () => l10n.t("Ollama couldn't download {0}: {1}", model, words),
	}[reason]();
}

async function tellFailure(
	dependencies: ModelChoiceDependencies,
	server: ModelServer,
	model: string,
	failure: PullFailure,
): Promise<void> {
	dependencies.log.warn("A model could not be downloaded", { model, ...failure });
	const again = l10n.t("Retry");
	const page =
		failure.reason === "tooOld"
			? { label: l10n.t("Get Ollama"), url: ollamaPage }
			: { label: l10n.t("Open Library"), url: "https://ollama.com/library" };
	const hasPage = failure.reason === "tooOld" || failure.reason === "unknownModel";
	const choice = await vscode.window.showErrorMessage(
		pullFailureWords(model, failure),
		hasPage ? page.label : again,
	);
	if (choice === again) {
		await downloadModel(dependencies, server, model);
	} else if (choice === page.label) {
		await vscode.env.openExternal(vscode.Uri.parse(page.url));
	}
}

/** Selects a downloaded model. Asks first if the user selected another one during the download. */
async function use(
	dependencies: ModelChoiceDependencies,
	server: ModelServer,
	label: string,
	before: string,
): Promise<void> {
	const { rows } = await findModels(dependencies);
	const row = rows.find(
		found => found.label === label && originOf(found.server) === originOf(server),
	);
	if (!row) {
		void vscode.window.showInformationMessage(l10n.t("{0} is downloaded.", label));
		return;
	}
	const isUndisturbed =
		dependencies.settings.get("chat.model") === before &&
		dependencies.connection.target().kind === "local";
	if (isUndisturbed) {
		await takeModel(dependencies, row);
		void vscode.window.showInformationMessage(l10n.t("{0} is downloaded and answers now.", label));
		return;
	}
	const useIt = l10n.t("Use");
	const choice = await vscode.window.showInformationMessage(
		l10n.t("{0} is downloaded.", label),
		useIt,
	);
	if (choice === useIt) {
		await takeModel(dependencies, row);
	}
}
