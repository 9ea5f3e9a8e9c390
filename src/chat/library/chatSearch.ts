import { type Clock, delay, throwIfAborted } from "../../common/async.ts";
import { recordsOf } from "../log/chatLog.ts";
import { chatPaths } from "../log/chatPaths.ts";
import type { ChatSummary } from "./chatSummary.ts";
import { ChatTexts, type MessageText, type TurnTexts } from "./chatTexts.ts";
import type { FileSystem } from "../../storage/fileSystem.ts";
import { firstPlace, foldedWords, foldText, rangesOfWords, type TextRange } from "./foldedText.ts";

/** One place where all words of a query occur. */
export interface ChatFound {
	readonly chat: ChatSummary;
	/** The turn to show; undefined when the words are the chat's name. */
	readonly turnId: string | undefined;
	/** Whose words the excerpt is. */
	readonly speaker: MessageText["speaker"] | "title";
	/** Text around the first of the words: one line of at most 160 characters or a few more. */
	readonly excerpt: string;
	/** Where words of the query are in the excerpt, in UTF-16 units and in order. */
	readonly ranges: readonly TextRange[];
}

/** Choices for a search beside its words. */
export interface SearchOptions {
	readonly signal?: AbortSignal;
	/** The most places found; 200 when left out. At most 20 of them are of one chat. */
	readonly limit?: number;
}

/** Where a search looks. */
export interface ChatSearchDependencies {
	readonly files: FileSystem;
	readonly folder: string;
	readonly clock: Clock;
	/** The chats to look through, in this order. */
	readonly chats: readonly ChatSummary[];
}

const defaultLimit = 200;
const maxPlacesPerChat = 20;

/** After so many bytes a search lets others have a turn. */
const breathBytes = 1_000_000;

const excerptCharacters = 160;
const excerptLead = 40;

/**
 * Finds every turn in which, together with its chat's name, all words of the query occur, whatever their case and accents;
 * in the order of the chats, the latest turn of each first. One chat is in memory at a time. A query without words finds
 * nothing; a chat that cannot be read is passed over. Throws `AbortError` when the signal fires.
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
		const bytes = await readQuietly(files, chatPaths(folder, chat.id).logPath);
		const turns = await gather(bytes, clock, signal);
		for (const found of placesIn(chat, turns, words, Math.min(left, maxPlacesPerChat))) {
			left -= 1;
			yield found;
		}
	}
}

async function readQuietly(files: FileSystem, path: string): Promise<Uint8Array> {
	try {
		return await files.read(path);
	} catch {
		return new Uint8Array();
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
	// Words that are all in the name are looked for in the turns as well, but then a turn has to hold them all itself.
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

/** The text that holds most of the words, the first of equals; undefined when not all of them occur. */
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
	// White space is folded after the cut, so more is cut out than is shown.
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
