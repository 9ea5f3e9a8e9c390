import type { Refusal } from "./serverFailure.ts";

/**
 * What a model, its template or its server may not support: tools, images, a role for instructions, ids of calls in any form, or an empty
 * text beside calls.
 */
export type ModelLimit = "tools" | "images" | "system" | "ids" | "empty";

const eyes = String.raw`(?:images?|image_url|vision|multi-?modal|mmproj)\b`;
/** Error texts about an image that could not be read. */
const badImage =
	/decod|corrupt|invalid (?:image|base64)|illegal base64|too (?:large|big|many)|format|download|fetch/i;

/** Error texts by the limit they mean. */
const refusals: Readonly<Record<ModelLimit, RegExp>> = {
	tools: anyOf(
		"not support (?:tool|function)",
		"support tool use",
		String.raw`tools? (?:param|choice)\b.{0,80}requires`,
		"--jinja",
		"enable-auto-tool-choice",
		"tools? (?:is|are) not supported",
		"without tool support",
		// llama.cpp makes a grammar of the tools, other servers read their schemas in ways of their own.
		"failed to (?:parse|initialize|compile|build|create) (?:the )?(?:grammar|samplers)",
		"function_declarations",
		"invalid schema for function",
	),
	images: anyOf(
		String.raw`(?:\bnot?|n't|\bcannot|\bwithout|\bmissing)\b[^.]{0,40}\b${eyes}`,
		String.raw`${eyes}[^.]{0,40}\b(?:not|only|unsupported|disabled)\b`,
		"unknown variant `image_url`",
		String.raw`content\b[^.]{0,60}\b(?:must|should) be (?:of type |a )?(?:valid )?string`,
	),
	system: anyOf(
		"system (?:role|message|prompt|instruction)s?(?: is| are)? not (?:supported|allowed|enabled)",
		"not support (?:the )?.?(?:system|developer)",
		"developer (?:role|message|instruction)s?(?: is| are)? not (?:supported|allowed|enabled)",
		"(?:unexpected|unknown|invalid|unsupported) role:? .?(?:system|developer)",
		"only user(?:,| and) assistant",
		"roles must alternate",
	),
	empty: anyOf(
		"text content blocks must (?:be non-empty|contain non-whitespace)",
		"text field .{0,60}is blank",
		"(?:all )?messages must have non-empty content",
	),
	ids: anyOf("tool call ids? .{0,80}length (?:of )?9", "a-z, A-Z, 0-9, with a length of 9"),
};

/** The limits, in the order in which a refusal is read. */
export const modelLimits: readonly ModelLimit[] = ["ids", "empty", "images", "system", "tools"];

/** Whether a server refuses a request because of a limit, and not because of what one image is. */
export function refuses(limit: ModelLimit, { status, words }: Refusal): boolean {
	return (
		status >= 400 &&
		status <= 501 &&
		refusals[limit].test(words) &&
		!(limit === "images" && badImage.test(words))
	);
}

function anyOf(...patterns: readonly string[]): RegExp {
	return new RegExp(patterns.join("|"), "i");
}
