import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import { assertNever } from "../../common/errors.ts";
import type { VideoAction } from "../../shared/videoCard.ts";
import type { VideoJob } from "../../video/job/videoJob.ts";
import type { VideoJobs } from "../../video/videoJobs.ts";
import { openClipExternally, openSource, revealFile, saveClipAs } from "./videoFiles.ts";
import {
	type VideoGenerateDependencies,
	generateAgain,
	generateWithChanges,
} from "./request/videoGenerate.ts";
import { copyClipFile, insertForReadme } from "./share/readmeImage.ts";
import { exportVideo, type VideoShareDependencies } from "./share/exportVideo.ts";
import { insertClip } from "./share/videoInsert.ts";
import type { LastDocuments } from "./share/documentTarget.ts";
import { videoJobView, type VideoJobView } from "./views/videoJobView.ts";

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
			return await jobs.checkAgain(id);
		case "keepWatching":
			return await jobs.keepWatching(id);
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
		const [scene] = request.scenes;
		const text = {
			kind: "text",
			prompt: request.text,
			motionStrength: scene?.motionStrength,
		} as const;
		return await generate(dependencies, text, job);
	}
	if (request.kind === "storyboard") {
		const { editScenes } = await import("./storyboard/generateStoryboard.ts");
		return await editScenes(dependencies, request.scenes, job);
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
