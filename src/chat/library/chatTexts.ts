import { assertNever } from "../../common/assertNever.ts";
import type { ChatRecord } from "../log/chatRecord.ts";
import { placeOfCall } from "../turn/toolRecord.ts";
import { callIdOf } from "../turn/turn.ts";

/** A text in a chat. */
export interface MessageText {
	/** Whose words they are. `attachment` is the name of a file that went along with a question. */
	readonly speaker: "question" | "answer" | "tool" | "attachment";
	readonly text: string;
}

/** All texts about one question, in any attempt at it. */
export interface TurnTexts {
	readonly turnId: string;
	readonly texts: readonly MessageText[];
}

/** Gathers every word of a chat from its records, also those of answers that another attempt has taken the place of. */
export class ChatTexts {
	private readonly turns: GatheredTurn[] = [];
	private readonly byNumber = new Map<number, GatheredTurn>();
	private readonly byId = new Map<string, GatheredTurn>();

	/** Takes the next record of the log. */
	add(record: ChatRecord): void {
		switch (record.type) {
			case "turn-started":
				this.begin(record.turn, record.id);
				this.turn(record.turn)?.say("question", record.prompt);
				this.turn(record.turn)?.attach(record.attachments);
				return;
			case "attempt-started":
			case "attempt-resumed":
				this.turn(record.turn)?.attach(record.attachments);
				this.turn(record.turn)?.seal();
				return;
			case "text":
				this.turn(record.turn)?.stream(record.index, record.role, record.text);
				return;
			case "message-finished":
				if (!record.isContentSaved) {
					const { role, raw } = record.message;
					this.turn(record.turn)?.say(speakerOf(role), raw?.content ?? "");
				}
				return;
			case "answer-replaced":
				for (const { role, text } of record.messages) {
					this.turn(record.turn)?.say(speakerOf(role), text);
				}
				return;
			case "block-called":
				this.turnOfCall(callIdOf(record))?.say("tool", record.call.arguments);
				return;
			case "tool-ended":
				this.turnOfCall(callIdOf(record))?.say("tool", record.end.content ?? "");
				return;
			case "chat-created":
			case "title":
			case "branch-shown":
			case "attempt-continued":
			case "thought":
			case "tool-started":
			case "turn-ended":
			case "gap":
				return;
			default:
				assertNever(record);
		}
	}

	/** The turns so far, the one asked last first. */
	newestFirst(): readonly TurnTexts[] {
		return this.turns.toReversed().map(turn => turn.gathered());
	}

	private begin(number: number, id: string): void {
		const turn = new GatheredTurn(id);
		this.turns.push(turn);
		this.byNumber.set(number, turn);
		this.byId.set(id, turn);
	}

	private turn(number: number): GatheredTurn | undefined {
		return this.byNumber.get(number);
	}

	private turnOfCall(callId: string): GatheredTurn | undefined {
		return this.byId.get(placeOfCall(callId).turnId);
	}
}

/** Texts gathered of one turn; streamed text is put together per message, so that no save point cuts a word in two. */
class GatheredTurn {
	readonly id: string;
	private readonly texts: MessageText[] = [];
	private open = new Map<number, { readonly role: string; readonly pieces: string[] }>();

	constructor(id: string) {
		this.id = id;
	}

	say(speaker: MessageText["speaker"], text: string): void {
		if (text !== "") {
			this.texts.push({ speaker, text });
		}
	}

	attach(attachments: readonly { readonly name: string }[] = []): void {
		for (const { name } of attachments) {
			this.say("attachment", name);
		}
	}

	stream(index: number, role: string, text: string): void {
		const message = this.open.get(index) ?? { role, pieces: [] };
		message.pieces.push(text);
		this.open.set(index, message);
	}

	/** Puts the messages so far away: those that follow are of another attempt. */
	seal(): void {
		this.texts.push(...streamed(this.open));
		this.open = new Map();
	}

	gathered(): TurnTexts {
		return { turnId: this.id, texts: [...this.texts, ...streamed(this.open)] };
	}
}

function streamed(
	open: ReadonlyMap<number, { readonly role: string; readonly pieces: readonly string[] }>,
): MessageText[] {
	return [...open.values()]
		.map(({ role, pieces }) => ({ speaker: speakerOf(role), text: pieces.join("") }))
		.filter(({ text }) => text !== "");
}

/** Interface §2.2: results of tools have a role of their own; all other messages are the answer's. */
function speakerOf(role: string): "answer" | "tool" {
	return role === "tool" || role === "function" ? "tool" : "answer";
}
