import * as l10n from "@vscode/l10n";
import { html, type nothing, type TemplateResult } from "lit";
import type { MessageView, TurnView } from "../../../src/shared/chat.ts";
import { icon } from "../../shared/icon.ts";

/** Description of a tool of the service, in the words of its folded card. */
export interface ToolRun {
	readonly title: string;
	readonly detail: string;
	readonly icon: string;
	/** Whether the message begins with a heading that says no more than the card's title. */
	readonly isHeaded: boolean;
}

/** A fenced block of Python, from its very beginning. CommonMark §4.5. */
const codeFence = /^ {0,3}(`{3,}|~{3,}(?!~))[ \t]*(?:python|py)\b[^\n`]*\n/i;

/** Any fenced block, at the beginning or below one line that says what it is. */
const anyFence = /^(?:[^\n`]{0,120}\n+)?[ ]{0,3}(`{3,}|~{3,}(?!~))[^\n`]*\n/;

/** First line of a run's output by the local service. */
const outputHeading = /^\*\*Output(?: \((error)\))?\*\*/;

/** The error a traceback ends with, in Python's own form. */
const raised = /^Traceback \(most recent call last\):[\s\S]*?^([A-Z]\w*(?:\.\w+)*)(?::|$)/m;

/** How much of a message is read to tell what it is, in characters. */
const readCharacters = 20_000;

/**
 * The message as the work of a tool: only tools of the service make an answer of several messages (interface §1, §6), and what they
 * ran or printed comes as code before what it led to. Nothing for every other message.
 */
export function describeToolRun(turn: TurnView, message: MessageView): ToolRun | undefined {
	const isByTool = message.role === "tool" || message.role === "function";
	const isBeforeLast = message !== turn.messages.at(-1);
	const text = message.text.slice(0, readCharacters);
	const code = codeFence.exec(text);
	if (code && isBeforeLast) {
		const detail = countLines(text, code);
		return { title: l10n.t("Ran Python"), detail, icon: "terminal", isHeaded: false };
	}
	const heading = outputHeading.exec(text);
	const isHeaded = heading !== null && turn.messages.length > 1;
	const fence = anyFence.exec(text);
	if (!isByTool && !isHeaded && !(isBeforeLast && fence)) {
		return undefined;
	}
	const error = raised.exec(text)?.[1] ?? (heading?.[1] === undefined ? undefined : "");
	return error === undefined
		? {
				title: l10n.t("Output"),
				detail: fence ? countLines(text, fence) : "",
				icon: "output",
				isHeaded,
			}
		: { title: l10n.t("Python stopped"), detail: error, icon: "error", isHeaded };
}

/** How many lines the block has that a fence opens, in words. */
function countLines(text: string, fence: RegExpExecArray): string {
	const body = text.slice(fence.index + fence[0].length);
	const end = body.search(new RegExp(`^ {0,3}${fence[1]}`, "m"));
	const count = (end === -1 ? body : body.slice(0, end)).trimEnd().split("\n").length;
	return count === 1 ? l10n.t("1 line") : l10n.t("{0} lines", count);
}

/** A card with what a tool did, folded until it is opened; `text` is the message itself, `actions` what can be done with it. */
export function renderToolRun(
	run: ToolRun,
	text: HTMLElement,
	actions: TemplateResult | typeof nothing,
): TemplateResult {
	return html`<div class="tool-run-card">
		<details class=${run.isHeaded ? "tool-run headed" : "tool-run"}>
			<summary>
				${icon("chevron-right")}${icon(run.icon)}<span class="tool-run-title">${run.title}</span
				><span class="tool-run-detail">${run.detail}</span>
			</summary>
			${text}
		</details>
		${actions}
	</div>`;
}
