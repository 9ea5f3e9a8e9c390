import { basename, extname } from "node:path";
import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import { assertNever } from "../../common/errors.ts";
import type { VideoAction } from "../../shared/videoCard.ts";
import type { VideoJob } from "../../video/job/videoJob.ts";
import type { VideoJobs } from "../../video/videoJobs.ts";
import {
	generateAgain,
	generateWithChanges,
	isDrawnHere,
	type VideoGenerateDependencies,
} from "./request/videoGenerate.ts";
import { textRequest } from "./request/videoRequest.ts";
import { copyTo } from "../base/saveFile.ts";
import type { LastDocuments } from "./share/documentTarget.ts";
import {
	copyClipFile,
	exportVideo,
	insertForReadme,
	type VideoShareDependencies,
} from "./share/exportVideo.ts";
import { insertClip, tabOf } from "./share/videoInsert.ts";
import { videoJobView, type VideoJobView } from "./views/videoJobView.ts";

/** Copies a clip to a location that the user chooses. */
async function saveClipAs(file: string): Promise<void> {
	const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
	const extension = extname(file).slice(1);
	const target = await vscode.window.showSaveDialog({
		title: l10n.t("Save Video As"),
		saveLabel: l10n.t("Save"),
		filters: { Video: [extension === "" ? "*" : extension] },
		...(folder ? { defaultUri: vscode.Uri.joinPath(folder, basename(file)) } : {}),
	});
	if (target) {
		await copyTo(vscode.Uri.file(file), target);
		void vscode.window.setStatusBarMessage(l10n.t("Saved {0}", basename(target.path)), 5000);
	}
}

/** Shows a file or folder in the system's file manager, or its path if there is none. */
export async function revealFile(path: string): Promise<void> {
	if (isOnThisMachine()) {
		await vscode.commands.executeCommand("revealFileInOS", vscode.Uri.file(path));
		return;
	}
	// The local file manager can't show a remote machine's disk.
	const choice = await vscode.window.showInformationMessage(
		l10n.t("This is on the machine where Cutaway runs: {0}", path),
		l10n.t("Copy Path"),
	);
	if (choice) {
		await vscode.env.clipboard.writeText(path);
	}
}

function isOnThisMachine(): boolean {
	return vscode.env.remoteName === undefined && vscode.env.uiKind === vscode.UIKind.Desktop;
}

/** Opens a clip in the system's player. Offers to save a remote clip locally first. */
async function openClipExternally(file: string): Promise<void> {
	if (!isOnThisMachine()) {
		const choice = await vscode.window.showInformationMessage(
			l10n.t("The clip is on the machine where Cutaway runs. Save it on this one to open it here."),
			l10n.t("Save As…"),
		);
		return choice ? await saveClipAs(file) : undefined;
	}
	if (!(await vscode.env.openExternal(vscode.Uri.file(file)))) {
		throw new Error(l10n.t("The system couldn't open the clip. It's kept at {0}.", file));
	}
}

/** Shows the location of a prompt. Shows a document that no longer exists, too. `line` is counted from 1. */
async function openSource(source: { readonly uri: string; readonly line: number }): Promise<void> {
	try {
		const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(source.uri, true));
		const line = Math.min(source.line, document.lineCount) - 1;
		const start = new vscode.Position(Math.max(0, line), 0);
		const selection = new vscode.Range(start, start);
		// A preview beside the source would otherwise show the document twice.
		await vscode.window.showTextDocument(document, { ...tabOf(document.uri), selection });
	} catch {
		throw new Error(l10n.t("The document this text came from can't be opened."));
	}
}

export interface VideoActionDependencies extends VideoGenerateDependencies, VideoShareDependencies {
	readonly jobs: VideoJobs;
	readonly documents: LastDocuments;
	readonly view: (id: string) => VideoJobView | undefined;
	readonly showScenes: (id: string) => void;
}

/** Runs an action that a job offers. Throws an error with a message for the user if it isn't offered or fails. */
export async function runVideoAction(
	dependencies: VideoActionDependencies,
	id: string,
	action: VideoAction,
): Promise<void> {
	const job = dependencies.jobs.job(id);
	if (!job || !dependencies.view(id)?.actions.includes(action)) {
		throw new Error(l10n.t("This is no longer available."));
	}
	const { jobs } = dependencies;
	switch (action) {
		case "submit":
		case "submitAgain":
			return await jobs.submitAgain(id);
		case "checkAgain":
		case "keepWatching":
			return await jobs.checkAgain(id);
		case "stopWatching":
			return await jobs.stopWatching(id);
		case "downloadAnyway":
			return await jobs.downloadAnyway(id);
		case "setApiKey":
		case "connect":
		case "showLog":
			await vscode.commands.executeCommand(`cutaway.${action}`);
			return undefined;
		case "submitScenes":
			return await jobs.submitScenes(id);
		case "joinScenes":
			return await jobs.joinAgain(id);
		case "showScenes":
			return dependencies.showScenes(id);
		case "generateAgain":
		case "generateWithChanges":
			return await runRequestAction(dependencies, job, action);
		case "openSource":
		case "copyPrompt":
		case "copyDetails":
			return await runTextAction(job, action);
		case "exportAs":
			return await exportVideo(dependencies, job, saveClipAs);
		case "insertImage":
			return await insertForReadme(dependencies, job);
		case "copyMarkdown":
			return await insertForReadme(dependencies, job, "clipboard");
		case "copyGif":
			return await copyClipFile(dependencies, job, "gif", revealFile);
		case "copyPicture":
			return await copyClipFile(dependencies, job, "png", revealFile);
		case "saveAs":
		case "reveal":
		case "insertLink":
		case "insertTag":
		case "openExternally":
			return await runClipAction(dependencies, job, action);
		default:
			return assertNever(action);
	}
}

async function runRequestAction(
	dependencies: VideoActionDependencies,
	job: VideoJob,
	action: "generateAgain" | "generateWithChanges",
): Promise<void> {
	const { request } = job;
	const generate = action === "generateAgain" ? generateAgain : generateWithChanges;
	if (request.kind === "storyboard" && request.text !== undefined) {
		const text = textRequest(request.text, request.scenes, isDrawnHere(dependencies));
		return await generate(dependencies, text, job);
	}
	if (request.kind === "storyboard") {
		const { editScenes } = await import("./storyboard/generateStoryboard.ts");
		return await editScenes(dependencies, request, job);
	}
	return await generate(dependencies, request, job);
}

async function runTextAction(
	job: VideoJob,
	action: "openSource" | "copyPrompt" | "copyDetails",
): Promise<void> {
	const view = videoJobView(job);
	if (action === "openSource") {
		await (view.source && openSource(view.source));
	} else {
		await vscode.env.clipboard.writeText(action === "copyPrompt" ? view.prompt : detailsOf(job));
	}
}

async function runClipAction(
	{ documents }: VideoActionDependencies,
	job: VideoJob,
	action: "saveAs" | "reveal" | "insertLink" | "insertTag" | "openExternally",
): Promise<void> {
	const { clip, shortTitle, source } = videoJobView(job);
	if (!clip) {
		return;
	}
	switch (action) {
		case "saveAs":
			return await saveClipAs(clip.file);
		case "reveal":
			return await revealFile(clip.file);
		case "openExternally":
			return await openClipExternally(clip.file);
		case "insertLink":
		case "insertTag": {
			const form = action === "insertLink" ? "link" : "tag";
			const linked = {
				title: shortTitle,
				file: clip.file,
				source: source && vscode.Uri.parse(source.uri),
			};
			return await insertClip(linked, form, documents);
		}
		default:
			return assertNever(action);
	}
}

/** Returns a job's details for the service's support, without prompt, key and account. */
function detailsOf(job: VideoJob): string {
	const { id, generationId, endpoint, createdAt, submissions, state, watch } = job;
	const facts = {
		job: id,
		generation: generationId,
		service: endpoint.label,
		createdAt: new Date(createdAt).toISOString(),
		submissions,
		status: watch.rawStatus,
		state,
	};
	return JSON.stringify(facts, null, "\t");
}
