/** Patterns of the marks around a thought at the start of an answer, and of incomplete ones. */
export interface ThoughtMarks {
	readonly opening: RegExp;
	readonly openingStart: RegExp;
	readonly closing: RegExp;
	readonly closingStart: RegExp;
}

/** Names of tags around thoughts, some with a suffix of the model, as Hunyuan's `:opensource`. */
const tag = String.raw`(?:think|thinking|thought)(?::\w{1,16})?`;
const closingTag = `</${tag}>`;

/** Marks around a thought that are texts. */
const pairs: readonly (readonly [opening: string, closing: string])[] = [
	["[THINK]", "[/THINK]"],
	...["seed:think", "mm:think", "ifm|think", "ifm|think_fast", "ifm|think_faster", "reasoning"].map(
		name => [`<${name}>`, `</${name}>`] as const,
	),
	["<|START_THINKING|>", "<|END_THINKING|>"],
	["<|begin_of_thought|>", "<|end_of_thought|>"],
	["<|inner_prefix|>", "<|inner_suffix|>"],
	["<|open|>think<|sep|>", "<|close|>think<|sep|>"],
	["<|think|>", "<|end|>"],
	["◁think▷", "◁/think▷"],
	["<unused94>thought", "<unused95>"],
	["Here are my reasoning steps:", "[BEGIN FINAL RESPONSE]"],
];

const tags: ThoughtMarks = {
	opening: new RegExp(String.raw`^\s*<${tag}>\s*`, "i"),
	openingStart: /^\s*(?:<[a-z]{0,8}(?::\w{0,16})?>?)?$/i,
	closing: new RegExp(String.raw`${closingTag}\s*`, "i"),
	closingStart: /<(?:\/[a-z]{0,8}(?::\w{0,16})?)?$/i,
};

const channelEnd = "<|end|><|start|>assistant<|channel|>final<|message|>";

/** Tags, and the marks of other models, which some servers pass on. */
export const thoughtMarks: readonly ThoughtMarks[] = [
	tags,
	...pairs.map(([opening, closing]) => ({
		opening: new RegExp(String.raw`^\s*${literal(opening)}\s*`),
		openingStart: startsOf("^\\s*", opening),
		closing: new RegExp(String.raw`${literal(closing)}\s*`),
		closingStart: startsOf("", closing),
	})),
	{
		opening: /^\s*<\|channel>(?:thought)?\n\s*/,
		openingStart: startsOf("^\\s*", "<|channel>thought\n", "<|channel>\n"),
		closing: /<channel\|>\s*/,
		closingStart: startsOf("", "<channel|>"),
	},
	{
		opening: /^\s*<\|channel\|>analysis<\|message\|>\s*/,
		openingStart: startsOf("^\\s*", "<|channel|>analysis<|message|>"),
		closing: /(?:<\|end\|>)?<\|start\|>assistant<\|channel\|>final<\|message\|>\s*/,
		closingStart: startsOf("", channelEnd, channelEnd.slice("<|end|>".length)),
	},
];

/** What closes a thought without an opening mark, except `<|end|>`, which also ends an answer. */
const closings = pairs.map(([, closing]) => closing).filter(closing => closing !== "<|end|>");
const anyClosing = `(?:${[closingTag, ...closings.map(literal)].join("|")})`;

/** The marks of a thought that began before the answer. */
export const openedMarks: ThoughtMarks = {
	...tags,
	closing: new RegExp(String.raw`${anyClosing}\s*`, "i"),
	closingStart: new RegExp(
		`(?:${[tags.closingStart, startsOf("", ...closings)].map(({ source }) => source).join("|")})`,
		"i",
	),
};

/** A mark that closes a thought, on a line of its own, and starts of such lines. */
export const loneClosing = new RegExp(String.raw`^[ \t]{0,3}${anyClosing}[ \t]{0,8}\r?\n$`, "i");
export const loneClosingStart = new RegExp(
	String.raw`^[ \t]{0,3}(?:<\/[a-z]{0,8}(?::\w{0,16})?>?|(?:${closings.map(startOf).join("|")}))[ \t]{0,8}\r?$`,
	"i",
);

/** What begins the answer behind a thought, and where it is certain, without one. */
const answerMarks = [
	"<|START_RESPONSE|>",
	"<|START_TEXT|>",
	"<|begin_of_solution|>",
	"<|open|>response<|sep|>",
	"<|content|>",
	"<|begin|>assistant<|content|>",
	"<|begin|>assistant",
	"<|channel|>final<|message|>",
	"<|start|>assistant<|channel|>final<|message|>",
];
/** Tags around an answer behind a thought. */
const wrappers = ["answer", "response"];
const openingWrappers = wrappers.map(name => `<${name}>`);

/** What ends a thought that isn't in the text, or follows none, at the start of an answer. */
const leads = [...closings, ...answerMarks].map(literal);
export const lead = new RegExp(String.raw`^\s*(?:${[closingTag, ...leads].join("|")})\s*`, "i");
export const leadStart = new RegExp(
	`${String.raw`^\s*<(?:\/[a-z]{0,8}(?::\w{0,16})?)?$`}|${startsOf("^\\s*", ...closings, ...answerMarks).source}`,
	"i",
);

/** Matches what begins the answer directly behind a thought; the group is the name of a tag around it. */
export const answerOpening = new RegExp(
	String.raw`^\s*(?:${[...answerMarks.map(literal), `<(${wrappers.join("|")})>`].join("|")})\s*`,
);
export const answerOpeningStart = startsOf("^\\s*", ...answerMarks, ...openingWrappers);

/** Returns patterns of the closing tag around an answer at its end, and of starts of it. */
export function answerClosing(name: string): Pick<ThoughtMarks, "closing" | "closingStart"> {
	return {
		closing: new RegExp(String.raw`</${name}>\s*$`),
		closingStart: new RegExp(String.raw`(?:${startOf(`</${name}>`)}\s{0,99})$`),
	};
}

/** Returns a pattern of the prefixes of texts at the end of a text. */
function startsOf(before: string, ...texts: readonly string[]): RegExp {
	return new RegExp(`${before}(?:${texts.map(startOf).join("|")})$`);
}

/** Returns the source of a pattern of all prefixes of a text, including the empty one. */
export function startOf(text: string): string {
	return [...text].reduceRight((rest, sign) => `(?:${literal(sign)}${rest})?`, "");
}

/** Returns the source of a pattern of a mark. */
export function literal(text: string): string {
	return text.replaceAll(/[|[\]/]/g, String.raw`\$&`);
}
