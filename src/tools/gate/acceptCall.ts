import { withoutNulls } from "../contract/schemaProblems.ts";
import type { Tool, ToolRequest } from "../contract/tool.ts";
import type { PathTarget } from "../../paths/resolveTarget.ts";
import type { ToolRegistry } from "../catalog/toolRegistry.ts";

/** A model's tool call. */
export interface GateCall {
	/** Unique forever: a second call with the same id never runs. */
	readonly callId: string;
	readonly chatId: string;
	/** The chat's question that it belongs to, if any. */
	readonly turnId?: string;
	/** The service of the model. Absent after connecting to another one, so that no earlier approval applies. */
	readonly service?: string;
	readonly mayBrowse?: boolean;
	readonly name: string;
	/** Unparsed JSON. */
	readonly arguments: string;
}

/** Result of a call. `invalid`, `refused` and `missing` count towards pausing after repeated failures (docs/faults.md). */
export interface ToolResult {
	readonly state: "done" | "denied" | "invalid" | "refused" | "missing" | "failed" | "cancelled";
	readonly content: string;
}

/** Policy of the user, the workspace and the settings. Must not depend on anything that a tool can write (CVE-2025-53773). */
export interface ToolPolicy {
	/** Returns why no tool may run: untrusted or virtual workspace, or disabled. Undefined if they may. */
	offReason(): string | undefined;
	/** Whether a tool is disabled, or is an external one that the user didn't enable. */
	isOff(name: string): boolean;
	/** Whether the user excluded a file from search or watching, so that reading it requires approval. */
	isExcluded(target: PathTarget): boolean;
	/** Whether reading requires approval, too. */
	asksForReads(): boolean;
}

/** A call with a known tool and valid arguments. */
export interface AcceptedCall {
	readonly tool: Tool;
	readonly request: ToolRequest;
	/** The parsed arguments without nulls that mean nothing, serialized again. The user sees them, and the approval is bound to them. */
	readonly argumentsText: string;
}

/** Validates a call's name, arguments and policy without changing it. */
export function acceptCall(
	call: GateCall,
	registry: ToolRegistry,
	policy: ToolPolicy,
): AcceptedCall | ToolResult {
	const tool = registry.find(call.name);
	const off = offReasonOf(tool, call, policy);
	if (off !== undefined) {
		return { state: "refused", content: `Error: tools are off. ${off}` };
	}
	if (!tool) {
		const known = registry.tools.map(({ name }) => name).join(", ");
		return invalid(`there is no tool ${JSON.stringify(call.name.slice(0, 40))}. Known: ${known}`);
	}
	if (policy.isOff(tool.name)) {
		return { state: "refused", content: `Error: the user switched ${tool.name} off.` };
	}
	const reading = readArguments(call.arguments);
	if (!reading.ok) {
		return invalid(`${reading.problem} The call was not run.`);
	}
	const input = withoutNulls(tool.parameters, reading.value);
	const accepted = tool.accept(input);
	return accepted.ok
		? {
				tool,
				request: accepted.request,
				argumentsText: JSON.stringify(input, undefined, 2),
			}
		: invalid(`${accepted.problems.join("; ")}. The call was not run.`);
}

/** Returns why a tool may not run. Browsing has its own switch and needs no workspace. */
export function offReasonOf(
	tool: Tool | undefined,
	{ mayBrowse }: GateCall,
	policy: ToolPolicy,
): string | undefined {
	if (tool?.effect === "visit") {
		return mayBrowse === true ? undefined : "The user switched Browsing off.";
	}
	return policy.offReason();
}

function invalid(sentence: string): ToolResult {
	return { state: "invalid", content: `Error: ${sentence}` };
}

/** The longest arguments, in UTF-16 code units. */
const maxArgumentsLength = 1024 * 1024;
const maxArgumentsDepth = 64;

/** Parsed arguments, or why they are invalid. */
type ArgumentsReading =
	{ readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly problem: string };

/** Names with a special meaning for JavaScript objects (docs/security.md). */
const forbiddenNames: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);

/**
 * Parses a call's arguments without repairing them. Rejects invalid JSON, duplicate names, JavaScript's special names, nesting deeper than 64 levels
 * and more than 1 MiB. Empty text means no arguments, as some services write it.
 */
export function readArguments(text: string): ArgumentsReading {
	if (text.length > maxArgumentsLength) {
		return { ok: false, problem: "The arguments are longer than 1 MiB." };
	}
	if (text.trim() === "") {
		return { ok: true, value: {} };
	}
	let value: unknown;
	try {
		value = JSON.parse(text);
	} catch (error) {
		return { ok: false, problem: `The arguments are not JSON${syntaxErrorPosition(error)}.` };
	}
	const problem = structureProblem(text);
	return problem === undefined ? { ok: true, value } : { ok: false, problem };
}

/** Returns the position of a syntax error. The parser's message would quote the arguments. */
function syntaxErrorPosition(error: unknown): string {
	const position = /position (\d+)/.exec(error instanceof Error ? error.message : "")?.[1];
	return position === undefined ? " to their end" : ` at position ${position}`;
}

/** The tokens that matter in valid JSON: strings, brackets and colons. */
const token = /"(?:[^"\\]|\\.)*"|[[\]{}:]/g;

/** Finds problems in valid JSON that `JSON.parse` ignores. */
function structureProblem(text: string): string | undefined {
	const open: (Set<string> | undefined)[] = [];
	let lastString = "";
	for (const [part] of text.matchAll(token)) {
		if (part === "{" || part === "[") {
			open.push(part === "{" ? new Set() : undefined);
			if (open.length > maxArgumentsDepth) {
				return `The arguments are nested deeper than ${maxArgumentsDepth}.`;
			}
		} else if (part === "}" || part === "]") {
			open.pop();
		} else if (part === ":") {
			const problem = nameProblem(String(JSON.parse(lastString)), open.at(-1));
			if (problem !== undefined) {
				return problem;
			}
		} else {
			lastString = part;
		}
	}
	return undefined;
}

function nameProblem(name: string, names: Set<string> | undefined): string | undefined {
	if (forbiddenNames.has(name)) {
		return `The arguments hold the forbidden name ${name}.`;
	}
	if (names?.has(name)) {
		return "The arguments hold the same name twice.";
	}
	names?.add(name);
	return undefined;
}
