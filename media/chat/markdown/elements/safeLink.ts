/**
 * Characters a reader cannot see but a machine obeys: control characters, bidirectional marks and overrides, zero-width and
 * tag characters, line and paragraph separators (threat T30).
 */
const hiddenCharacters =
	// oxlint-disable-next-line no-control-regex, no-misleading-character-class -- finding them is the purpose
	/[\u0000-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e0fff}]/gu;

/** Makes hidden characters visible as `␣U+202E`, so that an address cannot pretend to be another one. */
export function revealHidden(text: string): string {
	return text.replaceAll(
		hiddenCharacters,
		character =>
			`␣U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`,
	);
}

/** The longest address a link may have, in characters; the protocol takes no longer one. */
const maxUrlCharacters = 4096;

/** A link that may be offered for a click: where it goes, and its host as a user should read it. */
export interface SafeLink {
	/** The address in the form the browser would use: host in punycode, everything unusual percent-encoded. */
	readonly href: string;
	readonly host: string;
}

/**
 * Accepts an absolute `https:` address without user name and password and with nothing hidden in it; everything else is
 * `undefined` and stays text (threats T17, T20). Resolves nothing, fetches nothing.
 */
export function parseSafeLink(address: string): SafeLink | undefined {
	if (!/^https:\/\//i.test(address) || address.length > maxUrlCharacters) {
		return undefined;
	}
	if (revealHidden(address) !== address || address.includes("\\")) {
		return undefined;
	}
	const url = URL.canParse(address) ? new URL(address) : undefined;
	const isPlain = url?.protocol === "https:" && url.username === "" && url.password === "";
	if (!url || !isPlain || url.href.length > maxUrlCharacters) {
		return undefined;
	}
	return { href: url.href, host: url.host };
}

/** Whether a link's words look like an address of another host than the one it leads to. */
export function showsAnotherHost(words: string, link: SafeLink): boolean {
	const shown = /^\s*(?:https?:\/\/)?([\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+)/iu.exec(words);
	if (!shown?.[1]) {
		return false;
	}
	const strip = (host: string): string => host.toLowerCase().replace(/^www\./, "");
	return strip(shown[1]) !== strip(link.host.replace(/:\d+$/, ""));
}
