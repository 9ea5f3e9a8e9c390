import { ServiceError } from "../contract/errors.ts";

/**
 * The error without the key: a service may repeat a key in what it says about it, and so may a runtime. Threat T4. An error
 * that does not hold the key comes back as it is.
 */
export function withoutKey(error: ServiceError, apiKey: string | undefined): ServiceError {
	const cause = error.cause instanceof Error ? error.cause.message : "";
	const texts = [error.serviceMessage ?? "", error.detail ?? "", error.host ?? "", cause];
	if (!apiKey || texts.every(text => text === redact(text, apiKey))) {
		return error;
	}
	const { kind, ...facts } = error.facts;
	return new ServiceError(kind, {
		...facts,
		...redactField("host", error.host, apiKey),
		...redactField("detail", error.detail, apiKey),
		...redactField("serviceMessage", error.serviceMessage, apiKey),
		...(cause === "" ? {} : { cause: new Error(redact(cause, apiKey)) }),
	});
}

function redactField<Name extends string>(
	name: Name,
	text: string | undefined,
	apiKey: string,
): Partial<Record<Name, string>> {
	const field: Partial<Record<Name, string>> = {};
	if (text !== undefined) {
		field[name] = redact(text, apiKey);
	}
	return field;
}

/** The text without the key, in any of the spellings that a service may give it back in. Threat T4. */
export function redact(text: string, apiKey: string): string {
	const spellings = [
		apiKey,
		JSON.stringify(apiKey).slice(1, -1),
		encodeURIComponent(apiKey.toWellFormed()),
	];
	return spellings.reduce((result, spelling) => result.replaceAll(spelling, "[key]"), text);
}

/** The most characters of the service's own words that are kept. docs/faults.md. */
export const maxMessageCharacters = 500;

/** The most characters of a detail or of a web page's title that are kept. Fault matrix, row N10. */
export const maxDetailCharacters = 120;

/**
 * Foreign text as it may be shown: control, bidirectional and invisible format characters removed, runs of spaces folded,
 * cut to `maxCharacters` code points with “…” at the cut.
 */
export function plainText(text: string, maxCharacters: number): string {
	const cleaned = text
		// 64 code units per kept character leave room for what is removed and keep the work bounded.
		.slice(0, maxCharacters * 64)
		.toWellFormed()
		.replaceAll(/\r\n?/g, "\n")
		// Joiners stay: scripts and emoji need them.
		.replaceAll(/(?![\n\t\u200c\u200d])[\p{Cc}\p{Cf}]/gu, "")
		.replaceAll(/[^\S\n]+/gu, " ")
		.replaceAll(/ ?\n[\s]*/gu, "\n")
		.trim();
	const characters = [...cleaned];
	return characters.length > maxCharacters
		? `${characters.slice(0, maxCharacters - 1).join("")}…`
		: cleaned;
}
