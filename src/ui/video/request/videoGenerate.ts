import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import { selectedText } from "../../../editor/selection.ts";
import { clipName } from "../../../video/job/clipName.ts";
import type { VideoEndpoint, VideoJob } from "../../../video/job/videoJob.ts";
import type { VideoJobs } from "../../../video/videoJobs.ts";
import type { Settings } from "../../base/settings.ts";

import { chooseImage } from "./videoImagePick.ts";
import { chooseVideoOptions, type VideoEngineOffer } from "./videoOptions.ts";
import { promptTitle } from "./videoPrompt.ts";
import { fencedSelection, requestOf, type SentRequest } from "./videoRequest.ts";
import { editPrompt } from "./videoPromptDocument.ts";
import { askPrompt, fitPrompt } from "./videoPromptSteps.ts";

/** Dependencies of making a video. */
export interface VideoGenerateDependencies {
	readonly jobs: Pick<VideoJobs, "submitFor">;
	readonly settings: Pick<Settings, "get" | "set">;
	/** Notice before another video is sent, if any (threat T9). */
	readonly spendingNotice: () => string | undefined;
	/** The service that a click now goes to. */
	readonly endpoint: () => VideoEndpoint;
	/** What is to be known of the engine that is asked; undefined for a service and the local renderer. */
	readonly engine?: () => VideoEngineOffer | undefined;
}

/** Where a video begins: the text it is made from, the question of a chat or the storyboard it belongs to, if any. */
export type VideoOrigin = Pick<VideoJob, "source" | "chat" | "scene">;

/** The most characters of the name in the step's first line, which has the length and the motion behind it. */
const maxNameCharacters = 30;

const stepTitle = (): string => l10n.t("Generate Video");

/** Longest prompt that is changed in the one-line box; a longer one, or one of several lines, gets an editor. */
const maxBoxCharacters = 300;

/** Makes a video from what is selected in the active editor; says what to do when nothing is. */
export async function generateFromSelection(
	dependencies: VideoGenerateDependencies,
): Promise<void> {
	const selected = selectedText(vscode.window.activeTextEditor);
	if (!selected) {
		const choice = await vscode.window.showInformationMessage(
			l10n.t("Select the text to make a video from, then run the command again."),
			l10n.t("Describe a Video…"),
		);
		if (choice) {
			await generateFromPrompt(dependencies);
		}
		return;
	}
	const { text, ...source } = selected;
	const { endpoint, engine } = dependencies;
	const isDrawn = endpoint().kind === "local" && !engine?.();
	const language = vscode.window.activeTextEditor?.document.languageId ?? "plaintext";
	const prompt = isDrawn ? fencedSelection(selected, language) : text.trim();
	await generateFromText(dependencies, prompt, { source });
}

/** Asks for a prompt and makes a video from it; whether it was started. */
export async function generateFromPrompt(
	dependencies: VideoGenerateDependencies,
	start = "",
): Promise<boolean> {
	const prompt = await askPrompt(start);
	return prompt !== undefined && generateFromText(dependencies, prompt, {});
}

/** Asks for an image's address and makes a video from it. */
export async function generateFromImage(dependencies: VideoGenerateDependencies): Promise<void> {
	const image = await chooseImage(vscode.window.activeTextEditor);
	if (image) {
		await confirm(dependencies, { kind: "image", imageUrl: image.url }, { source: image.source });
	}
}

/** Makes a video from a text, after a look at its length; whether it was started. */
export async function generateFromText(
	dependencies: VideoGenerateDependencies,
	text: string,
	origin: VideoOrigin,
): Promise<boolean> {
	const prompt = await fitPrompt(text, tooLong => generateEdited(dependencies, tooLong, origin));
	return prompt !== undefined && confirm(dependencies, { kind: "text", prompt }, origin);
}

/** Makes a video from a text that the user edits in a document first, which stays open until the video is started. */
async function generateEdited(
	dependencies: VideoGenerateDependencies,
	text: string,
	origin: VideoOrigin,
): Promise<void> {
	await editPrompt(text, async edited => {
		const prompt = await fitPrompt(edited, () => Promise.resolve());
		return prompt !== undefined && confirm(dependencies, { kind: "text", prompt }, origin);
	});
}

/** Makes a video once more from the same request; the last step still shows what it will be. */
export async function generateAgain(
	dependencies: VideoGenerateDependencies,
	request: SentRequest,
	origin: VideoOrigin,
): Promise<void> {
	await confirm(dependencies, request, origin);
}

/** Makes a video from a request that the user changes first. */
export async function generateWithChanges(
	dependencies: VideoGenerateDependencies,
	request: SentRequest,
	origin: VideoOrigin,
): Promise<void> {
	if (request.kind === "image") {
		await confirm(dependencies, request, origin);
	} else if (request.prompt.includes("\n") || request.prompt.length > maxBoxCharacters) {
		await generateEdited(dependencies, request.prompt, origin);
	} else {
		const prompt = await askPrompt(request.prompt);
		if (prompt !== undefined) {
			await confirm(dependencies, { ...request, prompt }, origin);
		}
	}
}

/** The last step, then the job: the record is on disk before anything is sent. */
async function confirm(
	{ jobs, settings, spendingNotice, endpoint, engine }: VideoGenerateDependencies,
	request: SentRequest,
	origin: VideoOrigin,
): Promise<boolean> {
	const { duration, motionStrength } = request;
	const notice = spendingNotice();
	if (notice !== undefined) {
		void vscode.window.showInformationMessage(notice);
	}
	const offer = engine?.();
	const isDrawn = endpoint().kind === "local" && !offer;
	const prompt = request.kind === "text" ? request.prompt : request.imageUrl;
	const { symbol, file } = clipName({ request, source: origin.source }) ?? {};
	const options = await chooseVideoOptions(settings, {
		title: stepTitle(),
		name: symbol ?? file ?? promptTitle(prompt, maxNameCharacters),
		prompt,
		engine: offer,
		isDrawn,
		// A scene of a storyboard has the length that its document says.
		hasAuto: isDrawn && request.kind === "text" && !origin.scene,
		start: {
			duration,
			motionStrength,
		},
	});
	if (options) {
		await jobs.submitFor(requestOf(request, options), origin);
	}
	return options !== undefined;
}
