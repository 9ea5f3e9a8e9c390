import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import type { ChatLibrary, HistoryReport } from "../../chat/library/chatLibrary.ts";
import type { Log } from "../../common/log.ts";
import { plainLabel } from "../../common/plainMarkdown.ts";
import { whileCancellable } from "../base/dialogs.ts";

/** Checks and repairs all chats, with cancellable progress, and reports the result. */
export async function verifyHistory(library: ChatLibrary, log: Log): Promise<void> {
	const report = await whileCancellable(l10n.t("Checking all chats…"), signal =>
		library.verify(signal),
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

function isWhole({ repaired, unreadable, failed }: HistoryReport): boolean {
	return repaired.length + unreadable.length + failed.length === 0;
}

/** Describes the result of a check: the number of chats, then what was repaired, skipped or couldn't be repaired. */
export function historyMessage(report: HistoryReport): string {
	const { chats, cutTails, repaired, unreadable, newer, inUse, failed } = report;
	if (chats === 0) {
		return l10n.t("No chats yet");
	}
	const findings = [
		...finding(cutTails, count =>
			l10n.t("Repaired by removing an unfinished last line: {0}.", count),
		),
		...finding(repaired, count => l10n.t("Continued without unreadable parts: {0}.", count)),
		...finding(unreadable, count => l10n.t("Unreadable files moved to quarantine: {0}.", count)),
		...finding([...repaired, ...unreadable], () =>
			l10n.t("Unreadable parts are kept unchanged. See the log for their location."),
		),
		...finding(newer, count => l10n.t("Skipped, from a newer version of Cutaway: {0}.", count)),
		...finding(inUse, count =>
			l10n.t("Skipped, open in another window: {0}. Close them there and check again.", count),
		),
		...finding(failed, count =>
			l10n.t("Not checked because of a disk error: {0}. See the log.", count),
		),
	];
	return [
		l10n.t("Chats checked: {0}.", chats),
		...(findings.length === 0 ? [l10n.t("No problems found.")] : findings),
	].join(" ");
}

const finding = (found: readonly unknown[], words: (count: number) => string): string[] =>
	found.length === 0 ? [] : [words(found.length)];

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
