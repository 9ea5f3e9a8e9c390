import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import { placeOfCall } from "../../chat/contract/toolRecord.ts";
import type { Turn } from "../../chat/contract/turn.ts";
import { toError } from "../../common/errors.ts";
import type { Log } from "../../common/log.ts";
import { plainLabel } from "../../common/plainMarkdown.ts";
import type { CardLocation } from "../../shared/tools.ts";
import { type ChangedFile, changedFiles } from "../../tools/undo/changedFiles.ts";
import {
	type ChangeJournal,
	isUndo,
	journaledChange,
	stateOf,
} from "../../tools/undo/changeJournal.ts";
import {
	type KeptChange,
	type KeptFile,
	effectiveChanges,
	removeMadeFolders,
} from "../../tools/undo/keptChange.ts";
import { planUndo, type UndoPlanDependencies } from "../../tools/undo/undoPlan.ts";
import type { EditorActions } from "../../tools/contract/editorActions.ts";
import type { WorkspacePaths } from "../../paths/resolveTarget.ts";
import type { EditPreviews } from "../../editor/editPreview.ts";
import type { ToolCardStore } from "./toolCardStore.ts";

export interface ToolHistoryDependencies {
	readonly journal: ChangeJournal;
	readonly cards: Pick<
		ToolCardStore,
		"noteChange" | "noteLost" | "noteNotApproved" | "remember" | "changeOf"
	>;
	readonly editor: EditorActions;
	readonly paths: () => WorkspacePaths;
	readonly previews: Pick<EditPreviews, "compare">;
	readonly log: Log;
}

/** Changes by tools in the shown chat: shown on its cards, listed with differences, undone by a click. */
export class ToolHistory {
	private readonly dependencies: ToolHistoryDependencies;
	private readonly journal: ChangeJournal;
	private readonly log: Log;
	private shownChat = "";

	constructor(dependencies: ToolHistoryDependencies) {
		this.dependencies = dependencies;
		const { journal, log } = dependencies;
		this.journal = journal;
		this.log = log;
	}

	/** Sets the shown chat and adds the state of its changes to its cards. Never rejects. */
	async recall(chatId: string, turns: readonly Turn[]): Promise<void> {
		this.shownChat = chatId;
		try {
			await reportChanges(this.dependencies, chatId, turns);
			turns.forEach(turn => reportLost(this.dependencies.cards, turn));
		} catch (error) {
			this.log.warn("The changes of a chat could not be told", { error: toError(error).name });
		}
	}

	/** Undoes exactly a card's change. If a file has changed since, changes nothing, throws, and may show a diff. */
	undo(place: CardLocation): Promise<void> {
		return undo(this.dependencies, place);
	}

	/** Whether there are changed files to list. Never rejects. */
	async hasChangedFiles(): Promise<boolean> {
		try {
			return (await this.changedFiles()).length > 0;
		} catch (error) {
			this.log.warn("The changed files could not be listed", { error: toError(error).name });
			return false;
		}
	}

	private async changedFiles(): Promise<readonly ChangedFile[]> {
		return changedFiles(effectiveChanges(await this.journal.list(this.shownChat)));
	}

	/** Lists the changed files and shows the chosen one as a diff with the text before the first change. */
	async showChangedFiles(): Promise<void> {
		const file = await pickFile(await this.changedFiles());
		if (file) {
			await showDifferences(this.dependencies, file);
		}
	}
}

async function reportChanges(
	{ journal, cards, editor, paths }: ToolHistoryDependencies,
	chatId: string,
	turns: readonly Turn[],
): Promise<void> {
	cards.remember(turns);
	const all = await journal.list(chatId);
	for (const kept of all) {
		const { callId, state } = kept;
		if (state === "started") {
			// For a call whose end wasn't recorded, the files themselves show which were changed.
			const made = await madeFiles(kept, { editor, paths });
			if (made.length > 0) {
				await journal.madeInPart({ chatId, callId }, made);
			}
		} else {
			cards.noteChange(journaledChange(chatId, kept, stateOf(kept, all)));
		}
	}
}

/** Returns the files that are in the state after a change. A file that was edited and renamed counts once. */
async function madeFiles(
	{ files }: KeptChange,
	dependencies: UndoPlanDependencies,
): Promise<readonly KeptFile[]> {
	const groups = Map.groupBy(files, ({ path }) => path);
	const made: KeptFile[] = [];
	for (const group of groups.values()) {
		if ((await planUndo({ files: group }, dependencies)).type === "changes") {
			made.push(...group);
		}
	}
	return made;
}

/** Adds a note to each call without a result. */
function reportLost(cards: ToolHistoryDependencies["cards"], turn: Turn): void {
	const started = new Set(turn.startedTools?.map(({ callId }) => placeOfCall(callId).cardId));
	for (const { card, isReader } of cards.remember([turn])) {
		if (card.state !== "stopped" || isReader) {
			continue;
		}
		const place = { turnId: turn.id, cardId: card.id };
		if (started.has(card.id)) {
			cards.noteLost(place, interruptedSentence());
		} else {
			const isCutOff = turn.progress.state === "interrupted";
			cards.noteNotApproved(place, isCutOff ? cutOffSentence() : notApprovedSentence());
		}
	}
}

const interruptedSentence = (): string =>
	l10n.t("This call was interrupted and may have had an effect. Check before you repeat it.");
const cutOffSentence = (): string => l10n.t("VS Code restarted before you approved this.");
const notApprovedSentence = (): string => l10n.t("It wasn't approved.");

async function undo(dependencies: ToolHistoryDependencies, place: CardLocation): Promise<void> {
	const { journal, cards, editor, paths } = dependencies;
	const call = cards.changeOf(place);
	const kept = call && (await journal.find(call));
	if (!call || kept?.state !== "applied") {
		throw new Error(l10n.t("There is nothing to undo."));
	}
	const plan = await planUndo(kept, { editor, paths });
	if (plan.type === "movedOn") {
		const isShown = await showObstacle(dependencies, plan.file);
		const shown = l10n.t("The diff shows the file before the change and now.");
		const reason = isUndo(kept)
			? l10n.t("Nothing was redone: {0} was changed since.", plan.file.label)
			: plan.reason;
		throw new Error(isShown ? `${reason} ${shown}` : reason);
	}
	await editor.change(plan.changes);
	removeMadeFolders(kept, paths());
	await journal.undone(call);
}

/** Shows a file that has changed since, beside its text before the change, so that the user can undo parts by hand. */
async function showObstacle(
	{ previews }: ToolHistoryDependencies,
	file: KeptFile,
): Promise<boolean> {
	if (file.type !== "edit" || file.before === null) {
		return false;
	}
	await previews.compare(
		file.label,
		file.before,
		file.path,
		l10n.t("{0} (before ↔ now)", file.label),
	);
	return true;
}

async function pickFile(files: readonly ChangedFile[]): Promise<ChangedFile | undefined> {
	const items = files.map(file => ({
		label: plainLabel(file.label),
		description: plainLabel(describe(file)),
		iconPath: new vscode.ThemeIcon(iconOf(file)),
		file,
	}));
	const picked = await vscode.window.showQuickPick(items, {
		title: l10n.t("Changed Files"),
		placeHolder:
			items.length > 0
				? l10n.t("Show files changed in this chat")
				: l10n.t("No tool changes in this chat"),
		matchOnDescription: true,
	});
	return picked?.file;
}

function describe({ label, oldLabel, path, before, changes }: ChangedFile): string {
	const { length } = changes;
	const count = length === 1 ? l10n.t("1 change") : l10n.t("{0} changes", length);
	const what =
		path === undefined
			? l10n.t("deleted")
			: before.type === "missing"
				? l10n.t("created")
				: l10n.t("edited");
	const renamed = l10n.t("renamed from {0}", oldLabel);
	const words =
		before.type === "same" ? [renamed] : [what, ...(oldLabel === label ? [] : [renamed])];
	return [...words, count].join(", ");
}

function iconOf({ path, before }: ChangedFile): string {
	if (path === undefined) {
		return "diff-removed";
	}
	return before.type === "missing"
		? "diff-added"
		: before.type === "same"
			? "diff-renamed"
			: "diff-modified";
}

async function showDifferences(
	{ previews }: ToolHistoryDependencies,
	{ label, path, before }: ChangedFile,
): Promise<void> {
	switch (before.type) {
		case "text":
			return previews.compare(
				label,
				before.text,
				path,
				l10n.t("{0} (before this chat ↔ now)", label),
			);
		case "missing":
			return previews.compare(label, "", path, l10n.t("{0} (created in this chat)", label));
		case "same":
		case "tooLarge":
			if (path === undefined) {
				throw new Error(l10n.t("{0} was too large to keep.", label));
			}
			await vscode.window.showTextDocument(vscode.Uri.file(path), { preview: true });
	}
}
