import * as l10n from "@vscode/l10n";
import type { VideoAction } from "./video.ts";

/** The codicons of actions, for the preview's buttons and native menus. */
export const videoActionIcons: Readonly<Record<VideoAction, string>> = {
	submit: "send",
	submitAgain: "send",
	checkAgain: "refresh",
	keepWatching: "eye",
	stopWatching: "stop-circle",
	setApiKey: "key",
	connect: "plug",
	openSource: "go-to-file",
	copyPrompt: "copy",
	copyDetails: "copy",
	saveAs: "save-as",
	reveal: "folder-opened",
	copyGif: "copy",
	copyPicture: "copy",
	copyMarkdown: "copy",
	exportAs: "export",
	insertImage: "markdown",
	insertLink: "link",
	insertTag: "code",
	openExternally: "link-external",
	generateAgain: "sparkle",
	generateWithChanges: "edit",
	downloadAnyway: "cloud-download",
	submitScenes: "send",
	joinScenes: "refresh",
	showScenes: "list-unordered",
	showLog: "output",
};

const names: Readonly<Record<VideoAction, () => string>> = {
	submit: () => l10n.t("Submit"),
	submitAgain: () => l10n.t("Submit Again (May Be Charged)"),
	checkAgain: () => l10n.t("Check Again"),
	keepWatching: () => l10n.t("Keep Tracking"),
	stopWatching: () => l10n.t("Stop Tracking"),
	setApiKey: () => l10n.t("Set API Key…"),
	connect: () => l10n.t("Connect to a Service…"),
	openSource: () => l10n.t("Go to Source"),
	copyPrompt: () => l10n.t("Copy Prompt"),
	copyDetails: () => l10n.t("Copy Details"),
	saveAs: () => l10n.t("Save As…"),
	reveal: () => l10n.t("Reveal in Folder"),
	copyGif: () => l10n.t("Copy GIF"),
	copyPicture: () => l10n.t("Copy Picture"),
	copyMarkdown: () => l10n.t("Copy Markdown"),
	exportAs: () => l10n.t("Export As…"),
	insertImage: () => l10n.t("Insert into README…"),
	insertLink: () => l10n.t("Insert Markdown Link"),
	insertTag: () => l10n.t("Insert HTML Video Tag"),
	openExternally: () => l10n.t("Open Externally"),
	generateAgain: () => l10n.t("Generate Again"),
	generateWithChanges: () => l10n.t("Generate with Changes…"),
	downloadAnyway: () => l10n.t("Download Anyway"),
	submitScenes: () => l10n.t("Submit Scenes"),
	joinScenes: () => l10n.t("Join Scenes"),
	showScenes: () => l10n.t("Show Scenes…"),
	showLog: () => l10n.t("Show Log"),
};

export function videoActionName(action: VideoAction): string {
	return names[action]();
}
