import { basename } from "node:path";
import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import { Disposable, Emitter, type Event } from "../../../common/disposable.ts";

/** A document that can show an image or a clip; never a source file. */
export interface DocumentTarget {
	readonly uri: vscode.Uri;
	/** The last cursor position; undefined if the document wasn't open in a text editor. */
	readonly cursor?: vscode.Position | undefined;
}

const documentName = /\.(?:md|markdown|mdx|html?)$/i;
const documentFiles = "**/*.{md,markdown,mdx,html,htm}";
const maxOffered = 500;

function isDocument({ scheme, path }: vscode.Uri): boolean {
	return scheme === "file" && documentName.test(path);
}

/** Whether a document requires HTML tags: HTML and MDX do, Markdown has its own syntax. */
export function needsHtml({ path }: vscode.Uri): boolean {
	return /\.(?:html?|mdx)$/i.test(path);
}

const maxMet = 100;

/** A document, or a preview whose document is known only by the end of its label. */
type MetDocument = DocumentTarget | { readonly preview: string };

/** Remembers the documents the user was in, in an editor or a preview, because the active tab is often the clip itself. */
export class LastDocuments extends Disposable {
	/** Latest first. */
	private met: readonly MetDocument[] = [];
	private readonly changed = this.register(new Emitter<void>());
	/** Fires when another document becomes the last one. */
	readonly onDidChange: Event<void> = this.changed.event;

	constructor() {
		super();
		const { window } = vscode;
		const noteTab = (): void => this.note(documentIn(window.tabGroups.activeTabGroup.activeTab));
		this.register(window.tabGroups.onDidChangeTabs(noteTab));
		this.register(window.tabGroups.onDidChangeTabGroups(noteTab));
		this.register(
			window.onDidChangeTextEditorSelection(({ textEditor }) => this.moved(textEditor)),
		);
		this.register(window.onDidChangeActiveTextEditor(editor => editor && this.moved(editor)));
		noteTab();
		if (window.activeTextEditor) {
			this.moved(window.activeTextEditor);
		}
	}

	/**
	 * Returns the document to insert into: the last one that is still open, otherwise the nearest README above `source`, otherwise one that the user
	 * chooses. Resolves to undefined if the user cancels. Throws if there is none.
	 */
	async find(source: vscode.Uri | undefined): Promise<DocumentTarget | undefined> {
		const uri = await this.likely(source);
		return uri ? (this.known(uri) ?? { uri }) : await chooseDocument();
	}

	/** Returns a document with its last cursor position, if the user was in it. */
	known(uri: vscode.Uri): DocumentTarget | undefined {
		return this.met.find((met): met is DocumentTarget => isSame(met, { uri }));
	}

	/** Returns that document's name; undefined if the user would be asked. */
	async nameFor(source: vscode.Uri | undefined): Promise<string | undefined> {
		const uri = await this.likely(source);
		return uri && basename(uri.path);
	}

	private async likely(source: vscode.Uri | undefined): Promise<vscode.Uri | undefined> {
		const open = openDocuments();
		const isOpen = (document: MetDocument): boolean => open.some(other => isSame(other, document));
		const last = this.met.find(isOpen) ?? open[0];
		return (
			(last && "preview" in last ? await previewed(last.preview) : last?.uri) ??
			(await nearestReadme(source))
		);
	}

	private moved({ document, selection }: vscode.TextEditor): void {
		if (isDocument(document.uri)) {
			this.note({ uri: document.uri, cursor: selection.active });
		}
	}

	private note(document: MetDocument | undefined): void {
		if (document) {
			const others = this.met.filter(other => !isSame(other, document));
			const before = "uri" in document ? this.known(document.uri) : undefined;
			const [first] = this.met;
			this.met = [{ ...before, ...document }, ...others].slice(0, maxMet);
			if (!first || !isSame(first, document)) {
				this.changed.fire();
			}
		}
	}
}

function isSame(one: MetDocument, other: MetDocument): boolean {
	return "preview" in one
		? "preview" in other && one.preview === other.preview
		: "uri" in other && one.uri.toString() === other.uri.toString();
}

/** Returns the documents of all tabs, those of the active group first. */
function openDocuments(): MetDocument[] {
	const { all, activeTabGroup } = vscode.window.tabGroups;
	const groups = [activeTabGroup, ...all.filter(group => group !== activeTabGroup)];
	return groups.flatMap(({ tabs }) => tabs).flatMap(tab => documentIn(tab) ?? []);
}

/** Returns the document that a tab shows, as text or preview. */
function documentIn(tab: vscode.Tab | undefined): MetDocument | undefined {
	const { input, label = "" } = tab ?? {};
	if (input instanceof vscode.TabInputText || input instanceof vscode.TabInputCustom) {
		return isDocument(input.uri) ? { uri: input.uri } : undefined;
	}
	const isPreview =
		input instanceof vscode.TabInputWebview && input.viewType.includes("markdown.preview");
	return isPreview ? { preview: label } : undefined;
}

/** Returns the document of a preview by its label, if the name is unique. */
async function previewed(label: string): Promise<vscode.Uri | undefined> {
	const isMeant = (uri: vscode.Uri): boolean =>
		isDocument(uri) && label.endsWith(` ${basename(uri.path)}`);
	const opened = vscode.workspace.textDocuments.map(({ uri }) => uri);
	const files = await vscode.workspace.findFiles(documentFiles, "**/node_modules/**");
	const [first, second] =
		[opened, files].map(uris => uris.filter(isMeant)).find(found => found.length > 0) ?? [];
	return second ? undefined : first;
}

/** Returns the README nearest to a file, up to its workspace folder; without a file, that of the only folder. */
async function nearestReadme(source: vscode.Uri | undefined): Promise<vscode.Uri | undefined> {
	const folders = vscode.workspace.workspaceFolders ?? [];
	const root = source ? vscode.workspace.getWorkspaceFolder(source)?.uri : folders[0]?.uri;
	if (!root || (!source && folders.length > 1)) {
		return undefined;
	}
	for (let place = source ? vscode.Uri.joinPath(source, "..") : root; ;) {
		for (const name of ["README.md", "readme.md", "Readme.md", "README.mdx"]) {
			const readme = vscode.Uri.joinPath(place, name);
			if (await statOf(readme)) {
				return readme;
			}
		}
		if (place.path.length <= root.path.length) {
			return undefined;
		}
		place = vscode.Uri.joinPath(place, "..");
	}
}

async function chooseDocument(): Promise<DocumentTarget | undefined> {
	const uris = await vscode.workspace.findFiles(documentFiles, "**/node_modules/**", maxOffered);
	if (uris.length === 0) {
		throw new Error(l10n.t("There is no Markdown, MDX or HTML file here to insert into."));
	}
	const items = uris
		.map(uri => ({
			uri,
			label: basename(uri.path),
			description: vscode.workspace.asRelativePath(uri),
		}))
		.toSorted((one, other) => one.description.localeCompare(other.description));
	return await vscode.window.showQuickPick(items, {
		title: l10n.t("Insert"),
		placeHolder: l10n.t("Choose the document to insert into"),
		matchOnDescription: true,
	});
}

interface PlacedFile {
	readonly uri: vscode.Uri;
	/** Whether it was created now. */
	readonly isNew: boolean;
}

/**
 * Returns the URI of a file in a folder with these bytes: an existing one with this name or a numbered form of it, or a new one with the first free
 * name. Creates the folder; changes no existing file. Rejects if nothing can be written.
 */
export async function placeFile(
	folder: vscode.Uri,
	name: string,
	bytes: Uint8Array,
): Promise<PlacedFile> {
	const { fs } = vscode.workspace;
	await fs.createDirectory(folder);
	const dot = name.lastIndexOf(".");
	for (let number = 1; ; number++) {
		const free = number === 1 ? name : `${name.slice(0, dot)}-${number}${name.slice(dot)}`;
		const target = vscode.Uri.joinPath(folder, free);
		const found = await statOf(target);
		if (!found) {
			await fs.writeFile(target, bytes);
			return { uri: target, isNew: true };
		}
		const isLikely = found.type === vscode.FileType.File && found.size === bytes.length;
		if (isLikely && Buffer.from(await fs.readFile(target)).equals(bytes)) {
			return { uri: target, isNew: false };
		}
	}
}

/** Returns a file's metadata, or undefined if it doesn't exist. */
export async function statOf(uri: vscode.Uri): Promise<vscode.FileStat | undefined> {
	try {
		return await vscode.workspace.fs.stat(uri);
	} catch {
		return undefined;
	}
}
