import { revealInLine } from "../../../../src/common/hiddenText.ts";

/** Characters that change the direction beyond themselves, and tags. */
const concealing = /[\u202A-\u202E\u2066-\u2069\u{E0000}-\u{E007F}]/u;

/**
 * Decodes `&name;` and `&#number;` with the browser's own table, in an inert document. Replaces the package `entities` in the bundle, hence the name.
 * Returns anything else unchanged, and invisible characters as their code.
 */
export function decodeHTMLStrict(entity: string): string {
	if (!/^&#?\w+;$/.test(entity)) {
		return entity;
	}
	const text = new DOMParser().parseFromString(entity, "text/html").body.textContent || entity;
	return concealing.test(text) ? revealInLine(text) : text;
}
