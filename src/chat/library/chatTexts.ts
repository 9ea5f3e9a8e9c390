import { assertNever } from "../../common/errors.ts";
import type { ChatRecord } from "../log/chatRecord.ts";
import { placeOfCall } from "../contract/toolRecord.ts";
import { callIdOf } from "../contract/turn.ts";

export interface MessageText {
	/** Author of the text. `attachment` means the name of an attached file. */
	readonly speaker: "question" | "answer" | "tool" | "attachment";
	readonly text: string;
}

export interface TurnTexts {
	readonly turnId: string;
	readonly texts: readonly MessageText[];
}

/** Collects all text of a chat from its records, including replaced answers. */
export class ChatTexts {
	private readonly turns: GatheredTurn[] = [];
	private readonly byNumber = new Map<number, GatheredTurn>();
	private readonly byId = new Map<string, GatheredTurn>();

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

/** Collects the texts of a turn. Joins streamed text per message, so that words aren't split at save points. */
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

	/** Stores the messages so far. Further ones belong to another attempt. */
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

/** Results of tools have their own role. All other messages are the answer's. docs/interface.md §2.2. */
function speakerOf(role: string): "answer" | "tool" {
	return role === "tool" || role === "function" ? "tool" : "answer";
}

/** The longest automatic title in characters (Unicode code points). */
const maxTitleCharacters = 60;

/** The longest name given by a user in characters (Unicode code points). */
const maxNameCharacters = 200;

/**
 * Returns a chat's title: the first nonempty line of its first message with whitespace folded, or of a longer line its first sentence, cut at a word
 * after at most 60 characters. Skips an opening fence if code follows. The location of the code comes first, because many messages about code have the same text.
 */
export function titleOf(prompt: string, place?: string): string {
	const lines = prompt.split(/[\r\n]+/).filter(candidate => candidate.trim() !== "");
	const line = lines.find(candidate => !/^\s*(?:`{3}|~{3})/.test(candidate)) ?? lines[0] ?? "";
	const words = foldSpace(line);
	const title = place === undefined || words.includes(place) ? words : `${place} · ${words}`;
	const isLong = [...title].length > maxTitleCharacters;
	return shorten(isLong ? firstSentence(title) : title, maxTitleCharacters);
}

/** Returns the text up to the first end of a sentence that a capital or another script's letter follows. */
function firstSentence(text: string): string {
	return /^.{12,}?(?:[.!?…]+(?=\s+[^\p{Ll}\s])|[。！？])/u.exec(text)?.[0] ?? text;
}

/** Normalizes a user's name for a chat: one line with whitespace folded, at most 200 characters. */
export function foldTitle(name: string): string {
	return shorten(foldSpace(name), maxNameCharacters);
}

function foldSpace(text: string): string {
	return text.trim().replaceAll(/\s+/g, " ");
}

function shorten(text: string, limit: number): string {
	const characters = [...text];
	if (characters.length <= limit) {
		return text;
	}
	const head = characters.slice(0, limit - 1).join("");
	const isWhole = characters[limit - 1] === " ";
	// Languages without spaces, and long paths, are cut anywhere.
	const word = isWhole ? head : /^.{20,}(?=\s\S*$)/su.exec(head)?.[0];
	return `${(word ?? head).trimEnd()}…`;
}
