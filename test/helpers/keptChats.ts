import { join } from "node:path";
import type { ChatRecord } from "../../src/chat/log/chatRecord.ts";
import { ChatStore } from "../../src/chat/store/chatStore.ts";
import type { Clock } from "../../src/common/async.ts";
import { plainOptions } from "./chatBench.ts";
import { makeTempFolder } from "./tempFolder.ts";

const options = plainOptions;

/** A kept chat that nobody holds. */
export interface KeptChat {
	readonly folder: string;
	readonly id: string;
	/** Of its log. */
	readonly path: string;
}

/** The records of one answered question. */
export function turnRecords(
	turn: number,
	text = `Answer ${turn}`,
	prompt = `Question ${turn}`,
): ChatRecord[] {
	return [
		{ type: "turn-started", at: turn, turn, id: `t${turn}`, prompt, options },
		{ type: "text", turn, index: 0, role: "assistant", text },
		{
			type: "message-finished",
			turn,
			index: 0,
			isContentSaved: true,
			message: { role: "assistant", toolNames: [], raw: { role: "assistant", content: "" } },
		},
		{ type: "turn-ended", at: turn, turn, progress: { state: "complete" } },
	];
}

/** The records a chat begins with. */
export function opening(id: string): ChatRecord[] {
	return [
		{ type: "chat-created", at: 0, id },
		{ type: "title", at: 0, title: "Question 1" },
	];
}

/** Keeps a chat of `count` turns in a folder, or in one of its own. */
export async function makeChat(clock: Clock, count: number, folder?: string): Promise<KeptChat> {
	const turns = Array.from({ length: count }, (_, index) => turnRecords(index + 1));
	return keepChat(clock, turns, folder);
}

/** Keeps a chat of these turns in a folder, or in one of its own. */
export async function keepChat(
	clock: Clock,
	turns: readonly (readonly ChatRecord[])[],
	folder?: string,
): Promise<KeptChat> {
	const place = folder ?? join(await makeTempFolder(), "chats");
	const { id, writer } = new ChatStore({ folder: place, clock }).create();
	await writer.append(opening(id), true);
	for (const turn of turns) {
		await writer.append(turn, true);
	}
	await writer.close();
	return { folder: place, id, path: join(place, `${id}.jsonl`) };
}

/** Turns with a text of every kind there is, whose calls of tools ended in more than one. */
export function turnsOfEveryKind(): ChatRecord[][] {
	const textRecord = (turn: number, index: number, role: string, text: string): ChatRecord => ({
		type: "text",
		turn,
		index,
		role,
		text,
	});
	const lost = { path: "data/Übersicht.csv", mimeType: "text/csv", size: 1, hash: "00" };
	return [
		turnRecords(1, "The answer is forty-two.", "What is the meaning of Life?"),
		[
			{
				type: "turn-started",
				at: 2,
				turn: 2,
				id: "t2",
				prompt: "And the budget?",
				options,
				attachments: [{ kind: "lostFile", name: "Übersicht.csv", ...lost }],
			},
			textRecord(2, 0, "assistant", "An inter"),
			textRecord(2, 0, "assistant", "rupted word, then "),
			textRecord(2, 1, "tool", "42 rows in quarterly.parquet"),
			{ type: "attempt-started", at: 2, turn: 2, isStreamed: true, options },
			textRecord(2, 0, "assistant", "A second try"),
			{
				type: "block-called",
				at: 2,
				call: { callId: "t2:2:0:b1", name: "insert", arguments: '{"path":"ledger.ts"}', after: 1 },
			},
			{
				type: "tool-ended",
				at: 2,
				end: { callId: "t2:2:0:b1", state: "done", content: "Inserted at line 7" },
			},
		],
		[
			...turnRecords(3, "", "Whole?").slice(0, 1),
			{
				type: "answer-replaced",
				turn: 3,
				messages: [{ role: "assistant", text: "Came whole", isFinished: true, toolNames: [] }],
			},
		],
	];
}
