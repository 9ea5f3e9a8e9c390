import * as l10n from "@vscode/l10n";
import type { ChatFound } from "../../chat/library/chatLibrary.ts";
import type { ChatSummary } from "../../chat/library/chatSummary.ts";
import { foldedWords, foldText } from "../../chat/library/foldedText.ts";
import { locale } from "../../shared/locale.ts";

export interface HistoryView {
	/** `deleted` contains the chats deleted in the last 30 days. */
	readonly list: "chats" | "archived" | "deleted";
	/** Whether only chats started in this window's workspace are listed. */
	readonly isWorkspaceOnly: boolean;
}

export type HistoryAction =
	"rename" | "pin" | "unpin" | "archive" | "unarchive" | "delete" | "restore";

export type HistoryRow =
	| { readonly type: "group"; readonly label: string }
	| {
			readonly type: "chat";
			readonly id: string;
			/** The turn to scroll to; undefined for the end of the chat. */
			readonly turnId: string | undefined;
			readonly icon: string;
			readonly label: string;
			readonly description: string;
			readonly detail: string;
			readonly actions: readonly HistoryAction[];
	  }
	/** Explains why the list is empty. */
	| { readonly type: "note"; readonly label: string; readonly detail: string };

export interface HistoryRowInput {
	readonly view: HistoryView;
	/** Milliseconds since 1970. */
	readonly now: number;
	readonly shownId: string | undefined;
	readonly openIds: ReadonlySet<string>;
	readonly folders: readonly string[];
}

/** Returns the rows without a search, in groups: pinned chats, then by the day of the last message. */
export function historyRows(
	chats: readonly ChatSummary[],
	context: HistoryRowInput,
): readonly HistoryRow[] {
	const listed = chats.filter(chat => isListed(chat, context));
	if (listed.length === 0) {
		return [emptyRow(context.view)];
	}
	const pinned = listed.filter(({ isPinned }) => isPinned);
	const others = listed.filter(({ isPinned }) => !isPinned);
	const rows: HistoryRow[] = [];
	if (pinned.length > 0) {
		rows.push({ type: "group", label: l10n.t("Pinned") });
		rows.push(...pinned.map(chat => chatRow(chat, context)));
	}
	let label = "";
	for (const chat of others) {
		const next = groupOf(chat.updatedAt, context.now);
		if (next !== label) {
			label = next;
			rows.push({ type: "group", label });
		}
		rows.push(chatRow(chat, context));
	}
	return rows;
}

/** Returns the rows of a search: chats whose names contain all words, then the matches in messages. `isOver` is false while more may follow. */
export function searchRows(
	query: string,
	chats: readonly ChatSummary[],
	found: readonly ChatFound[],
	isOver: boolean,
	context: HistoryRowInput,
): readonly HistoryRow[] {
	const words = foldedWords(query);
	const named = chats.filter(chat => {
		const title = foldText(chat.title);
		return isListed(chat, context) && words.every(word => title.includes(word));
	});
	const places = found.filter(
		({ chat, turnId }) => turnId !== undefined && isListed(chat, context),
	);
	const rows: HistoryRow[] = [
		...(named.length > 0 ? [{ type: "group", label: l10n.t("Names") } as const] : []),
		...named.map(chat => chatRow(chat, context)),
		...(places.length > 0
			? [{ type: "group", label: l10n.t("In the conversations") } as const]
			: []),
		...places.map(place => foundRow(place, context)),
	];
	if (rows.length > 0) {
		return rows;
	}
	return isOver
		? [
				{
					type: "note",
					label: l10n.t("Nothing found"),
					detail: l10n.t("No matching chats. Try fewer or shorter words."),
				},
			]
		: [];
}

/** Returns a chat's display name; never empty. */
export function nameOf({ title }: Pick<ChatSummary, "title">): string {
	return title || l10n.t("Untitled chat");
}

function isListed(chat: ChatSummary, { view, folders }: HistoryRowInput): boolean {
	const isHere = chat.workspace?.folders.some(folder => folders.includes(folder)) === true;
	return (
		(view.list === "deleted" || chat.isArchived === (view.list === "archived")) &&
		(!view.isWorkspaceOnly || isHere)
	);
}

function chatRow(chat: ChatSummary, context: HistoryRowInput): HistoryRow {
	return {
		type: "chat",
		id: chat.id,
		turnId: undefined,
		icon: iconOf(chat, context),
		label: nameOf(chat),
		description: descriptionOf(chat, context),
		detail: detailOf(chat),
		actions: actionsOf(chat),
	};
}

const speakerIcons: Readonly<Record<ChatFound["speaker"], string>> = {
	question: "account",
	answer: "sparkle",
	tool: "tools",
	attachment: "file",
	title: "comment-discussion",
};

function foundRow(
	{ chat, turnId, speaker, excerpt }: ChatFound,
	context: HistoryRowInput,
): HistoryRow {
	return {
		type: "chat",
		id: chat.id,
		turnId,
		icon: speakerIcons[speaker],
		label: nameOf(chat),
		description: descriptionOf(chat, context),
		detail: excerpt,
		actions: [],
	};
}

function actionsOf({ deletedAt, isPinned, isArchived }: ChatSummary): readonly HistoryAction[] {
	return deletedAt === undefined
		? ["rename", isPinned ? "unpin" : "pin", isArchived ? "unarchive" : "archive", "delete"]
		: ["restore"];
}

function iconOf(chat: ChatSummary, { shownId, openIds }: HistoryRowInput): string {
	if (chat.condition === "unreadable") {
		return "warning";
	}
	if (chat.id === shownId) {
		return "check";
	}
	if (openIds.has(chat.id)) {
		return "multiple-windows";
	}
	return chat.isPinned ? "pinned" : "comment-discussion";
}

function descriptionOf(chat: ChatSummary, context: HistoryRowInput): string {
	const { shownId, openIds, folders, now } = context;
	const isHere = chat.workspace?.folders.some(folder => folders.includes(folder)) === true;
	return [
		...(chat.id === shownId ? [l10n.t("shown here")] : []),
		...(chat.id !== shownId && openIds.has(chat.id) ? [l10n.t("open in another window")] : []),
		timeOf(chat.deletedAt ?? chat.updatedAt, now),
		...(chat.workspace && !isHere ? [chat.workspace.name] : []),
	].join(" · ");
}

function detailOf({ condition, turnCount, preview, title }: ChatSummary): string {
	switch (condition) {
		case "unreadable":
			return l10n.t("Couldn't be read. Its file is kept");
		case "newer":
			return l10n.t("Written by a newer version of Cutaway; can be read");
		case "readable":
			return preview === "" || preview === title ? messageCount(turnCount) : preview;
	}
}

/** Describes a chat outside of the history's groups: the time or date of its last message, and the number of messages. */
export function chatFacts({ updatedAt, turnCount }: ChatSummary, now: number): string {
	const isToday = daysAgo(updatedAt, now) === 0;
	const style = isToday ? ({ timeStyle: "short" } as const) : ({ dateStyle: "medium" } as const);
	return `${new Date(updatedAt).toLocaleString(locale(), style)} · ${messageCount(turnCount)}`;
}

/** Each question has an answer. */
function messageCount(turnCount: number): string {
	return l10n.t("{0} messages", 2 * turnCount);
}

/** Formats the time of today and yesterday, or the date before that. */
function timeOf(at: number, now: number): string {
	const isRecent = daysAgo(at, now) <= 1;
	return new Date(at).toLocaleString(
		locale(),
		isRecent ? { timeStyle: "short" } : { dateStyle: "medium" },
	);
}

/** Returns the number of midnights between two times. The future counts as today. */
function daysAgo(at: number, now: number): number {
	const startOf = (time: number): number => new Date(time).setHours(0, 0, 0, 0);
	// Rounded, because a day with a time change has 23 or 25 hours.
	return Math.max(0, Math.round((startOf(now) - startOf(at)) / 86_400_000));
}

function groupOf(at: number, now: number): string {
	const days = daysAgo(at, now);
	if (days === 0) {
		return l10n.t("Today");
	}
	if (days === 1) {
		return l10n.t("Yesterday");
	}
	if (days <= 7) {
		return l10n.t("Last 7 days");
	}
	return days <= 30
		? l10n.t("Last 30 days")
		: new Date(at).toLocaleDateString(locale(), { month: "long", year: "numeric" });
}

function emptyRow({ list, isWorkspaceOnly }: HistoryView): HistoryRow {
	const note = (label: string, detail: string): HistoryRow => ({ type: "note", label, detail });
	if (list === "deleted") {
		return note(
			l10n.t("No recently deleted chats"),
			l10n.t("A deleted chat can be restored from here for 30 days."),
		);
	}
	if (list === "archived") {
		return note(l10n.t("No archived chats"), l10n.t("Archived chats are kept here."));
	}
	return isWorkspaceOnly
		? note(
				l10n.t("No chats in this workspace"),
				l10n.t("Use the button above to list the chats of all workspaces."),
			)
		: note(l10n.t("No chats yet"), l10n.t("Chats are saved after your first message."));
}
