import { basename, dirname, join } from "node:path";
import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import type { VideoJob } from "../../../video/job/videoJob.ts";
import { formatSize } from "../../base/amounts.ts";
import { videoJobView } from "../views/videoJobView.ts";
import { type LastDocuments, takesTags, placeFile, statOf } from "./documentTarget.ts";
import { fileNameOf, imageChoice } from "./exportFormat.ts";
import { makeFile, type VideoShareDependencies } from "./exportVideo.ts";
import { choosePlace, type InsertDestination, insertText } from "./videoInsert.ts";
import { imageTag, linkAddress, markdownImage } from "./videoLinks.ts";

/** Common folders for images of documents, most likely first. */
const usualFolders = ["media", "images", "img", "assets", "docs/images", "docs/assets", "static"];

/**
 * Writes an animated WebP beside the last used document, and inserts Markdown or HTML for it with a description as alternative text. Asks for the
 * place, showing the size, unless there is a `destination`; writes nothing before.
 */
export async function insertForReadme(
	context: VideoShareDependencies & { readonly documents: LastDocuments },
	job: VideoJob,
	destination?: InsertDestination,
): Promise<void> {
	const { clip, alt, source } = videoJobView(job);
	const target = await context.documents.find(source && vscode.Uri.parse(source.uri));
	const choice = imageChoice(context.exportMemory, "webp");
	const copying = destination === "clipboard" ? { signal: context.previews.startCopy() } : {};
	const bytes = target && (await makeFile(context, job, choice, copying));
	if (!clip || !bytes) {
		return;
	}
	const document = target.uri.fsPath;
	const folder = await folderFor(document);
	const name = fileNameOf(clip.name, choice);
	const saved = vscode.workspace.asRelativePath(join(folder, name));
	const place =
		destination ??
		(await choosePlace(target, {
			title: l10n.t("Insert into {0}", `${basename(document)} (${formatSize(bytes.length)})`),
			placeHolder: l10n.t("The image is saved as {0}", saved),
		}));
	if (place) {
		const { uri, isNew } = await placeFile(vscode.Uri.file(folder), name, bytes);
		const address = linkAddress(document, uri.fsPath);
		const text = takesTags(target.uri) ? imageTag(alt, address) : markdownImage(alt, address);
		await insertText(target, place, text, async () => {
			if (isNew) {
				await vscode.workspace.fs.delete(uri);
			}
		});
	}
}

/** Creates a file beside a clip and copies its path, because an editor can't copy files. Stops a copy that is still being made. The notification contains its size. */
export async function copyClipFile(
	context: VideoShareDependencies,
	job: VideoJob,
	format: "gif" | "png",
	revealFile: (path: string) => Promise<void>,
): Promise<void> {
	const { clip } = videoJobView(job);
	const choice = imageChoice(context.exportMemory, format);
	const signal = context.previews.startCopy();
	const bytes = clip && (await makeFile(context, job, choice, { signal }));
	if (!clip || !bytes) {
		return;
	}
	const folder = vscode.Uri.file(dirname(clip.file));
	const { uri } = await placeFile(folder, fileNameOf(clip.name, choice), bytes);
	await vscode.env.clipboard.writeText(uri.fsPath);
	const reveal = l10n.t("Reveal in Folder");
	const name = basename(uri.path);
	const told = l10n.t("The path of {0} ({1}) is copied.", name, formatSize(bytes.length));
	if ((await vscode.window.showInformationMessage(told, reveal)) === reveal) {
		await revealFile(uri.fsPath);
	}
}

/** Returns an existing folder for images beside a document, or the name of a new one. */
async function folderFor(document: string): Promise<string> {
	const here = dirname(document);
	for (const name of usualFolders) {
		const found = await statOf(vscode.Uri.file(join(here, name)));
		if ((found?.type ?? 0) & vscode.FileType.Directory) {
			return join(here, name);
		}
	}
	return join(here, "media");
}
