import * as l10n from "@vscode/l10n";
import { indentedJson } from "../../common/json.ts";
import { fence } from "../../common/plainMarkdown.ts";
import { type TurnAttachment, questionContent } from "../../attachments/contract/turnAttachment.ts";
import { placeOfCall, type BlockCall, type ToolEnd } from "../contract/toolRecord.ts";
import type { AnswerMessage, Turn } from "../contract/turn.ts";
import { callsOf } from "../toolLoop/requestedCalls.ts";

/** Converts a chat to Markdown: messages unchanged, attachments and tool calls between. Closes an interrupted code block. */
export function chatMarkdown(title: string, turns: readonly Turn[]): string {
	const parts = [`# ${escapedLine(title)}`, ...turns.flatMap(turnParts)];
	return `${parts.join("\n\n")}\n`;
}

function turnParts(turn: Turn): string[] {
	const blockCalls = turn.blockCalls ?? [];
	return [
		`## ${l10n.t("You")}`,
		withClosedFence(questionContent(turn.prompt, turn.attachments)),
		...attachmentParts(turn.attachments),
		`## ${l10n.t("Assistant")}`,
		codeSpan(turn.options.model),
		...blockCalls.filter(({ after }) => after === 0).map(call => blockCallPart(call, turn)),
		...turn.messages.flatMap((message, index) => [
			...thoughtParts(turn, index),
			...messageParts(message, turn),
			...blockCalls
				.filter(({ after }) => after === index + 1)
				.map(call => blockCallPart(call, turn)),
		]),
		...thoughtParts(turn, turn.messages.length),
		...endingParts(turn),
	];
}

/** Returns the thoughts before a message, collapsed in viewers that support it. */
function thoughtParts({ thoughts = [] }: Turn, before: number): string[] {
	return thoughts
		.filter(({ after }) => after === before)
		.map(({ text }) =>
			[`<details><summary>${l10n.t("Thought")}</summary>`, fence(text), "</details>"].join("\n\n"),
		);
}

/** Lists attached files. Attached texts are part of the message. */
function attachmentParts(attachments: readonly TurnAttachment[]): string[] {
	const files = attachments.filter(({ kind }) => kind !== "text");
	return files.length === 0
		? []
		: [
				[
					l10n.t("Attached files:"),
					"",
					...files.map(({ name, path }) => `- ${codeSpan(path === "" ? name : path)}`),
				].join("\n"),
			];
}

function messageParts(message: AnswerMessage, turn: Turn): string[] {
	const isResult = message.role === "tool" || message.role === "function";
	const text = isResult
		? [`### ${l10n.t("Tool result")}`, fence(message.text)]
		: [withClosedFence(message.text)];
	return [
		...(message.text === "" ? [] : text),
		...callsOf(message.raw).map(call =>
			callPart(
				call.name,
				call.arguments,
				endOf(turn, id => placeOfCall(id).cardId === call.id),
			),
		),
	];
}

function blockCallPart({ callId, name, arguments: args }: BlockCall, turn: Turn): string {
	const end = endOf(turn, id => id === callId);
	const content = end?.content === undefined ? [] : [fence(end.content)];
	return [callPart(name, args, end), ...content].join("\n\n");
}

function callPart(name: string, args: string, end: ToolEnd | undefined): string {
	const head = l10n.t("Tool: {0}", codeSpan(name));
	return [
		`### ${head}`,
		...(end ? [outcomes[end.state]()] : []),
		fence(indentedJson(args), "json"),
	].join("\n\n");
}

const outcomes: Readonly<Record<ToolEnd["state"], () => string>> = {
	done: () => l10n.t("Done"),
	denied: () => l10n.t("Denied"),
	invalid: () => l10n.t("Invalid request, not run"),
	refused: () => l10n.t("Not allowed, not run"),
	missing: () => l10n.t("Not found"),
	failed: () => l10n.t("Failed"),
	cancelled: () => l10n.t("Canceled"),
};

function endOf(turn: Turn, isIt: (callId: string) => boolean): ToolEnd | undefined {
	return turn.toolEnds?.findLast(({ callId }) => isIt(callId));
}

function endingParts({ progress }: Turn): string[] {
	switch (progress.state) {
		case "complete":
		case "streaming":
			return [];
		case "stopped":
			return [note(l10n.t("Stopped here."))];
		case "partlyUnreadable":
			return [
				note(l10n.t("Partly unreadable: parts of this answer couldn't be read and are missing.")),
			];
		case "interrupted":
		case "endedEarly":
			return [note(l10n.t("This answer was cut off."))];
		case "empty":
		case "refused":
		case "notSent":
		case "chargeUnknown":
			return [note(l10n.t("No answer"))];
	}
}

function note(sentence: string): string {
	return `*${sentence}*`;
}

/**
 * Closes the last fenced code block if the text was cut off inside it, because it would include the text after it. Changes nothing else. A block
 * inside a list or quotation ends with those. @see https://spec.commonmark.org/0.31.2/#fenced-code-blocks
 */
export function withClosedFence(markdown: string): string {
	let open: string | undefined;
	for (const line of markdown.split(/\r\n|\r|\n/)) {
		const [, fence = "", info = ""] = /^ {0,3}(`{3,}|~{3,})([^]*)/.exec(line) ?? [];
		if (open === undefined) {
			open = fence !== "" && !(fence.startsWith("`") && info.includes("`")) ? fence : undefined;
		} else if (fence.startsWith(open) && info.trim() === "") {
			open = undefined;
		}
	}
	return open === undefined ? markdown : `${markdown}${markdown.endsWith("\n") ? "" : "\n"}${open}`;
}

/** Returns a single line with Markdown escaped, for names from a disk or a service. */
export function escapedLine(text: string): string {
	return text
		.replaceAll(/\s+/g, " ")
		.trim()
		.replaceAll(/[\\`*_{}[\]()<>#+\-!|~&]/g, String.raw`\$&`);
}

/** Returns a single line as inline code. */
export function codeSpan(text: string): string {
	const line = text.replaceAll(/\s+/g, " ");
	const longest = (line.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 0);
	const mark = "`".repeat(longest + 1);
	const isPadded = line === "" || line.startsWith("`") || line.endsWith("`");
	return isPadded ? `${mark} ${line} ${mark}` : `${mark}${line}${mark}`;
}
