import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import { ServiceError } from "../../client/contract/serviceError.ts";
import { failureSentence } from "../../client/contract/failureSentence.ts";
import type { ServiceClient } from "../../client/contract/serviceClient.ts";
import { plainLabel } from "../../common/plainMarkdown.ts";
import { whileCancellable } from "../base/dialogs.ts";
import { adviceFor } from "../base/failureAdvice.ts";
import type { ServiceConnection } from "./connection.ts";

export interface CheckReport {
	readonly isReachable: boolean;
	/** Whether the service accepted the key or requires none. `unknown` if its response doesn't show that. */
	readonly key: "accepted" | "refused" | "unknown";
	/** A sentence each about availability and key. */
	readonly lines: readonly string[];
}

/** An id that no service has issued. Looking it up is free and returns an error. */
const missingGenerationId = "cutaway-check-no-such-generation";

/** Requests a generation that doesn't exist, which is free, to check service and key. docs/interface.md §4.3, §7. */
export async function checkService(
	client: ServiceClient,
	label: string,
	hasKey: boolean,
	signal?: AbortSignal,
): Promise<CheckReport> {
	try {
		await client.getGeneration(missingGenerationId, { signal });
		return acceptedReport(label, hasKey);
	} catch (error) {
		if (error instanceof ServiceError) {
			return reportOf(error, label, hasKey);
		}
		throw error;
	}
}

function acceptedReport(label: string, hasKey: boolean): CheckReport {
	const lines = [l10n.t("Connected to {0}.", label), keySentence("accepted", hasKey)];
	return { isReachable: true, key: "accepted", lines };
}

function reportOf(error: ServiceError, label: string, hasKey: boolean): CheckReport {
	switch (error.kind) {
		case "notFound":
		case "badRequest":
		case "rejected":
			return acceptedReport(label, hasKey);
		case "unauthorized":
		case "forbidden": {
			const refused = keySentence("refused", hasKey);
			const lines = [l10n.t("Connected to {0}.", label), refused, ...serviceMessageOf(error)];
			return { isReachable: true, key: "refused", lines };
		}
		default: {
			const lines = [unreachedSentence(error, label), ...serviceMessageOf(error)];
			return { isReachable: isAnswer(error), key: "unknown", lines };
		}
	}
}

/** Whether the error came from the service itself rather than a proxy or network. */
function isAnswer({ kind, status }: ServiceError): boolean {
	return (
		status !== undefined && kind !== "webPage" && kind !== "redirected" && kind !== "proxySignIn"
	);
}

/** Returns why the check failed. The request is free, so no sentence mentions a charge. */
function unreachedSentence(error: ServiceError, label: string): string {
	const { kind, status, detail, host } = error;
	const failure = { kind, status, detail, host };
	if (isAnswer(error)) {
		return `${l10n.t("{0} responds, but not as expected.", label)} ${failureSentence(failure)}`;
	}
	return error.charge === "unknown"
		? l10n.t("{0} returned no answer.", label)
		: adviceFor({ failure, hasText: false, isLocal: false }).sentence;
}

function serviceMessageOf({ serviceMessage }: ServiceError): readonly string[] {
	return serviceMessage ? [l10n.t("Service message: “{0}”", serviceMessage)] : [];
}

function keySentence(verdict: "accepted" | "refused", hasKey: boolean): string {
	if (verdict === "refused") {
		return hasKey
			? failureSentence({ kind: "unauthorized" })
			: l10n.t("The service requires an API key.");
	}
	return hasKey
		? l10n.t("The key was accepted.")
		: l10n.t("No API key set. The service didn't ask for one.");
}

/** Runs the check with a progress notification and shows the result. Details are logged. */
export async function runServiceCheck(
	client: ServiceClient,
	connection: ServiceConnection,
): Promise<CheckReport | undefined> {
	const view = await connection.view();
	const hasKey = view.kind === "local" || view.hasKey;
	const report = await whileCancellable(l10n.t("Checking {0}", view.label), signal =>
		checkService(client, view.label, hasKey, signal),
	);
	if (report) {
		void showReport(report);
	}
	return report;
}

/** Whether the service is available and accepts the key. */
export function isServiceHealthy({ isReachable, key }: CheckReport): boolean {
	return isReachable && key === "accepted";
}

/** Shows a check's result, with actions if there is a problem. */
export async function showReport(report: CheckReport): Promise<void> {
	const text = plainLabel(report.lines.join(" "));
	if (isServiceHealthy(report)) {
		await vscode.window.showInformationMessage(text);
		return;
	}
	if (report.key === "refused") {
		const enter = await vscode.window.showWarningMessage(text, l10n.t("Set API Key…"));
		if (enter) {
			await vscode.commands.executeCommand("cutaway.setApiKey");
		}
		return;
	}
	const change = l10n.t("Change Address…");
	const choice = await vscode.window.showErrorMessage(text, change, l10n.t("Show Log"));
	if (choice) {
		await vscode.commands.executeCommand(choice === change ? "cutaway.connect" : "cutaway.showLog");
	}
}
