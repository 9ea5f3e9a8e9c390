import type { VideoAction } from "./video.ts";

/** How an action is called, and its codicon; one table for the preview's buttons and for native menus. */
export const videoActionNames: Readonly<
	Record<VideoAction, { readonly label: string; readonly icon: string }>
> = {
	submit: { label: "Submit", icon: "send" },
	submitAgain: { label: "Submit Again (May Be Charged)", icon: "send" },
	checkAgain: { label: "Check Again", icon: "refresh" },
	keepWatching: { label: "Keep Watching", icon: "eye" },
	stopWatching: { label: "Stop Watching", icon: "eye-closed" },
	setApiKey: { label: "Set API Key…", icon: "key" },
	connect: { label: "Connect to a Service…", icon: "plug" },
	openSource: { label: "Go to Source", icon: "go-to-file" },
	copyPrompt: { label: "Copy Prompt", icon: "copy" },
	copyDetails: { label: "Copy Details", icon: "copy" },
	saveAs: { label: "Save As…", icon: "save-as" },
	reveal: { label: "Reveal in Folder", icon: "folder-opened" },
	insertLink: { label: "Insert Markdown Link", icon: "markdown" },
	insertTag: { label: "Insert HTML Video Tag", icon: "code" },
	openExternally: { label: "Open Externally", icon: "link-external" },
	generateAgain: { label: "Generate Again", icon: "sparkle" },
	generateWithChanges: { label: "Generate with Changes…", icon: "edit" },
	downloadAnyway: { label: "Download Anyway", icon: "cloud-download" },
	showLog: { label: "Show Log", icon: "output" },
};
