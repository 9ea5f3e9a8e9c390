import { isRecord } from "../../common/json.ts";
import { callEnd, callStart } from "../openai/callForms.ts";
import { maxCalls, type OfferedTool } from "../openai/writtenCalls.ts";
import { isTextArgument } from "../openai/writtenElements.ts";

/**
 * How a model writes calls: between tags as JSON, as Hermes and Qwen3 do, or with each argument between tags, as Qwen3.5 and Qwen3-Coder do; as
 * bare JSON, as Llama 3 does; after a mark as a list, as Mistral does, or each after a mark with its name before its arguments, as newer ones do.
 */
export type CallForm = "json" | "tags" | "llama" | "mistral" | "mistralArgs";
/** What a call is to begin with, so that its grammar applies to all after it. */
export const startOf: Readonly<Record<CallForm, string>> = {
	json: `${callStart}\n`,
	tags: `${callStart}\n`,
	llama: "",
	mistral: "[TOOL_CALLS]",
	mistralArgs: "[TOOL_CALLS]",
};

/** Deeper parts of a schema allow any JSON. */
const maxDepth = 6;
/** The longest text of all rules, in characters. A tool whose rules exceed it may be called with any arguments. */
const maxLength = 64 * 1024;
/** The most alternatives and members. More allow any JSON. */
const maxMembers = 64;

const anyTagName = String.raw`[^>\n]{1,100}`;
/** Closes an argument between tags. */
const parameterEnd = "\n</parameter>";

const jsonRules = String.raw`object ::= "{" ws (pair ("," ws pair)*)? "}" ws
pair ::= string ":" ws value
array ::= "[" ws (value ("," ws value)*)? "]" ws
value ::= object | array | string | number | boolean | null
string ::= "\"" ([^"\\\x00-\x1F] | "\\" (["\\/bfnrt] | "u" [0-9a-fA-F]{4}))* "\"" ws
integer ::= "-"? ("0" | [1-9] [0-9]{0,15}) ws
number ::= "-"? ("0" | [1-9] [0-9]{0,15}) ("." [0-9]{1,15})? ([eE] [-+]? [0-9]{1,3})? ws
boolean ::= ("true" | "false") ws
null ::= "null" ws
ws ::= [ \t\n]{0,8}
`;

/**
 * Returns the llama.cpp GBNF grammar for the text after the start of a call: the name of one of these tools, and arguments by its schema, then more
 * calls where the form has several. Leaves out what a grammar can't express or would express at great length; arguments are validated by the complete
 * schema when a call is run. Without tools, allows any name and arguments.
 * @see https://github.com/ggml-org/llama.cpp/blob/master/grammars/README.md
 */
export function callGrammar(tools: readonly OfferedTool[], form: CallForm): string {
	const rules = new Rules();
	const call = (name: string | undefined, schema: unknown): string =>
		form === "tags"
			? `"<function=" ${name === undefined ? anyTagName : literal(name)} ">\\n" ${taggedArguments(rules, schema)} "</function>"`
			: form === "mistralArgs"
				? `${name === undefined ? "[a-zA-Z0-9_.-]{1,100}" : literal(name)} ("[CALL_ID]" [a-zA-Z0-9]{9})? "[ARGS]" ws ${rules.argumentsOf(schema)}`
				: `"{" ws "\\"name\\":" ws ${name === undefined ? "string" : quoted(name)} ws "," ws ${quoted(form === "llama" ? "parameters" : "arguments").slice(0, -1)}:" ws ${rules.argumentsOf(schema)} "}"`;
	const calls = tools.map(
		({ function: { name, parameters } }) =>
			rules.bounded(() => call(name, parameters)) ?? call(name, undefined),
	);
	if (calls.length === 0) {
		calls.push(call(undefined, undefined));
	}
	return [
		`root ::= ${rootOf(form)}`,
		`call ::= ${calls.join(" | ")}`,
		...rules.lines(),
		...(form === "tags" ? untilParameterEnd() : []),
		jsonRules,
	].join("\n");
}

/** The text of the rule for all calls of an answer. Llama's template refuses several. */
function rootOf(form: CallForm): string {
	const more = (text: string): string => `(${text}){0,${maxCalls - 1}}`;
	switch (form) {
		case "llama":
			return "ws call ws";
		case "mistral":
			return `ws "[" ws call ${more('ws "," ws call')} ws "]"`;
		case "mistralArgs":
			return `ws call ${more(`${literal(startOf[form])} ws call`)} ws`;
		case "json":
		case "tags": {
			const end = literal(callEnd);
			return `ws call ws ${end} ${more(`ws ${literal(callStart)} ws call ws ${end}`)} ws`;
		}
	}
}

class Rules {
	private names = new Map<string, string>();
	private length = 0;

	add(text: string): string {
		const known = this.names.get(text);
		if (known !== undefined) {
			return known;
		}
		const name = `r${this.names.size}`;
		this.names.set(text, name);
		this.length += text.length;
		return name;
	}

	/** Returns the name of a rule, or undefined without it and its parts if the rules would become too long. */
	bounded(textOf: () => string): string | undefined {
		const { names, length } = this;
		this.names = new Map(names);
		const rule = this.add(textOf());
		if (this.length <= maxLength) {
			return rule;
		}
		this.names = names;
		this.length = length;
		return undefined;
	}

	lines(): string[] {
		return [...this.names].map(([text, name]) => `${name} ::= ${text}`);
	}

	/** Returns the name of a rule for the arguments of a call, which are always an object. */
	argumentsOf(schema: unknown): string {
		const { properties, required, allOf } = isRecord(schema) ? schema : {};
		const all = allOf === undefined ? {} : { allOf };
		return this.valueOf({ type: "object", properties, required, ...all });
	}

	valueOf(schema: unknown, depth = 0): string {
		if (!isRecord(schema) || depth > maxDepth || this.length > maxLength) {
			return "value";
		}
		const { type, enum: options, const: constant, anyOf, oneOf, properties, items } = schema;
		const values = Array.isArray(options) ? options : constant === undefined ? [] : [constant];
		if (values.length > 0 && values.length <= maxMembers) {
			return this.add(`(${values.map(quoted).join(" | ")}) ws`);
		}
		const isPlain = type === undefined && properties === undefined;
		const forms = Array.isArray(type)
			? type.map(each => ({ ...schema, type: each }))
			: [anyOf, oneOf].find(list => isPlain && Array.isArray(list));
		if (Array.isArray(forms) && forms.length > 0 && forms.length <= maxMembers) {
			return this.add(forms.map(each => this.valueOf(each, depth + 1)).join(" | "));
		}
		switch (type) {
			case "string":
			case "integer":
			case "number":
			case "boolean":
			case "null":
				return type;
			case "array": {
				const item = this.valueOf(items, depth + 1);
				return this.add(`"[" ws (${item} ("," ws ${item})*)? "]" ws`);
			}
			default:
				return isRecord(properties) && !("allOf" in schema) && isShort(properties)
					? this.objectOf(schema, properties, depth)
					: type === "object"
						? "object"
						: "value";
		}
	}

	/** The required members, then any of the others, in their order. */
	private objectOf(
		schema: Readonly<Record<string, unknown>>,
		properties: Readonly<Record<string, unknown>>,
		depth: number,
	): string {
		const { required, others } = membersOf(schema, properties);
		const pairOf = ([name, each]: Member): string =>
			this.add(`${quoted(name)} ":" ws ${this.valueOf(each, depth + 1)}`);
		const [pairs, optional] = [required.map(pairOf), others.map(pairOf)];
		const members =
			pairs.length > 0 || optional.length === 0
				? [pairs.join(' "," ws '), ...optional.map(pair => `("," ws ${pair})?`)].join(" ")
				: this.someOf(optional);
		return this.add(`"{" ws ${members} "}" ws`);
	}

	/** Any of these members in their order. A rule for the members after each keeps the length linear. */
	private someOf(pairs: readonly string[]): string {
		let rest = "";
		const starts = pairs.toReversed().map(pair => {
			const start = `${pair} ${rest}`;
			rest = this.add(`("," ws ${pair})? ${rest}`);
			return start;
		});
		return `(${starts.join(" | ")})?`;
	}
}

function isShort(properties: object): boolean {
	return Object.keys(properties).length <= maxMembers;
}

type Member = readonly [name: string, schema: unknown];

function membersOf(
	{ required }: Readonly<Record<string, unknown>>,
	properties: Readonly<Record<string, unknown>>,
): { readonly required: readonly Member[]; readonly others: readonly Member[] } {
	const names: readonly unknown[] = Array.isArray(required) ? required : [];
	const members = Object.entries(properties);
	return {
		required: members.filter(([name]) => names.includes(name)),
		others: members.filter(([name]) => !names.includes(name)),
	};
}

function taggedArguments(rules: Rules, parameters: unknown): string {
	const { properties } = isRecord(parameters) ? parameters : {};
	if (!isRecord(parameters) || !isRecord(properties) || !isShort(properties)) {
		return `("<parameter=" ${anyTagName} ">\\n" until0 "\\n")*`;
	}
	const { required, others } = membersOf(parameters, properties);
	const tagged = ([name, schema]: Member): string =>
		rules.add(`${literal(`<parameter=${name}>\n`)} ${taggedValue(rules, schema)} "\\n"`);
	return [...required.map(tagged), ...others.map(member => `${tagged(member)}?`)].join(" ");
}

function taggedValue(rules: Rules, schema: unknown): string {
	if (!isTextArgument(schema)) {
		return `${rules.valueOf(schema)} ${literal(parameterEnd.trim())}`;
	}
	const { enum: options } = isRecord(schema) ? schema : {};
	return Array.isArray(options) && options.length > 0 && options.length <= maxMembers
		? `(${options.map(option => literal(String(option))).join(" | ")}) ${literal(parameterEnd)}`
		: "until0";
}

/** Rules for any text up to and including `parameterEnd`, one for each number of its characters that the text so far ends with. */
function untilParameterEnd(): string[] {
	return parameterEnd.split("").map((character, at, all) => {
		const next = at + 1 < all.length ? `until${at + 1}` : "";
		const restart = at > 0 ? ` | "\\n" until1` : "";
		const excluded = character === "\n" ? "\\n" : `\\n${character}`;
		return `until${at} ::= ${literal(character)} ${next}${restart} | [^${excluded}] until0`;
	});
}

/** Returns a value serialized as JSON, as a literal of the grammar. */
function quoted(value: unknown): string {
	return literal(JSON.stringify(value));
}

/** Writes a text as JSON does, but for the escapes that grammars don't have. */
function literal(text: string): string {
	return JSON.stringify(text).replaceAll(/\\./g, escape =>
		escape === "\\b" ? "\\u0008" : escape === "\\f" ? "\\u000C" : escape,
	);
}
