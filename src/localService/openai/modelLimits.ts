import type { Refusal } from "./serverFailure.ts";

/**
 * A feature that a model, its template or its server may not support: tools, images, the system role, arbitrary call ids, or empty text beside calls.
 */
export type ModelLimit = "tools" | "images" | "system" | "ids" | "empty";

const eyes = String.raw`(?:images?|image_url|vision|multi-?modal|mmproj)\b`;
/** Error messages about an unreadable image. */
const badImage =
	/decod|corrupt|invalid (?:image|base64)|illegal base64|too (?:large|big|many)|format|download|fetch/i;

const refusals: Readonly<Record<ModelLimit, RegExp>> = {
	tools: anyOf(
		"not support (?:tool|function)",
		"support tool use",
		String.raw`tools? (?:param|choice)\b.{0,80}requires`,
		"--jinja",
		"enable-auto-tool-choice",
		"tools? (?:is|are) not supported",
		"without tool support",
		// llama.cpp converts tools to a grammar; other servers parse their schemas in their own ways.
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

/** The limits in the order in which they are matched. */
export const modelLimits: readonly ModelLimit[] = ["ids", "empty", "images", "system", "tools"];

/** Whether an error response is about a limit, and not about a single image. */
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
