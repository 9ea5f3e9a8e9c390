import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import { resolveTarget, type WorkspacePaths } from "../../paths/resolveTarget.ts";
import type { EditPreviews } from "../../editor/editPreview.ts";
import type { EditorActions } from "../../tools/tool/editorActions.ts";
import type { ChangedFile } from "../../tools/undo/changedFiles.ts";
import type { ChangeJournal } from "../../tools/undo/changeJournal.ts";
import { type AnswerChanges, answerChanges } from "../../tools/undo/undoAnswer.ts";
import type { BlockOrigin, CodeBlocks } from "./codeBlocks.ts";

/** Dependencies of undoing answers. */
export interface AnswerUndoDependencies {
	readonly journal: Pick<ChangeJournal, "list">;
	readonly editor: Pick<EditorActions, "readText">;
	readonly paths: () => WorkspacePaths;
	readonly previews: Pick<EditPreviews, "compare">;
	/** Runs `undo_answer`, which asks on a card of its own. */
	readonly calls: Pick<CodeBlocks, "run">;
}

/** Undoes what answers changed in files. */
export class AnswerUndo {
	private readonly dependencies: AnswerUndoDependencies;

	constructor(dependencies: AnswerUndoDependencies) {
		this.dependencies = dependencies;
	}

	/**
	 * Proposes to undo what the answers to some questions changed, on a card below the answer at `place`, and resolves with whether
	 * it was done. Where files are no longer as the answers left them, it names them and asks first. Throws the sentence where there is nothing to undo.
	 */
	async undo(place: BlockOrigin, turnIds: readonly string[]): Promise<boolean> {
		const { journal, calls } = this.dependencies;
		const { chatId } = place;
		const found = await answerChanges(journal, { chatId, turnIds }, this.dependencies);
		const { ready, movedOn, notKept } = found;
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

	/** Names the files that cannot be undone; whether the user wants to undo the others. */
	private async isForOthers({ ready, movedOn, notKept }: AnswerChanges): Promise<boolean> {
		const others = l10n.t("Undo the Others");
		const compare = l10n.t("Compare");
		const detail = [
			...(movedOn.length > 0 ? [l10n.t("Changed since: {0}", namesOf(movedOn))] : []),
			...(notKept.length > 0 ? [l10n.t("Over 1 MiB, so not kept: {0}", namesOf(notKept))] : []),
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

	/** Shows a file as it was before the answers beside what it is now. */
	private compare({ label, path, before }: ChangedFile): Promise<void> {
		const { paths, previews } = this.dependencies;
		const resolution = path === undefined ? undefined : resolveTarget(path, paths());
		const now = resolution?.ok && resolution.target.kind === "file" ? path : undefined;
		const text = before.type === "text" ? before.text : "";
		return previews.compare(label, text, now, l10n.t("{0} (before ↔ now)", label));
	}
}

/** How many comparisons open at once. */
const maxCompared = 10;

function namesOf(files: readonly ChangedFile[]): string {
	return files.map(({ label }) => label).join(", ");
}
