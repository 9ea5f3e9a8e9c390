import { expect, test, vi } from "vitest";
import type { ChatLibrary } from "../../../../src/chat/library/chatLibrary.ts";
import { StoreError } from "../../../../src/storage/fileSystem.ts";
import { silentLog } from "../../../../src/common/log.ts";

const notices = vi.hoisted(() => ({ shown: [] as string[] }));
vi.mock("vscode", () => ({
	ProgressLocation: { Notification: 15 },
	window: {
		withProgress: (_options: object, work: (progress: object, token: object) => unknown) =>
			work({}, { onCancellationRequested: () => ({ dispose: () => undefined }) }),
		showWarningMessage: (sentence: string) => {
			notices.shown.push(sentence);
			return Promise.resolve(undefined);
		},
	},
}));
const { historyMessage, verifyHistory } =
	await import("../../../../src/ui/history/verifyHistory.ts");

const whole = {
	chats: 3,
	turns: 8,
	cutTails: [],
	repaired: [],
	unreadable: [],
	newer: [],
	inUse: [],
	failed: [],
};

test("L8: a check says how much is there, and that all is well when it is", () => {
	expect(historyMessage({ ...whole, chats: 0 })).toBe("No chats yet");
	expect(historyMessage({ ...whole, chats: 1 })).toBe("Chats checked: 1. No problems found.");
	expect(historyMessage(whole)).toBe("Chats checked: 3. No problems found.");
});

test("L8: what was put aside is told in short; the log, to which the notice leads, names the place of each file", async () => {
	const kept = { id: "a", keptAt: "/chats/quarantine/a.jsonl" };
	const sentence = historyMessage({ ...whole, repaired: [kept], unreadable: [kept, kept] });
	expect(sentence).toBe(
		"Chats checked: 3. Continued without unreadable parts: 1. Unreadable files moved to quarantine: 2. Unreadable parts are kept unchanged. See the log for their location.",
	);

	const other = { id: "b", keptAt: "/chats/quarantine/b.jsonl" };
	const report = { ...whole, repaired: [kept], unreadable: [other] };
	const library = { verify: () => Promise.resolve(report) } as unknown as ChatLibrary;
	const logged: unknown[] = [];
	await verifyHistory(library, {
		...silentLog,
		info: (_sentence, details) => logged.push(details),
	});
	expect(notices.shown).toEqual([expect.stringContaining("See the log")]);
	expect(logged).toMatchObject([
		{ repaired: "a → /chats/quarantine/a.jsonl", unreadable: "b → /chats/quarantine/b.jsonl" },
	]);
});

test("L9: what was left alone, and what the disk refused, is told as well", () => {
	const sentence = historyMessage({
		...whole,
		cutTails: ["a"],
		newer: ["b", "c"],
		inUse: ["d"],
		failed: [{ id: "e", error: new StoreError("denied", "/chats") }],
	});
	for (const part of ["unfinished last line", "newer version", "another window", "disk error"]) {
		expect(sentence).toContain(part);
	}
});
