import { basename, dirname, extname, join } from "node:path";
import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import { type ExportFormat, hasTransparency } from "../../../shared/video.ts";
import type { VideoJob } from "../../../video/job/videoJob.ts";
import { formatSize } from "../../base/amounts.ts";
import { untilChosen, whileCancellable } from "../../base/dialogs.ts";
import type { StoredValue } from "../../base/keptValue.ts";
import { type VideoJobView, videoJobView } from "../views/videoJobView.ts";
import type { KeptDrawings, VideoPreviews } from "../views/videoPreview.ts";
import { type LastDocuments, placeFile, statOf, needsHtml } from "./documentTarget.ts";
import {
	estimatedBytes,
	type ExportChoice,
	fileNameOf,
	formatName,
	gitHubBytes,
	imageChoice,
	lastChoice,
	measuredWidth,
	widthsFor,
} from "./exportFormat.ts";
import { choosePlace, type InsertDestination, insertText } from "./videoInsert.ts";
import { imageTag, linkAddress, markdownImage } from "./videoLinks.ts";

export interface VideoShareDependencies {
	readonly previews: Pick<VideoPreviews, "exportClip" | "clipWidth" | "isDrawn" | "startCopy">;
	readonly exportMemory: StoredValue;
}

/** Asks for a format, creates the file, and saves it where the user chooses, showing its size first. `copyClip` saves the clip's own file. */
export async function exportVideo(
	dependencies: VideoShareDependencies,
	job: VideoJob,
	copyClip: (file: string) => Promise<void>,
): Promise<void> {
	const { clip, captions } = videoJobView(job);
	if (!clip) {
		return;
	}
	const drawings: KeptDrawings = new Map();
	const about = {
		clip,
		hasWords: captions.length > 0,
		width: dependencies.previews.clipWidth(job.id),
		isDrawn: await dependencies.previews.isDrawn(job.id),
		sizeOf: (choice: ExportChoice, signal: AbortSignal) =>
			dependencies.previews.exportClip(job.id, choice, signal, () => undefined, drawings),
	};
	const choice = await chooseExport(dependencies.exportMemory, about);
	if (choice === "as it is") {
		return await copyClip(clip.file);
	}
	const bytes = choice && (await makeFile(dependencies, job, choice, { drawings }));
	if (!bytes) {
		return;
	}
	const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
	const name = fileNameOf(clip.name, choice);
	const target = await vscode.window.showSaveDialog({
		title: l10n.t("Save {0}", `${formatName(choice.format)} (${formatSize(bytes.length)})`),
		saveLabel: l10n.t("Save {0}", formatSize(bytes.length)),
		filters: { [formatName(choice.format)]: [choice.format] },
		...(folder ? { defaultUri: vscode.Uri.joinPath(folder, name) } : {}),
	});
	if (target) {
		await vscode.workspace.fs.writeFile(target, bytes);
		const saved = l10n.t("Saved {0}", `${basename(target.path)} (${formatSize(bytes.length)})`);
		void vscode.window.setStatusBarMessage(saved, 5000);
	}
}

/** Creates the file in the clip's preview, from `drawings` if they fit, with progress and Cancel. Resolves to undefined if the user cancels or `signal` aborts. */
export async function makeFile(
	{ previews }: VideoShareDependencies,
	{ id }: VideoJob,
	choice: ExportChoice,
	{ drawings, signal }: { readonly drawings?: KeptDrawings; readonly signal?: AbortSignal } = {},
): Promise<Buffer | undefined> {
	const title = l10n.t("Exporting as {0}", formatName(choice.format));
	return await whileCancellable(title, (stopped, onProgress) => {
		const either = AbortSignal.any([stopped, ...(signal ? [signal] : [])]);
		return previews.exportClip(id, choice, either, onProgress, drawings);
	});
}

const formats: readonly ExportFormat[] = ["webp", "gif", "mp4", "png"];

function formatDetail(format: ExportFormat): string {
	return {
		webp: l10n.t("Small. Plays in a README, a pull request or a chat."),
		gif: l10n.t("Plays everywhere. Larger, with at most 255 colors."),
		mp4: l10n.t("H.264, for slides and video editors."),
		png: l10n.t("One picture that shows all of it, up to 60 rows."),
	}[format];
}

interface ExportedClip {
	readonly clip: NonNullable<VideoJobView["clip"]>;
	readonly hasWords: boolean;
	/** Its width in pixels, if known. */
	readonly width: number | undefined;
	/** Whether its background can be left out. */
	readonly isDrawn: boolean;
	/** Creates a file for estimating sizes. */
	readonly sizeOf: (choice: ExportChoice, signal: AbortSignal) => Promise<Buffer>;
}

/** Asks for the format, then for the options, and saves them. The clip's own has none. Undefined if canceled. */
async function chooseExport(
	memory: StoredValue,
	about: ExportedClip,
): Promise<ExportChoice | "as it is" | undefined> {
	const last = lastChoice(memory);
	const made = [last.format, ...formats.filter(format => format !== last.format)].map(format => ({
		label: formatName(format),
		detail: formatDetail(format),
		format,
	}));
	const own = {
		label: l10n.t("The Clip's Own File ({0})", extname(about.clip.file).slice(1)),
		detail: l10n.t("As it is, {0}. Without captions.", formatSize(about.clip.size)),
		format: undefined,
	};
	const picked = await vscode.window.showQuickPick([...made, own], {
		title: l10n.t("Export Video"),
		placeHolder: l10n.t("Choose a format"),
	});
	if (!picked?.format) {
		return picked && "as it is";
	}
	const hasGround = last.hasGround || !about.isDrawn;
	const choice = await chooseWidth({ ...last, hasGround, format: picked.format }, about);
	if (choice) {
		memory.set(choice);
	}
	return choice;
}

/** An item of the step: creates the file in this width, or changes an option. */
interface WidthItem extends vscode.QuickPickItem {
	readonly width?: ExportChoice["width"];
	readonly change?: Partial<ExportChoice>;
}

async function chooseWidth(
	last: ExportChoice,
	{ sizeOf, ...about }: ExportedClip,
): Promise<ExportChoice | undefined> {
	const pick = vscode.window.createQuickPick<WidthItem>();
	const stopper = new AbortController();
	let choice = last;
	let bytes: number | undefined;
	const draw = (): void => {
		pick.items = widthItems(choice, { ...about, bytes });
	};
	pick.title = l10n.t("Export {0}", formatName(last.format));
	pick.placeholder = l10n.t("Choose a width");
	pick.matchOnDescription = true;
	// The preview gets the focus when the previous step closes, which must not close this one.
	pick.ignoreFocusOut = true;
	pick.busy = last.format !== "png";
	draw();
	if (pick.busy) {
		sizeOf({ ...choice, width: measuredWidth }, stopper.signal)
			.then(file => {
				bytes = file.length;
			})
			// The export itself reports failures.
			.catch(() => undefined)
			.finally(() => {
				if (!stopper.signal.aborted) {
					pick.busy = false;
					draw();
				}
			});
	}
	const accept = (chosen: WidthItem | undefined): ExportChoice | undefined => {
		if (chosen?.width) {
			return { ...choice, width: chosen.width };
		}
		if (chosen?.change) {
			choice = { ...choice, ...chosen.change };
			pick.value = "";
			draw();
		}
		return undefined;
	};
	return await untilChosen(pick, accept).finally(() => stopper.abort());
}

function widthItems(
	choice: ExportChoice,
	about: Pick<ExportedClip, "hasWords" | "width" | "isDrawn"> & {
		readonly bytes: number | undefined;
	},
): WidthItem[] {
	const { format, isLooping, hasCaptions, hasGround } = choice;
	const widths = widthsFor(about.width);
	const first = widths.filter(width => width === choice.width);
	const canLoop = format === "webp" || format === "gif";
	const loops = switchItem(l10n.t("Loops"), isLooping, { isLooping: !isLooping });
	const captions = switchItem(l10n.t("Captions"), hasCaptions, { hasCaptions: !hasCaptions });
	const ground = switchItem(l10n.t("Transparent background"), !hasGround, {
		hasGround: !hasGround,
	});
	const switches = [
		...(canLoop ? [loops] : []),
		...(about.isDrawn && hasTransparency(format) ? [ground] : []),
		...(about.hasWords ? [captions] : []),
	];
	return [
		...[...first, ...widths.filter(width => width !== choice.width)].map(width => ({
			label: l10n.t("{0} px wide", width),
			description: sizeNote(about.bytes, width),
			width,
		})),
		...(switches.length > 0 ? [{ label: "", kind: vscode.QuickPickItemKind.Separator }] : []),
		...switches,
	];
}

/** Estimates a file's size from that of a created one, and whether GitHub accepts it in a comment or an issue. */
function sizeNote(bytes: number | undefined, width: number): string {
	if (bytes === undefined) {
		return "";
	}
	const guess = estimatedBytes(bytes, width);
	return guess <= gitHubBytes
		? l10n.t("about {0} · fits GitHub (10 MB)", formatSize(guess))
		: l10n.t("about {0} · too large for GitHub (10 MB)", formatSize(guess));
}

function switchItem(name: string, isOn: boolean, change: Partial<ExportChoice>): WidthItem {
	return { label: `${isOn ? "$(check)" : "$(blank)"} ${name}`, change, alwaysShow: true };
}

/** Common folders for images of documents, most likely first. */
const usualFolders = ["media", "images", "img", "assets", "docs/images", "docs/assets", "static"];

/**
 * Writes an animated WebP beside the last used document, and inserts Markdown or HTML for it with a description as alternative text. Asks for the
 * place first, because creating the file takes a while, unless there is a `destination`,
 * and again if the document was edited in that time.
 */
export async function insertForReadme(
	context: VideoShareDependencies & { readonly documents: LastDocuments },
	job: VideoJob,
	destination?: InsertDestination,
): Promise<void> {
	const { clip, title, source } = videoJobView(job);
	const found = await context.documents.find(source && vscode.Uri.parse(source.uri));
	if (!clip || !found) {
		return;
	}
	const choice = imageChoice(context.exportMemory, "webp");
	const document = found.uri.fsPath;
	const folder = await folderFor(document);
	const name = fileNameOf(clip.name, choice);
	const saved = vscode.workspace.asRelativePath(join(folder, name));
	const words = {
		title: l10n.t("Insert into {0}", basename(document)),
		placeHolder: l10n.t("The image is saved as {0}", saved),
	};
	const chosen = destination ?? (await choosePlace(found, words));
	if (!chosen) {
		return;
	}
	const textNow = async (): Promise<string> =>
		chosen === "cursor" || typeof chosen === "object"
			? (await vscode.workspace.openTextDocument(found.uri)).getText()
			: "";
	const before = await textNow();
	const copying = chosen === "clipboard" ? { signal: context.previews.startCopy() } : {};
	const bytes = await makeFile(context, job, choice, copying);
	if (!bytes) {
		return;
	}
	// An edit in the meantime may have moved the chosen line.
	const isMoved = (await textNow()) !== before;
	const target = isMoved ? (context.documents.known(found.uri) ?? found) : found;
	const place = isMoved ? await choosePlace(target, words) : chosen;
	if (!place) {
		return;
	}
	const { uri, isNew } = await placeFile(vscode.Uri.file(folder), name, bytes);
	const address = linkAddress(document, uri.fsPath);
	const text = needsHtml(target.uri) ? imageTag(title, address) : markdownImage(title, address);
	await insertText(target, place, text, async () => {
		if (isNew) {
			await vscode.workspace.fs.delete(uri);
		}
	});
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
