import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import { autoSeconds } from "../../../clip/clipLength.ts";
import { type SelectedText, selectedText } from "../../../editor/selection.ts";
import { clipName, promptTitle } from "../../../video/job/clipName.ts";
import {
	maxScenes,
	type StoryboardScene,
	isDrawnClip,
	isFree,
	type VideoEndpoint,
	type VideoRequest,
} from "../../../video/job/videoJob.ts";
import { cutScenes } from "../../../video/storyboard/cutScenes.ts";
import {
	isSceneDocument,
	type SceneDocumentOptions,
	readSceneDocument,
	writeSceneDocument,
	proposalQuestion,
	proposedDocument,
} from "../../../video/storyboard/sceneDocument.ts";
import { whileCancellable } from "../../base/dialogs.ts";
import { openOwnDocument } from "../../../editor/userDocuments.ts";
import { closeUnsaved } from "../request/videoPromptDocument.ts";
import type { VideoGenerateDependencies, VideoOrigin } from "../request/videoGenerate.ts";
import { untilGenerated, videosName } from "./storyboardDocument.ts";
import { maxPromptCharacters, type VideoEngineOffer } from "../../../common/videoEngines.ts";
import { fencedCode, firstLineOf } from "../request/videoRequest.ts";

export interface StoryboardDependencies extends VideoGenerateDependencies {
	/** Asks the chat's model a question. Throws an error with a message for the user if there is no answer. */
	readonly askModel: (question: string, signal: AbortSignal) => Promise<string>;
	/** Whether a model answers in the chat, rather than the demo. */
	readonly hasModel: () => Promise<boolean>;
}

type Storyboard = Extract<VideoRequest, { kind: "storyboard" }>;

const emptyScenes = (motionStrength: number): readonly StoryboardScene[] =>
	[1, 2, 3].map(number => ({
		prompt: l10n.t("What scene {0} shows", number),
		duration: 2,
		motionStrength,
	}));

/**
 * Splits the selection into scenes and opens them in a document. An existing scene document is used as it is. Sends nothing before the user confirms
 * the last step, which shows the number of videos.
 */
export async function generateStoryboard(dependencies: StoryboardDependencies): Promise<void> {
	const editor = vscode.window.activeTextEditor;
	const motionStrength = dependencies.settings.get("video.motionStrength");
	if (editor && isSceneDocument(editor.document.getText())) {
		await generateFromDocument(dependencies, editor.document, {});
		return;
	}
	const selected = selectedText(editor);
	if (!selected) {
		const start = l10n.t("Write the Scenes…");
		const choice = await vscode.window.showInformationMessage(
			l10n.t("Select the text to cut into scenes, then run the command again."),
			start,
		);
		if (choice === start) {
			await editScenes(dependencies, { scenes: emptyScenes(motionStrength), title: "" }, {});
		}
		return;
	}
	const { text, ...source } = selected;
	const language = editor?.document.languageId ?? "plaintext";
	const isDrawn = isDrawnClip(dependencies.endpoint());
	const { symbol, file } = clipName({ request: { kind: "text", prompt: text }, source }) ?? {};
	const options = { title: symbol ?? file ?? promptTitle(text), isDrawn };
	const cut = cutScenes(text, motionStrength, isDrawn);
	const scenes = isDrawn && cut ? fencedScenes(cut, selected, language) : cut;
	const content = await scenesOf(dependencies, text, scenes, options);
	if (content !== undefined) {
		await editDocument(dependencies, content, { source });
	}
}

/** Puts scenes of selected code into fences with its language, file name and known line numbers, as the local renderer shows them. */
export function fencedScenes(
	scenes: readonly StoryboardScene[],
	selected: Pick<SelectedText, "text" | "name" | "startLine" | "endLine">,
	languageId: string,
): readonly StoryboardScene[] {
	const source = selected.text.replaceAll(/\r\n?/g, "\n");
	const start = firstLineOf(selected);
	let from = 0;
	return scenes.map(scene => {
		const at = source.indexOf(scene.prompt, from);
		// After a scene with an added fence, which isn't found, the place of the others is unknown, too.
		from = at === -1 ? source.length : at + scene.prompt.length;
		const lines = source.slice(0, at).split("\n").length - 1;
		const first = start === undefined || at === -1 ? undefined : start + lines;
		const prompt = fencedCode({ text: scene.prompt, name: selected.name }, first, languageId);
		const duration = autoSeconds(prompt, scene.motionStrength);
		return [...prompt].length > maxPromptCharacters ? scene : { ...scene, prompt, duration };
	});
}

/** Returns a text's scene document: cut without changing the text, or proposed by the chat's model, as the user chooses. */
async function scenesOf(
	{ askModel, hasModel, endpoint, settings }: StoryboardDependencies,
	text: string,
	scenes: readonly StoryboardScene[] | undefined,
	options: SceneDocumentOptions,
): Promise<string | undefined> {
	const { kind, label } = endpoint();
	const cut = {
		label: `$(list-ordered) ${l10n.t("Cut the Text into Scenes")}`,
		detail: scenes
			? l10n.t("Splits at headings, paragraphs and code, word for word.")
			: l10n.t("The selection is too long for {0} scenes of 4000 characters.", maxScenes),
	};
	const canPropose = await hasModel();
	const propose = {
		label: `$(sparkle) ${l10n.t("Let the Chat's Model Propose Scenes")}`,
		detail: !canPropose
			? l10n.t("Needs a model, which you choose next.")
			: kind === "local"
				? l10n.t("Asks the chat's model one question, with the selection in it.")
				: l10n.t("Sends the selection to {0} as one question, which may be charged.", label),
	};
	const picked = await vscode.window.showQuickPick([...(scenes ? [cut] : []), propose], {
		title: l10n.t("Make Storyboard"),
		placeHolder: scenes ? l10n.t("Choose how the scenes are made") : cut.detail,
	});
	if (picked !== propose) {
		return picked && scenes ? writeSceneDocument(scenes, options) : undefined;
	}
	if (!canPropose) {
		await vscode.commands.executeCommand("cutaway.chooseModel");
		if (!(await hasModel())) {
			return undefined;
		}
	}
	return await proposed(
		askModel,
		proposalQuestion(text, settings.get("video.motionStrength"), options.isDrawn),
		options,
	);
}

/** Asks the model, with progress and Cancel. Resolves to undefined if the user cancels, or after a message if the answer contains no scenes. */
async function proposed(
	askModel: StoryboardDependencies["askModel"],
	question: string,
	options: SceneDocumentOptions,
): Promise<string | undefined> {
	return await whileCancellable(l10n.t("Waiting for the model's scenes"), async signal => {
		const content = proposedDocument(await askModel(question, signal), options);
		if (content === undefined) {
			void vscode.window.showWarningMessage(
				l10n.t("The answer contains no scenes. Run the command again to cut the text."),
			);
		}
		return content;
	});
}

/** Opens scenes in a document for editing. Closes it once the videos were started, which contain the text. */
export async function editScenes(
	dependencies: VideoGenerateDependencies,
	{ scenes, title = "" }: Pick<Storyboard, "scenes" | "title">,
	origin: VideoOrigin,
): Promise<void> {
	const isDrawn = isDrawnClip(dependencies.endpoint());
	await editDocument(dependencies, writeSceneDocument(scenes, { title, isDrawn }), origin);
}

async function editDocument(
	dependencies: VideoGenerateDependencies,
	content: string,
	origin: VideoOrigin,
): Promise<void> {
	await generateFromDocument(dependencies, await openOwnDocument(content, "markdown"), origin);
}

async function generateFromDocument(
	dependencies: VideoGenerateDependencies,
	document: vscode.TextDocument,
	origin: VideoOrigin,
): Promise<void> {
	let text = "";
	const isStarted = await untilGenerated(document, dependencies, () => {
		text = document.getText();
		return confirm(dependencies, text, origin);
	});
	// Later edits exist only in the document.
	if (isStarted && document.isUntitled && document.getText() === text) {
		await closeUnsaved(document);
	}
}

/** Shows the last step with number, length and service of the videos. All are recorded before the first is sent. */
async function confirm(
	{ jobs, spendingNotice, endpoint, engine }: VideoGenerateDependencies,
	text: string,
	{ source, chat }: VideoOrigin,
): Promise<boolean> {
	const shown = endpoint();
	const { title, scenes, faults } = readSceneDocument(text, isDrawnClip(shown));
	if (faults[0]) {
		void vscode.window.showWarningMessage(
			l10n.t("Line {0}: {1}", faults[0].startLine + 1, faults[0].message),
		);
		return false;
	}
	const notice = spendingNotice();
	if (notice !== undefined) {
		void vscode.window.showInformationMessage(notice);
	}
	// The list appears busy until the price is known or known to be unavailable.
	const picked = await vscode.window.showQuickPick(stepItems(scenes, shown, engine?.()), {
		title: l10n.t("Make Storyboard"),
		placeHolder: isDrawnClip(shown)
			? l10n.t("Enter makes the clip; nothing was requested so far")
			: l10n.t("Enter makes the videos; none was requested so far"),
		ignoreFocusOut: true,
	});
	if (!picked?.isGenerate) {
		return false;
	}
	const now = endpoint();
	if (now.origin !== shown.origin || now.engine !== shown.engine) {
		void vscode.window.showWarningMessage(
			l10n.t("Videos are made by {0} now. Nothing was requested; start again.", now.label),
		);
		return false;
	}
	await jobs.submit(
		{ kind: "storyboard", scenes, ...(title !== "" && { title }) },
		{ source, chat },
	);
	return true;
}

export interface StepItem extends vscode.QuickPickItem {
	readonly isGenerate?: true;
}

/** Returns the items of that step, once the price is known or known to be unavailable. */
export async function stepItems(
	scenes: readonly StoryboardScene[],
	endpoint: VideoEndpoint,
	offer: VideoEngineOffer | undefined,
): Promise<readonly StepItem[]> {
	const seconds = scenes.reduce((sum, { duration }) => sum + duration, 0);
	const price = await offer?.price;
	const cost = offer && price?.(...scenes.map(({ duration }) => offer.seconds(duration)));
	return [
		{
			label: `$(play) ${videosName(scenes.length, endpoint)}`,
			description: [
				l10n.t("{0} s in all", seconds),
				...(cost === undefined ? [] : [l10n.t("{0} in all", cost)]),
			].join(" · "),
			detail: requestsName(endpoint),
			isGenerate: true,
		},
		{ label: `$(edit) ${l10n.t("Keep Editing")}` },
	];
}

function requestsName(endpoint: VideoEndpoint): string {
	const { label } = endpoint;
	if (isDrawnClip(endpoint)) {
		return l10n.t("One after the other, on this machine. Nothing is charged.");
	}
	return isFree(endpoint)
		? l10n.t("One request for each, to {0}.", label)
		: l10n.t("One request for each, to {0}. Each may be charged.", label);
}
