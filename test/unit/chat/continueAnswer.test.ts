import { describe, expect, test, vi } from "vitest";
import { ChatSession } from "../../../src/chat/chatSession.ts";
import { silentLog } from "../../../src/common/log.ts";
import { ServiceError } from "../../../src/client/contract/serviceError.ts";
import { type ChatBench, makeChatBench, plainOptions, waitUntil } from "../../helpers/chatBench.ts";
import { messageEvents } from "../../helpers/scriptedClient.ts";

vi.mock("vscode", () => ({}));
const { statusView } = await import("../../../src/ui/chat/chatViewModel.ts");

const half = messageEvents(0, "Half an ans").slice(0, 2);

/** A chat whose answer was cut off in the middle of a word. */
async function cutOff(): Promise<ChatBench> {
	const bench = await makeChatBench();
	const call = await bench.ask("Why?");
	call.send(...half);
	call.fail(new ServiceError("interrupted", { charge: "unknown" }));
	expect(await bench.ended()).toBe("interrupted");
	return bench;
}

function lastOf({ session }: ChatBench) {
	const turn = session.turns.at(-1);
	if (!turn) {
		throw new Error("There is no turn");
	}
	return turn;
}

const goOn = { role: "user", content: expect.stringContaining("Continue it exactly") as string };

describe("An answer that was cut off", () => {
	test("goes on where it ends, with one request that holds its text", async () => {
		const bench = await cutOff();
		const { id } = lastOf(bench);
		expect(statusView(lastOf(bench), false).actions[0]).toBe("continue");
		expect(await bench.session.continueAnswer(id)).toEqual({ type: "started", turnId: id });
		const call = await bench.client.called(2);
		expect(call.request.messages).toEqual([
			{ role: "user", content: "Why?" },
			{ role: "assistant", content: "Half an ans" },
			goOn,
		]);
		expect(call.request.stream).toBe(true);
		call.sendMessage("wer.");
		expect(await bench.ended()).toBe("complete");
		expect(lastOf(bench).messages.map(({ text }) => text)).toEqual(["Half an ans", "wer."]);
		expect(bench.client.calls).toHaveLength(2);
		expect(statusView(lastOf(bench), false).actions).toEqual([]);
	});

	test("is part of later requests with what was added, and the same after a reload", async () => {
		const bench = await cutOff();
		await bench.session.continueAnswer(lastOf(bench).id);
		(await bench.client.called(2)).sendMessage("wer.");
		await bench.ended();
		const call = await bench.ask("And then?");
		expect(call.request.messages).toEqual([
			{ role: "user", content: "Why?" },
			{ role: "assistant", content: "Half an ans" },
			goOn,
			{ role: "assistant", content: "wer." },
			{ role: "user", content: "And then?" },
		]);
		call.sendMessage("Then that.");
		await bench.ended();
		await bench.session.close();
		expect((await bench.reopen()).turns).toEqual(bench.session.turns);
	});

	test("goes on more than once", async () => {
		const bench = await cutOff();
		const { id } = lastOf(bench);
		await bench.session.continueAnswer(id);
		const second = await bench.client.called(2);
		second.send(...messageEvents(0, "wer, and m").slice(0, 2));
		await waitUntil(() => lastOf(bench).messages[1]?.text === "wer, and m");
		bench.session.stop();
		expect(await bench.ended()).toBe("stopped");
		await bench.session.continueAnswer(id);
		const third = await bench.client.called(3);
		expect(third.request.messages).toEqual([
			{ role: "user", content: "Why?" },
			{ role: "assistant", content: "Half an ans" },
			goOn,
			{ role: "assistant", content: "wer, and m" },
			goOn,
		]);
		third.sendMessage("ore.");
		expect(await bench.ended()).toBe("complete");
		await bench.session.close();
		expect((await bench.reopen()).turns).toEqual(bench.session.turns);
	});

	test("is judged by what came of going on, and keeps its text when nothing did", async () => {
		const bench = await cutOff();
		const { id } = lastOf(bench);
		await bench.session.continueAnswer(id);
		const call = await bench.client.called(2);
		call.fail(new ServiceError("unauthorized", { charge: "refused" }));
		expect(await bench.ended()).toBe("refused");
		expect(lastOf(bench).messages.map(({ text }) => text)).toEqual(["Half an ans"]);
		const { actions } = statusView(lastOf(bench), false);
		expect(actions).toContain("tryAgain");
		expect(actions).not.toContain("showError");
		await bench.session.continueAnswer(id);
		const again = await bench.client.called(3);
		expect(again.request.messages).toEqual(call.request.messages);
		again.sendMessage("wer.");
		expect(await bench.ended()).toBe("complete");
		await bench.session.close();
		expect((await bench.reopen()).turns).toEqual(bench.session.turns);
	});

	test("is in later requests as it is shown when nothing came of going on", async () => {
		const bench = await cutOff();
		await bench.session.continueAnswer(lastOf(bench).id);
		(await bench.client.called(2)).fail(new ServiceError("refused", { charge: "notSent" }));
		await bench.ended();
		const call = await bench.ask("Else?");
		expect(call.request.messages).toEqual([
			{ role: "user", content: "Why?" },
			{ role: "assistant", content: "Half an ans" },
			{ role: "user", content: "Else?" },
		]);
	});

	test("goes on after a reload", async () => {
		const bench = await cutOff();
		await bench.session.close();
		const chat = await bench.reopen();
		const { store, clock, client } = bench;
		const session = new ChatSession({ client, store, clock, log: silentLog, chat });
		await session.continueAnswer(chat.turns[0]?.id ?? "", plainOptions);
		expect((await client.called(2)).request.messages).toHaveLength(3);
		await session.close();
	});

	test("cannot go on when it is whole, has no text, or is not the last", async () => {
		const bench = await makeChatBench();
		(await bench.ask("One?")).sendMessage("First.");
		await bench.ended();
		const first = lastOf(bench).id;
		expect(await bench.session.continueAnswer(first)).toEqual({ type: "unavailable" });
		await bench.ask("Two?");
		bench.session.stop();
		await bench.ended();
		expect(statusView(lastOf(bench), false).actions).not.toContain("continue");
		expect(await bench.session.continueAnswer(lastOf(bench).id)).toEqual({ type: "unavailable" });
		expect(bench.client.calls).toHaveLength(2);
	});
});
