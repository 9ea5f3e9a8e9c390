/** The part of a document that is searched for URLs, in characters. */
const maxSearchedCharacters = 1_000_000;

/** The most URLs to offer from a document, and to examine in it. */
const maxOffered = 50;
const maxExamined = 2000;

/** Length of the text before a URL in which image markup is looked for, in characters. */
const markReach = 250;

/** Limited to a length that browsers support, which also bounds the search. */
const address = /https:\/\/[^\s<>"'`\\|^{}[\]]{1,2048}/g;
const imageName = /\.(?:png|jpe?g|webp|gif|avif|bmp|svg|tiff?)$/i;
/** Markdown and HTML syntax before the URL of an image. */
const imageMark =
	/(?:!\[[^\]\n]{0,200}\]\(\s{0,9}<?|<img\s[^>\n]{0,200}?src\s{0,9}=\s{0,9}["']?)$/i;

/** Returns the https URL at a column of a line, or undefined. */
export function addressAt(line: string, character: number): string | undefined {
	for (const match of line.matchAll(address)) {
		const url = trimmed(match[0]);
		if (match.index <= character && character <= match.index + url.length) {
			return usable(url);
		}
	}
	return undefined;
}

/** Returns the first https URL in a text, or undefined. */
export function addressIn(text: string): string | undefined {
	const match = text.match(address)?.[0];
	return match === undefined ? undefined : usable(trimmed(match));
}

/**
 * Returns the https URLs of images in a text in order, without duplicates: those with an image's file extension, and those in image markup of
 * Markdown or HTML. At most 50, from the first million characters.
 */
export function imageUrlsIn(text: string): string[] {
	const found = new Set<string>();
	const searched = text.slice(0, maxSearchedCharacters);
	let examined = 0;
	for (const match of searched.matchAll(address)) {
		const url = usable(trimmed(match[0]));
		const before = searched.slice(Math.max(0, match.index - markReach), match.index);
		if (url !== undefined && (imageName.test(new URL(url).pathname) || imageMark.test(before))) {
			found.add(url);
		}
		examined += 1;
		if (found.size === maxOffered || examined === maxExamined) {
			break;
		}
	}
	return [...found];
}

/** Removes punctuation after a URL, and a closing bracket without an opening one. */
function trimmed(url: string): string {
	let end = url.replace(/[.,;:!?*_~]+$/, "");
	while (end.endsWith(")") && count(end, ")") > count(end, "(")) {
		end = end.slice(0, -1).replace(/[.,;:!?*_~]+$/, "");
	}
	return end;
}

function count(text: string, character: string): number {
	return text.split(character).length - 1;
}

/** Returns a URL if it is complete and has no user name or password, which would be sent along. */
function usable(url: string): string | undefined {
	const parsed = URL.canParse(url) ? new URL(url) : undefined;
	return parsed && parsed.hostname !== "" && !parsed.username && !parsed.password ? url : undefined;
}
