import { basename, dirname, join } from "node:path";
import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import type { VideoJob } from "../../../video/job/index.ts";
import { formatSize } from "../../base/amounts.ts";
import { videoJobView } from "../views/index.ts";
import { fileNameOf, lastChoice } from "./exportFormat.ts";
import { makeFile, type VideoShareDependencies } from "./exportVideo.ts";
import { placeFile, statOf } from "./placeFile.ts";
import { insertAtCursor, type LastTextEditor } from "./videoInsert.ts";
import { imageTag, linkAddress, markdownImage } from "./videoLinks.ts";

/** Folders in which projects keep the pictures of their documents, the likeliest first. */
const usualFolders = ["media", "images", "img", "assets", "docs/images", "docs/assets", "static"];

/**
 * Writes an animated WebP beside the document of the last text editor and inserts the text that shows it, with the prompt as its
 * alternative text. The folder is asked for with the size in sight; nothing is written before.
 */
export async function insertForReadme(
	context: VideoShareDependencies & { readonly lastEditor: LastTextEditor },
	job: VideoJob,
): Promise<void> {
	const { clip, title } = videoJobView(job);
	const choice = { ...lastChoice(context.exportMemory), format: "webp" } as const;
	// Before the editor comes to the front, perhaps in place of the preview that makes the file.
	const bytes = await makeFile(context, job, choice);
	if (!clip || !bytes) {
		return;
	}
	const editor = await context.lastEditor.show();
	if (!editor) {
		return;
	}
	const target = editor.document;
	if (target.uri.scheme !== "file") {
		throw new Error(l10n.t("Save the document first, so that the picture can be put next to it."));
	}
	const folder = await chooseFolder(target.uri.fsPath, bytes.length);
	if (folder === undefined) {
		return;
	}
	const name = fileNameOf(clip.name, choice);
	const file = (await placeFile(vscode.Uri.file(folder), name, bytes)).fsPath;
	const address = linkAddress(target.uri.fsPath, file);
	const isHtml =
		["html", "mdx"].includes(target.languageId) || /\.(?:html?|mdx)$/.test(target.fileName);
	await insertAtCursor(editor, isHtml ? imageTag(title, address) : markdownImage(title, address));
	const done = l10n.t("Inserted {0} ({1})", basename(file), formatSize(bytes.length));
	void vscode.window.setStatusBarMessage(done, 5000);
}

/** Asks where the picture goes: a folder where pictures already are, or one beside the document. Undefined when the user leaves. */
async function chooseFolder(document: string, size: number): Promise<string | undefined> {
	const here = dirname(document);
	const existing: string[] = [];
	for (const name of usualFolders) {
		const found = await statOf(vscode.Uri.file(join(here, name)));
		if ((found?.type ?? 0) & vscode.FileType.Directory) {
			existing.push(name);
		}
	}
	const made = existing.includes("media") ? [] : ["media"];
	const items = [
		...existing.map(name => ({ label: `${name}/`, folder: join(here, name), description: "" })),
		...made.map(name => ({
			label: `${name}/`,
			folder: join(here, name),
			description: l10n.t("new folder"),
		})),
		{ label: "./", folder: here, description: l10n.t("next to {0}", basename(document)) },
	];
	const picked = await vscode.window.showQuickPick(items, {
		title: l10n.t("Insert for README ({0})", formatSize(size)),
		placeHolder: l10n.t("Choose the folder for the picture"),
	});
	return picked?.folder;
}
