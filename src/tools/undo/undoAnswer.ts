import { isUtf8 } from "node:buffer";
import * as l10n from "@vscode/l10n";
import * as z from "zod/mini";
import { ToolFailure } from "../../common/errors.ts";
import type { WorkspacePaths } from "../../paths/resolveTarget.ts";
import { sha256 } from "../contract/safeFile.ts";
import type { FileChange } from "../contract/editorActions.ts";
import { applyHunks, type FilePreview } from "../contract/edits.ts";
import { defineTool, type Tool, type ToolDependencies, type ToolPlan } from "../contract/tool.ts";
import { type ChangedFile, changedFiles, netChange } from "./changedFiles.ts";
import { type ChangeJournal, isWhole } from "./changeJournal.ts";
import {
	type KeptFile,
	type EffectiveChange,
	effectiveChanges,
	removeMadeFolders,
} from "./keptChange.ts";
import { planUndo, textAt, type UndoPlanDependencies } from "./undoPlan.ts";

/** A file that can be restored to its content before the answers, and the changes for that. */
interface ReadyFile {
	readonly file: ChangedFile;
	readonly kept: KeptFile[];
	readonly changes: readonly FileChange[];
}

type KeptBack = ChangedFile & { readonly reason: string };

/** The files that answers changed, by whether they can be restored. */
export interface AnswerChanges {
	readonly ready: readonly ReadyFile[];
	/** Changed since the answers. */
	readonly changedSince: readonly KeptBack[];
	/** Their content was too large to store. */
	readonly notKept: readonly KeptBack[];
	/** Changes to files that were deleted again. */
	readonly vanished: readonly EffectiveChange[];
}

/** Combines the changes of the answers to some questions of a chat, and compares each file with its last text. Changes nothing. */
export async function answerChanges(
	journal: Pick<ChangeJournal, "list">,
	{ chatId, turnIds }: { readonly chatId: string; readonly turnIds: readonly string[] },
	dependencies: UndoPlanDependencies,
): Promise<AnswerChanges> {
	const standing = effectiveChanges(await journal.list(chatId)).filter(({ callId }) =>
		turnIds.some(id => callId.startsWith(`${id}:`)),
	);
	const files = changedFiles(standing);
	const shown = new Set(files.flatMap(file => file.changes));
	const ready: ReadyFile[] = [];
	const movedOn: KeptBack[] = [];
	const notKept: KeptBack[] = [];
	for (const file of files) {
		const kept = netChange(file);
		const plan = await planUndo({ files: kept }, dependencies);
		if (plan.type === "changes") {
			ready.push({ file, kept, changes: plan.changes });
		} else {
			(isWhole({ files: kept }) ? movedOn : notKept).push({ ...file, reason: plan.reason });
		}
	}
	return {
		ready,
		changedSince: movedOn,
		notKept,
		vanished: standing.filter(change => !shown.has(change)),
	};
}

/**
 * Creates the tool that undoes the changes of answers when the user clicks. Not offered to models. Without `files` it undoes all or nothing,
 * otherwise those files; fails if one of them has changed since.
 */
export function createUndoAnswer(
	journal: Pick<ChangeJournal, "list">,
	paths: () => WorkspacePaths,
): Tool {
	return defineTool({
		name: "undo_answer",
		title: () => l10n.t("Undo the answer's changes"),
		description: "Puts files back to what they were before the answers to some questions.",
		effect: "write",
		schema: z.strictObject({
			questions: z.array(z.string()).check(z.minLength(1)),
			files: z.optional(z.array(z.string())),
		}),
		plan: async ({ questions: turnIds, files }, _targets, { editor, askedBelow }) => {
			const chatId = askedBelow?.chatId ?? "";
			const found = await answerChanges(journal, { chatId, turnIds }, { editor, paths });
			const isWanted = ({ label }: ChangedFile): boolean => files?.includes(label) ?? true;
			const [first, ...others] = [...found.changedSince, ...found.notKept].filter(isWanted);
			if (first) {
				const names = [first, ...others].map(({ label }) => label).join(", ");
				throw new ToolFailure(
					others.length === 0
						? first.reason
						: l10n.t("Nothing was undone: {0} aren't as the answer left them.", names),
				);
			}
			const wanted = found.ready.filter(({ file }) => isWanted(file));
			if (wanted.length === 0) {
				throw new ToolFailure(l10n.t("There is nothing to undo."));
			}
			return undoPlanOf(wanted, found.vanished, editor, paths);
		},
	});
}

/** Each file is accepted as a whole. The user can choose among those with a text diff. */
async function undoPlanOf(
	wanted: readonly ReadyFile[],
	vanished: readonly EffectiveChange[],
	editor: ToolDependencies["editor"],
	paths: () => WorkspacePaths,
): Promise<ToolPlan> {
	const all = wanted.flatMap(({ changes }) => changes);
	const files = (await Promise.all(all.map(change => previewOf(change, editor)))).flat();
	const edited = files.filter(({ change }) => change === "edit").map(({ target }) => target);
	const taken = (hunks: ReadonlySet<number> | undefined): readonly ReadyFile[] =>
		wanted.filter(({ changes }) =>
			changes.every(
				change => change.type !== "edit" || (hunks?.has(edited.indexOf(change.target)) ?? true),
			),
		);
	const changesOf = (hunks: ReadonlySet<number> | undefined): readonly FileChange[] =>
		taken(hunks).flatMap(({ file, changes }, at) => {
			const undone = at === 0 ? [...vanished, ...file.changes] : file.changes;
			const undoes = undone.map(({ callId, index }) => ({ callId, index }));
			return changes.map(change => ({ ...change, undoes }));
		});
	return {
		summary: l10n.t("Undo the answer's changes"),
		...(files.length > 0 ? { preview: { files } } : {}),
		binding: files.flatMap(({ change, before, after }) => [change, sha256(before), sha256(after)]),
		targets: all.flatMap(change =>
			change.type === "rename" ? [change.from, change.to] : [change.target],
		),
		changes: changesOf,
		run: async (_dependencies, hunks) => {
			const changes = changesOf(hunks);
			if (changes.length === 0) {
				throw new ToolFailure(l10n.t("There is nothing to undo."));
			}
			const unsaved = await editor.change(changes);
			taken(hunks).forEach(({ kept }) => removeMadeFolders({ files: kept }, paths()));
			if (unsaved.length > 0) {
				return l10n.t("Undone, but {0} couldn't be saved", unsaved.join(", "));
			}
			const formatted = await changedAtSaving(changes, { editor, paths });
			return formatted.length === 0
				? l10n.t("Undone")
				: l10n.t("Undone, but saving changed {0}, as formatting does", formatted.join(", "));
		},
	};
}

/** Returns the labels of edited files that don't have the text they were given. */
async function changedAtSaving(
	changes: readonly FileChange[],
	dependencies: UndoPlanDependencies,
): Promise<readonly string[]> {
	const labels: string[] = [];
	for (const change of changes) {
		if (change.type === "edit") {
			const { target, before, hunks } = change;
			// A file that was renamed as well is no longer there.
			const now = await textAt(target.path, dependencies);
			const isAsGiven =
				!now || withLineFeeds(now.text) === withLineFeeds(applyHunks(before, hunks));
			labels.push(...(isAsGiven ? [] : [target.label]));
		}
	}
	return labels;
}

async function previewOf(
	change: FileChange,
	editor: ToolDependencies["editor"],
): Promise<readonly FilePreview[]> {
	switch (change.type) {
		case "edit": {
			const { target, before, hunks } = change;
			return [{ target, change: "edit", before, after: applyHunks(before, hunks), hunks }];
		}
		case "delete": {
			const { target } = change;
			const { text } = await editor.readText(target);
			return [{ target, change: "delete", before: text, after: "", hunks: [] }];
		}
		case "restore": {
			const { target, bytes } = change;
			const after = isUtf8(bytes) ? Buffer.from(bytes).toString("utf8") : "";
			return [{ target, change: "create", before: "", after, hunks: [] }];
		}
		// Named on the card.
		case "create":
		case "rename":
			return [];
	}
}

/** An editor may change the kind of line endings. */
function withLineFeeds(text: string): string {
	return text.replaceAll("\r\n", "\n");
}
