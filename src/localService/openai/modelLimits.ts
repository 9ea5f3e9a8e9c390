import type { Refusal } from "./serverFailure.ts";
import { overflowOf } from "./contextOverflow.ts";

/**
 * A feature that a model, its template or its server may not support: tools, images, the system role, arbitrary call ids, empty text or any text
 * beside calls, answers without their thoughts or with them, or thinking beside tools.
 */
export type ModelLimit =
	| ("tools" | "images" | "system" | "ids" | "empty")
	| ("text" | "thoughts" | "oldThoughts" | "thinking");

const eyes = String.raw`(?:images?|image_url|vision|multi-?modal|mmproj)\b`;
/** Error messages about an unreadable image. */
const badImage =
	/decod|corrupt|invalid (?:image|base64)|illegal base64|too (?:large|big|many)|format|download|fetch/i;

const refusals: Readonly<Record<ModelLimit, RegExp>> = {
	tools: anyOf(
		"(?:not|n't) (?:currently |yet )?support (?:the use of |using )?(?:.{0,3})(?:tool|function)",
		"(?:no|lacks?|lacking|without) (?:native )?(?:tool|function)(?:[ -](?:call\\w*|use))? (?:support|capabilit)",
		"support tool use",
		String.raw`tools? (?:param|choice)\b.{0,80}requires`,
		"--jinja",
		"enable-auto-tool-choice",
		String.raw`(?:tools?|(?:tool|function)s?[ _-](?:calling|calls?|use))["'\`]? (?:is|are|was|were|has|have)(?: currently)?(?:n't | not |(?= un))(?:been )? ?(?:un)?(?:supported|enabled|available)`,
		"unsupported:? (?:feature:? )?.?(?:tool|function)[ _-]?(?:use|calls?|calling|choice)",
		"tool[_ -]call[_ -]parser",
		"(?:cannot|can't|unable to) (?:use|call) (?:tools|functions)",
		"tools? (?:cannot|can't) be used",
		"不支持[^。]{0,20}(?:工具|函数调用|tool|function)",
		// llama.cpp converts tools to a grammar; other servers parse their schemas in their own ways.
		"failed to (?:parse|initialize|compile|build|create) (?:the )?(?:grammar|samplers)",
		"function_declarations",
		"invalid schema for function",
	),
	images: anyOf(
		String.raw`(?:\bnot?|n't|\bcannot|\bwithout|\bmissing)\b[^.]{0,40}\b${eyes}`,
		String.raw`${eyes}[^.]{0,40}\b(?:not|only|unsupported|disabled)\b`,
		"unknown variant .?image_url",
		String.raw`(?:unsupported|unrecognized|unexpected)\b[^.]{0,40}\bimage_url`,
		"at most 0 image|text[- ]only model|only (?:supports?|accepts?) text",
		"不支持[^。]{0,20}(?:图片|图像|视觉|image|vision)",
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
	// Mistral, and the template of gpt-oss, whose thoughts go back with the calls.
	text: anyOf(
		"either content or tool_calls, but not both",
		"cannot pass both content and thinking",
	),
	// DeepSeek, also for answers without calls once there are tools. Empty thoughts suffice.
	thoughts: anyOf("reasoning_content.{0,60}must be passed back"),
	// Cerebras and Groq, in the body because a list of problems names the field beside its sentence.
	oldThoughts: anyOf(
		String.raw`\breasoning(?:_content|_details)?\b[^{}]{0,80}\b(?:unsupported|not (?:supported|permitted|allowed))`,
	),
	// OpenAI, where the model thinks by default.
	thinking: anyOf("function tools with .?reasoning_effort.? are not supported"),
	ids: anyOf("tool call ids? .{0,80}length (?:of )?9", "a-z, A-Z, 0-9, with a length of 9"),
};

/** The limits in the order in which they are matched. */
export const modelLimits: readonly ModelLimit[] = [
	...(["thoughts", "oldThoughts", "text", "ids", "empty"] as const),
	...(["images", "system", "thinking", "tools"] as const),
];

/** Whether an error response is about a limit, and not about a single image. */
export function refuses(limit: ModelLimit, refusal: Refusal): boolean {
	const { status, words, body } = refusal;
	return (
		status >= 400 &&
		status <= 501 &&
		(refusals[limit].test(limit === "oldThoughts" ? body : words) ||
			(limit === "tools" && isRefused("tools", refusal))) &&
		!(limit === "images" && badImage.test(words))
	);
}

const tools = "(?:tools?|functions?|function[ _]declarations?)";
/** Wordings for more tools than a server takes. */
const tooManyTools = anyOf(
	String.raw`${tools}["']?:? (?:array too long|list should have at most)|too many (?:${tools}|items)|\b(?:number|amount|count) of (?:${tools}|items)\b`,
	String.raw`(?:more than|at most|maximum(?: of)?|max|up to|limit(?: of)?|exceed(?:s|ed)?) \d{1,4} (?:\w+ )?(?:${tools}|items)\b`,
	String.raw`\d{1,4}[ -]${tools} (?:limit|per request)|${tools} (?:limit|count)\b`,
);

/** Returns how many of `count` tools a server takes: the number in its message, or half if it has none. Undefined if the error isn't about that. */
export function acceptedTools({ status, words, body }: Refusal, count: number): number | undefined {
	const isAbout =
		new RegExp(String.raw`\b${tools}\b`, "i").test(words) ||
		/"(?:param|loc)":\s*(?:"tools"|\[[^\]{}]*"tools"\s*\])/.test(body);
	if (![400, 413, 422].includes(status) || !isAbout || !tooManyTools.test(words)) {
		return undefined;
	}
	const numbers = Array.from(words.matchAll(/(?<![\w.[])\d{1,4}(?![\w\]]|\.\d)/g), Number);
	const accepted = numbers.filter(each => each > 0 && each < count);
	return accepted.length > 0 ? Math.max(...accepted) : Math.floor(count / 2);
}

/** The most tools to leave out one by one; then all are. */
export const maxRefusedTools = 3;

/** Places of a tool in a request, as servers name them in error messages: `function_declarations[3]`, `tools[3]`, `tools.3` or `"tools", 3,`. */
const toolPlaces = [
	/function_?declarations(?:\[(\d{1,3})\]|\.(\d{1,3})\b)/i,
	/\btools(?:\[(\d{1,3})\]|\.(\d{1,3})\b|"\s*,\s*(\d{1,3})\b)/i,
];

/** Returns the one tool whose description an error is about, by its name or by its place in the request; undefined if it is about none or several. */
export function refusedTool(
	{ status, words, body }: Refusal,
	names: readonly string[],
): string | undefined {
	if ((status !== 400 && status !== 422) || overflowOf(body)) {
		return undefined;
	}
	const isAbout = /schema|parameter|function|declaration|tool/i.test(words);
	const named = names.filter(name =>
		new RegExp(String.raw`(?<![\w.-])${name.replaceAll(/[^\w-]/g, String.raw`\$&`)}(?![\w-])`).test(
			words,
		),
	);
	if (isAbout && named.length > 0) {
		return named.length === 1 ? named[0] : undefined;
	}
	const [, ...numbers] =
		toolPlaces.map(place => place.exec(body)).find(found => found !== null) ?? [];
	const number = numbers.find(each => each !== undefined);
	return number === undefined ? undefined : names[Number(number)];
}

function anyOf(...patterns: readonly string[]): RegExp {
	return new RegExp(patterns.join("|"), "i");
}

type RequestBody = Readonly<Record<string, unknown>>;

interface ChangedBody {
	readonly body: RequestBody;
	readonly name: string;
	readonly isRenamed: boolean;
}

/** The most parameters to remove after error responses. */
export const maxChanges = 4;

/** Parameters that are never removed: without one, the answer may cost more. A requested limit may only be renamed. */
const kept = new Set([
	"model",
	"messages",
	"tools",
	"tool_choice",
	"max_tokens",
	"max_completion_tokens",
	"max_output_tokens",
	"thinking_budget",
	"service_tier",
	"provider",
	"models",
	"max_price",
]);

/** Parameters whose value bounds the cost. They are removed where a server doesn't know them, but not for their value. */
const bounding: ReadonlySet<string> = new Set(["reasoning_effort", "reasoning", "thinking"]);

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
	if (body["tools"] !== undefined && refuses("thinking", refusal)) {
		return undefined;
	}
	const name = Object.keys(body).find(
		key => /^\w+$/.test(key) && !kept.has(key) && isRefused(key, refusal),
	);
	if (name === undefined || (bounding.has(name) && /unsupported[ _]value/i.test(refusal.body))) {
		return undefined;
	}
	// OpenAI streams some models only for verified organizations, but sends all of them the whole answer.
	const left = name === "stream" ? [name, "stream_options"] : [name];
	const rest = Object.entries(body).filter(([key]) => !left.includes(key));
	return { body: Object.fromEntries(rest), name, isRenamed: false };
}

/** Whether an error is about the presence of a parameter, and not about its value. */
function isRefused(name: string, { words, body }: Refusal): boolean {
	if (
		name === "think" &&
		/does not support thinking|think value .{1,20} is not supported|invalid think value/i.test(
			words,
		)
	) {
		return true;
	}
	// xAI writes names as its own code does.
	const camel = name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
	const quoted = `["'\`]?\\b(?:${name}|${camel})\\b["'\`]?`;
	const said = [
		`and ${quoted} cannot both be specified`,
		`(?:unsupported|unknown|unrecognized|unexpected|extra) (?:request |keyword |input )*(?:param(?:eter)?|argument|field|property|name|key|input|option)(?:s|\\(s\\))?(?: supplied| provided| received)?:? ${quoted}`,
		`unsupported value: ${quoted}`,
		`(?:not permitted|not allowed|not supported)(?: on this model)?: ${quoted}`,
		`(?:not permitted|not allowed|not supported),? (?:field|param(?:eter)?):? ${quoted}`,
		`not support (?:the )?(?:param(?:eter)?|argument|option)s?:? (?:[[{][^\\]}]{0,200})?${quoted}`,
		`not support (?:the )?${quoted} (?:param(?:eter)?|argument|field|option)`,
		`${quoted} (?:param(?:eter)? |field |option )?(?:is|are) (?:unsupported|unknown|deprecated|not (?:supported|permitted|allowed|recognized))`,
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
