import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import type { ChosenLook } from "../../../common/clipLooks.ts";
import { maxPromptCharacters, type VideoEngineOffer } from "../../../common/videoEngines.ts";
import { addressAt, addressIn, imageUrlsIn } from "../../../editor/imageUrls.ts";
import { selectionOrigin, selectedText } from "../../../editor/selection.ts";
import { formatCount } from "../../../shared/locale.ts";
import { clipName, oneLine, promptTitle } from "../../../video/job/clipName.ts";
import {
	isDrawnClip,
	partOf,
	type VideoEndpoint,
	type VideoJob,
	type VideoSource,
} from "../../../video/job/videoJob.ts";
import type { VideoJobs } from "../../../video/videoJobs.ts";
import { untilChosen } from "../../base/dialogs.ts";
import { keepLook, type Settings } from "../../base/settings.ts";
import { chooseVideoOptions } from "./videoOptions.ts";
import { measurePrompt, shortenPrompt, tooLongMessage } from "./videoPrompt.ts";
import { editPrompt } from "./videoPromptDocument.ts";
import { fencedSelection, requestOf, type SentRequest } from "./videoRequest.ts";

export interface VideoGenerateDependencies {
	readonly jobs: Pick<VideoJobs, "submit">;
	readonly settings: Pick<Settings, "get" | "set">;
	/** Returns a notice about spending before another video is sent, if any. */
	readonly spendingNotice: () => string | undefined;
	readonly endpoint: () => VideoEndpoint;
	/** Returns information about the engine; undefined for a service and the local renderer. */
	readonly engine?: () => VideoEngineOffer | undefined;
	/** Reads the colors of a prompt's code, so that its clip has them at once. */
	readonly prepareClip?: (prompt: string) => void;
	/** What the look in the last step starts with in place of the settings. */
	readonly look?: Partial<ChosenLook> | undefined;
}

/** Origin of a video: the location of its text, its question in a chat, or its storyboard, if any. */
export type VideoOrigin = Pick<VideoJob, "source" | "chat" | "scene">;

/** Returns what starts a video, which is called a clip where it is drawn here. */
function makeName(isDrawn: boolean): string {
	return isDrawn ? l10n.t("Make Clip") : l10n.t("Make Video");
}

/** The longest prompt for the single-line input; longer ones, and those with several lines, are edited in a document. */
const maxBoxCharacters = 300;

/** Whether the local renderer makes a video started now. */
export function isDrawnHere({
	endpoint,
	engine,
}: Pick<VideoGenerateDependencies, "endpoint" | "engine">): boolean {
	return endpoint().kind === "local" && !engine?.();
}

/** Makes a video from the active editor's selection. Shows a hint if there is none. */
export async function generateFromSelection(
	dependencies: VideoGenerateDependencies,
): Promise<void> {
	const selected = selectedText(vscode.window.activeTextEditor);
	if (!selected) {
		const choice = await vscode.window.showInformationMessage(
			l10n.t("Select the text to make a clip from, then run the command again."),
			l10n.t("Describe a Video…"),
		);
		if (choice) {
			await generateFromPrompt(dependencies);
		}
		return;
	}
	const { text, ...source } = selected;
	const language = vscode.window.activeTextEditor?.document.languageId ?? "plaintext";
	const prompt = isDrawnHere(dependencies) ? fencedSelection(selected, language) : text.trim();
	await generateFromText(dependencies, prompt, { source });
}

/** Asks for a prompt and makes a video from it. Resolves to whether it was started. */
export async function generateFromPrompt(
	dependencies: VideoGenerateDependencies,
	start = "",
): Promise<boolean> {
	const prompt = await askPrompt(isDrawnHere(dependencies), start);
	return prompt !== undefined && generateFromText(dependencies, prompt, {});
}

/** Asks for an image's URL and makes a video from it. */
export async function generateFromImage(dependencies: VideoGenerateDependencies): Promise<void> {
	const image = await chooseImage(vscode.window.activeTextEditor);
	if (image) {
		await confirm(dependencies, { kind: "image", imageUrl: image.url }, { source: image.source });
	}
}

/** Makes a video from a text after checking its length. Resolves to whether it was started. */
export async function generateFromText(
	dependencies: VideoGenerateDependencies,
	text: string,
	origin: VideoOrigin,
): Promise<boolean> {
	const prompt = await fitPrompt(text, tooLong => generateEdited(dependencies, tooLong, origin));
	return prompt !== undefined && confirm(dependencies, { kind: "text", prompt }, origin);
}

/** Makes a video from a text that the user edits in a document, which stays open until the video is started. */
async function generateEdited(
	dependencies: VideoGenerateDependencies,
	text: string,
	origin: VideoOrigin,
): Promise<void> {
	await editPrompt(text, makeName(isDrawnHere(dependencies)), async edited => {
		const prompt = await fitPrompt(edited, () => Promise.resolve());
		return prompt !== undefined && confirm(dependencies, { kind: "text", prompt }, origin);
	});
}

/**
 * Makes a video from the same request again. The last step still shows the options, except for a part of a longer scene, which fits the others only
 * unchanged. Throws an error with a message for the user if the part can't be drawn now.
 */
export async function generateAgain(
	dependencies: VideoGenerateDependencies,
	request: SentRequest,
	origin: VideoOrigin,
): Promise<void> {
	if (!partOf(request)) {
		await confirm(dependencies, request, origin);
		return;
	}
	const { jobs, settings, endpoint, look } = dependencies;
	if (!isDrawnClip(endpoint())) {
		throw new Error(l10n.t("This part of a scene can only be drawn on this machine."));
	}
	await keepLook(settings, look ?? {});
	await jobs.submit(request, origin);
}

/** Makes a video from a request that the user edits first. */
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
		const prompt = await askPrompt(isDrawnHere(dependencies), request.prompt);
		if (prompt !== undefined) {
			await confirm(dependencies, { ...request, prompt }, origin);
		}
	}
}

/** Shows the last step and submits the job. Its record is on disk before anything is sent. */
async function confirm(
	dependencies: VideoGenerateDependencies,
	request: SentRequest,
	origin: VideoOrigin,
): Promise<boolean> {
	const { jobs, settings, spendingNotice, engine, look, prepareClip } = dependencies;
	const { duration, motionStrength } = request;
	const notice = spendingNotice();
	if (notice !== undefined) {
		void vscode.window.showInformationMessage(notice);
	}
	const isDrawn = isDrawnHere(dependencies);
	const prompt = request.kind === "text" ? request.prompt : request.imageUrl;
	if (isDrawn && request.kind === "text") {
		prepareClip?.(prompt);
	}
	const { symbol, file } = clipName({ request, source: origin.source }) ?? {};
	const options = await chooseVideoOptions(settings, {
		title: makeName(isDrawn),
		name: symbol ?? file ?? promptTitle(prompt),
		prompt,
		engine: engine?.(),
		isDrawn,
		isPicture: request.kind === "image",
		// The length of a storyboard's scene is set in its document.
		hasAuto: isDrawn && request.kind === "text" && !origin.scene,
		start: { duration, motionStrength, ...look },
	});
	if (options) {
		const { prompt: text } = options;
		const chosen =
			request.kind === "text" ? { ...request, prompt: text } : { ...request, imageUrl: text };
		await jobs.submit(requestOf(chosen, options), origin);
	}
	return options !== undefined;
}

/** Asks for a prompt in one line, with `start` as the initial text. Resolves to undefined if the user cancels. */
async function askPrompt(isDrawn: boolean, start: string): Promise<string | undefined> {
	const prompt = await vscode.window.showInputBox({
		title: makeName(isDrawn),
		prompt: isDrawn
			? l10n.t("Write what the clip shows, then press Enter")
			: l10n.t("Describe the video, then press Enter"),
		placeHolder: l10n.t("A paper boat on a quiet river at dawn"),
		value: start,
		ignoreFocusOut: true,
		validateInput: text => {
			const length = measurePrompt(text.trim(), maxPromptCharacters);
			return length.excess > 0 ? tooLongMessage(length, maxPromptCharacters) : undefined;
		},
	});
	return prompt === undefined || prompt.trim() === "" ? undefined : prompt.trim();
}

/**
 * Returns a prompt within the service's limit. A longer one is never cut silently: the user can edit it in an editor or have it shortened at a
 * suitable place. Resolves to undefined if the user cancels or edits.
 */
async function fitPrompt(
	prompt: string,
	onEdit: (prompt: string) => Promise<void>,
): Promise<string | undefined> {
	const short = shortenPrompt(prompt, maxPromptCharacters);
	if (!short) {
		return prompt.trim();
	}
	const shorten = shortenings[short.end]();
	const edit = l10n.t("Edit");
	const { characters } = measurePrompt(short.text, maxPromptCharacters);
	const choice = await vscode.window.showWarningMessage(
		tooLongMessage(measurePrompt(prompt, maxPromptCharacters), maxPromptCharacters),
		{
			modal: true,
			detail: l10n.t(
				"Shortened, it has {0} characters and ends with:\n\n“…{1}”",
				formatCount(characters),
				short.text.slice(-160).trimStart(),
			),
		},
		shorten,
		edit,
	);
	if (choice === edit) {
		await onEdit(prompt);
		return undefined;
	}
	return choice === undefined ? undefined : short.text;
}

/** Labels by where the shortened prompt would end. Text without sentences has no sentence end. */
const shortenings = {
	change: () => l10n.t("Leave Out the Last Changes"),
	sentence: () => l10n.t("Shorten at a Sentence End"),
	line: () => l10n.t("Shorten at a Line End"),
	word: () => l10n.t("Shorten at a Word"),
	character: () => l10n.t("Cut at the Limit"),
} as const;

/** The URL of an image, and its location if it came from a document. */
interface ChosenImage {
	readonly url: string;
	readonly source?: VideoSource;
}

interface ImageItem extends vscode.QuickPickItem {
	readonly url?: string;
}

/** Asks for an image's URL: the selected one, that at the cursor, another of the document, or typed. Undefined if canceled. */
async function chooseImage(
	editor: vscode.TextEditor | undefined,
): Promise<ChosenImage | undefined> {
	const near = editor && addressNearCursor(editor);
	const inDocument = editor ? imageUrlsIn(editor.document.getText()) : [];
	const offered = [...new Set([...(near === undefined ? [] : [near]), ...inDocument])];
	const url = await pickAddress(offered, near);
	if (url === undefined || !editor || !offered.includes(url)) {
		return url === undefined ? undefined : { url };
	}
	const line =
		url === near
			? editor.selection.start.line
			: editor.document.positionAt(editor.document.getText().indexOf(url)).line;
	return { url, source: selectionOrigin(editor.document, line, line) };
}

function addressNearCursor({ document, selection }: vscode.TextEditor): string | undefined {
	return selection.isEmpty
		? addressAt(document.lineAt(selection.active.line).text, selection.active.character)
		: addressIn(document.getText(selection).trim());
}

function pickAddress(
	offered: readonly string[],
	near: string | undefined,
): Promise<string | undefined> {
	const pick = vscode.window.createQuickPick<ImageItem>();
	const offers: ImageItem[] = offered.map(url => ({
		label: `$(file-media) ${oneLine(nameOf(url), 80)}`,
		description: url === near ? l10n.t("at the cursor") : "",
		detail: url,
		url,
	}));
	pick.title = l10n.t("Make Clip from Image URL");
	pick.placeholder =
		offers.length > 0
			? l10n.t("Choose an image of this document, or paste an address")
			: l10n.t("Paste the address of an image that the service can reach, such as https://…");
	pick.matchOnDetail = true;
	pick.ignoreFocusOut = true;
	pick.items = offers;
	pick.onDidChangeValue(value => {
		const typed = typedItem(value);
		pick.items = typed ? [typed, ...offers.filter(({ url }) => url !== typed.url)] : offers;
	});
	// The item for typed text may not exist yet at a quick Enter.
	return untilChosen(pick, chosen => chosen?.url ?? typedItem(pick.value)?.url);
}

/** Returns the item for typed text: the URL, or why it is invalid. */
function typedItem(value: string): ImageItem | undefined {
	const text = value.trim();
	if (text === "") {
		return undefined;
	}
	const url = addressIn(text);
	return url === text
		? { label: `$(link) ${l10n.t("Use this address")}`, detail: url, url, alwaysShow: true }
		: {
				label: `$(info) ${l10n.t("The service can't use this address")}`,
				detail: l10n.t("Use https, without a user name or password."),
				alwaysShow: true,
			};
}

function nameOf(url: string): string {
	const { pathname, hostname } = new URL(url);
	const name = pathname.slice(pathname.lastIndexOf("/") + 1);
	try {
		return decodeURIComponent(name) || hostname;
	} catch {
		// Shows an incorrectly encoded name unchanged.
		return name;
	}
}
