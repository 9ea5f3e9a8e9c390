import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import type { ChatFound } from "../../chat/library/chatLibrary.ts";
import type { ChatSummary } from "../../chat/library/chatSummary.ts";
import { type Clock, Coalescer, delay } from "../../common/async.ts";
import { Disposable, toDisposable } from "../../common/disposable.ts";
import { isAbortError, toError } from "../../common/errors.ts";
import type { Log } from "../../common/log.ts";
import { plainLabel } from "../../common/plainMarkdown.ts";
import {
	deleteChat,
	type HistoryActionDependencies,
	renameChat,
	restoreChat,
} from "./chatHistoryActions.ts";
import {
	type HistoryAction,
	type HistoryRow,
	historyRows,
	type HistoryView,
	searchRows,
} from "./chatHistoryRows.ts";

export interface ChatHistoryDependencies extends HistoryActionDependencies {
	/** Ids of the chats that a window has open for writing. */
	readonly openIds: () => Promise<ReadonlySet<string>>;
	readonly folders: () => readonly string[];
	readonly clock: Clock;
	readonly log: Log;
}

/** State of the list, for showing it again after a step that replaced it. */
interface HistoryListState {
	readonly view: HistoryView;
	readonly query: string;
	readonly activeId: string | undefined;
}

type Leaving =
	| { readonly type: "closed" }
	| { readonly type: "open"; readonly id: string; readonly turnId: string | undefined }
	/** A step that replaces the list, which is shown again afterwards. */
	| {
			readonly type: "step";
			readonly step: () => Promise<unknown>;
			readonly place: HistoryListState;
	  };

/** Shows the saved chats with actions until one is opened or the list is closed. */
export async function showHistory(
	dependencies: ChatHistoryDependencies,
	isSearch: boolean,
): Promise<void> {
	let place: HistoryListState | undefined = {
		view: { list: "chats", isWorkspaceOnly: false },
		query: "",
		activeId: undefined,
	};
	while (place) {
		const list = new HistoryList(dependencies, place, isSearch);
		const leaving: Leaving = await list.left;
		place = leaving.type === "step" ? leaving.place : undefined;
		if (leaving.type === "step") {
			await leaving.step();
		} else if (leaving.type === "open") {
			await dependencies.open(leaving.id, leaving.turnId);
		}
	}
}

/** Delay between the last keystroke and a search, and the interval for updating results, in milliseconds. */
const searchPauseMs = 120;
const drawMs = 100;

class HistoryList extends Disposable {
	readonly left: Promise<Leaving>;
	private readonly dependencies: ChatHistoryDependencies;
	private readonly pick: vscode.QuickPick<RowItem>;
	private readonly leave: (leaving: Leaving) => void;
	private readonly drawSoon;
	private view: HistoryView;
	private activeId: string | undefined;
	private chats: readonly ChatSummary[] | undefined;
	private openIds: ReadonlySet<string> = new Set();
	private found: ChatFound[] = [];
	private isSearchOver = true;
	private searching = new AbortController();

	constructor(dependencies: ChatHistoryDependencies, place: HistoryListState, isSearch: boolean) {
		super();
		this.dependencies = dependencies;
		this.view = place.view;
		this.activeId = place.activeId;
		const { promise, resolve } = Promise.withResolvers<Leaving>();
		this.left = promise;
		this.leave = resolve;
		const pick = this.register(vscode.window.createQuickPick<RowItem>());
		this.pick = pick;
		this.drawSoon = this.register(new Coalescer(drawMs, () => this.draw(), dependencies.clock));
		this.register(toDisposable(() => this.searching.abort()));
		pick.matchOnDetail = true;
		pick.placeholder = isSearch
			? l10n.t("Search all messages")
			: l10n.t("Choose a chat, or search all messages");
		pick.value = place.query;
		this.register(pick.onDidChangeValue(() => void this.search()));
		this.register(pick.onDidAccept(() => this.accept(pick.selectedItems[0])));
		this.register(pick.onDidTriggerButton(button => this.pressed(button)));
		this.register(
			pick.onDidTriggerItemButton(({ item, button }) => {
				if (item.row && isRowButton(button)) {
					void this.act(button.action, item.row.id);
				}
			}),
		);
		this.register(
			pick.onDidHide(() => {
				resolve({ type: "closed" });
				this.dispose();
			}),
		);
		this.register(dependencies.library.onDidChange(() => void this.load()));
		this.showView();
		pick.show();
		void this.load();
		if (place.query !== "") {
			void this.search();
		}
	}

	private showView(): void {
		this.pick.title = titleOf(this.view);
		this.pick.buttons = titleButtons(this.view);
	}

	private pressed(button: vscode.QuickInputButton): void {
		if (isTitleButton(button)) {
			this.view = button.view;
			this.activeId = undefined;
			this.chats = undefined;
			this.showView();
			void this.load();
			void this.search();
		}
	}

	private async load(): Promise<void> {
		const { library, openIds, log } = this.dependencies;
		const { list } = this.view;
		try {
			this.pick.busy = this.chats === undefined;
			const [chats, open] = await Promise.all([
				library.list({ deleted: list === "deleted" }),
				openIds(),
			]);
			if (list === this.view.list) {
				this.chats = chats;
				this.openIds = open;
				this.draw();
			}
		} catch (error) {
			log.error("The chats could not be listed", { error: toError(error).message });
			void vscode.window.showErrorMessage(
				plainLabel(l10n.t("Couldn't list the chats: {0}", toError(error).message)),
			);
		}
	}

	/** Searches for the typed text. Cancels the previous search. */
	private async search(): Promise<void> {
		this.searching.abort();
		this.searching = new AbortController();
		const { signal } = this.searching;
		const query = this.pick.value.trim();
		this.found = [];
		this.isSearchOver = query === "" || this.view.list === "deleted";
		this.draw();
		if (this.isSearchOver || this.isDisposed) {
			return;
		}
		try {
			await delay(searchPauseMs, signal, this.dependencies.clock);
			for await (const place of this.dependencies.library.search(query, { signal })) {
				this.found.push(place);
				this.drawSoon.schedule();
			}
		} catch (error) {
			if (isAbortError(error)) {
				return;
			}
			this.dependencies.log.error("A search failed", { error: toError(error).message });
		}
		this.isSearchOver = true;
		this.draw();
	}

	private draw(): void {
		const { pick, chats } = this;
		if (!chats || this.isDisposed) {
			return;
		}
		const context = {
			view: this.view,
			now: this.dependencies.clock.now(),
			shownId: this.dependencies.shown().id,
			openIds: this.openIds,
			folders: this.dependencies.folders(),
		};
		const query = pick.value.trim();
		const rows =
			query === ""
				? historyRows(chats, context)
				: searchRows(query, chats, this.found, this.isSearchOver, context);
		const active = this.activeId ?? pick.activeItems[0]?.row?.id;
		pick.keepScrollPosition = true;
		pick.items = rows.map(itemOf);
		// Otherwise the first row stays active, so Enter opens it.
		const kept = pick.items.filter(({ row }) => active !== undefined && row?.id === active);
		if (kept.length > 0 && query === "") {
			pick.activeItems = kept.slice(0, 1);
		}
		pick.busy = !this.isSearchOver;
	}

	private accept(item: RowItem | undefined): void {
		if (!item?.row) {
			return;
		}
		const { id, turnId } = item.row;
		if (this.view.list === "deleted") {
			void this.act("restore", id);
			return;
		}
		this.leave({ type: "open", id, turnId });
		this.pick.hide();
	}

	private async act(action: HistoryAction, id: string): Promise<void> {
		const { dependencies: context } = this;
		const { library } = context;
		this.activeId = id;
		switch (action) {
			case "rename":
				return this.stepAside(() => renameChat(context, id), id);
			case "delete":
				if (context.shown().id === id) {
					// Deleting may show a prompt, and shows another chat.
					return this.stepAside(() => deleteChat(context, id), undefined);
				}
				this.activeId = undefined;
				await this.tryTo(() => deleteChat(context, id));
				return;
			case "restore":
				return this.tryTo(() => restoreChat(context, id));
			case "pin":
			case "unpin":
				return this.tryTo(() => library.setPinned(id, action === "pin"));
			case "archive":
			case "unarchive":
				return this.tryTo(() => library.setArchived(id, action === "archive"));
		}
	}

	/** Runs an action while the list stays open. Shows an error if it fails. */
	private async tryTo(step: () => Promise<unknown>): Promise<void> {
		try {
			await step();
		} catch (error) {
			this.dependencies.log.error("A chat could not be changed", { error: toError(error).message });
			void vscode.window.showErrorMessage(
				plainLabel(l10n.t("The action failed: {0}", toError(error).message)),
			);
		}
		await this.load();
	}

	private stepAside(step: () => Promise<unknown>, activeId: string | undefined): void {
		const place = { view: this.view, query: this.pick.value, activeId };
		this.leave({ type: "step", step, place });
		this.pick.hide();
	}
}

interface RowItem extends vscode.QuickPickItem {
	readonly row?: Extract<HistoryRow, { type: "chat" }>;
	readonly buttons?: readonly RowButton[];
}

interface RowButton extends vscode.QuickInputButton {
	readonly action: HistoryAction;
}

interface TitleButton extends vscode.QuickInputButton {
	readonly view: HistoryView;
}

function titleOf({ list, isWorkspaceOnly }: HistoryView): string {
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
function itemOf(row: HistoryRow): RowItem {
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

function isRowButton(button: vscode.QuickInputButton): button is RowButton {
	return "action" in button;
}

function isTitleButton(button: vscode.QuickInputButton): button is TitleButton {
	return "view" in button;
}

function titleButtons(view: HistoryView): readonly TitleButton[] {
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
