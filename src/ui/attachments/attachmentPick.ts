import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import { selectedText } from "../../editor/selection.ts";
import { listWorkspaceFiles, openUris, type WorkspaceFile } from "../../editor/workspaceFiles.ts";
import type { ChatAttachments } from "./chatAttachments.ts";
import { bestMatches } from "../base/fuzzyMatch.ts";
import type { RecentFiles } from "./attachmentMemory.ts";

interface PickItem extends vscode.QuickPickItem {
	/** Absent for headings. */
	readonly attach?: () => Promise<void>;
}

/** The most files to show; typing filters them. */
const maxShown = 60;

/** Shows files, the selection, the problems and the file dialog, and attaches the choice. False if canceled. */
export async function pickAttachment(
	attachments: ChatAttachments,
	recent: Pick<RecentFiles, "uris">,
): Promise<boolean> {
	const item = await chooseItem(createItems(attachments, recent));
	await item?.attach?.();
	return item !== undefined;
}

/** Creates the items for the typed text; called at every keystroke. */
type Items = (query: string, files: readonly WorkspaceFile[]) => PickItem[];

function createItems(attachments: ChatAttachments, recent: Pick<RecentFiles, "uris">): Items {
	const fileItem = ({ uri, path }: WorkspaceFile): PickItem => {
		const cut = path.lastIndexOf("/") + 1;
		return {
			label: path.slice(cut),
			description: path.slice(0, Math.max(0, cut - 1)),
			iconPath: vscode.ThemeIcon.File,
			alwaysShow: true,
			attach: () => attachments.addUris([uri]),
		};
	};
	const known = (uris: readonly vscode.Uri[]): WorkspaceFile[] =>
		uris.map(uri => ({ uri, path: vscode.workspace.asRelativePath(uri) }));
	return (query, files) => {
		const found = (list: readonly WorkspaceFile[]): PickItem[] =>
			bestMatches(query, list, ({ path }) => path, maxShown).map(({ candidate }) =>
				fileItem(candidate),
			);
		const lately = known(recent.uris.map(uri => vscode.Uri.parse(uri)));
		const seen = new Set(lately.map(({ uri }) => uri.toString()));
		const open = known(openUris()).filter(({ uri }) => !seen.has(uri.toString()));
		open.forEach(({ uri }) => seen.add(uri.toString()));
		const others = files.filter(({ uri }) => !seen.has(uri.toString()));
		return [
			...(query === "" ? sourceItems(attachments) : []),
			...section(l10n.t("Recently attached"), found(lately)),
			...section(l10n.t("Open files"), found(open)),
			...section(l10n.t("Files"), found(others)),
		];
	};
}

function section(label: string, items: readonly PickItem[]): readonly PickItem[] {
	return items.length === 0 ? [] : [{ label, kind: vscode.QuickPickItemKind.Separator }, ...items];
}

function sourceItems(attachments: ChatAttachments): readonly PickItem[] {
	const selection = selectedText(vscode.window.activeTextEditor);
	const hasProblems = vscode.languages.getDiagnostics().some(([, found]) => found.length > 0);
	return [
		{
			label: l10n.t("Browse…"),
			description: l10n.t("Files and folders of this machine"),
			iconPath: new vscode.ThemeIcon("folder-opened"),
			alwaysShow: true,
			attach: () => browse(attachments),
		},
		...(selection
			? [
					{
						label: l10n.t("Selection"),
						description: selection.name,
						iconPath: new vscode.ThemeIcon("list-selection"),
						attach: () => attachments.addSelection(selection),
					},
				]
			: []),
		...(hasProblems
			? [
					{
						label: l10n.t("Problems"),
						iconPath: new vscode.ThemeIcon("warning"),
						attach: () => attachments.addProblems(),
					},
				]
			: []),
	];
}

async function browse(attachments: ChatAttachments): Promise<void> {
	const uris = await vscode.window.showOpenDialog({
		title: l10n.t("Attach Files"),
		openLabel: l10n.t("Attach"),
		canSelectFiles: true,
		canSelectFolders: true,
		canSelectMany: true,
	});
	await attachments.addUris(uris ?? []);
}

/** Shows the list while the workspace's files are being searched. Resolves to the choice, or undefined. */
function chooseItem(items: Items): Promise<PickItem | undefined> {
	const pick = vscode.window.createQuickPick<PickItem>();
	const finding = new vscode.CancellationTokenSource();
	let listed: readonly WorkspaceFile[] = [];
	const draw = (): void => {
		pick.items = items(pick.value.trim(), listed);
	};
	pick.title = l10n.t("Attach Files");
	pick.placeholder = l10n.t("Search files by name");
	pick.busy = true;
	draw();
	return new Promise(resolve => {
		let isAccepted = false;
		const accept = (): void => {
			const choice = acceptedItem(pick);
			// A quick Enter waits for the files.
			isAccepted = choice === undefined && pick.busy;
			if (choice) {
				resolve(choice);
				pick.hide();
			}
		};
		const showFound = (found: readonly WorkspaceFile[]): void => {
			listed = found;
			pick.busy = false;
			draw();
			if (isAccepted) {
				accept();
			}
		};
		listWorkspaceFiles(finding.token).then(showFound, () => showFound(listed));
		pick.onDidChangeValue(() => {
			isAccepted = false;
			draw();
		});
		pick.onDidAccept(accept);
		pick.onDidHide(() => {
			resolve(undefined);
			finding.cancel();
			finding.dispose();
			pick.dispose();
		});
		pick.show();
	});
}

/** Returns the item for Enter, because VS Code's selection may belong to a list older than the typed text. */
function acceptedItem({
	items,
	selectedItems: [selected],
}: vscode.QuickPick<PickItem>): PickItem | undefined {
	const choices = items.filter(({ attach }) => attach !== undefined);
	const isSelected = ({ label, description }: PickItem): boolean =>
		label === selected?.label && description === selected.description;
	return choices.find(isSelected) ?? choices[0];
}
