import * as l10n from "@vscode/l10n";
import { callsOf, OwnIds, type RequestedCall } from "../../chat/toolLoop/requestedCalls.ts";
import type { CallState } from "../../chat/toolLoop/toolLoop.ts";
import {
	isMissingResultNote,
	maxShownLength,
	shownArguments,
} from "../../chat/toolLoop/toolMessages.ts";
import { placeOfCall, type BlockCall, type ToolEnd } from "../../chat/contract/toolRecord.ts";
import type { Turn } from "../../chat/contract/turn.ts";
import { revealHidden, revealInLine } from "../../common/hiddenText.ts";
import { parseJson } from "../../common/json.ts";
import type { ToolCardView } from "../../shared/tools.ts";
import { answerIn } from "../../tools/catalog/askUser.ts";
import { unlistedTitle } from "../../tools/catalog/externalToolList.ts";
import { ToolRegistry } from "../../tools/catalog/toolRegistry.ts";
import * as z from "zod/mini";
import { shorten, startOf } from "../../common/shortText.ts";

const maxName = 60;

/** Creates the card of a call in its current state. `after` is the number of messages of its turn before it. */
export function toolCard(
	registry: ToolRegistry,
	call: RequestedCall,
	after: number,
	state: CallState,
): ToolCardView {
	const content = "content" in state ? state.content?.replaceAll("\r\n", "\n") : undefined;
	const durationMs = "durationMs" in state ? state.durationMs : undefined;
	const line = answeredLine(call, content) ?? toolLine(call.name, call.arguments);
	const lines = state.state === "done" ? linesOf(call.name, call.arguments) : undefined;
	// The state is enough for a missing file, and for an invalid request, whose reason is written for the model.
	const hasReason = !["done", "missing", "invalid"].includes(state.state);
	const reason = hasReason ? toolReason(content ?? "") : undefined;
	return {
		id: call.id,
		after,
		title: titleOf(registry, call.name),
		line,
		...(lines ? { lines } : {}),
		name: revealInLine(call.name).slice(0, maxName),
		argumentsText: shownArguments(call.arguments).slice(0, maxShownLength),
		state: state.state,
		...(content === undefined ? {} : { result: revealHidden(content).slice(0, maxShownLength) }),
		reason,
		durationMs,
	};
}

/** Returns a tool's title, also that of a server tool. docs/interface.md §4.4. */
function titleOf(
	registry: ToolRegistry,
	name: string,
	unknown: string = l10n.t("Unknown tool"),
): string {
	const unlisted = name === "code_interpreter" ? l10n.t("Code interpreter") : unknown;
	return registry.find(name)?.title ?? unlistedTitle(name) ?? unlisted;
}

/** The titles of Cutaway's own tools. */
const ownTools = new ToolRegistry();

/** Describes calls that have no card, one line each. A call of an unknown tool is described by the tool's name. */
export function describeRequests(
	{ raw, toolNames }: Pick<Turn["messages"][number], "raw" | "toolNames">,
	index: number,
): string[] {
	const calls = callsOf(raw, index);
	const title = (name: string): string => titleOf(ownTools, name, shortened(name));
	return calls.length > 0
		? calls.map(call => toolLine(call.name, call.arguments) ?? title(call.name))
		: toolNames.map(title);
}

/** Creates the card of an invalid call without id or name. `index` is that of its message. */
export function unusableCard(index: number): ToolCardView {
	return {
		id: `unusable-${index}`,
		after: index + 1,
		title: l10n.t("Invalid tool request"),
		name: "",
		argumentsText: "",
		state: "invalid",
		note: l10n.t("The service sent a tool request without an id or without a name."),
	};
}

/** Returns a finished turn's cards from its messages. */
export function recordedCards(registry: ToolRegistry, turn: Turn): ToolCardView[] {
	const cards = new Map<string, ToolCardView>();
	const ownIds = new OwnIds();
	turn.messages.forEach(({ raw }, index) => {
		for (const call of callsOf(raw, index)) {
			const own = ownIds.of(call);
			if (!cards.has(own.id)) {
				const state = recordedState(turn, index, call, own.id);
				cards.set(own.id, toolCard(registry, own, index + 1, state));
			}
		}
	});
	for (const card of unusableCards(turn)) {
		// A model's id may be arbitrary, but must not hide the card of a call that ran.
		cards.set(card.id, cards.get(card.id) ?? card);
	}
	const clicked = (turn.blockCalls ?? []).map(call => blockCard(registry, turn, call));
	return [...cards.values(), ...clicked];
}

function unusableCards({ messages }: Turn): ToolCardView[] {
	return messages.flatMap(({ hasUnusableCall }, index) =>
		hasUnusableCall ? [unusableCard(index)] : [],
	);
}

function blockCard(
	registry: ToolRegistry,
	turn: Turn,
	{ callId, name, arguments: input, after }: BlockCall,
): ToolCardView {
	const { cardId: id } = placeOfCall(callId);
	const end = endOf(turn, id);
	const state: CallState = end ? { ...end, content: end.content ?? "" } : { state: "stopped" };
	return toolCard(registry, { form: "tool", id, name, arguments: input }, after, state);
}

function endOf({ toolEnds = [] }: Turn, id: string): ToolEnd | undefined {
	return toolEnds.find(({ callId }) => placeOfCall(callId).cardId === id);
}

/** Returns how a call ended, from its answer message. Without one, it was not run, or its result was lost. */
function recordedState(turn: Turn, index: number, call: RequestedCall, ownId: string): CallState {
	const answer = turn.messages
		.slice(index + 1)
		.find(({ raw }) =>
			call.form === "tool"
				? raw?.tool_call_id === call.id
				: raw?.role === "function" && raw.name === call.name,
		);
	if (!answer) {
		return { state: "stopped" };
	}
	const content = answer.text;
	if (isMissingResultNote(content)) {
		return { state: "stopped", content };
	}
	const end = endOf(turn, ownId);
	if (end) {
		return { ...end, content };
	}
	const state = /^"?Cancelled: /.test(content)
		? "cancelled"
		: /^"?Denied: /.test(content)
			? "denied"
			: /^"?Error: /.test(content)
				? "failed"
				: "done";
	return { state, content };
}

/** The most characters of a model's text in a line, in UTF-16 code units. */
const maxWords = 80;
const maxReason = 300;

const path = z.optional(z.string());
const line = z.optional(z.int().check(z.minimum(1), z.maximum(10_000_000)));
const argumentsSchema = z.object({
	path,
	newPath: path,
	query: path,
	symbol: path,
	question: path,
	url: path,
	files: z.optional(z.array(z.object({ path: z.string() }))),
	startLine: line,
	endLine: line,
});

/** What a call does with a file. */
const linesOfFile: Readonly<Record<string, (file: string, newPath: string) => string>> = {
	read_file: file => l10n.t("Read {0}", file),
	open_file: file => l10n.t("Show {0}", file),
	get_problems: file => l10n.t("Read the problems of {0}", file),
	get_symbols: file => l10n.t("List the symbols of {0}", file),
	create_file: file => l10n.t("Create {0}", file),
	rename_file: (file, newPath) => l10n.t("Rename {0} to {1}", file, fileName(newPath)),
	delete_file: file => l10n.t("Delete {0}", file),
	apply_code: file => l10n.t("Apply the code to {0}", file),
};

/** Returns a question of the model with the user's answer; undefined for other calls. */
function answeredLine(
	{ name, arguments: input }: Pick<RequestedCall, "name" | "arguments">,
	result = "",
): string | undefined {
	const { question } = readArguments(input);
	const answer = name === "ask_user" ? answerIn(result) : undefined;
	return question === undefined || answer === undefined
		? undefined
		: `${shortened(question)} · ${shortened(answer)}`;
}

/** Describes a call and its file in one line; undefined if the tool's title is enough. */
function toolLine(name: string, argumentsText: string): string | undefined {
	const args = readArguments(argumentsText);
	const { path = "", newPath, query, symbol, question, url, files = [] } = args;
	const file = fileName(path);
	if (file !== "" && Object.hasOwn(linesOfFile, name)) {
		return linesOfFile[name]?.(file, newPath ?? "");
	}
	if (name === "apply_edit" && files[0]) {
		return files.length === 1
			? l10n.t("Edit {0}", fileName(files[0].path))
			: l10n.t("Edit {0} files", files.length);
	}
	if (name === "browsing" && url !== undefined) {
		return l10n.t("Read {0}", shortened(URL.parse(url)?.href ?? url));
	}
	if (name === "search_text" && query !== undefined) {
		return l10n.t("Search for “{0}”", shortened(query));
	}
	if (name === "ask_user" && question !== undefined) {
		return l10n.t("Ask “{0}”", shortened(question));
	}
	return name === "find_references" && symbol !== undefined
		? l10n.t("Find references to {0}", shortened(symbol))
		: undefined;
}

/** Returns the lines that a call read or showed; undefined for whole files and for other calls. */
function linesOf(name: string, argumentsText: string): ToolCardView["lines"] {
	const { path = "", startLine, endLine } = readArguments(argumentsText);
	return startLine === undefined ||
		!["read_file", "open_file"].includes(name) ||
		path === "" ||
		path.length > 400
		? undefined
		: { path, first: startLine, ...(endLine === undefined ? {} : { last: endLine }) };
}

/** Returns why a call failed or was denied in one line, from its answer to the model; undefined if that has no reason. */
export function toolReason(content: string): string | undefined {
	const [line = ""] = content.split("\n");
	const reason =
		/^"?Denied: .*? (?:Reason|They said): (?<words>.+?)"?$/.exec(line) ??
		/^"?Error: (?<words>.+?)"?$/.exec(line);
	const words = reason?.groups?.["words"];
	return words === undefined ? undefined : startOf(revealInLine(words), maxReason);
}

function readArguments(text: string): z.infer<typeof argumentsSchema> {
	return argumentsSchema.safeParse(parseJson(text)).data ?? {};
}

function fileName(path: string): string {
	return shortened(path.split(/[/\\]/).findLast(part => part !== "") ?? "");
}

function shortened(words: string): string {
	return shorten(revealInLine(words.trim()), maxWords);
}
