import { appendFile, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import type { InstructionFile } from "../../../../src/attachments/files/projectInstructions.ts";
import type { TurnOptions } from "../../../../src/chat/contract/turn.ts";
import { ChatLibrary } from "../../../../src/chat/library/chatLibrary.ts";
import type { ChatRecord } from "../../../../src/chat/log/chatRecord.ts";
import { ChatStore, type StoredChat } from "../../../../src/chat/store/chatStore.ts";
import { openForTest, plainOptions } from "../../../helpers/chatBench.ts";
import type { Clock } from "../../../../src/common/async.ts";
import { createFakeClock } from "../../../helpers/fakeClock.ts";
import { createFaultyFileSystem } from "../../../helpers/faultyFileSystem.ts";
import {
	turnsOfEveryKind,
	keepChat,
	makeChat,
	opening,
	turnRecords,
} from "../../../helpers/keptChats.ts";
import { makeTempFolder } from "../../../helpers/tempFolder.ts";

const clock = createFakeClock();

function libraryOf(folder: string): ChatLibrary {
	const library = new ChatLibrary({ folder, clock });
	onTestFinished(() => library.dispose());
	return library;
}

const open = (folder: string, id: string): Promise<StoredChat> =>
	openForTest(new ChatStore({ folder, clock }), id);

describe("a chat exported as JSON", () => {
	test("comes back as a chat of its own with exactly the same turns", async () => {
		const { folder, id } = await keepChat(clock, turnsOfEveryKind());
		const here = libraryOf(folder);
		await here.rename(id, "Budget «2026»");
		const exported = Buffer.from(await here.exportJson(id));
		const there = libraryOf(await makeTempFolder());
		const workspace = { folders: ["file:///w"], name: "w" };
		for (const [library, place] of [
			[here, folder],
			[there, undefined],
		] as const) {
			const copy = await library.importChat(exported, workspace);
			expect(copy).not.toBe(id);
			expect(await library.get(copy)).toMatchObject({
				title: "Budget «2026»",
				workspace,
				turnCount: 3,
				createdAt: 0,
				condition: "readable",
			});
			if (place !== undefined) {
				const original = await open(place, id);
				const claimed = original.turns.map(turn => ({
					...turn,
					options: { ...turn.options, isClaimed: true },
				}));
				expect((await open(place, copy)).turns).toEqual(claimed);
			}
		}
	});

	test("names no path of a file of instructions, and neither does anything on the disk", async () => {
		const secret = "/home/ada/clients/acme";
		const file: InstructionFile = {
			name: "AGENTS.md",
			text: "Use tabs.",
			path: `${secret}/AGENTS.md`,
			size: 9,
			isCut: false,
		};
		const options: TurnOptions = { ...plainOptions, instructions: [file] };
		const folder = join(await makeTempFolder(), "chats");
		const { id, writer, queue } = new ChatStore({ folder, clock }).create();
		const [asked, ...rest] = turnRecords(1);
		await writer.append(
			[...opening(id), { ...asked, options } as ChatRecord, ...rest] satisfies ChatRecord[],
			true,
		);
		await queue.write([{ id: "next", text: "Go on", options, attachments: [] }]);
		const written = await Promise.all(
			(await readdir(folder)).map(name => readFile(join(folder, name), "utf8")),
		);
		await writer.close();
		for (const text of [...written, await libraryOf(folder).exportJson(id)]) {
			expect(text).not.toContain(secret);
		}
		expect(written.filter(text => text.includes("Use tabs."))).toHaveLength(2);
	});

	test("says what it is, in lines", async () => {
		const { folder, id } = await keepChat(clock, turnsOfEveryKind());
		const lines = (await libraryOf(folder).exportJson(id)).split("\n");
		expect(lines[0]).toBe(
			`{"format":"cutaway-chat","version":1,"title":"Question 1","exportedAt":${clock.now()},"records":[`,
		);
		expect(lines.filter(line => line.includes("An interrupted word, then "))).toHaveLength(1);
	});

	test.each<[string, string, string, RegExp]>([
		["another program's JSON", '{"messages":[]}', "notAChat", /isn't a chat/],
		["no JSON", "# Chat", "notAChat", /Nothing was imported/],
		["no text", "\u00ff\u00fe", "notAChat", /isn't a chat/],
		["a chat without questions", exportOf([]), "notAChat", /isn't a chat/],
		[
			"records that are none",
			exportOf([{ type: "text", turn: -1 } as unknown as ChatRecord]),
			"notAChat",
			/isn't a chat/,
		],
		["a newer format", '{"format":"cutaway-chat","version":2}', "newer", /Update Cutaway/],
	])("is refused with a sentence when it is %s", async (_, text, kind, sentence) => {
		const folder = await makeTempFolder();
		const importing = libraryOf(folder).importChat(Buffer.from(text, "latin1"));
		await expect(importing).rejects.toMatchObject({
			name: "ChatImportError",
			kind,
			message: expect.stringMatching(sentence),
		});
		expect(await readdir(folder)).toEqual([]);
	});

	test("is refused before it is read when it is larger than 64 MB", async () => {
		const importing = libraryOf(await makeTempFolder()).importChat(new Uint8Array(2 ** 26 + 1));
		await expect(importing).rejects.toMatchObject({ kind: "tooLarge" });
	});

	test.each([
		["one line", 0, "\n"],
		["other lines", 2, "\n"],
		["the line ends of Windows", undefined, "\r\n"],
	])("is read back when it was saved with %s", async (_, indent, lineEnd) => {
		const text = exportOf(turnRecords(1));
		const saved = indent === undefined ? text : JSON.stringify(JSON.parse(text), null, indent);
		const folder = await makeTempFolder();
		const bytes = Buffer.from(saved.replaceAll("\n", lineEnd));
		const id = await libraryOf(folder).importChat(bytes);
		expect((await open(folder, id)).turns).toHaveLength(1);
	});

	test.each([
		["without its end", exportOf(turnRecords(1)).replace(/\]\}\s*$/, "")],
		["with a line of more than 8 MB", exportOf(turnRecords(1, "x".repeat(2 ** 23)))],
		[
			"with other lines of more than 8 MB",
			JSON.stringify(JSON.parse(exportOf(turnRecords(1, "x".repeat(2 ** 23)))), null, 1),
		],
	])("is refused %s", async (_, text) => {
		const folder = await makeTempFolder();
		const importing = libraryOf(folder).importChat(Buffer.from(text));
		await expect(importing).rejects.toMatchObject({ kind: "notAChat" });
		expect(await readdir(folder)).toEqual([]);
	});

	test("has the text of a long message in records that can be read back", async () => {
		const pieces = Array.from({ length: 20 }, (): ChatRecord => {
			return { type: "text", turn: 1, index: 0, role: "assistant", text: "x".repeat(2 ** 20) };
		});
		const [asked, , ...end] = turnRecords(1);
		const { folder, id } = await keepChat(clock, [[asked, ...pieces, ...end] as ChatRecord[]]);
		const library = libraryOf(folder);
		const copy = await library.importChat(Buffer.from(await library.exportJson(id)));
		const [message] = (await open(folder, copy)).turns[0]?.messages ?? [];
		expect(message?.text.length).toBe(20 * 2 ** 20);
	});

	test(
		"as long as one may be lets everything else have its turn while it is imported, opened and exported",
		{ tags: "thorough" },
		async () => {
			const folder = await makeTempFolder();
			const turns = Array.from({ length: 10_000 }, (_, index) => turnRecords(index + 1));
			const branches = Array.from({ length: 300 }, (_, index): ChatRecord => {
				return { type: "branch-shown", at: index, shown: index + 1 };
			});
			const bytes = Buffer.from(exportOf([...turns.flat(), ...branches]));
			// Every look at this clock finds a millisecond gone, so that time is counted in steps.
			let looks = 0;
			const ticking: Clock = { ...clock, monotonic: () => (looks += 1) };
			const library = new ChatLibrary({ folder, clock: ticking });
			onTestFinished(() => library.dispose());
			const inOneGo = async <T>(steps: number, work: Promise<T>): Promise<T> => {
				const before = looks;
				let last = looks;
				let most = 0;
				let isOver = false;
				const take = (): void => {
					most = Math.max(most, looks - last);
					last = looks;
					if (!isOver) {
						setImmediate(take);
					}
				};
				setImmediate(take);
				const result = await work.finally(() => (isOver = true));
				take();
				// A look for every step, and two more for what begins and ends between two turns.
				expect(looks - before).toBeGreaterThan(steps);
				expect(most).toBeLessThan(50);
				return result;
			};
			const id = await inOneGo(2 * 40_300, library.importChat(bytes));
			const opened = await inOneGo(
				2 * 40_300,
				openForTest(new ChatStore({ folder, clock: ticking }), id),
			);
			expect(opened.turns).toHaveLength(10_000);
			await inOneGo(3 * 40_300, library.exportJson(id));
		},
	);

	test("takes no memory for messages that a number alone speaks of", async () => {
		const [asked, answered, ...end] = turnRecords(1);
		const records = [asked, { ...answered, index: 2_000_000 }, ...end] as ChatRecord[];
		const folder = await makeTempFolder();
		const id = await libraryOf(folder).importChat(Buffer.from(exportOf(records)));
		const { turns } = await open(folder, id);
		expect(turns.map(({ messages }) => messages.map(({ text }) => text))).toEqual([[""]]);
	});

	test("keeps what came after messages whose lines were lost", async () => {
		const [asked, answered, ...end] = turnRecords(1);
		const records = [asked, { ...answered, index: 3 }, ...end] as ChatRecord[];
		const folder = await makeTempFolder();
		const id = await libraryOf(folder).importChat(Buffer.from(exportOf(records)));
		const { turns } = await open(folder, id);
		expect(turns.map(({ messages }) => messages.map(({ text }) => text))).toEqual([
			["", "", "", "Answer 1"],
		]);
	});

	const times = (count: number, recordOf: (number: number) => ChatRecord): ChatRecord[] =>
		Array.from({ length: count }, (_, index) => recordOf(index + 1));
	const started = turnRecords(1).slice(0, 1);
	test.each<[string, readonly ChatRecord[]]>([
		["10,001 questions", times(10_001, turn => ({ ...started[0], turn }) as ChatRecord)],
		["a question of the number 2,000,000", turnRecords(2_000_000)],
		[
			"5,001 pieces of one answer",
			[
				...started,
				...times(5001, index => ({
					type: "text",
					turn: 1,
					index: index - 1,
					role: "a",
					text: "",
				})),
			],
		],
		[
			"101 attempts at one answer",
			[
				...started,
				...times(101, at => ({
					type: "attempt-continued",
					at,
					turn: 1,
					options: plainOptions,
				})),
			],
		],
		[
			"301 changes of the branch that is shown",
			[...started, ...times(301, at => ({ type: "branch-shown", at, shown: 1 }))],
		],
		[
			"200,001 records",
			times(200_001, count => ({
				type: "text",
				turn: 1 + (count % 100),
				index: 0,
				role: "a",
				text: "",
			})),
		],
	])("is refused with a sentence when it holds %s", async (_, records) => {
		const folder = await makeTempFolder();
		const importing = libraryOf(folder).importChat(Buffer.from(exportOf(records)));
		await expect(importing).rejects.toMatchObject({
			kind: "tooLarge",
			message: expect.stringMatching(/more messages than Cutaway can import/),
		});
		expect(await readdir(folder)).toEqual([]);
	});

	test.each<[string, object]>([
		["a time that no calendar holds", { type: "title", at: 8.64e15 + 1, title: "" }],
		["a negative count", { type: "text", turn: 1, index: -1, role: "assistant", text: "" }],
		["half a message", { type: "text", turn: 1, index: 0.5, role: "assistant", text: "" }],
	])("is refused when it holds %s", async (_, record) => {
		const folder = await makeTempFolder();
		const text = exportOf([...turnRecords(1), record as ChatRecord]);
		const importing = libraryOf(folder).importChat(Buffer.from(text));
		await expect(importing).rejects.toMatchObject({ kind: "notAChat" });
	});

	test("G8: is imported as a whole or not at all when the disk refuses", async () => {
		for (let call = 1; ; call += 1) {
			const folder = await makeTempFolder();
			const files = createFaultyFileSystem();
			files.fail("ENOSPC", call, call);
			const library = new ChatLibrary({ folder, clock, files });
			const failure = await library
				.importChat(Buffer.from(exportOf(turnRecords(1))))
				.catch((error: unknown) => error);
			const list = await libraryOf(folder).list();
			expect(list.every(({ turnCount }) => turnCount === 1)).toBe(true);
			if (typeof failure === "string") {
				expect(call).toBeGreaterThan(4);
				return;
			}
			expect(failure).toMatchObject({ name: "StoreError", kind: "full" });
		}
	});

	test("L9: is not made of a chat of a newer version, which would lose what is not known of it", async () => {
		const { folder, id, path } = await makeChat(clock, 1);
		await appendFile(path, '{"v":2}\n');
		await expect(libraryOf(folder).exportJson(id)).rejects.toMatchObject({ kind: "newer" });
		await writeFile(path, "nothing\n");
		await expect(libraryOf(folder).exportMarkdown(id)).rejects.toMatchObject({ kind: "damaged" });
	});
});

const head = '{"format":"cutaway-chat","version":1,"title":"T","exportedAt":0,"records":[';

function exportOf(records: readonly ChatRecord[]): string {
	return `${head}\n${records.map(record => JSON.stringify(record)).join(",\n")}\n]}\n`;
}

describe("a chat exported as Markdown", () => {
	test("holds every message, every attachment and every call with its outcome", async () => {
		const { folder, id } = await keepChat(clock, turnsOfEveryKind());
		expect(await libraryOf(folder).exportMarkdown(id)).toBe(
			`# Question 1

## You

What is the meaning of Life?

## Assistant

\`llm-4-turbo-tools\`

The answer is forty-two.

## You

And the budget?

Attached files:

- \`data/Übersicht.csv\`

## Assistant

\`llm-4-turbo-tools\`

A second try

### Tool: \`insert\`

Done

\`\`\`json
{
  "path": "ledger.ts"
}
\`\`\`

\`\`\`
Inserted at line 7
\`\`\`

*This answer was cut off.*

## You

Whole?

## Assistant

\`llm-4-turbo-tools\`

Came whole

*This answer was cut off.*
`,
		);
	});

	test("keeps code as it is, and closes only what an answer left open", async () => {
		const code = "Look:\n\n````md\n```js\nlet a = 1;\n```\n````\n\n```ts\nlet b";
		const { folder, id } = await keepChat(clock, [turnRecords(1, code), turnRecords(2)]);
		const markdown = await libraryOf(folder).exportMarkdown(id);
		expect(markdown).toContain(`${code}\n\`\`\`\n\n## You`);
	});

	test("shows the calls of tools with their results", async () => {
		const call = {
			id: "c1",
			type: "function",
			function: { name: "read_file", arguments: '{"a":1}' },
		};
		const raw = { role: "assistant", content: "", tool_calls: [call] };
		const answer = { role: "tool", tool_call_id: "c1", content: "a ``` b" };
		const { folder, id } = await keepChat(clock, [
			[
				...turnRecords(1).slice(0, 1),
				{
					type: "answer-replaced",
					turn: 1,
					messages: [
						{ role: "assistant", text: "", isFinished: true, toolNames: ["read_file"], raw },
						{ role: "tool", text: answer.content, isFinished: true, toolNames: [], raw: answer },
					],
				},
				{ type: "tool-ended", at: 1, end: { callId: "t1:1:1:c1", state: "done" } },
				{ type: "turn-ended", at: 1, turn: 1, progress: { state: "complete" } },
			],
		]);
		expect(await libraryOf(folder).exportMarkdown(id)).toContain(
			'### Tool: `read_file`\n\nDone\n\n```json\n{\n  "a": 1\n}\n```\n\n### Tool result\n\n````\na ``` b\n````\n',
		);
	});
});
