import { expect, test, vi } from "vitest";
import { type ContextUse, contextUse } from "../../../src/chat/contextUse.ts";
import type { ChatDetail } from "../../../src/client/contract/details.ts";
import { type ChatBench, makeChatBench, plainOptions } from "../../helpers/chatBench.ts";

vi.mock("vscode", () => ({}));
const { summarizeChat } = await import("../../../src/ui/chat/summarizeChat.ts");

async function answer(bench: ChatBench, text: string, ...details: readonly ChatDetail[]) {
	const call = await bench.ask("Why?");
	call.send(...details.map(detail => ({ type: "detail", index: 0, detail }) as const));
	call.sendMessage(text);
	await bench.ended();
}

const told: readonly ChatDetail[] = [
	{ type: "usage", input: 900, output: 100 },
	{ type: "context", tokens: 4096 },
];
const tools = [
	{ name: "read", description: "Reads a file", parameters: { type: "object", properties: {} } },
] as const;

function total({ parts }: ContextUse): number {
	return Object.values(parts).reduce((sum, part) => sum + part, 0);
}

test("how much of a context is taken is what the model's server reported for the last answer", async () => {
	const bench = await makeChatBench();
	expect(contextUse(bench.session.turns, plainOptions)).toBeUndefined();
	await answer(bench, "Because.".repeat(100), ...told);
	const options = { ...plainOptions, systemPrompt: "Be brief. ".repeat(20) };
	const use = contextUse(bench.session.turns, options, tools);
	expect(use).toMatchObject({ taken: 1000, contextLength: 4096, isReported: true });
	expect(use?.parts).toMatchObject({ results: 0 });
	expect(use?.parts.messages).toBeGreaterThan(use?.parts.instructions ?? 0);
	expect(use?.parts.tools).toBeGreaterThan(0);
	expect(Math.abs(total(use as ContextUse) - 1000)).toBeLessThan(5);
	await bench.session.close();
	expect(contextUse((await bench.reopen()).turns, options, tools)).toEqual(use);
});

test("the last request counts, not the sum of an answer's requests", async () => {
	const bench = await makeChatBench();
	await answer(bench, "One", { type: "usage", input: 700, output: 50 }, ...told);
	expect(bench.session.turns[0]?.usage).toMatchObject({ input: 1600, output: 150, taken: 1000 });
	expect(contextUse(bench.session.turns, plainOptions)?.taken).toBe(1000);
});

test("what came after the last report is estimated in proportion, and says so", async () => {
	const bench = await makeChatBench();
	await answer(bench, "x".repeat(4000), ...told);
	await answer(bench, "y".repeat(4000));
	const use = contextUse(bench.session.turns, plainOptions);
	expect(use?.isReported).toBe(false);
	expect(use?.taken).toBeGreaterThan(1950);
	expect(use?.taken).toBeLessThan(2050);
});

test("a context is never taken from another model", async () => {
	const bench = await makeChatBench();
	await answer(bench, "One", ...told);
	const options = { ...plainOptions, model: "another" };
	expect(contextUse(bench.session.turns, options)).toBeUndefined();
});

test("a server that tells the context and no tokens has four characters counted as one", async () => {
	const bench = await makeChatBench();
	await answer(bench, "x".repeat(4000), { type: "context", tokens: 4096 });
	expect(contextUse(bench.session.turns, plainOptions)).toMatchObject({
		taken: 1001,
		isReported: false,
	});
});

function summaryOf(bench: ChatBench, options = plainOptions) {
	return summarizeChat({
		session: bench.session,
		questions: {
			sendQueued: async ({ id, text, options: asked, attachments }) => {
				expect(await bench.session.send(text, asked, attachments, id)).toMatchObject({
					type: "started",
				});
				return id;
			},
		},
		options: { settled: () => Promise.resolve(options) },
	});
}

test("a summary is asked for as a message of its own, without tools of the service", async () => {
	const bench = await makeChatBench();
	await answer(bench, "Because.");
	const summary = summaryOf(bench, { ...plainOptions, serverTools: ["browsing"] });
	await expect.poll(() => bench.client.calls.length).toBe(2);
	const call = bench.client.calls[1];
	expect(call?.request.tools).toBeUndefined();
	call?.sendMessage("It is settled.\n");
	expect(await summary).toBe("Summary of an earlier chat:\n\nIt is settled.\n\n");
	expect(bench.session.turns.at(-1)?.prompt).toMatch(/^Summarize this chat/);
});

test("an answer that was stopped is no summary", async () => {
	const bench = await makeChatBench();
	await answer(bench, "Because.");
	const summary = summaryOf(bench);
	await expect.poll(() => bench.client.calls.length).toBe(2);
	bench.session.stop();
	expect(await summary).toBeUndefined();
});

test("nothing is asked where nothing was answered, or where the demo would answer", async () => {
	const bench = await makeChatBench();
	await expect(summaryOf(bench)).rejects.toThrow("This chat has no answers to summarize.");
	await answer(bench, "Because.");
	await expect(summaryOf(bench, { ...plainOptions, isDemo: true })).rejects.toThrow(
		"The demo can't summarize.",
	);
	expect(bench.client.calls).toHaveLength(1);
});
