import { overflowOf } from "./contextOverflow.ts";
import type { Refusal } from "./serverFailure.ts";

type RequestBody = Readonly<Record<string, unknown>>;

/** A request body without a parameter, or with it under another name. */
export interface ChangedBody {
	readonly body: RequestBody;
	readonly name: string;
	readonly isRenamed: boolean;
}

/** Parameters that are never removed. A requested limit may only be renamed. */
const kept = new Set([
	...["model", "messages", "stream", "tools", "tool_choice"],
	...["max_tokens", "max_completion_tokens"],
]);

/**
 * Returns the body without a parameter that the server doesn't support, or with `max_tokens` under its newer name. Returns undefined if the error
 * isn't about that.
 */
export function withoutRefused(body: RequestBody, refusal: Refusal): ChangedBody | undefined {
	if ((refusal.status !== 400 && refusal.status !== 422) || overflowOf(refusal.body)) {
		return undefined;
	}
	const { max_tokens: limit, ...others } = body;
	if (
		limit !== undefined &&
		refusal.body.includes("max_completion_tokens") &&
		/\bmax_tokens\b/.test(refusal.body)
	) {
		return {
			body: { ...others, max_completion_tokens: limit },
			name: "max_tokens",
			isRenamed: true,
		};
	}
	const name = Object.keys(body).find(
		key => /^\w+$/.test(key) && !kept.has(key) && isRefused(key, refusal),
	);
	if (name === undefined) {
		return undefined;
	}
	const rest = Object.entries(body).filter(([key]) => key !== name);
	return { body: Object.fromEntries(rest), name, isRenamed: false };
}

/** Whether an error is about the presence of a parameter, and not about its value. */
function isRefused(name: string, { words, body }: Refusal): boolean {
	if (name === "think" && /does not support thinking/i.test(words)) {
		return true;
	}
	const quoted = `["'\`]?\\b${name}\\b["'\`]?`;
	const said = [
		`(?:unsupported|unknown|unrecognized|unexpected|extra) (?:request |keyword |input )*(?:parameter|argument|field|property|name|key|input)s?(?: supplied| provided| received)?:? ${quoted}`,
		`unsupported value: ${quoted}`,
		`(?:not permitted|not allowed|not supported): ${quoted}`,
		`${quoted} (?:parameter |field )?(?:is|are) (?:unsupported|unknown|not (?:supported|permitted|allowed|recognized))`,
	];
	const marked = [
		`"code":\\s*"(?:unsupported|unknown)_(?:parameter|value)"[^{}]{0,400}"param":\\s*"${name}"`,
		`"param":\\s*"${name}"[^{}]{0,400}"code":\\s*"(?:unsupported|unknown)_(?:parameter|value)"`,
		`"extra_forbidden"[^{}]{0,400}"loc":\\s*\\[[^\\]]{0,200}"${name}"\\s*\\]`,
		`"loc":\\s*\\[[^\\]]{0,200}"${name}"\\s*\\][^{}]{0,400}(?:extra_forbidden|not permitted)`,
	];
	return (
		said.some(pattern => new RegExp(pattern, "i").test(words)) ||
		marked.some(pattern => new RegExp(pattern).test(body))
	);
}
