import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import { plainLabel } from "../../common/plainMarkdown.ts";
import type { HistoryAction, HistoryRow, HistoryView } from "./chatHistoryRows.ts";

export interface RowItem extends vscode.QuickPickItem {
	readonly row?: Extract<HistoryRow, { type: "chat" }>;
	readonly buttons?: readonly RowButton[];
}

interface RowButton extends vscode.QuickInputButton {
	readonly action: HistoryAction;
}

interface TitleButton extends vscode.QuickInputButton {
	readonly view: HistoryView;
}

export function titleOf({ list, isWorkspaceOnly }: HistoryView): string {
	switch (list) {
		case "archived":
			return l10n.t("Archived Chats");
		case "deleted":
			return l10n.t("Recently Deleted Chats");
		case "chats":
			return isWorkspaceOnly ? l10n.t("History of This Workspace") : l10n.t("History");
	}
}

const actionIcons: Readonly<Record<HistoryAction, string>> = {
	rename: "edit",
	pin: "pin",
	unpin: "pinned",
	archive: "archive",
	unarchive: "inbox",
	delete: "trash",
	restore: "discard",
};

const actionNames: Readonly<Record<HistoryAction, () => string>> = {
	rename: () => l10n.t("Rename…"),
	pin: () => l10n.t("Pin"),
	unpin: () => l10n.t("Unpin"),
	archive: () => l10n.t("Archive"),
	unarchive: () => l10n.t("Unarchive"),
	delete: () => l10n.t("Delete"),
	restore: () => l10n.t("Restore"),
};

/** Converts a row to an item. Escapes links and icons in its texts. */
export function itemOf(row: HistoryRow): RowItem {
	if (row.type === "group") {
		return { label: row.label, kind: vscode.QuickPickItemKind.Separator };
	}
	const { label, detail } = row;
	const words = { label: plainLabel(label), detail: plainLabel(detail), alwaysShow: true };
	return row.type === "note"
		? words
		: {
				...words,
				row,
				description: plainLabel(row.description),
				iconPath: new vscode.ThemeIcon(row.icon),
				buttons: row.actions.map(action => ({
					action,
					iconPath: new vscode.ThemeIcon(actionIcons[action]),
					tooltip: actionNames[action](),
				})),
			};
}

export function isRowButton(button: vscode.QuickInputButton): button is RowButton {
	return "action" in button;
}

export function isTitleButton(button: vscode.QuickInputButton): button is TitleButton {
	return "view" in button;
}

/** Returns the buttons above the list, which switch its view. */
export function titleButtons(view: HistoryView): readonly TitleButton[] {
	const button = (icon: string, tooltip: string, change: Partial<HistoryView>): TitleButton => ({
		iconPath: new vscode.ThemeIcon(icon),
		tooltip,
		view: { ...view, ...change },
	});
	if (view.list !== "chats") {
		return [button("arrow-left", l10n.t("Back to the chats"), { list: "chats" })];
	}
	return [
		view.isWorkspaceOnly
			? button("globe", l10n.t("Show chats of all workspaces"), { isWorkspaceOnly: false })
			: button("root-folder", l10n.t("Show chats of this workspace only"), {
					isWorkspaceOnly: true,
				}),
		button("archive", l10n.t("Show archived chats"), { list: "archived" }),
		button("trash", l10n.t("Show recently deleted chats"), { list: "deleted" }),
	];
}
