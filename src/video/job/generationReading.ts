import type { Generation } from "../../client/contract/schemas.ts";

/** Result of a lookup of a job. Rows J7, J8, J11. */
export type GenerationReading =
	| { readonly kind: "inProgress" }
	| { readonly kind: "complete"; readonly address: string }
	| { readonly kind: "completeWithoutAddress" }
	| {
			readonly kind: "unusual";
			readonly status: string;
			readonly readsLikeFailure: boolean;
			/** Why, in the service's own words. */
			readonly message?: string | undefined;
	  }
	/** Status missing or of another type: the last good state is kept (row J8). */
	| { readonly kind: "nothing" };

/** The most characters kept of a status. */
const maxStatusCharacters = 200;

/** The most characters kept of a service's own words. docs/faults.md. */
const maxMessageCharacters = 500;

/** Words that mean an end without a video. Row J7. */
const failureWords = /fail|error|cancel|reject|expire/i;

/**
 * Reads a generation. Only the two documented statuses are taken in any case of letters; every other value is kept as it
 * came, and the address counts only with `complete`. docs/interface.md, rows J7, J8, J11.
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

/** The status as a maintainer may want to see it; undefined when there is none. */
export function rawStatusOf({ status }: Generation): string | undefined {
	if (status === undefined) {
		return undefined;
	}
	return clipped(typeof status === "string" ? status : (JSON.stringify(status) ?? ""));
}

/** Without the characters that nobody sees and that turn the text around them about. */
function clipped(text: string, maxCharacters = maxStatusCharacters): string {
	return text
		.slice(0, maxCharacters)
		.toWellFormed()
		.replaceAll(/(?![\n\t\u200c\u200d])[\p{Cc}\p{Cf}]/gu, "");
}
