import { existsSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { decodeLog } from "../../../../src/chat/log/chatLog.ts";
import { nodeFileSystem } from "../../../../src/storage/fileSystem.ts";
import { plainOptions, waitUntil } from "../../../helpers/chatBench.ts";
import {
	chunk,
	content,
	jsonReply,
	lastChunk,
	start,
	streamed,
	streamHead,
} from "../../../helpers/httpScripts.ts";
import { fin } from "../../../helpers/scriptedServer.ts";
import { listExternalTools } from "../../../../src/tools/catalog/externalToolList.ts";
import { ToolRegistry } from "../../../../src/tools/catalog/toolRegistry.ts";
import { allow, deny } from "../../../helpers/toolBench.ts";
import { callFrame, calling, makeToolChat, saying } from "../../../helpers/toolChat.ts";

const edit = (path: string, find: string, replace: string) => ({
	files: [{ path, edits: [{ find, replace }] }],
});

describe("a round of calls", () => {
	test("runs the tools, sends the message back as it came with one result per call, and asks again", async () => {
		const chat = await makeToolChat([
			calling(["c1", "read_file", { path: "a.txt" }], ["c2", "list_files", {}]),
			saying("Done."),
		]);
		chat.bench.put("ws/a.txt", "alpha\n");
		expect(await chat.ask()).toBe("complete");
		const [first, second] = chat.bodies();
		// Browsing is offered only if the user enabled it.
		const offered = new ToolRegistry().tools.filter(({ name }) => name !== "browsing");
		expect(first?.["custom_tools"]).toMatchObject(
			offered.map(({ name }) => ({ function: { name } })),
		);
		expect(second).toMatchObject({ stream: true });
		expect(second?.messages).toEqual([
			{ role: "user", content: "Go" },
			{
				role: "assistant",
				content: "",
				tool_calls: JSON.parse(
					callFrame(["c1", "read_file", { path: "a.txt" }], ["c2", "list_files", {}]),
				).tool_calls,
			},
			{ role: "tool", tool_call_id: "c1", content: expect.stringContaining("alpha") },
			{ role: "tool", tool_call_id: "c2", content: "a.txt" },
		]);
		expect(chat.session.turns[0]?.messages.map(({ role }) => role)).toEqual([
			"assistant",
			"tool",
			"tool",
			"assistant",
		]);
	});

	test("keeps the name of the field its calls came in", async () => {
		const frame = callFrame(["c1", "list_files", {}]).replace("tool_calls", "calls_of_tools");
		const chat = await makeToolChat([
			streamed(start, frame, "{}", "[DONE]", "[END]"),
			saying("Done."),
		]);
		await chat.ask();
		expect(chat.bodies()[1]?.messages[1]).toHaveProperty("calls_of_tools");
		expect(chat.bodies()[1]?.messages[1]).not.toHaveProperty("tool_calls");
	});

	test("gathers the calls of every message of an answer", async () => {
		const chat = await makeToolChat([
			streamed(
				start,
				callFrame(["c1", "list_files", {}]),
				"{}",
				"[DONE]",
				start,
				callFrame(["c2", "get_open_files", {}]),
				"{}",
				"[DONE]",
				"[END]",
			),
			saying("Done."),
		]);
		await chat.ask();
		expect(Object.keys(chat.results())).toEqual(["c1", "c2"]);
	});

	test("answers the deprecated function_call with a function message whose content is JSON", async () => {
		const chat = await makeToolChat([
			streamed(
				start,
				JSON.stringify({ function_call: { name: "read_file", arguments: '{"path":"a.txt"}' } }),
				"{}",
				"[DONE]",
				"[END]",
			),
			saying("Done."),
		]);
		chat.bench.put("ws/a.txt", "alpha");
		expect(await chat.ask()).toBe("complete");
		const answer = chat.bodies()[1]?.messages.at(-1);
		expect(answer).toMatchObject({ role: "function", name: "read_file" });
		expect(JSON.parse(String(answer?.["content"]))).toContain("alpha");
	});

	test("runs when the answer came whole, and follows it with a stream", async () => {
		const whole = {
			messages: [
				{
					role: "assistant",
					content: "",
					tool_calls: [
						{ id: "c1", type: "function", function: { name: "list_files", arguments: "{}" } },
					],
				},
			],
		};
		const chat = await makeToolChat([
			streamed("{}", "[END]"),
			{ steps: [jsonReply(200, whole)] },
			saying("Done."),
		]);
		chat.bench.put("ws/a.txt", "");
		expect(await chat.ask()).toBe("empty");
		await chat.session.showError(chat.session.turns[0]?.id ?? "");
		await waitUntil(() => !chat.session.isBusy);
		expect(chat.bodies().map(({ stream }) => stream)).toEqual([true, false, true]);
		expect(chat.results()).toEqual({ c1: "a.txt" });
	});

	test("runs readers side by side and writers one after the other, in order", async () => {
		const chat = await makeToolChat([
			calling(
				["r1", "read_file", { path: "a.txt" }],
				["w1", "apply_edit", edit("a.txt", "one", "two")],
				["w2", "apply_edit", edit("a.txt", "two", "three")],
				["r2", "read_file", { path: "a.txt" }],
			),
			saying("Done."),
		]);
		const path = chat.bench.put("ws/a.txt", "one");
		chat.bench.decide = allow;
		await chat.ask();
		expect(readFileSync(path, "utf8")).toBe("three");
		expect(chat.results()["r1"]).toContain("one");
		expect(chat.results()["r2"]).toContain("three");
	});

	test("is the same after the window was reloaded", async () => {
		const chat = await makeToolChat([
			calling(["w1", "apply_edit", edit("a.txt", "one", "two")]),
			saying("Done."),
		]);
		chat.bench.put("ws/a.txt", "one");
		chat.bench.decide = allow;
		await chat.ask();
		const turns = chat.session.turns;
		expect(turns[0]?.startedTools).toMatchObject([{ tool: "apply_edit" }]);
		expect((await chat.reopen()).turns).toEqual(turns);
	});
});

describe("a call that must not run", () => {
	test("S2: of a message that was cut does not", async () => {
		const chat = await makeToolChat([
			{
				steps: [
					streamHead(),
					chunk(`data: ${start}\n\n`),
					chunk(`data: ${callFrame(["c1", "create_file", { path: "x", text: "" }])}\n\n`),
					fin,
				],
			},
		]);
		chat.bench.decide = allow;
		expect(await chat.ask()).toBe("interrupted");
		expect(chat.bench.editor.effects).toEqual([]);
		expect(chat.server.posts).toBe(1);
	});

	test("S2: of a closed message before one that was cut does not", async () => {
		const chat = await makeToolChat([
			{
				steps: [
					streamHead(),
					chunk(`data: ${start}\n\n`),
					chunk(`data: ${callFrame(["c1", "create_file", { path: "x", text: "" }])}\n\n`),
					chunk("data: {}\n\ndata: [DONE]\n\n"),
					chunk(`data: ${start}\n\ndata: {"content":"And"}\n\n`),
					fin,
				],
			},
		]);
		chat.bench.decide = allow;
		expect(await chat.ask()).toBe("interrupted");
		expect(chat.bench.editor.effects).toEqual([]);
	});

	test.each([
		["in its message", ["{}", "[DONE]"], []],
		["after its message has ended", [], ["{}", "[DONE]"]],
	])(
		"S13: before an error %s does not, and the words and the text are kept",
		async (_, after, before) => {
			const calls = callFrame(["c1", "create_file", { path: "x", text: "" }]);
			const error = '{"error":{"message":"out of credit"}}';
			const chat = await makeToolChat([
				streamed(start, content("Half of it"), calls, ...before, error, ...after, "[END]"),
			]);
			chat.bench.decide = allow;
			expect(await chat.ask()).toBe("interrupted");
			const [turn] = chat.session.turns;
			expect(turn?.progress).toMatchObject({
				failure: { kind: "rejected", serviceMessage: "out of credit" },
			});
			expect(turn?.messages.map(({ text }) => text)).toEqual(["Half of it"]);
			expect(chat.bench.asked).toEqual([]);
			expect(chat.bench.editor.effects).toEqual([]);
			expect(chat.server.posts).toBe(1);
		},
	);

	test("S6: of a message without its [DONE] does not", async () => {
		const chat = await makeToolChat([
			streamed(start, callFrame(["c1", "create_file", { path: "x", text: "" }]), "{}", "[END]"),
		]);
		chat.bench.decide = allow;
		expect(await chat.ask()).toBe("endedEarly");
		expect(chat.bench.editor.effects).toEqual([]);
	});

	test("S10: of a message with an unreadable part does not", async () => {
		const chat = await makeToolChat([
			streamed(
				start,
				callFrame(["c1", "create_file", { path: "x", text: "" }]),
				'{"broken',
				"{}",
				"[DONE]",
				"[END]",
			),
		]);
		chat.bench.decide = allow;
		expect(await chat.ask()).toBe("partlyUnreadable");
		expect(chat.bench.editor.effects).toEqual([]);
	});

	test("S4: of a closed message does, when only the stream's own end is missing", async () => {
		const chat = await makeToolChat([
			{
				steps: [
					streamHead(),
					chunk(`data: ${start}\n\n`),
					chunk(`data: ${callFrame(["c1", "list_files", {}])}\n\n`),
					chunk("data: {}\n\ndata: [DONE]\n\n"),
					lastChunk,
				],
			},
			saying("Done."),
		]);
		expect(await chat.ask()).toBe("complete");
		expect(chat.server.posts).toBe(2);
	});

	test("U1: the same id with the same arguments twice runs once and answers both", async () => {
		const chat = await makeToolChat([
			calling(["c1", "read_file", { path: "a.txt" }], ["c1", "read_file", { path: "a.txt" }]),
			saying("Done."),
		]);
		chat.bench.put("ws/a.txt", "alpha");
		await chat.ask();
		expect(chat.bench.editor.effects).toHaveLength(1);
		const answers = chat.bodies()[1]?.messages.filter(({ role }) => role === "tool");
		expect(answers).toHaveLength(2);
		expect(answers?.[0]).toEqual(answers?.[1]);
	});

	test("U2: the same id with different arguments runs neither", async () => {
		const chat = await makeToolChat([
			calling(
				["c1", "create_file", { path: "a.txt", text: "" }],
				["c1", "create_file", { path: "b.txt", text: "" }],
			),
			saying("Done."),
		]);
		chat.bench.decide = allow;
		await chat.ask();
		expect(chat.bench.editor.effects).toEqual([]);
		expect(chat.results()["c1"]).toContain("conflicting");
	});

	test("U3: an id answered in an earlier round is answered again and not run again", async () => {
		const write = ["c1", "create_file", { path: "a.txt", text: "x" }] as const;
		const chat = await makeToolChat([calling(write), calling(write), saying("Done.")]);
		chat.bench.decide = allow;
		await chat.ask();
		expect(chat.bench.asked).toHaveLength(1);
		expect(chat.bench.editor.changes()).toHaveLength(1);
		const answers = chat.bodies()[2]?.messages.filter(({ role }) => role === "tool");
		expect(answers?.map(({ content }) => content)).toEqual(["Created a.txt.", "Created a.txt."]);
	});

	test("U3: an id used again in a later round with other arguments is another call", async () => {
		const create = (path: string) => ["c1", "create_file", { path, text: "" }] as const;
		const chat = await makeToolChat([
			calling(create("a.txt")),
			calling(create("b.txt")),
			saying("Done."),
		]);
		chat.bench.decide = allow;
		await chat.ask();
		expect(existsSync(join(chat.bench.workspace, "b.txt"))).toBe(true);
		const answers = chat.bodies()[2]?.messages.filter(({ role }) => role === "tool");
		expect(answers).toEqual([
			{ role: "tool", tool_call_id: "c1", content: "Created a.txt." },
			{ role: "tool", tool_call_id: "c1", content: "Created b.txt." },
		]);
		const [turn] = chat.session.turns;
		expect(new Set(turn?.toolEnds?.map(({ callId }) => callId)).size).toBe(2);
	});

	test("U9: an identical call under one id round after round pauses like three bad calls", async () => {
		const chat = await makeToolChat([calling(["c1", "list_files", {}])]);
		await chat.ask();
		expect(chat.pauses).toEqual(["badCalls"]);
		expect(chat.server.posts).toBe(4);
	});

	test.each([
		[
			"an id",
			'{"tool_calls":[{"type":"function","function":{"name":"list_files","arguments":"{}"}}]}',
		],
		["a name", '{"tool_calls":[{"id":"c1","type":"function","function":{"arguments":"{}"}}]}'],
	])(
		"U4: without %s does not run, and the turn says that a part was unreadable",
		async (_, frame) => {
			const chat = await makeToolChat([streamed(start, frame, "{}", "[DONE]", "[END]")]);
			expect(await chat.ask()).toBe("partlyUnreadable");
			expect(chat.bench.editor.effects).toEqual([]);
			expect(chat.server.posts).toBe(1);
		},
	);

	test("U5: with unreadable arguments does not run and is told where they break", async () => {
		const chat = await makeToolChat([
			calling(["c1", "create_file", '{"path":"a.txt","text":"x']),
			saying("Sorry."),
		]);
		chat.bench.decide = allow;
		await chat.ask();
		expect(chat.bench.editor.effects).toEqual([]);
		expect(chat.results()["c1"]).toMatch(/not JSON at position \d+/);
	});

	test("U6: of an unknown tool is told the known ones", async () => {
		const chat = await makeToolChat([calling(["c1", "readfile", {}]), saying("Sorry.")]);
		await chat.ask();
		expect(chat.results()["c1"]).toMatch(/no tool "readfile".*read_file/);
	});
});

describe("pauses and ends", () => {
	test("U9: three bad calls in a row pause before the next request", async () => {
		const chat = await makeToolChat([
			calling(["a", "nope", {}]),
			calling(["b", "nope", {}]),
			calling(["c", "nope", {}]),
			saying("Done."),
		]);
		expect(await chat.ask()).toBe("stopped");
		expect(chat.pauses).toEqual(["badCalls"]);
		expect(chat.server.posts).toBe(3);
	});

	test("U9: after 25 rounds the user is asked, and after 25 more again", async () => {
		let count = 0;
		const scripts = Array.from({ length: 60 }, () =>
			calling([`c${(count += 1)}`, "list_files", {}]),
		);
		const chat = await makeToolChat(scripts);
		chat.goesOn = true;
		void chat.ask();
		await waitUntil(() => chat.pauses.length === 1);
		chat.goesOn = false;
		await waitUntil(() => !chat.session.isBusy);
		expect(chat.pauses).toEqual(["rounds", "rounds"]);
		expect(chat.server.posts).toBe(50);
	});

	test("U9: a service connected while a tool runs gets no request until the user continues, and the user is asked once", async () => {
		const create = (path: string) => calling([path, "create_file", { path, text: "" }]);
		const list = calling(["c2", "list_files", {}]);
		const chat = await makeToolChat([create("a"), list, saying("Done."), create("b")]);
		chat.bench.decide = request => {
			chat.service = "https://elsewhere.example";
			return allow(request);
		};
		chat.goesOn = true;
		expect(await chat.ask()).toBe("complete");
		expect(chat.pauses).toEqual(["otherService"]);
		chat.service = "";
		chat.goesOn = false;
		expect(await chat.ask()).toBe("stopped");
		expect(chat.pauses).toEqual(["otherService", "otherService"]);
		expect(chat.server.posts).toBe(4);
	});

	test("T43: what a user allowed a tool of others for the chat does not hold once another service is connected", async () => {
		const echo = (id: string) => calling([id, "mcp_fake_echo", {}]);
		const chat = await makeToolChat([echo("a"), echo("b"), echo("c"), saying("Done.")]);
		const { bench } = chat;
		bench.editor.external = listExternalTools(
			[{ name: "mcp_fake_echo", description: "Echo", inputSchema: undefined, tags: ["mcp"] }],
			() => undefined,
		).tools;
		chat.goesOn = true;
		bench.decide = ({ fingerprint }) => ({ type: "allow", fingerprint, scope: "chat" });
		bench.editor.callExternal = () => {
			chat.service = bench.asked.length === 2 ? "https://elsewhere.example" : chat.service;
			return Promise.resolve("Echo");
		};
		expect(await chat.ask()).toBe("complete");
		expect(bench.asked.map(({ canRemember }) => canRemember)).toEqual([false, true, false]);
	});

	test("a good call between bad ones restarts the count", async () => {
		const chat = await makeToolChat([
			calling(["a", "nope", {}], ["b", "nope", {}], ["c", "list_files", {}]),
			calling(["d", "nope", {}], ["e", "nope", {}]),
			saying("Done."),
		]);
		expect(await chat.ask()).toBe("complete");
		expect(chat.pauses).toEqual([]);
	});

	test("Stop while the user is asked ends the turn; the next question says that the call was not run", async () => {
		const chat = await makeToolChat([
			calling(["c1", "create_file", { path: "a.txt", text: "" }]),
			saying("Hello."),
		]);
		chat.bench.decide = () => {
			chat.session.stop();
			return new Promise(() => undefined);
		};
		expect(await chat.ask()).toBe("stopped");
		expect(chat.bench.editor.effects).toEqual([]);
		expect(chat.changes.findLast(change => change.type === "tool-call")).toMatchObject({
			state: { state: "stopped" },
		});
		expect(await chat.ask("And now?")).toBe("complete");
		expect(chat.bodies()[1]?.messages).toMatchObject([
			{ role: "user" },
			{ role: "assistant" },
			{ role: "tool", tool_call_id: "c1", content: expect.stringContaining("was not run") },
			{ role: "user", content: "And now?" },
		]);
	});

	test("Stop between a tool and the next request sends no request", async () => {
		const chat = await makeToolChat([calling(["c1", "ask_user", { question: "Well?" }])]);
		const { editor } = chat.bench;
		editor.ask = () => {
			chat.session.stop();
			return Promise.resolve("yes");
		};
		expect(await chat.ask()).toBe("stopped");
		expect(chat.server.posts).toBe(1);
	});

	test("S2: a follow-up that is cut keeps what came before it", async () => {
		const chat = await makeToolChat([
			calling(["c1", "list_files", {}]),
			{ steps: [streamHead(), chunk(`data: ${start}\n\ndata: {"content":"Hal"}\n\n`), fin] },
		]);
		expect(await chat.ask()).toBe("interrupted");
		expect(chat.session.turns[0]?.messages.map(({ role }) => role)).toEqual([
			"assistant",
			"tool",
			"assistant",
		]);
	});

	test("U10: a path outside is answered without a word of what is there", async () => {
		const chat = await makeToolChat([
			calling(
				["c1", "read_file", { path: "../secret.txt" }],
				["c2", "read_file", { path: "../absent.txt" }],
			),
			saying("Sorry."),
		]);
		chat.bench.put("secret.txt", "the-secret");
		await chat.ask();
		expect(chat.results()["c1"]).toBe(chat.results()["c2"]);
		expect(JSON.stringify(chat.bodies())).not.toContain("the-secret");
	});

	test("U12: an edit that cannot be placed asks nobody and changes nothing", async () => {
		const chat = await makeToolChat([
			calling(
				["c1", "apply_edit", edit("a.txt", "absent", "x")],
				["c2", "apply_edit", edit("a.txt", "a", "x")],
			),
			saying("Sorry."),
		]);
		const path = chat.bench.put("ws/a.txt", "a a");
		chat.bench.decide = allow;
		await chat.ask();
		expect(chat.bench.asked).toEqual([]);
		expect(readFileSync(path, "utf8")).toBe("a a");
		expect(chat.results()["c1"]).toContain("does not stand in the file");
		expect(chat.results()["c2"]).toContain("more than once");
	});

	test("U20: a long result is cut and says so", async () => {
		const chat = await makeToolChat([
			calling(["c1", "read_file", { path: "long.txt" }]),
			saying("Done."),
		]);
		chat.bench.put("ws/long.txt", "x".repeat(200_000));
		await chat.ask();
		expect(chat.results()["c1"]?.length).toBeLessThan(70_000);
		expect(chat.results()["c1"]).toContain("[cut: the first 65536 of 200000 characters]");
	});
});

describe("what is on record", () => {
	test("a change is on the medium before it happens", async () => {
		const chat = await makeToolChat([
			calling(["c1", "create_file", { path: "a.txt", text: "x" }]),
			saying("Done."),
		]);
		chat.bench.decide = allow;
		const log = join(chat.bench.base, "chats", `${chat.session.id}.jsonl`);
		const { editor } = chat.bench;
		const { change } = editor;
		let typesBefore: string[] = [];
		editor.change = changes => {
			typesBefore = decodeLog(readFileSync(log)).records.map(({ type }) => type);
			return change(changes);
		};
		await chat.ask();
		expect(typesBefore).toContain("tool-started");
	});

	test("L6: a change that cannot be recorded does not happen", async () => {
		let isFull = false;
		const files = {
			...nodeFileSystem,
			open: async (path: string) => {
				const file = await nodeFileSystem.open(path);
				const full = (): Promise<never> =>
					Promise.reject(Object.assign(new Error("full"), { code: "ENOSPC" }));
				return {
					...file,
					append: (bytes: Uint8Array) => (isFull ? full() : file.append(bytes)),
				};
			},
		};
		const chat = await makeToolChat(
			[calling(["c1", "create_file", { path: "a.txt", text: "x" }]), saying("Sorry.")],
			{ files },
		);
		chat.bench.decide = request => {
			isFull = true;
			return allow(request);
		};
		await chat.ask();
		expect(chat.bench.editor.effects).toEqual([]);
		expect(chat.results()["c1"]).toContain("could not be recorded");
		isFull = false;
	});

	test("U17: a call that waited for its approval at a reload is not run afterwards, and the model is told", async () => {
		const chat = await makeToolChat([
			calling(["c1", "create_file", { path: "a.txt", text: "" }]),
			saying("Hello."),
		]);
		chat.bench.decide = () => new Promise(() => undefined);
		await chat.session.send("Go", plainOptions);
		await waitUntil(() => chat.bench.asked.length === 1);
		const reopened = await chat.reopen();
		expect(reopened.turns[0]?.progress).toMatchObject({ state: "interrupted" });
		expect(reopened.turns[0]?.startedTools).toBeUndefined();
		expect(chat.bench.editor.effects).toEqual([]);
	});

	test("U18: a call whose result was lost says that it may have taken effect", async () => {
		const chat = await makeToolChat([
			calling(["c1", "create_file", { path: "a.txt", text: "x" }]),
			saying("Hello."),
		]);
		chat.bench.decide = allow;
		chat.bench.editor.change = () => {
			chat.session.stop();
			return new Promise(() => undefined);
		};
		expect(await chat.ask()).toBe("stopped");
		await chat.ask("And now?");
		expect(chat.results()["c1"]).toContain("may have taken effect");
	});

	test("a denial goes back with the user's words", async () => {
		const chat = await makeToolChat([
			calling(["c1", "delete_file", { path: "a.txt" }]),
			saying("Fine."),
		]);
		chat.bench.put("ws/a.txt", "");
		chat.bench.decide = () => ({ type: "deny", reason: "no, because I need it" });
		await chat.ask();
		expect(chat.results()["c1"]).toBe(
			"Denied: the user did not allow this. Reason: no, because I need it",
		);
		chat.bench.decide = deny;
	});

	test("U11: a file that changed after the diff is shown again, and the old approval does not count", async () => {
		const chat = await makeToolChat([
			calling(["c1", "apply_edit", edit("a.txt", "one", "two")]),
			saying("Done."),
		]);
		const path = chat.bench.put("ws/a.txt", "one");
		chat.bench.decide = request => {
			if (chat.bench.asked.length === 1) {
				writeFileSync(path, "one more");
			}
			return allow(request);
		};
		await chat.ask();
		expect(chat.bench.asked).toHaveLength(2);
		expect(chat.bench.asked[0]?.fingerprint).not.toBe(chat.bench.asked[1]?.fingerprint);
		expect(readFileSync(path, "utf8")).toBe("two more");
	});

	test("T13: a link put in a file's place after the approval is not followed", async () => {
		const chat = await makeToolChat([
			calling(["c1", "apply_edit", edit("a.txt", "one", "two")]),
			saying("Done."),
		]);
		const outside = chat.bench.put("outside.txt", "one");
		const path = chat.bench.put("ws/a.txt", "one");
		chat.bench.decide = async request => {
			const { rmSync } = await import("node:fs");
			rmSync(path);
			symlinkSync(outside, path);
			return allow(request);
		};
		await chat.ask();
		expect(readFileSync(outside, "utf8")).toBe("one");
		expect(chat.results()["c1"]).toContain("leads out of the workspace");
	});
});
