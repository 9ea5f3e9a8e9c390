import type { Tool, ToolRequest } from "../tool/tool.ts";
import { readArguments } from "./toolArguments.ts";
import type { PathTarget } from "../../paths/resolveTarget.ts";
import type { ToolRegistry } from "../catalog/toolRegistry.ts";

/** A call as the model made it. */
export interface GateCall {
	/** Of this call alone, for all time: a second call with it never runs. */
	readonly callId: string;
	readonly chatId: string;
	/** The question of the chat that it was made for; left out by callers that have none. */
	readonly turnId?: string;
	/** The service whose model made it; left out once another one is connected, so that no earlier word covers the call. */
	readonly service?: string;
	/** Whether the user switched Browsing on for that question. */
	readonly mayBrowse?: boolean;
	readonly name: string;
	/** JSON, unread. */
	readonly arguments: string;
}

/** Outcome of a call. `invalid`, `refused` and `missing` count towards the pause of row U9. */
export interface ToolResult {
	readonly state: "done" | "denied" | "invalid" | "refused" | "missing" | "failed" | "cancelled";
	/** Text for the model. */
	readonly content: string;
}

/** Policy of the user, the workspace and the settings. Nothing a tool can write to may loosen it (CVE-2025-53773). */
export interface ToolPolicy {
	/** Why no tool may run now: untrusted or virtual workspace, switched off; undefined when they may (T31, L17). */
	offReason(): string | undefined;
	/** Tools switched off one by one, and those of others that the user did not choose. */
	isOff(name: string): boolean;
	/** Whether a user excluded a file from what is searched and watched, so that reading it asks (T15). */
	isExcluded(target: PathTarget): boolean;
	/** Whether readers ask as well. */
	asksForReads(): boolean;
}

/** A call that names a tool and fits its schema. */
export interface AcceptedCall {
	readonly tool: Tool;
	readonly request: ToolRequest;
	/** The arguments as they were read, written once more: what the user sees and the approval is bound to. */
	readonly argumentsText: string;
}

/** Judges a call's name, arguments and shape; changes none of them. Rows U5–U8. */
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
	const accepted = tool.accept(reading.value);
	return accepted.ok
		? {
				tool,
				request: accepted.request,
				argumentsText: JSON.stringify(reading.value, undefined, 2),
			}
		: invalid(`${accepted.problems.join("; ")}. The call was not run.`);
}

/** Why a tool may not run now. Browsing has a switch of its own, and needs no workspace. */
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
