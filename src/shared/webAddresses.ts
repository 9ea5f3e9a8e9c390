/** Where an address begins, which may be within another one, and the characters behind it that may belong to it. */
const start = /\bhttps?:\/\/(?=(?<rest>[^\s<>"`\\^{|}]{1,2048}))/giu;
/** Characters that may end an address within a run, such as the bracket of a Markdown link or words of a script without spaces. */
const end = /[)\],;'*!]|[^\p{ASCII}]/gu;
/** Ends of one run that are tried, and about how many addresses are looked at: a draft is read with every key. */
const maxEnds = 20;
const maxAddresses = 500;

/**
 * The web addresses that stand literally in a text, each as it is asked for: in the form of the URL standard, without its fragment.
 * Where it cannot be told whether a mark belongs to an address, it is returned with the mark and without it.
 */
export function webAddressesIn(text: string): string[] {
	const found: string[] = [];
	for (const { 0: scheme, groups } of text.matchAll(start)) {
		const whole = scheme + (groups?.["rest"] ?? "");
		const path = /^https?:\/\/[^/?#]*/iu.exec(whole)?.[0].length ?? 0;
		// A host can have letters of any script, which nothing tells from the words behind it.
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

/** The addresses of a text that were not in the text before. */
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
