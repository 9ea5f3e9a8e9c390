import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import type { Clock } from "../../common/async.ts";
import { toError } from "../../common/errors.ts";
import type { Log } from "../../common/log.ts";
import { plainLabel } from "../../common/plainMarkdown.ts";
import type { VideoJobs } from "../../video/videoJobs.ts";
import type { VideoJobView } from "./views/videoJobView.ts";

/** How long a deleted video can be restored before its file is moved to the trash, in milliseconds. */
const graceMs = 20_000;

/** Deletes videos from the list and offers to undo that. Their files are moved to the trash. */
export class VideoDeletion {
	private readonly jobs: Pick<VideoJobs, "remove" | "restore">;
	private readonly clock: Clock;
	private readonly log: Log;
	/** Files to be moved to the trash, each with a function that moves it now. */
	private readonly waiting = new Map<string, () => Promise<void>>();
	private readonly removing = new Set<string>();

	constructor(jobs: Pick<VideoJobs, "remove" | "restore">, clock: Clock, log: Log) {
		this.jobs = jobs;
		this.clock = clock;
		this.log = log;
	}

	/**
	 * Removes a job from the list, a storyboard with its scenes, and offers to undo that. Resolves after the user's decision or the timeout, or at once
	 * if the job is already being removed.
	 */
	async delete(job: VideoJobView, scenes: readonly VideoJobView[]): Promise<void> {
		if (this.removing.has(job.id)) {
			return;
		}
		this.removing.add(job.id);
		try {
			await this.jobs.remove(job.id);
		} finally {
			this.removing.delete(job.id);
		}
		const files = [job, ...scenes].flatMap(({ clip }) => (clip ? [clip.file] : []));
		if (files.length > 0) {
			this.schedule(job.id, files);
		}
		const sentence = deletedSentence(job, files.length);
		const choice = await vscode.window.showInformationMessage(sentence, l10n.t("Undo"));
		if (choice) {
			await this.undo(job, files);
		} else {
			await this.waiting.get(job.id)?.();
		}
	}

	/** Moves the remaining files to the trash now. */
	async close(): Promise<void> {
		await Promise.all([...this.waiting.values()].map(move => move()));
	}

	private schedule(id: string, files: readonly string[]): void {
		const timer = this.clock.setTimer(graceMs, () => void this.waiting.get(id)?.());
		this.waiting.set(id, async () => {
			timer.dispose();
			this.waiting.delete(id);
			for (const file of files) {
				await moveToTrash(file, this.log);
			}
		});
	}

	private async undo(job: VideoJobView, files: readonly string[]): Promise<void> {
		const isInTime = this.waiting.has(job.id);
		this.waiting.delete(job.id);
		await this.jobs.restore(job.id);
		if (files.length > 0 && !isInTime) {
			void vscode.window.showInformationMessage(
				plainLabel(
					l10n.t(
						"The video is listed again. Its file is in the trash; restore it to {0}.",
						files.join(", "),
					),
				),
			);
		}
	}
}

/** Moves a file to the trash. If the machine has none, asks the user. */
async function moveToTrash(file: string, log: Log): Promise<void> {
	const uri = vscode.Uri.file(file);
	try {
		await vscode.workspace.fs.delete(uri, { useTrash: true });
	} catch (error) {
		if (error instanceof vscode.FileSystemError && error.code === "FileNotFound") {
			return;
		}
		log.warn("A clip could not be moved to the trash", { error: toError(error).message });
		const choice = await vscode.window.showWarningMessage(
			plainLabel(l10n.t("Couldn't move the file to the trash. It's kept at {0}.", file)),
			l10n.t("Delete Permanently"),
		);
		if (choice) {
			await vscode.workspace.fs.delete(uri);
		}
	}
}

function deletedSentence({ shortTitle }: VideoJobView, files: number): string {
	return plainLabel(
		files > 1
			? l10n.t("Deleted “{0}”. Its {1} files are moved to the trash.", shortTitle, files)
			: files === 1
				? l10n.t("Deleted “{0}”. Its file is moved to the trash.", shortTitle)
				: l10n.t("Deleted “{0}”.", shortTitle),
	);
}
