/** The start of a URL, which may be inside another one, and the following characters that may belong to it. */
const start = /\bhttps?:\/\/(?=(?<rest>[^\s<>"`\\^{|}]{1,2048}))/giu;
/** Characters at which a URL may end, such as the bracket of a Markdown link or text of a script without spaces. */
const end = /[)\],;'*!]|[^\p{ASCII}]/gu;
/** The most ends to try per URL, and approximately the most URLs to examine. The draft is parsed at every keystroke. */
const maxEnds = 20;
const maxAddresses = 500;

/**
 * Returns the URLs in a text as they are requested: normalized as in the URL standard, without fragments. If it is unclear whether a character
 * belongs to a URL, returns it both with and without the character.
 */
export function webAddressesIn(text: string): string[] {
	const found: string[] = [];
	for (const { 0: scheme, groups } of text.matchAll(start)) {
		const whole = scheme + (groups?.["rest"] ?? "");
		const path = /^https?:\/\/[^/?#]*/iu.exec(whole)?.[0].length ?? 0;
		// A host can contain letters of any script, which can't be told apart from text after it.
		const ends = [...whole.matchAll(end)]
			.filter(({ 0: mark, index }) => index > path || !/[\p{L}\p{M}\p{N}]/u.test(mark))
			.slice(0, maxEnds)
			.map(({ index }) => whole.slice(0, index));
		found.push(...[...ends, whole].flatMap(each => [each, each.replace(/[.:?!]+$/u, "")]));
		if (found.length > maxAddresses) {
			break;
		}
	}
	return [...new Set(found.flatMap(address => askedFor(address) ?? []))];
}

/** Returns the URLs in a text that are not in the previous text. */
export function addedAddresses(before: string, after: string): string[] {
	const known = new Set(webAddressesIn(before));
	return webAddressesIn(after).filter(address => !known.has(address));
}

function askedFor(address: string): string | undefined {
	const url = URL.parse(address);
	if (!url || url.username !== "" || url.password !== "") {
		return undefined;
	}
	url.hash = "";
	return url.href;
}
