import {
	type ChatMessage,
	canUseServerTools,
	type ChatRequest,
} from "../../client/contract/schemas.ts";
import { eventsOfMessages } from "../../client/stream/chatAnswer.ts";
import { revealHidden } from "../../common/hiddenText.ts";
import { indentedJson } from "../../common/json.ts";
import { CallCollector, isOwnIdOf, type RequestedCall } from "./requestedCalls.ts";
import { placeOfCall } from "../contract/toolRecord.ts";
import type { Turn } from "../contract/turn.ts";
import * as l10n from "@vscode/l10n";

/** Creates the answer to a call: role `tool`, or `function` for the deprecated form with JSON content. docs/interface.md §2.2. */
export function answerMessage(call: RequestedCall, content: string): ChatMessage {
	return call.form === "tool"
		? { role: "tool", tool_call_id: call.id, content }
		: { role: "function", name: call.name, content: JSON.stringify(content) };
}

/** Creates answers for calls without one, since services require all. They state whether the call may have run. */
export function missingAnswers({
	messages,
	startedTools = [],
	...turn
}: Pick<Turn, "messages" | "startedTools" | "options" | "attachments">): ChatMessage[] {
	const raws = messages.flatMap(({ raw }) => (raw ? [raw] : []));
	const collector = new CallCollector();
	for (const event of eventsOfMessages(raws)) {
		collector.take(event);
	}
	const waiting = collector
		.calls()
		.filter(call => !collector.answered().has(call) && !runsOnServer(turn, call.name));
	return waiting.map(call => {
		const hasStarted = startedTools.some(({ callId, tool }) => {
			const { cardId } = placeOfCall(callId);
			return call.form === "tool"
				? isOwnIdOf(cardId, call.id)
				: cardId.startsWith("function-") && tool === call.name;
		});
		return answerMessage(call, hasStarted ? mayHaveRun : wasNotRun);
	});
}

/** Whether an answer is a note about a missing result. */
export function isMissingResultNote(content: string): boolean {
	return [wasNotRun, mayHaveRun].some(sentence =>
		[sentence, JSON.stringify(sentence)].includes(content),
	);
}

const wasNotRun =
	"Error: the call was not run, because it was not approved before the answer was stopped.";
const mayHaveRun =
	"Error: the call may have taken effect, but its result was lost. Look at the files before you call again.";

/** The most characters of a call's arguments and of its result on its card, in UTF-16 code units. */
export const maxShownLength = 20_000;

/** Formats a call's arguments for its card: JSON is indented, other text is unchanged, invisible characters become visible codes. */
export function shownArguments(text: string): string {
	return revealHidden(indentedJson(text));
}

/** Returns the server tools to enable in a turn's requests. Files of its question enable `code_interpreter`. docs/interface.md §4.4. */
export function serverToolsOf({
	options,
	attachments,
}: Pick<Turn, "options" | "attachments">): NonNullable<ChatRequest["tools"]> {
	const { model, serverTools } = options;
	if (!canUseServerTools(model)) {
		return [];
	}
	const isNeeded = hasFiles(attachments) && !serverTools.includes("code_interpreter");
	return [...(isNeeded ? (["code_interpreter"] as const) : []), ...serverTools];
}

/** Whether a question itself has files, which only `code_interpreter` can read. docs/interface.md §4.4. */
export function hasFiles(attachments: Turn["attachments"]): boolean {
	return attachments.some(each => each.kind === "file" && !each.isCarried);
}

/** Whether a tool of this name runs on the server in a turn, so its calls need no answer. docs/interface.md §4.4. */
export function runsOnServer(turn: Pick<Turn, "options" | "attachments">, name: string): boolean {
	return serverToolsOf(turn).some(tool => tool === name);
}

interface ToolWorkspace {
	readonly isTrusted: boolean;
	/** The schemes of the workspace folders; `file` is this machine. */
	readonly schemes: readonly string[];
}

/** Returns why tools can't change the workspace, for the user and the model; undefined if they can. */
export function toolPlaceMessage({ isTrusted, schemes }: ToolWorkspace): string | undefined {
	if (!isTrusted) {
		return l10n.t("The workspace is in Restricted Mode.");
	}
	if (schemes.length === 0) {
		return l10n.t("No folder is open.");
	}
	return schemes.includes("file")
		? undefined
		: l10n.t("The workspace is virtual: its files are not on this machine.");
}
