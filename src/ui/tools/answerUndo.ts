import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import { resolveTarget, type WorkspacePaths } from "../../paths/resolveTarget.ts";
import type { EditPreviews } from "../../editor/editPreview.ts";
import type { EditorActions } from "../../tools/contract/editorActions.ts";
import { type ChangedFile, isOtherEncoding } from "../../tools/undo/changedFiles.ts";
import type { ChangeJournal } from "../../tools/undo/changeJournal.ts";
import { type AnswerChanges, answerChanges } from "../../tools/undo/undoAnswer.ts";
import type { BlockOrigin, CodeBlocks } from "./codeBlocks.ts";

export interface AnswerUndoDependencies {
	readonly journal: Pick<ChangeJournal, "list">;
	readonly editor: Pick<EditorActions, "readText">;
	readonly paths: () => WorkspacePaths;
	readonly previews: Pick<EditPreviews, "compare">;
	/** Runs `undo_answer`, which asks on its own card. */
	readonly calls: Pick<CodeBlocks, "run">;
}

/** Undoes the changes that answers made to files. */
export class AnswerUndo {
	private readonly dependencies: AnswerUndoDependencies;

	constructor(dependencies: AnswerUndoDependencies) {
		this.dependencies = dependencies;
	}

	/**
	 * Proposes to undo the changes of the answers to some questions, on a card below the answer at `place`. Resolves to whether they were undone. If
	 * files have changed since, names them and asks first. Throws an error with a message for the user if there is nothing to undo.
	 */
	async undo(place: BlockOrigin, turnIds: readonly string[]): Promise<boolean> {
		const { journal, calls } = this.dependencies;
		const { chatId } = place;
		const found = await answerChanges(journal, { chatId, turnIds }, this.dependencies);
		const { ready, changedSince: movedOn, notKept } = found;
		const isWhole = movedOn.length + notKept.length === 0;
		if (isWhole && ready.length === 0) {
			throw new Error(l10n.t("There is nothing to undo."));
		}
		if (!isWhole && !(await this.isForOthers(found))) {
			return false;
		}
		const files = isWhole ? {} : { files: ready.map(({ file }) => file.label) };
		const result = await calls.run(place, "undo_answer", { questions: turnIds, ...files });
		return result?.state === "done";
	}

	/** Names the files that can't be undone. Resolves to whether to undo the others. */
	private async isForOthers({
		ready,
		changedSince: movedOn,
		notKept,
	}: AnswerChanges): Promise<boolean> {
		const others = l10n.t("Undo the Others");
		const compare = l10n.t("Compare");
		const encoded = notKept.filter(isOtherEncoding);
		const tooLarge = notKept.filter(file => !isOtherEncoding(file));
		const detail = [
			...(movedOn.length > 0 ? [l10n.t("Changed since: {0}", namesOf(movedOn))] : []),
			...(tooLarge.length > 0 ? [l10n.t("Over 1 MiB, so not kept: {0}", namesOf(tooLarge))] : []),
			...(encoded.length > 0 ? [l10n.t("Deleted and not in UTF-8: {0}", namesOf(encoded))] : []),
		].join("\n");
		const answer = await vscode.window.showWarningMessage(
			l10n.t("Some of the changed files can't be undone. Nothing was changed so far."),
			{ modal: true, detail },
			...(ready.length > 0 ? [others] : []),
			...(movedOn.length > 0 ? [compare] : []),
		);
		if (answer === compare) {
			for (const file of movedOn.slice(0, maxCompared)) {
				await this.compare(file);
			}
		}
		return answer === others;
	}

	/** Shows a file's text before the answers beside its current text. */
	private compare({ label, path, before }: ChangedFile): Promise<void> {
		const { paths, previews } = this.dependencies;
		const resolution = path === undefined ? undefined : resolveTarget(path, paths());
		const now = resolution?.ok && resolution.target.kind === "file" ? path : undefined;
		const text = before.type === "text" ? before.text : "";
		return previews.compare(label, text, now, l10n.t("{0} (before ↔ now)", label));
	}
}

const maxCompared = 10;

function namesOf(files: readonly ChangedFile[]): string {
	return files.map(({ label }) => label).join(", ");
}
