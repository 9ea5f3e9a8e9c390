/** An `@`, or a `/` at the start of the text, and the text after it up to the cursor. */
export interface Mention {
	/** Position of the trigger in the text. */
	readonly start: number;
	readonly query: string;
	readonly trigger: "@" | "/";
	/** Set for a page's URL without a trigger before it. */
	readonly isBare?: true;
}

/** The longest query, and the longest URL as a query, in characters; limited by the protocol. */
const maxQueryCharacters = 200;
const maxAddressCharacters = 2000;

/** Scripts without spaces between words. A trigger after such a letter starts a word. */
const unspaced = String.raw`\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Bopo}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}`;

/** A trigger at the start of a word, in ASCII or full width, and the text after it. */
const mention = new RegExp(
	String.raw`(?:^|[\s("'\[{${unspaced}]|(?!\p{ASCII})[\p{P}\p{S}])(?<![@＠])[@＠]([^\s@＠]*)$`,
	"u",
);

/** Returns the mention that ends at the cursor: an `@` at the start of a word. */
export function mentionAt(text: string, cursor: number): Mention | undefined {
	const before = text.slice(Math.max(0, cursor - maxAddressCharacters - 1), cursor);
	const query = mention.exec(before)?.[1];
	const longest = query?.startsWith("https://") ? maxAddressCharacters : maxQueryCharacters;
	if (query === undefined || query.length >= longest) {
		return undefined;
	}
	return { start: cursor - query.length - 1, query, trigger: "@" };
}

/** Returns a mention if the whole text is a URL. */
export function addressAt(text: string, cursor: number): Mention | undefined {
	const isShort = cursor === text.length && text.length < maxAddressCharacters;
	return isShort && /^https?:\/\/[^\s/]+\.[^\s]+$/.test(text)
		? { start: 0, query: text, trigger: "@", isBare: true }
		: undefined;
}

/** Returns the text with the mention replaced by the attachment's name, or removed for an empty one, and the new cursor position. */
export function completeMention(
	text: string,
	{ start, query, isBare }: Mention,
	name: string,
): { readonly text: string; readonly cursor: number } {
	const rest = text.slice(start + (isBare ? 0 : 1) + query.length);
	if (name === "") {
		const isAtWord = start > 0 && !/\s/.test(text.charAt(start - 1));
		return {
			text: text.slice(0, start) + (isAtWord ? rest : rest.replace(/^[ \t]/, "")),
			cursor: start,
		};
	}
	const words = /^\s/.test(rest) ? name : `${name} `;
	return { text: text.slice(0, start) + words + rest, cursor: start + name.length + 1 };
}
