import { revealInLine, withoutMarks } from "../../../../src/common/hiddenText.ts";

/** The longest URL of a link, in characters; limited by the protocol. */
const maxUrlCharacters = 4096;

/** A link that can be clicked, with its host as displayed. */
export interface SafeLink {
	/** The normalized URL: host in punycode, special characters percent-encoded. */
	readonly href: string;
	readonly host: string;
}

/**
 * Parses an absolute `https:` URL without user name, password or invisible characters. Returns undefined for anything else, which stays text
 * (docs/security.md). Makes no requests.
 */
export function parseSafeLink(address: string): SafeLink | undefined {
	if (!/^https:\/\//i.test(address) || address.length > maxUrlCharacters) {
		return undefined;
	}
	// Invisible characters in a URL have been replaced by visible codes.
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

/** A dot, and characters that look like one. */
const dot = String.raw`[.\u00B7\u2022\u2027\u2219\u22C5\u3002\u30FB\u06D4\uA4F8]`;

/** Letters after a dot, slashes after a colon, four numbers, and names of hosts without either. */
const addressLike = new RegExp(
	[
		String.raw`[\p{L}\p{N}\p{M}-](?:${dot}|\s${dot}\s)[\p{L}\p{M}]{2}`,
		String.raw`[:\u02D0\u2236\uA789]\s?[/\u2044\u2215\u29F8\u2571]`,
		String.raw`\d+(?:\.\d+){3}`,
		String.raw`\bwww\b|localhost`,
	].join("|"),
	"iu",
);

/** Text that is only a URL of ASCII letters, which looks the same as it is. */
const plainAddress = /^\s*(?:https?:\/\/)?([a-z\d.-]+)(?::\d+)?(?:[/?#][!-~]*)?\s*$/i;

/** Whether a link's text looks like a URL other than one of the link's own host (docs/security.md). */
export function needsHost(words: string, link: SafeLink): boolean {
	const shown = plainAddress.exec(words)?.[1];
	const strip = (host: string): string => host.toLowerCase().replace(/^www\./, "");
	const isTrue = shown !== undefined && strip(shown) === strip(link.host.replace(/:\d+$/, ""));
	const plain = withoutMarks(words)
		.normalize("NFKC")
		.replaceAll(/\p{Default_Ignorable_Code_Point}/gu, "");
	return !isTrue && addressLike.test(plain);
}
