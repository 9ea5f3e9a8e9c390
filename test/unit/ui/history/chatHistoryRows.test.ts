import { describe, expect, test } from "vitest";
import type { ChatSummary } from "../../../../src/chat/library/chatSummary.ts";
import {
	chatFacts,
	type HistoryRowInput,
	historyRows,
	type HistoryView,
	searchRows,
} from "../../../../src/ui/history/chatHistoryRows.ts";

const now = new Date(2026, 10, 22, 10, 30).getTime();
const hour = 3_600_000;
const day = 24 * hour;

function chat(id: string, change: Partial<ChatSummary> = {}): ChatSummary {
	return {
		id,
		title: id,
		preview: `Preview of ${id}`,
		workspace: undefined,
		createdAt: now,
		updatedAt: now,
		turnCount: 2,
		condition: "readable",
		isPinned: false,
		isArchived: false,
		deletedAt: undefined,
		...change,
	};
}

const all: HistoryView = { list: "chats", isWorkspaceOnly: false };

function context(change: Partial<HistoryRowInput> = {}): HistoryRowInput {
	return { view: all, now, shownId: undefined, openIds: new Set(), folders: [], ...change };
}

/** Groups as `# name`, chats by their label. */
function outline(rows: ReturnType<typeof historyRows>): string[] {
	return rows.map(row => (row.type === "group" ? `# ${row.label}` : row.label));
}

test("a chat without its group has the time or the date of its last message, and their number", () => {
	const facts = [0, 1, 400].map(days => chatFacts(chat("a", { updatedAt: now - days * day }), now));
	expect(facts.map(each => each.replaceAll("\u202F", " "))).toEqual([
		"10:30 AM · 4 messages",
		"Nov 21, 2026 · 4 messages",
		"Oct 18, 2025 · 4 messages",
	]);
});

describe("the list of chats", () => {
	test("groups by the day of the last message, with what is pinned before all", () => {
		const rows = historyRows(
			[
				chat("now"),
				chat("midnight", { updatedAt: new Date(2026, 10, 22, 0, 0).getTime() }),
				chat("late", { updatedAt: new Date(2026, 10, 21, 23, 59).getTime() }),
				chat("week", { updatedAt: now - 7 * day }),
				chat("month", { updatedAt: now - 30 * day }),
				chat("september", { updatedAt: new Date(2026, 8, 3).getTime() }),
				chat("old", { updatedAt: new Date(2025, 8, 3).getTime() }),
				chat("kept", { updatedAt: new Date(2024, 1, 1).getTime(), isPinned: true }),
			],
			context(),
		);
		expect(outline(rows)).toEqual([
			"# Pinned",
			"kept",
			"# Today",
			"now",
			"midnight",
			"# Yesterday",
			"late",
			"# Last 7 days",
			"week",
			"# Last 30 days",
			"month",
			"# September 2026",
			"september",
			"# September 2025",
			"old",
		]);
	});

	test("counts a chat of the future, after the clock was set back, as today's", () => {
		expect(outline(historyRows([chat("later", { updatedAt: now + 3 * day })], context()))[0]).toBe(
			"# Today",
		);
	});

	test("leaves archived chats to their own list", () => {
		const chats = [chat("plain"), chat("away", { isArchived: true })];
		expect(outline(historyRows(chats, context()))).toEqual(["# Today", "plain"]);
		const archived = context({ view: { ...all, list: "archived" } });
		expect(outline(historyRows(chats, archived))).toEqual(["# Today", "away"]);
	});

	test("leaves chats of other workspaces out when asked to, and names their workspace otherwise", () => {
		const here = { folders: ["file:///shop"], name: "shop" };
		const there = { folders: ["file:///mill"], name: "mill" };
		const chats = [chat("a", { workspace: here }), chat("b", { workspace: there })];
		const folders = ["file:///shop"];
		const only = context({ view: { ...all, isWorkspaceOnly: true }, folders });
		expect(outline(historyRows(chats, only))).toEqual(["# Today", "a"]);
		const rows = historyRows(chats, context({ folders })).flatMap(row =>
			row.type === "chat" ? row.description : [],
		);
		expect(rows[0]).not.toContain("shop");
		expect(rows[1]).toContain("mill");
	});

	test("marks the chat that is shown and those that another window writes", () => {
		const rows = historyRows(
			[chat("mine"), chat("theirs")],
			context({ shownId: "mine", openIds: new Set(["mine", "theirs"]) }),
		);
		expect(rows.slice(1)).toMatchObject([
			{ icon: "check", description: expect.stringContaining("shown here") },
			{ icon: "multiple-windows", description: expect.stringContaining("open in another window") },
		]);
	});

	test("offers what fits each chat: a deleted one can only be restored", () => {
		const actions = (change: Partial<ChatSummary>, view = all) =>
			historyRows([chat("x", change)], context({ view })).flatMap(row =>
				row.type === "chat" ? [row.actions] : [],
			)[0];
		expect(actions({})).toEqual(["rename", "pin", "archive", "delete"]);
		expect(actions({ isPinned: true })).toEqual(["rename", "unpin", "archive", "delete"]);
		expect(actions({ deletedAt: now }, { ...all, list: "deleted" })).toEqual(["restore"]);
	});

	test("has a name and a reason for every chat that cannot be read in full", () => {
		const rows = historyRows(
			[
				chat("a", { title: "", condition: "unreadable" }),
				chat("b", { condition: "newer" }),
				chat("c", { turnCount: 1, preview: "c" }),
			],
			context(),
		);
		expect(rows.slice(1)).toMatchObject([
			{ label: "Untitled chat", icon: "warning", detail: "Couldn't be read. Its file is kept" },
			{ detail: "Written by a newer version of Cutaway; can be read" },
			{ detail: "2 messages" },
		]);
	});

	test("says of a chat what was asked or answered last", () => {
		const [, row] = historyRows([chat("a", { preview: "And the beans?" })], context());
		expect(row).toMatchObject({ label: "a", detail: "And the beans?" });
	});

	test("says why it is empty", () => {
		const labels = (["chats", "archived", "deleted"] as const).map(
			list => historyRows([], context({ view: { ...all, list } }))[0],
		);
		expect(labels).toMatchObject([
			{ type: "note", label: "No chats yet" },
			{ type: "note", label: "No archived chats" },
			{ type: "note", label: "No recently deleted chats" },
		]);
	});
});

describe("a search", () => {
	const chats = [chat("Éclair recipe"), chat("Taxes")];
	const found = chats.map(summary => ({
		chat: summary,
		turnId: "t1",
		speaker: "answer" as const,
		excerpt: "…an excerpt…",
		ranges: [],
	}));

	test("shows names that hold all words first, whatever their accents, then the places in the conversations", () => {
		expect(outline(searchRows("ECLAIR", chats, found, true, context()))).toEqual([
			"# Names",
			"Éclair recipe",
			"# In the conversations",
			"Éclair recipe",
			"Taxes",
		]);
	});

	test("says that nothing was found only when it has looked everywhere", () => {
		expect(searchRows("zebra", chats, [], false, context())).toEqual([]);
		expect(searchRows("zebra", chats, [], true, context())).toMatchObject([{ type: "note" }]);
	});

	test("leads to the turn with the words", () => {
		expect(searchRows("x", [], found, true, context())[1]).toMatchObject({
			turnId: "t1",
			detail: "…an excerpt…",
			icon: "sparkle",
		});
	});
});
