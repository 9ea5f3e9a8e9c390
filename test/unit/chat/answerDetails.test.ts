import { expect, test, vi } from "vitest";
import { chatMarkdown } from "../../../src/chat/export/chatMarkdown.ts";
import { resumeAttempt } from "../../../src/chat/toolLoop/continuation.ts";
import type { ChatDetail } from "../../../src/client/contract/schemas.ts";
import { ServiceError } from "../../../src/client/contract/serviceError.ts";
import { type ChatBench, makeChatBench } from "../../helpers/chatBench.ts";
import { messageEvents, type ScriptedCall, streamEnd } from "../../helpers/scriptedClient.ts";

vi.mock("vscode", () => ({}));
const { statusView, turnView } = await import("../../../src/ui/chat/chatViewModel.ts");

function tell(call: ScriptedCall, ...details: readonly ChatDetail[]): void {
	call.send(...details.map(detail => ({ type: "detail", index: 0, detail }) as const));
}

function lastOf({ session }: ChatBench) {
	const turn = session.turns.at(-1);
	if (!turn) {
		throw new Error("There is no turn");
	}
	return turn;
}

const thought: readonly ChatDetail[] = [
	{ type: "thinking", text: "Hm, " },
	{ type: "thinking", text: "because." },
	{ type: "thought", ms: 11_400 },
];

test("what a model thinks is shown, kept over a reload, and no part of any request", async () => {
	const bench = await makeChatBench();
	const call = await bench.ask("Why?");
	tell(call, ...thought);
	call.sendMessage("Therefore.");
	expect(await bench.ended()).toBe("complete");
	expect(lastOf(bench).thoughts).toEqual([{ after: 0, text: "Hm, because.", durationMs: 11_400 }]);
	expect(turnView(lastOf(bench), true).thoughts).toEqual([
		{ after: 0, text: "Hm, because.", label: "Thought for 12 s", isOver: true },
	]);
	const next = await bench.ask("And then?");
	expect(JSON.stringify(next.request)).not.toContain("because");
	next.sendMessage("That.");
	await bench.ended();
	await bench.session.close();
	expect((await bench.reopen()).turns).toEqual(bench.session.turns);
});

test("a text that turns out to be a thought leaves the answer, over a reload too, and no request has it", async () => {
	const bench = await makeChatBench();
	const call = await bench.ask("Hi");
	tell(call, { type: "thinking", text: "First. " });
	call.send(
		{ type: "message-start", index: 0, role: "assistant" },
		{ type: "text-delta", index: 0, text: "Okay, the user says hi.\n" },
	);
	tell(call, { type: "was-thinking" }, { type: "thought", ms: 900 });
	call.send({ type: "text-delta", index: 0, text: "Hello" });
	const message = { role: "assistant", content: "Hello" };
	const closed = { isClosed: true, unreadableFrames: 0, hasReplacedBytes: false };
	call.send({ type: "message-end", index: 0, message, ...closed }, streamEnd);
	call.finish();
	expect(await bench.ended()).toBe("complete");
	expect(lastOf(bench).messages).toMatchObject([{ text: "Hello" }]);
	expect(lastOf(bench).thoughts).toEqual([
		{ after: 0, text: "First. Okay, the user says hi.\n", durationMs: 900 },
	]);
	const next = await bench.ask("And then?");
	expect(JSON.stringify(next.request)).not.toContain("Okay");
	next.sendMessage("That.");
	await bench.ended();
	await bench.session.close();
	expect((await bench.reopen()).turns).toEqual(bench.session.turns);
});

test("a thought that was stopped is over, and its words are kept", async () => {
	const bench = await makeChatBench();
	const call = await bench.ask("Why?");
	tell(call, { type: "thinking", text: "Hm" });
	await expect
		.poll(() => turnView(lastOf(bench), true).thoughts)
		.toMatchObject([{ label: "Thinking…", isOver: false }]);
	bench.session.stop();
	expect(await bench.ended()).toBe("stopped");
	expect(turnView(lastOf(bench), true).thoughts).toEqual([
		{ after: 0, text: "Hm", label: "Thought", isOver: true },
	]);
	await bench.session.close();
	expect((await bench.reopen()).turns).toEqual(bench.session.turns);
});

test("what came as thinking and is the answer itself is no thought any more", async () => {
	const bench = await makeChatBench();
	const call = await bench.ask("Why?");
	tell(call, { type: "thinking", text: "So" }, { type: "not-thinking" });
	call.sendMessage("So");
	await bench.ended();
	expect(lastOf(bench).thoughts).toBeUndefined();
	await bench.session.close();
	expect((await bench.reopen()).turns).toEqual(bench.session.turns);
});

test("another attempt begins without the thoughts and tokens of the one before", async () => {
	const bench = await makeChatBench();
	const call = await bench.ask("Why?");
	tell(call, ...thought, { type: "usage", input: 7 });
	call.sendMessage("Therefore.");
	await bench.ended();
	await bench.session.retry(lastOf(bench).id);
	expect(lastOf(bench).thoughts).toBeUndefined();
	expect(lastOf(bench).usage).toBeUndefined();
});

test("tokens are shown as they were reported, summed over the requests of an answer", async () => {
	const bench = await makeChatBench();
	const call = await bench.ask("Why?");
	tell(
		call,
		{ type: "usage", input: 1000, output: 40, perSecond: 33.3 },
		{ type: "usage", input: 1200, output: 2, perSecond: 41.5 },
	);
	call.sendMessage("Therefore.");
	await bench.ended();
	const words = "2,200 tokens in · 42 tokens out · 42 tokens per second";
	expect(turnView(lastOf(bench), true).usage).toBe(words);
	await bench.session.close();
	expect((await bench.reopen()).turns).toEqual(bench.session.turns);
});

const withoutTools: ChatDetail = { type: "note", kind: "noTools", names: [] };

test("what a model was asked without is a line of its answer, kept over a reload, and in no text", async () => {
	const bench = await makeChatBench();
	const call = await bench.ask("Why?");
	const names = ["read_file", "search_text"];
	const notes: ChatDetail[] = [
		{ type: "note", kind: "noThinking", names: [] },
		{ type: "note", kind: "fewerTools", names },
	];
	tell(call, withoutTools, ...notes);
	const lines = [
		{ text: "Tools left out: this model can't use them" },
		{ text: "Thinking left out: the model's server doesn't allow it with tools" },
		{
			text: "2 tools left out: too many for this model",
			more: "read_file, search_text",
		},
	];
	await expect.poll(() => turnView(lastOf(bench), true).notes).toEqual(lines);
	call.sendMessage("Therefore.");
	expect(await bench.ended()).toBe("complete");
	expect(lastOf(bench).messages).toMatchObject([{ text: "Therefore." }]);
	expect(chatMarkdown("T", bench.session.turns)).not.toContain("left out");
	const next = await bench.ask("And then?");
	expect(next.request.messages.map(({ content }) => content)).toEqual([
		"Why?",
		"Therefore.",
		"And then?",
	]);
	next.sendMessage("That.");
	await bench.ended();
	await bench.session.close();
	const { turns } = await bench.reopen();
	expect(turns).toEqual(bench.session.turns);
	expect(turns.map(turn => turnView(turn, true).notes)).toEqual([lines, []]);
});

test("every call that could not be read is noted with its text, and kept", async () => {
	const bench = await makeChatBench();
	for (const text of ["<tool_call>{", "<tool_call>{"]) {
		const call = await bench.ask("Why?");
		tell(call, { type: "note", kind: "unreadCall", names: [], text });
		call.sendMessage("Therefore.");
		await bench.ended();
	}
	const notes = [
		{
			text: "A tool call was not run: the model's server passed it on as text that can't be read. It needs the parser for this model, such as --tool-call-parser in vLLM or --jinja in llama.cpp.",
			more: "<tool_call>{",
		},
	];
	await bench.session.close();
	const { turns } = await bench.reopen();
	expect(turns.map(turn => turnView(turn, true).notes)).toEqual([notes, notes]);
});

test("a note is shown once in a chat, unless it names more, is of another model or of another attempt", async () => {
	const bench = await makeChatBench();
	const fewer = (...names: string[]): ChatDetail => ({ type: "note", kind: "fewerTools", names });
	const ask = async (...details: readonly ChatDetail[]) => {
		const call = await bench.ask("Why?");
		tell(call, ...details);
		call.sendMessage("Therefore.");
		await bench.ended();
		return lastOf(bench).notes?.map(({ kind, names }) => [kind, ...names].join(" "));
	};
	expect(await ask(withoutTools, fewer("a", "b"), withoutTools)).toEqual([
		"noTools",
		"fewerTools a b",
	]);
	expect(await ask(withoutTools, fewer("b"))).toBeUndefined();
	expect(await ask(fewer("b", "c"))).toEqual(["fewerTools b c"]);
	await bench.session.retry(lastOf(bench).id);
	const again = await bench.client.called(4);
	expect(lastOf(bench).notes).toBeUndefined();
	tell(again, fewer("b", "c"));
	again.sendMessage("So.");
	await bench.ended();
	expect(lastOf(bench).notes).toMatchObject([{ names: ["b", "c"] }]);
	await bench.session.send("Why?", { ...lastOf(bench).options, model: "another" });
	const other = await bench.client.called(5);
	tell(other, withoutTools);
	other.sendMessage("So.");
	await bench.ended();
	expect(lastOf(bench).notes).toMatchObject([{ kind: "noTools" }]);
});

test("a note about one model is gone once another one continues or resumes the answer", async () => {
	const bench = await makeChatBench();
	const call = await bench.ask("Why?");
	tell(call, withoutTools, { type: "finish", reason: "length" });
	call.sendMessage("Therefore.");
	expect(await bench.ended()).toBe("endedEarly");
	const { id, options } = lastOf(bench);
	const another = { ...options, model: "another" };
	const resumed = [options, another].map(each =>
		resumeAttempt(lastOf(bench), { options: each, keptMessages: 1 }),
	);
	expect(resumed.map(({ notes }) => notes?.length)).toEqual([1, undefined]);
	await bench.session.continueAnswer(id, another);
	const second = await bench.client.called(2);
	expect(turnView(lastOf(bench), true).notes).toEqual([]);
	tell(second, withoutTools);
	second.sendMessage("So.");
	await bench.ended();
	expect(lastOf(bench).notes).toMatchObject([{ kind: "noTools" }]);
	await bench.session.close();
	expect((await bench.reopen()).turns).toEqual(bench.session.turns);
});

test.each([
	["whole", (call: ScriptedCall): void => call.sendMessage("Once upon")],
	[
		"ended early",
		(call: ScriptedCall): void => {
			call.send(...messageEvents(0, "Once upon"));
			call.fail(new ServiceError("endedEarly", { charge: "unknown" }));
		},
	],
])(
	"an answer that came %s and was cut at the model's limit says so and can go on",
	async (_, end) => {
		const bench = await makeChatBench();
		const call = await bench.ask("Tell me");
		tell(call, { type: "finish", reason: "length" });
		end(call);
		expect(await bench.ended()).toBe("endedEarly");
		expect(statusView(lastOf(bench), true)).toEqual({
			state: "endedEarly",
			sentence: "Cut at the model's limit. The text so far is kept.",
			actions: ["continue"],
		});
		expect(bench.client.calls).toHaveLength(1);
		await bench.session.continueAnswer(lastOf(bench).id);
		const second = await bench.client.called(2);
		expect(second.request.messages.slice(0, 2)).toEqual([
			{ role: "user", content: "Tell me" },
			{ role: "assistant", content: "Once upon" },
		]);
		tell(second, ...thought);
		second.sendMessage(" a time.");
		expect(await bench.ended()).toBe("complete");
		expect(lastOf(bench).thoughts).toMatchObject([{ after: 1 }]);
	},
);

test("a model that thought up to its limit is asked again, not shown as broken", async () => {
	const bench = await makeChatBench();
	const call = await bench.ask("Tell me");
	tell(call, ...thought, { type: "finish", reason: "length" });
	call.fail(new ServiceError("serverFailed", { charge: "unknown", status: 502 }));
	expect(await bench.ended()).toBe("endedEarly");
	const { sentence, actions } = statusView(lastOf(bench), true);
	expect([sentence, actions]).toEqual(["Cut at the model's limit.", ["tryAgain"]]);
});

test("an export folds thoughts away", async () => {
	const bench = await makeChatBench();
	const call = await bench.ask("Why?");
	tell(call, { type: "thinking", text: "</details> & ```" });
	call.sendMessage("Therefore.");
	await bench.ended();
	const markdown = chatMarkdown("T", bench.session.turns);
	expect(markdown).toContain(
		"<details><summary>Thought</summary>\n\n````\n</details> & ```\n````\n\n</details>\n\nTherefore.",
	);
});

test("asked without streaming, an answer keeps its thoughts until another one takes its place", async () => {
	const bench = await makeChatBench();
	const call = await bench.ask("Why?");
	tell(call, ...thought);
	call.send(...messageEvents(0, "There"));
	call.fail(new ServiceError("interrupted", { charge: "unknown" }));
	await bench.ended();
	await bench.session.showError(lastOf(bench).id);
	(await bench.client.called(2)).fail(new ServiceError("busy", { charge: "refused" }));
	await bench.ended();
	expect(lastOf(bench).thoughts).toHaveLength(1);
	await bench.session.showError(lastOf(bench).id);
	(await bench.client.called(3)).finish([{ role: "assistant", content: "Therefore." }]);
	expect(await bench.ended()).toBe("complete");
	expect(lastOf(bench).thoughts).toBeUndefined();
	await bench.session.close();
	expect((await bench.reopen()).turns).toEqual(bench.session.turns);
});
