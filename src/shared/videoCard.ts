import * as z from "zod/mini";
import * as l10n from "@vscode/l10n";

/** Actions on a video job, shown as buttons. The host runs only actions that it offers. */
export const videoActionSchema = z.enum([
	/** “Submit”: nothing was sent before, so nothing can be charged twice. */
	"submit",
	/** “Submit again (may be charged)”. */
	"submitAgain",
	/** “Check again”: requests the job's state, or downloads the clip again. Free. */
	"checkAgain",
	"keepWatching",
	"stopWatching",
	"setApiKey",
	/** “Connect to a Service…” */
	"connect",
	"openSource",
	"copyPrompt",
	/** Copies ids, status, address, and what the service reported. */
	"copyDetails",
	"saveAs",
	"reveal",
	/** “Copy GIF”: creates the file and copies its path. */
	"copyGif",
	/** “Copy Image”: the page copies the image. If that fails, the host creates a file and copies its path. */
	"copyPicture",
	/** “Copy Markdown”: creates an animated image beside the document, and copies Markdown that shows it. */
	"copyMarkdown",
	/** “Export as…”: converts the clip to a file to share. */
	"exportAs",
	/** “Insert into README…”: creates an animated image beside the document, and inserts Markdown that shows it. */
	"insertImage",
	"insertLink",
	"insertTag",
	"openExternally",
	/** “Make Again”: repeats the request, charged like the first. */
	"generateAgain",
	/** “Change and Make Again…” */
	"generateWithChanges",
	/** Downloads a clip that is larger than the limit. */
	"downloadAnyway",
	/** “Submit Scenes”: scenes of a storyboard that were never sent or were rejected. */
	"submitScenes",
	/** “Join Scenes”: joins the clips of a storyboard again. */
	"joinScenes",
	/** “Show Scenes…”: lists the videos of a storyboard. */
	"showScenes",
	"showLog",
]);
export type VideoAction = z.infer<typeof videoActionSchema>;

/** Determines a job's color and icon. */
export const videoToneSchema = z.enum(["working", "ready", "attention", "failed", "stopped"]);
export type VideoTone = z.infer<typeof videoToneSchema>;

/** The most characters of a thumbnail as a `data:` URL. */
export const maxPictureCharacters = 100_000;

/** The largest clip that a card plays, in bytes. For a larger one it shows the thumbnail. */
export const maxCardClipBytes = 4_000_000;

/** A video below its question. Built from the job's record rather than the chat's log. */
export const videoCardSchema = z.strictObject({
	jobId: z.string(),
	turnId: z.string(),
	/** The start of the prompt, in one line. */
	title: z.string(),
	tone: videoToneSchema,
	label: z.string(),
	/** What happened, what was kept and what to do next. Empty if the label is enough. */
	sentence: z.string(),
	/** When the request was last sent, in milliseconds since 1970; the elapsed time counts from here. */
	startedAt: z.number(),
	/** Whether the job is in progress, so the elapsed time is shown. */
	isUnfinished: z.boolean(),
	/** The most likely actions, best first. “Open” and all other actions are always available. */
	actions: z.array(z.strictObject({ action: videoActionSchema, label: z.string() })),
	/** Whether there is a clip that the card can request and play. */
	hasClip: z.boolean(),
	/** Thumbnail as a `data:` URL, or null. */
	picture: z.nullable(z.string().check(z.maxLength(maxPictureCharacters))),
});
export type VideoCard = z.infer<typeof videoCardSchema>;

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
	copyPicture: () => l10n.t("Copy Image"),
	copyMarkdown: () => l10n.t("Copy Markdown"),
	exportAs: () => l10n.t("Export As…"),
	insertImage: () => l10n.t("Insert into README…"),
	insertLink: () => l10n.t("Insert Markdown Link"),
	insertTag: () => l10n.t("Insert HTML Video Tag"),
	openExternally: () => l10n.t("Open Externally"),
	generateAgain: () => l10n.t("Make Again"),
	generateWithChanges: () => l10n.t("Change and Make Again…"),
	downloadAnyway: () => l10n.t("Download Anyway"),
	submitScenes: () => l10n.t("Submit Scenes"),
	joinScenes: () => l10n.t("Join Scenes"),
	showScenes: () => l10n.t("Show Scenes…"),
	showLog: () => l10n.t("Show Log"),
};

export function videoActionName(action: VideoAction): string {
	return names[action]();
}
