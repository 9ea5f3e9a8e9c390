import type { Generation } from "../../client/contract/schemas.ts";

/** Interpreted result of a status request. */
export type GenerationReading =
	| { readonly kind: "inProgress" }
	| { readonly kind: "complete"; readonly address: string }
	| { readonly kind: "completeWithoutAddress" }
	| {
			readonly kind: "unusual";
			readonly status: string;
			readonly readsLikeFailure: boolean;
			/** The service's explanation. */
			readonly message?: string | undefined;
	  }
	/** Status missing or of another type. The last state is kept. */
	| { readonly kind: "nothing" };

/** The greatest stored length of a status, in characters. */
const maxStatusCharacters = 200;

/** The greatest stored length of a service's explanation, in characters. docs/faults.md. */
const maxMessageCharacters = 500;

/** Words in a status that mean that there will be no video. */
const failureWords = /fail|error|cancel|reject|expire/i;

/**
 * Interprets a generation. Recognizes only the two documented statuses, in any letter case, and keeps other values as they are. The address counts
 * only with `complete`. docs/interface.md.
 */
export function readGeneration({ status, output, message }: Generation): GenerationReading {
	if (typeof status !== "string" || status.trim() === "") {
		return { kind: "nothing" };
	}
	switch (status.trim().toLowerCase()) {
		case "in_progress":
			return { kind: "inProgress" };
		case "complete": {
			const address = output?.video_url;
			return typeof address === "string" && address.trim() !== ""
				? { kind: "complete", address: address.trim() }
				: { kind: "completeWithoutAddress" };
		}
		default:
			return {
				kind: "unusual",
				status: clipped(status),
				readsLikeFailure: failureWords.test(status),
				...(message === undefined ? {} : { message: clipped(message, maxMessageCharacters) }),
			};
	}
}

/** Returns the raw status for diagnosis, or undefined if there is none. */
export function rawStatusOf({ status }: Generation): string | undefined {
	if (status === undefined) {
		return undefined;
	}
	return clipped(typeof status === "string" ? status : (JSON.stringify(status) ?? ""));
}

/** Removes invisible characters and characters that reorder the surrounding text. */
function clipped(text: string, maxCharacters = maxStatusCharacters): string {
	return text
		.slice(0, maxCharacters)
		.toWellFormed()
		.replaceAll(/(?![\n\t\u200c\u200d])[\p{Cc}\p{Cf}]/gu, "");
}
