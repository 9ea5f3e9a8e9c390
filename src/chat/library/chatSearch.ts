import { type Clock, delay, throwIfAborted } from "../../common/async.ts";
import { recordsOf } from "../log/chatLog.ts";
import { chatPaths } from "../log/chatPaths.ts";
import type { ChatSummary } from "./chatSummary.ts";
import { ChatTexts, type MessageText, type TurnTexts } from "./chatTexts.ts";
import type { FileSystem } from "../../storage/fileSystem.ts";
import { firstPlace, foldedWords, foldText, rangesOfWords, type TextRange } from "./foldedText.ts";

/** A place where all words of a query occur. */
export interface ChatFound {
	readonly chat: ChatSummary;
	/** The turn to show; undefined if the words are in the chat's name. */
	readonly turnId: string | undefined;
	readonly speaker: MessageText["speaker"] | "title";
	/** Text around the first word: a line of about 160 characters. */
	readonly excerpt: string;
	/** Positions of the query's words in the excerpt, in UTF-16 units and ascending. */
	readonly ranges: readonly TextRange[];
}

export interface SearchOptions {
	readonly signal?: AbortSignal;
	/** The most results; 200 by default. Each chat has at most 20. */
	readonly limit?: number;
}

export interface ChatSearchDependencies {
	readonly files: FileSystem;
	readonly folder: string;
	readonly clock: Clock;
	readonly chats: readonly ChatSummary[];
}

const defaultLimit = 200;
const maxPlacesPerChat = 20;

/** Bytes to process before yielding to the event loop. */
const breathBytes = 1_000_000;

const excerptCharacters = 160;
const excerptLead = 40;

/**
 * Finds every turn in which, together with the chat's name, all words of the query occur, regardless of case and accents. Yields results in the order
 * of the chats, the latest turns first. Keeps one chat in memory at a time. Finds nothing for an empty query, and skips unreadable chats. Throws
 * `AbortError` if aborted.
 */
export async function* searchChats(
	{ files, folder, clock, chats }: ChatSearchDependencies,
	query: string,
	{ signal, limit = defaultLimit }: SearchOptions,
): AsyncGenerator<ChatFound> {
	const words = foldedWords(query);
	let left = words.length === 0 ? 0 : limit;
	for (const chat of chats) {
		throwIfAborted(signal);
		if (left <= 0) {
			return;
		}
		const { logPath } = chatPaths(folder, chat.id);
		const bytes = await files.read(logPath).catch(() => new Uint8Array());
		const turns = await gather(bytes, clock, signal);
		for (const found of placesIn(chat, turns, words, Math.min(left, maxPlacesPerChat))) {
			left -= 1;
			yield found;
		}
	}
}

async function gather(
	bytes: Uint8Array,
	clock: Clock,
	signal: AbortSignal | undefined,
): Promise<readonly TurnTexts[]> {
	const texts = new ChatTexts();
	let breathed = 0;
	for (const { record, end } of recordsOf(bytes)) {
		texts.add(record);
		if (end - breathed > breathBytes) {
			breathed = end;
			await delay(0, signal, clock);
		}
	}
	return texts.newestFirst();
}

function* placesIn(
	chat: ChatSummary,
	turns: readonly TurnTexts[],
	words: readonly string[],
	limit: number,
): Generator<ChatFound> {
	const title = foldText(chat.title);
	const others = words.filter(word => !title.includes(word));
	let left = limit;
	if (others.length === 0) {
		left -= 1;
		yield { chat, turnId: undefined, ...excerptOf({ speaker: "title", text: chat.title }, words) };
	}
	// If all words are in the name, a turn must contain all of them itself.
	const needed = others.length === 0 ? words : others;
	for (const { turnId, texts } of turns) {
		if (left <= 0) {
			return;
		}
		const best = bestText(texts, needed);
		if (best) {
			left -= 1;
			yield { chat, turnId, ...excerptOf(best, words) };
		}
	}
}

/** Returns the text with most of the words, the first of equals, or undefined if not all words occur. */
function bestText(
	texts: readonly MessageText[],
	words: readonly string[],
): MessageText | undefined {
	const missing = new Set(words);
	let best: { readonly text: MessageText; readonly count: number } | undefined;
	for (const text of texts) {
		const folded = foldText(text.text);
		const held = words.filter(word => folded.includes(word));
		held.forEach(word => missing.delete(word));
		if (held.length > (best?.count ?? 0)) {
			best = { text, count: held.length };
		}
	}
	return missing.size === 0 ? best?.text : undefined;
}

function excerptOf<Speaker extends string>(
	{ speaker, text }: { readonly speaker: Speaker; readonly text: string },
	words: readonly string[],
): { readonly speaker: Speaker; readonly excerpt: string; readonly ranges: readonly TextRange[] } {
	const place = firstPlace(text, words) ?? 0;
	// Whitespace is folded later, so this range is larger than the excerpt.
	const from = Math.max(0, place - 4 * excerptLead);
	const to = place + 4 * excerptCharacters;
	const before = foldSpace(text.slice(from, place)).trimStart();
	const near = [...before].slice(-excerptLead).join("");
	const isCutBefore = from > 0 || near.length < before.length;
	const lead = isCutBefore ? near.slice(near.indexOf(" ") + 1) : near;
	const all = (lead + foldSpace(text.slice(place, to))).trimEnd();
	const shown = [...all].slice(0, excerptCharacters).join("");
	const isCutBehind = to < text.length || shown.length < all.length;
	const excerpt = `${isCutBefore ? "…" : ""}${shown}${isCutBehind ? "…" : ""}`;
	return { speaker, excerpt, ranges: rangesOfWords(excerpt, words) };
}

function foldSpace(text: string): string {
	return text.replaceAll(/\s+/g, " ");
}
