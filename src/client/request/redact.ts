import { ServiceError } from "../contract/serviceError.ts";

/**
 * Removes the key from an error, because a service or a runtime may repeat it in a message (docs/security.md). Returns an error without the key
 * unchanged.
 */
export function withoutKey(error: ServiceError, apiKey: string | undefined): ServiceError {
	const cause = error.cause instanceof Error ? error.cause.message : "";
	const texts = [error.serviceMessage ?? "", error.detail ?? "", error.host ?? "", cause];
	if (!apiKey || texts.every(text => text === redact(text, apiKey))) {
		return error;
	}
	const { kind, host, detail, serviceMessage, ...facts } = error.facts;
	return new ServiceError(kind, {
		...facts,
		host: host && redact(host, apiKey),
		detail: detail && redact(detail, apiKey),
		serviceMessage: serviceMessage && redact(serviceMessage, apiKey),
		...(cause === "" ? {} : { cause: new Error(redact(cause, apiKey)) }),
	});
}

/** Removes the key from a text, in any encoding that a service may use (docs/security.md). */
export function redact(text: string, apiKey: string): string {
	const spellings = [
		apiKey,
		JSON.stringify(apiKey).slice(1, -1),
		encodeURIComponent(apiKey.toWellFormed()),
	];
	return spellings.reduce((result, spelling) => result.replaceAll(spelling, "[key]"), text);
}

/** The longest message of the service, in characters. docs/faults.md. */
export const maxMessageCharacters = 500;

/** The longest detail or page title, in characters. docs/faults.md. */
export const maxDetailCharacters = 120;

/**
 * Makes external text displayable: removes control, bidirectional and invisible format characters, collapses spaces, and truncates to `maxCharacters`
 * code points with “…”.
 */
export function plainText(text: string, maxCharacters: number): string {
	const cleaned = text
		// 64 code units per character allow for removed characters and bound the work.
		.slice(0, maxCharacters * 64)
		.toWellFormed()
		.replaceAll(/\r\n?/g, "\n")
		// Keeps joiners, which scripts and emoji need.
		.replaceAll(/(?![\n\t\u200c\u200d])[\p{Cc}\p{Cf}]/gu, "")
		.replaceAll(/[^\S\n]+/gu, " ")
		.replaceAll(/ ?\n[\s]*/gu, "\n")
		.trim();
	const characters = [...cleaned];
	return characters.length > maxCharacters
		? `${characters.slice(0, maxCharacters - 1).join("")}…`
		: cleaned;
}
