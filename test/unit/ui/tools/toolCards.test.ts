import { expect, test } from "vitest";
import { applyToolRecord, type Turn } from "../../../../src/chat/contract/turn.ts";
import { applyCode } from "../../../../src/tools/catalog/write/applyCode.ts";
import { ToolRegistry } from "../../../../src/tools/catalog/toolRegistry.ts";
import {
	describeRequests,
	recordedCards,
	toolCard,
	toolReason,
} from "../../../../src/ui/tools/toolCards.ts";
import { start, streamed } from "../../../helpers/httpScripts.ts";
import { callFrame, calling, makeToolChat, saying } from "../../../helpers/toolChat.ts";

const registry = new ToolRegistry([...new ToolRegistry().tools, applyCode]);

function cardsOf([turn]: readonly Turn[]) {
	return turn ? recordedCards(registry, turn) : [];
}

test("after a reload a card says how its call ended and how long it ran", async () => {
	const chat = await makeToolChat([calling(["c1", "list_files", {}]), saying("Done.")]);
	await chat.ask();
	expect(cardsOf((await chat.reopen()).turns)).toMatchObject([
		{ id: "c1", title: "List files", state: "done", durationMs: expect.any(Number), after: 1 },
	]);
});

test("calls that have no card are described by what they do, without the tools' own names", () => {
	const call = (name: string, input: string) => ({
		id: name,
		type: "function" as const,
		function: {
			name,
			arguments: input,
		},
	});
	const tool_calls = [
		call("read_file", `{"path":"src/cart.ts"}`),
		call("list_files", "{}"),
		call("mcp_shop_book", "{}"),
		call("bo\u202eok", "{}"),
	];
	const raw = { role: "assistant", content: "", tool_calls };
	expect(describeRequests({ raw, toolNames: [] }, 0)).toEqual([
		"Read cart.ts",
		"List files",
		"shop: book",
		"bo␣U+202Eok",
	]);
	expect(describeRequests({ toolNames: ["get_problems"] }, 0)).toEqual(["Read the problems"]);
});

test("T43: a card has the name of a server's tool that is no longer listed, and of none that could mislead", async () => {
	const names = ["mcp_shop_book", "mcp_shop_\u202Ebook", "book"];
	const chat = await makeToolChat([
		calling(...names.map((name, at) => [`c${at}`, name, {}] as const)),
		saying("Done."),
	]);
	await chat.ask();
	const unknown = "Unknown tool";
	expect(cardsOf((await chat.reopen()).turns).map(({ title }) => title)).toEqual([
		"shop: book",
		unknown,
		unknown,
	]);
});

test("a file that begins like a failure is no failure", async () => {
	const chat = await makeToolChat([calling(["c1", "read_file", { path: "log.txt" }]), saying("x")]);
	chat.bench.put("ws/log.txt", "Error: from long ago\n");
	await chat.ask();
	expect(cardsOf((await chat.reopen()).turns)).toMatchObject([{ state: "done" }]);
});

test("a call that read lines of a file leads to them; one that read all of it, or nothing, to none", async () => {
	const path = "log.txt";
	const chat = await makeToolChat([
		calling(
			["c1", "read_file", { path, startLine: 2, endLine: 3 }],
			["c2", "read_file", { path }],
			["c3", "read_file", { path: "none.txt", startLine: 2 }],
		),
		saying("x"),
	]);
	chat.bench.put("ws/log.txt", "1\n2\n3\n4\n");
	await chat.ask();
	expect(cardsOf((await chat.reopen()).turns).map(({ lines }) => lines)).toEqual([
		{ path, first: 2, last: 3 },
		undefined,
		undefined,
	]);
});

test.each([
	["tool_calls", [{ type: "function", function: { name: "list_files", arguments: "{}" } }]],
	["tool_calls", [{ id: "c1", type: "function", function: { arguments: "{}" } }]],
	["tool_calls", [{ id: "c1", name: "list_files", arguments: "{}" }]],
	["function_call", { arguments: "{}" }],
])(
	"U4: a request in %s without an id, a name or a function has a card, and no other",
	async (field, value) => {
		const frame = JSON.stringify({ [field]: value });
		const chat = await makeToolChat([streamed(start, frame, "{}", "[DONE]", "[END]")]);
		await chat.ask();
		const expected = [{ title: "Invalid tool request", state: "invalid", name: "" }];
		expect(cardsOf(chat.session.turns)).toMatchObject(expected);
		expect(cardsOf((await chat.reopen()).turns)).toMatchObject(expected);
	},
);

test("U4: what is no call has a card beside that of the call it came with, which runs", async () => {
	const call = { id: "c1", type: "function", function: { name: "list_files", arguments: "{}" } };
	const frame = JSON.stringify({ tool_calls: [call, { name: "list_files", arguments: "{}" }] });
	const first = streamed(start, frame, "{}", "[DONE]", "[END]");
	const chat = await makeToolChat([first, saying("Done.")]);
	await chat.ask();
	const expected = [
		{ title: "List files", state: "done" },
		{ title: "Invalid tool request", state: "invalid" },
	];
	expect(cardsOf(chat.session.turns)).toMatchObject(expected);
	expect(cardsOf((await chat.reopen()).turns)).toMatchObject(expected);
});

test("U4: a request that cannot be used hides no card, whatever id a call has", async () => {
	const unusable = JSON.stringify({ tool_calls: [{ type: "function", function: { name: "x" } }] });
	const chat = await makeToolChat([
		streamed(
			start,
			callFrame(["unusable-1", "list_files", {}]),
			"{}",
			"[DONE]",
			start,
			unusable,
			"{}",
			"[DONE]",
			"[END]",
		),
		saying("Done."),
	]);
	await chat.ask();
	expect(cardsOf(chat.session.turns)).toMatchObject([{ title: "List files", state: "done" }]);
});

test("a code block that was put into a file has its card, and one that was not approved says so", async () => {
	const chat = await makeToolChat([saying("A block.")]);
	await chat.ask();
	const [turn] = chat.session.turns;
	const idOf = (card: string): string => `${turn?.id}:1:0:${card}`;
	for (const card of ["code-1", "code-2"]) {
		const call = { callId: idOf(card), name: "apply_code", arguments: '{"path":"a"}', after: 1 };
		chat.session.blockCalls.add(call);
	}
	chat.session.blockCalls.end({ callId: idOf("code-1"), state: "done", content: "Changed a." });
	expect(cardsOf((await chat.reopen()).turns)).toMatchObject([
		{ id: "code-1", title: "Apply the code", state: "done", result: "Changed a." },
		{ id: "code-2", state: "stopped" },
	]);
});

test("what is recorded of an earlier attempt is no part of a turn", async () => {
	const chat = await makeToolChat([saying("A block.")]);
	await chat.ask();
	const [turn] = chat.session.turns;
	const callId = `${turn?.id}:2:0:code-1`;
	const end = { callId, state: "done" } as const;
	expect(turn && applyToolRecord(turn, { type: "tool-ended", at: 0, end })).toBe(turn);
});

test("a card says in one line what its call does, on which file, and that nothing is there", async () => {
	const chat = await makeToolChat([
		calling(
			["c1", "read_file", { path: "src/deep/log.txt" }],
			["c2", "read_file", { path: "none.txt" }],
			["c3", "search_text", { query: "a\u202eb" }],
			["c4", "list_files", {}],
			["c5", "ask_user", { question: "Which one?", answer: "none" }],
		),
		saying("Done."),
	]);
	chat.bench.put("ws/src/deep/log.txt", "Error: from long ago\n");
	await chat.ask();
	const cards = cardsOf((await chat.reopen()).turns);
	expect(cards.map(({ line }) => line)).toEqual([
		"Read log.txt",
		"Read none.txt",
		"Search for “a␣U+202Eb”",
		undefined,
		"Ask “Which one?”",
	]);
	expect(cards.map(({ state, reason }) => [state, reason])).toEqual([
		["done", undefined],
		["missing", undefined],
		["done", undefined],
		["done", undefined],
		// What is wrong with the arguments is told to the model, and is in the details.
		["invalid", undefined],
	]);
});

test("a card of a denied call says what was answered, of any other failure the first line", () => {
	expect(
		[
			"Denied: the user did not allow this. Reason: not like this\nand more",
			'"Denied: the user did not allow this. They said: no"',
			"Denied: the user did not allow this.",
			"Error: There is no file.\nLook again.",
		].map(toolReason),
	).toEqual(["not like this", "no", undefined, "There is no file."]);
});

test.each([
	["The user answered: SQLite\u202e", "Which database? · SQLite␣U+202E"],
	["The user did not answer.", "Ask “Which database?”"],
])("a question of the model shows its answer in its line: %j", (content, line) => {
	const input = JSON.stringify({ question: "Which database?" });
	const call = { form: "tool", id: "c1", name: "ask_user", arguments: input } as const;
	const card = toolCard(registry, call, 0, { state: "done", content, durationMs: 5 });
	expect(card.line).toBe(line);
});
