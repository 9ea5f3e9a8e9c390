import { expect, test } from "vitest";
import { describeChanges } from "../../../../../media/chat/announce/announcement.ts";
import { emptyChat, messageOf, streaming, turnOf } from "../../../../webview/states.ts";

const chat = { ...emptyChat, turns: [turnOf("Go", [messageOf("Forty-two.")])] };

test("A finished message is announced with its words", () => {
	const announcement = describeChanges(chat, [
		{ type: "message-finished", turnId: "turn", index: 0, toolNames: [] },
		{ type: "status", turnId: "turn", status: { state: "complete", actions: [] } },
	]);
	expect(announcement).toBe("Assistant: Forty-two.");
});

test("Of a long message the beginning is announced", () => {
	const long = { ...emptyChat, turns: [turnOf("Go", [messageOf("word ".repeat(1000))])] };
	const announcement = describeChanges(long, [
		{ type: "message-finished", turnId: "turn", index: 0, toolNames: [] },
	]);
	expect(announcement.length).toBeLessThan(500);
	expect(announcement).toMatch(/…$/);
});

test("An ending that is not a success is announced with the words that the page shows", () => {
	const sentence = "The service rejected the request (400).";
	const announcement = describeChanges(chat, [
		{ type: "status", turnId: "turn", status: { state: "refused", sentence, actions: [] } },
	]);
	expect(announcement).toBe(sentence);
});

test("Fragments and progress are not announced", () => {
	const announcement = describeChanges(chat, [
		{ type: "text", turnId: "turn", index: 0, text: "more" },
		{ type: "status", turnId: "turn", status: { ...streaming, notice: "Still waiting…" } },
	]);
	expect(announcement).toBe("");
});

test("A question about Python's packages is announced", () => {
	const notice = "This code uses pandas. Get 5 packages from cdn.jsdelivr.net?";
	const announcement = describeChanges(chat, [
		{ type: "status", turnId: "turn", status: { ...streaming, notice, packages: "1" } },
	]);
	expect(announcement).toBe(notice);
});
