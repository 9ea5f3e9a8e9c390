/** How much of a document is searched for addresses, in characters. */
const maxSearchedCharacters = 1_000_000;

/** The most addresses that are offered from one document, and that are looked at in it. */
const maxOffered = 50;
const maxExamined = 2000;

/** How much before an address is read to tell whether it is shown as an image, in characters. */
const markReach = 250;

/** No longer than any browser takes, so that its end is found in time. */
const address = /https:\/\/[^\s<>"'`\\|^{}[\]]{1,2048}/g;
const imageName = /\.(?:png|jpe?g|webp|gif|avif|bmp|svg|tiff?)$/i;
/** Where Markdown and HTML say that what comes next is an image, whatever its name. */
const imageMark =
	/(?:!\[[^\]\n]{0,200}\]\(\s{0,9}<?|<img\s[^>\n]{0,200}?src\s{0,9}=\s{0,9}["']?)$/i;

/** The https address around a column of a line, or undefined. */
export function addressAt(line: string, character: number): string | undefined {
	for (const match of line.matchAll(address)) {
		const url = trimmed(match[0]);
		if (match.index <= character && character <= match.index + url.length) {
			return usable(url);
		}
	}
	return undefined;
}

/** The one https address that a text is or holds first, or undefined. */
export function addressIn(text: string): string | undefined {
	const match = text.match(address)?.[0];
	return match === undefined ? undefined : usable(trimmed(match));
}

/**
 * The https addresses of images in a text, each once, in the order they appear, at most 50 from the first million characters:
 * those whose path ends like an image's name, and those that Markdown or HTML show as an image.
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

/** Drops what follows an address in a sentence, and a closing bracket that was opened outside of it. */
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

/** An address a service could fetch: whole, and without a user name or password, which would be sent along. */
function usable(url: string): string | undefined {
	const parsed = URL.canParse(url) ? new URL(url) : undefined;
	return parsed && parsed.hostname !== "" && !parsed.username && !parsed.password ? url : undefined;
}
