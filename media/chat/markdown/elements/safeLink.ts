import { revealInLine, withoutMarks } from "../../../../src/common/hiddenText.ts";

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
	// What was hidden in an address is shown by its code in what is rendered.
	if (revealInLine(address) !== address || /[\\␣]/.test(address)) {
		return undefined;
	}
	const url = URL.canParse(address) ? new URL(address) : undefined;
	const isPlain = url?.protocol === "https:" && url.username === "" && url.password === "";
	if (!url || !isPlain || url.href.length > maxUrlCharacters) {
		return undefined;
	}
	return { href: url.href, host: url.host };
}

/** A dot, and what only looks like one. */
const dot = String.raw`[.\u00B7\u2022\u2027\u2219\u22C5\u3002\u30FB\u06D4\uA4F8]`;

/** Letters behind a dot, slashes behind a colon, a number of four parts, and names of addresses without either. */
const addressLike = new RegExp(
	[
		String.raw`[\p{L}\p{N}\p{M}-](?:${dot}|\s${dot}\s)[\p{L}\p{M}]{2}`,
		String.raw`[:\u02D0\u2236\uA789]\s?[/\u2044\u2215\u29F8\u2571]`,
		String.raw`\d+(?:\.\d+){3}`,
		String.raw`\bwww\b|localhost`,
	].join("|"),
	"iu",
);

/** An address of plain letters and nothing else: what is shown is what it is. */
const plainAddress = /^\s*(?:https?:\/\/)?([a-z\d.-]+)(?::\d+)?(?:[/?#][!-~]*)?\s*$/i;

/** Whether a link's words look like an address at all, other than one of the very host it leads to (threat T17). */
export function needsHost(words: string, link: SafeLink): boolean {
	const shown = plainAddress.exec(words)?.[1];
	const strip = (host: string): string => host.toLowerCase().replace(/^www\./, "");
	const isTrue = shown !== undefined && strip(shown) === strip(link.host.replace(/:\d+$/, ""));
	const plain = withoutMarks(words)
		.normalize("NFKC")
		.replaceAll(/\p{Default_Ignorable_Code_Point}/gu, "");
	return !isTrue && addressLike.test(plain);
}
