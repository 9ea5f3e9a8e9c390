/** An `@`, or a `/` that begins the text, being written, and what follows it up to the cursor. */
export interface Mention {
	/** Position of the sign in the text. */
	readonly start: number;
	readonly query: string;
	readonly trigger: "@" | "/";
	/** Whether the address of a page was written, with no sign before it. */
	readonly isBare?: true;
}

/** The longest query that is looked up, in characters; the protocol takes no longer one than that of a page's address. */
const maxQueryCharacters = 200;
const maxAddressCharacters = 2000;

/** Letters of scripts that put no spaces between words, so that a sign behind one begins a word of its own. */
const unspaced = String.raw`\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Bopo}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}`;

/** A sign that begins a word, of either width, and what is written behind it. */
const mention = new RegExp(
	String.raw`(?:^|[\s("'\[{${unspaced}]|(?!\p{ASCII})[\p{P}\p{S}])(?<![@＠])[@＠]([^\s@＠]*)$`,
	"u",
);

/** The mention the cursor is at the end of: an `@` at the beginning of a word. */
export function mentionAt(text: string, cursor: number): Mention | undefined {
	const before = text.slice(Math.max(0, cursor - maxAddressCharacters - 1), cursor);
	const query = mention.exec(before)?.[1];
	const longest = query?.startsWith("https://") ? maxAddressCharacters : maxQueryCharacters;
	if (query === undefined || query.length >= longest) {
		return undefined;
	}
	return { start: cursor - query.length - 1, query, trigger: "@" };
}

/** The address of a page that is all that is written. */
export function addressAt(text: string, cursor: number): Mention | undefined {
	const isAddress = cursor === text.length && /^https?:\/\/[^\s/]+\.[^\s]+$/.test(text);
	return isAddress && text.length < maxAddressCharacters
		? { start: 0, query: text, trigger: "@", isBare: true }
		: undefined;
}

/** The text with the mention replaced by the name of what was attached, and where the cursor goes. */
export function completeMention(
	text: string,
	{ start, query, isBare }: Mention,
	name: string,
): { readonly text: string; readonly cursor: number } {
	const rest = text.slice(start + (isBare ? 0 : 1) + query.length);
	const words = /^\s/.test(rest) ? name : `${name} `;
	return { text: text.slice(0, start) + words + rest, cursor: start + name.length + 1 };
}
