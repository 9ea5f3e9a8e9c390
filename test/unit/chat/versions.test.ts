import { describe, expect, test } from "vitest";
import { ChatSession } from "../../../src/chat/chatSession.ts";
import { silentLog } from "../../../src/common/log.ts";
import { type ChatBench, makeChatBench, plainOptions } from "../../helpers/chatBench.ts";

async function conversationOf(...answers: string[]): Promise<ChatBench> {
	const bench = await makeChatBench();
	for (const answer of answers) {
		(await bench.ask(`${answer}?`)).sendMessage(`${answer}.`);
		await bench.ended();
	}
	return bench;
}

const edited = { prompt: "Two, please?", options: plainOptions, attachments: [] };

function promptsOf({ session }: Pick<ChatBench, "session">): string[] {
	return session.turns.map(({ prompt }) => prompt);
}

function idOf({ session }: ChatBench, index: number): string {
	return session.turns[index]?.id ?? "";
}

describe("Another version of a question", () => {
	test("takes its place; its request knows nothing of what was asked behind it", async () => {
		const bench = await conversationOf("One", "Two", "Three");
		const from = bench.changes.length;
		const first = idOf(bench, 0);
		expect(await bench.session.askVersion(idOf(bench, 1), edited)).toMatchObject({
			type: "started",
		});
		const call = await bench.client.called(4);
		expect(call.request.messages).toEqual([
			{ role: "user", content: "One?" },
			{ role: "assistant", content: "One." },
			{ role: "user", content: "Two, please?" },
		]);
		expect(bench.changes[from]).toEqual({ type: "branch-shown", after: first });
		call.sendMessage("Here is two.");
		expect(await bench.ended()).toBe("complete");
		expect(promptsOf(bench)).toEqual(["One?", "Two, please?"]);
		expect(bench.session.allTurns).toHaveLength(4);
		(await bench.ask("And then?")).sendMessage("Then three.");
		await bench.ended();
		expect(promptsOf(bench)).toEqual(["One?", "Two, please?", "And then?"]);
	});

	test("is found after a reload, and so is the one before with all that followed it", async () => {
		const bench = await conversationOf("One", "Two", "Three");
		await bench.session.askVersion(idOf(bench, 0), { ...edited, prompt: "Uno?" });
		(await bench.client.called(4)).sendMessage("Uno.");
		await bench.ended();
		const { ids, index } = bench.session.versionsOf(idOf(bench, 0));
		expect({ count: ids.length, index }).toEqual({ count: 2, index: 1 });
		await bench.session.close();
		const chat = await bench.reopen();
		expect(chat.turns.map(({ prompt }) => prompt)).toEqual(["Uno?"]);
		const { store, clock, client } = bench;
		const session = new ChatSession({ client, store, clock, log: silentLog, chat });
		expect(session.showVersion(ids[0] ?? "")).toBe("shown");
		expect(promptsOf({ session })).toEqual(["One?", "Two?", "Three?"]);
		expect(session.turns.map(turn => turn.messages[0]?.text)).toEqual(["One.", "Two.", "Three."]);
		await session.close();
		expect((await bench.reopen()).turns).toEqual(session.turns);
	});

	test("can be looked at without a request, and is not changed while an answer runs", async () => {
		const bench = await conversationOf("One", "Two");
		const second = idOf(bench, 1);
		await bench.session.askVersion(second, edited);
		const call = await bench.client.called(3);
		expect(bench.session.showVersion(second)).toBe("busy");
		expect(await bench.session.askVersion(second, edited)).toEqual({ type: "unavailable" });
		expect(await bench.session.askVersion(idOf(bench, 0), edited)).toEqual({ type: "busy" });
		call.sendMessage("Here.");
		await bench.ended();
		expect(bench.session.showVersion(second)).toBe("shown");
		expect(bench.session.showVersion("other")).toBe("unavailable");
		expect(promptsOf(bench)).toEqual(["One?", "Two?"]);
		expect(bench.client.calls).toHaveLength(3);
	});

	test("of the first question replaces the whole chat", async () => {
		const bench = await conversationOf("One", "Two");
		await bench.session.askVersion(idOf(bench, 0), { ...edited, prompt: "Start over?" });
		const call = await bench.client.called(3);
		expect(call.request.messages).toEqual([{ role: "user", content: "Start over?" }]);
		expect(bench.changes.findLast(({ type }) => type === "branch-shown")).toEqual({
			type: "branch-shown",
			after: undefined,
		});
		call.sendMessage("Again.");
		await bench.ended();
		expect(bench.session.title).toBe("One?");
	});

	test("is not asked in a chat that was closed", async () => {
		const bench = await conversationOf("One", "Two");
		await bench.session.close();
		expect(await bench.session.askVersion(idOf(bench, 0), edited)).toEqual({
			type: "unavailable",
		});
		expect(promptsOf(bench)).toEqual(["One?", "Two?"]);
		expect(bench.client.calls).toHaveLength(2);
	});
});
