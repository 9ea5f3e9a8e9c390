import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import type { ChatLibrary, HistoryReport } from "../../chat/library/chatLibrary.ts";
import { isAbortError } from "../../common/errors.ts";
import type { Log } from "../../common/log.ts";
import { plainLabel } from "../../common/plainLabel.ts";

/** Checks and repairs all chats, with cancellable progress, and reports the result. */
export async function verifyHistory(library: ChatLibrary, log: Log): Promise<void> {
	const report = await vscode.window.withProgress(
		{
			location: vscode.ProgressLocation.Notification,
			title: l10n.t("Checking all chats…"),
			cancellable: true,
		},
		(_progress, token) => checkUntilCancelled(library, token),
	);
	if (report) {
		log.info("The history was checked", logDetails(report));
		const show = l10n.t("Show Log");
		const sentence = plainLabel(historyMessage(report));
		const choice = await (isWhole(report)
			? vscode.window.showInformationMessage(sentence, show)
			: vscode.window.showWarningMessage(sentence, show));
		if (choice === show) {
			await vscode.commands.executeCommand("cutaway.showLog");
		}
	}
}

async function checkUntilCancelled(
	library: ChatLibrary,
	token: vscode.CancellationToken,
): Promise<HistoryReport | undefined> {
	const abort = new AbortController();
	const subscription = token.onCancellationRequested(() => abort.abort());
	try {
		return await library.verify(abort.signal);
	} catch (error) {
		if (isAbortError(error)) {
			return undefined;
		}
		throw error;
	} finally {
		subscription.dispose();
	}
}

function isWhole({ repaired, unreadable, failed }: HistoryReport): boolean {
	return repaired.length + unreadable.length + failed.length === 0;
}

/** Describes the result of a check: the number of chats, then what was repaired, skipped or couldn't be repaired. */
export function historyMessage(report: HistoryReport): string {
	const findings = [...repairs(report), ...leftovers(report)];
	return [countSentence(report.chats, findings.length === 0), ...findings].join(" ");
}

function counted(count: number, one: () => string, many: (count: number) => string): string[] {
	return count === 0 ? [] : [count === 1 ? one() : many(count)];
}

function repairs({ cutTails, repaired, unreadable }: HistoryReport): readonly string[] {
	return [
		...counted(
			cutTails.length,
			() => l10n.t("An unfinished last line was removed from 1 chat."),
			count => l10n.t("An unfinished last line was removed from {0} chats.", count),
		),
		...counted(
			repaired.length,
			() => l10n.t("Parts of 1 chat couldn't be read. It continues without them."),
			count => l10n.t("Parts of {0} chats couldn't be read. They continue without them.", count),
		),
		...counted(
			unreadable.length,
			() => l10n.t("1 file couldn't be read and was moved to quarantine."),
			count => l10n.t("{0} files couldn't be read and were moved to quarantine.", count),
		),
		...(repaired.length + unreadable.length > 0
			? [l10n.t("Unreadable parts are kept unchanged. See the log for their location.")]
			: []),
	];
}

function leftovers({ newer, inUse, failed }: HistoryReport): readonly string[] {
	return [
		...counted(
			newer.length,
			() => l10n.t("1 chat from a newer version of Cutaway was skipped."),
			count => l10n.t("{0} chats from a newer version of Cutaway were skipped.", count),
		),
		...counted(
			inUse.length,
			() => l10n.t("1 chat open in another window was skipped. Close it there and check again."),
			count =>
				l10n.t(
					"{0} chats open in another window were skipped. Close them there and check again.",
					count,
				),
		),
		...counted(
			failed.length,
			() => l10n.t("1 chat couldn't be checked because of a disk error. See the log."),
			count => l10n.t("{0} chats couldn't be checked because of a disk error. See the log.", count),
		),
	];
}

function countSentence(chats: number, isAllWell: boolean): string {
	if (chats === 0) {
		return l10n.t("No chats yet.");
	}
	if (isAllWell) {
		return chats === 1
			? l10n.t("1 chat checked. No problems found.")
			: l10n.t("{0} chats checked. No problems found.", chats);
	}
	return chats === 1 ? l10n.t("1 chat checked.") : l10n.t("{0} chats checked.", chats);
}

function logDetails(report: HistoryReport): Readonly<Record<string, string | number>> {
	const { chats, turns, cutTails, repaired, unreadable, newer, inUse, failed } = report;
	const places = (kept: HistoryReport["repaired"]): string =>
		kept.map(({ id, keptAt }) => `${id} → ${keptAt}`).join(", ");
	return {
		chats,
		turns,
		cutTails: cutTails.join(", "),
		repaired: places(repaired),
		unreadable: places(unreadable),
		newer: newer.join(", "),
		inUse: inUse.join(", "),
		failed: failed.map(({ id, error }) => `${id}: ${error.message}`).join(", "),
	};
}
