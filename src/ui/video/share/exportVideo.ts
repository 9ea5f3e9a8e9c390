import { basename } from "node:path";
import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import { isAbortError } from "../../../common/errors.ts";
import type { VideoJob } from "../../../video/job/index.ts";
import { formatSize } from "../../base/amounts.ts";
import { videoJobView, type VideoPreviews } from "../views/index.ts";
import { chooseExport } from "./exportChoice.ts";
import { type ChoiceMemory, type ExportChoice, fileNameOf, formatName } from "./exportFormat.ts";

/** What sharing a clip takes. */
export interface ShareContext {
	readonly previews: Pick<VideoPreviews, "exportClip">;
	readonly exportMemory: ChoiceMemory;
}

/** Asks for a format, makes the file, and saves it where the user says, with its size in sight before it is written. */
export async function exportVideo(context: ShareContext, job: VideoJob): Promise<void> {
	const { clip } = videoJobView(job);
	const choice = clip && (await chooseExport(context.exportMemory));
	const bytes = choice && (await makeFile(context, job, choice));
	if (!clip || !bytes) {
		return;
	}
	const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
	const name = fileNameOf(clip.name, choice);
	const target = await vscode.window.showSaveDialog({
		title: l10n.t("Save {0} ({1})", formatName(choice.format), formatSize(bytes.length)),
		saveLabel: l10n.t("Save {0}", formatSize(bytes.length)),
		filters: { [formatName(choice.format)]: [choice.format] },
		...(folder ? { defaultUri: vscode.Uri.joinPath(folder, name) } : {}),
	});
	if (target) {
		await vscode.workspace.fs.writeFile(target, bytes);
		const saved = l10n.t("Saved {0} ({1})", basename(target.path), formatSize(bytes.length));
		void vscode.window.setStatusBarMessage(saved, 5000);
	}
}

/** Makes the file in the clip's preview, with progress and Cancel. Undefined when the user cancels. */
export async function makeFile(
	{ previews }: ShareContext,
	{ id }: VideoJob,
	choice: ExportChoice,
): Promise<Buffer | undefined> {
	const options = {
		location: vscode.ProgressLocation.Notification,
		title: l10n.t("Making {0}", formatName(choice.format)),
		cancellable: true,
	};
	return await vscode.window.withProgress(options, async (progress, token) => {
		const stopper = new AbortController();
		token.onCancellationRequested(() => stopper.abort());
		let shown = 0;
		try {
			return await previews.exportClip(id, choice, stopper.signal, share => {
				progress.report({ increment: 100 * (share - shown) });
				shown = share;
			});
		} catch (error) {
			if (isAbortError(error)) {
				return undefined;
			}
			throw error;
		}
	});
}
